#include "tests/unit/test.h"

#include "common/tracepoint/traceprint.h"
#include "tests/unit/tracedata.h"

/* The payload of all tests, and its fields. */
static const struct payload {
    uint16_t type;
    uint8_t flags, preempt;
    int32_t pid;
    char comm[16];
    int32_t minus; /* 24 */
    uint32_t dev;
    uint64_t big; /* 32 */
    uint64_t addr;
    uint8_t mac[8]; /* 48 */
    uint8_t ip6[16];
    uint16_t words[4]; /* 72 */
    uint32_t name;     /* 80 */
    uint32_t blob;
    uint32_t outside; /* 88 */
    uint32_t relative;
    uint8_t socket[28]; /* 96 */
    uint8_t small;      /* 124 */
    int8_t tiny;
    uint16_t half;
    char text[8]; /* 128 */
    uint8_t bytes[8];
} payload = {
    .type = 7,
    .pid = 4321,
    .comm = "node",
    .minus = -5,
    .dev = 8u << 20 | 17,
    .big = UINT64_MAX - 1,
    .addr = 0xffffffff81000123,
    .mac = {0, 1, 2, 0xaa, 0xbb, 0xcc},
    .ip6 = {0x20, 1, 0xd, 0xb8, [15] = 1},
    .words = {1, 2, 0xffff, 4},
    .name = 8u << 16 | 128,
    .blob = 4u << 16 | 136,
    .outside = 100u << 16 | 136,
    .relative = 8u << 16 | 32,
    .socket = {[0] = 0, [2] = 0x1f, [3] = 0x90, [4] = 192, [5] = 0, [6] = 2, [7] = 1},
    .small = 200,
    .tiny = -1,
    .half = 0x8000,
    .text = "eth0",
    .bytes = {0xde, 0xad, 0xbe, 0xef, 5},
};

#define FIELD(type, offset, size, sign)                                                            \
    "\tfield:" type ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #sign ";\n"
/* clang-format off */
static const char fields[] =
    "name: event\nID: 7\nformat:\n"
    FIELD("unsigned short common_type", 0, 2, 0)
    FIELD("int common_pid", 4, 4, 1) "\n"
    FIELD("char comm[16]", 8, 16, 0)
    FIELD("int minus", 24, 4, 1)
    FIELD("dev_t dev", 28, 4, 0)
    FIELD("unsigned long big", 32, 8, 0)
    FIELD("const char * addr", 40, 8, 0)
    FIELD("u8 mac[8]", 48, 8, 0)
    FIELD("__u8 ip6[16]", 56, 16, 0)
    FIELD("u16 words[4]", 72, 8, 0)
    FIELD("__data_loc char[] name", 80, 4, 0)
    FIELD("__data_loc u8[] blob", 84, 4, 0)
    FIELD("__data_loc char[] outside", 88, 4, 0)
    FIELD("__rel_loc char[] relative", 92, 4, 0)
    FIELD("__u8 socket[28]", 96, 28, 0)
    FIELD("u8 small", 124, 1, 0)
    FIELD("s8 tiny", 125, 1, 1)
    FIELD("u16 half", 126, 2, 0);
/* clang-format on */

/* The text of the payload for a print format. */
static struct span
printed(const char *print, struct span raw, char long_size)
{
    static struct text out;
    static char format[8192];
    struct text data = {0};
    struct tracing t = {0};
    snprintf(format, sizeof format, "%s\nprint fmt: %s\n", fields, print);
    tracedata_one(&data, long_size, span_cstr(format), SPAN("0xffffffff81000123 : \"constant\"\n"));
    CHECK(tracing_read(&t, text_span(&data)) == NULL);
    struct traceprint *p = traceprint_new(&t);
    out.len = 0;
    traceprint_event(p, tracing_find(&t, 7), raw, &out);
    traceprint_free(p);
    tracing_free(&t);
    free(data.ptr);
    return text_span(&out);
}

#define PRINTS(print, wanted) CHECK_TEXT(printed(print, whole, 8), wanted)
static const struct span whole = {(const char *)&payload, sizeof payload};

TEST("numbers are printed as printf does")
{
    PRINTS("\"a=%d b=%u c=%x\", REC->minus, REC->small, REC->half", "a=-5 b=200 c=8000");
    PRINTS("\"%5d|%-5d|%05d|%+d|%.3d\", 7, 7, 7, 7, 7", "    7|7    |00007|+7|007");
    PRINTS("\"%#x %#o %X %08lx\", 255, 8, 255, 0xbeefUL", "0xff 010 FF 0000beef");
    PRINTS("\"%*d|%-*d|%.*s\", 4, 1, 4, 2, 2, \"abc\"", "   1|2   |ab");
    PRINTS("\"%d%% of %c%c\", 50, 'a', 0x62", "50% of ab");
}

TEST("a number is cut to the size that its conversion states")
{
    PRINTS("\"%d %u %lu\", REC->big, REC->big, REC->big", "-2 4294967294 18446744073709551614");
    PRINTS("\"%hhd %hd %hhu\", 0x1ff, 0x18000, 0x1ff", "-1 -32768 255");
    PRINTS("\"%zu %Lu %llx\", REC->big, REC->big, REC->big",
           "18446744073709551614 18446744073709551614 fffffffffffffffe");
    CHECK_TEXT(printed("\"%lu\", REC->big", whole, 4), "4294967294");
}

TEST("a syscall's arguments are printed as the kernel does")
{
    PRINTS(
        "\"fd: 0x%08lx, buf: 0x%08lx\", ((unsigned long)(REC->dev)), ((unsigned long)(REC->addr))",
        "fd: 0x00800011, buf: 0xffffffff81000123");
}

TEST("expressions follow C's precedence and types")
{
    PRINTS("\"%d\", 1 + 2 * 3 - 4 / 2", "5");
    PRINTS("\"%d\", (1 + 2) * 3 % 5", "4");
    PRINTS("\"%d\", 1 | 6 & 3 ^ 8", "11");
    PRINTS("\"%d\", 1 << 2 + 1", "8");
    PRINTS("\"%d %d\", 2 > 1 == 1, 1 < 2 && 3 != 3 || 0", "1 0");
    PRINTS("\"%d,%d\", ((unsigned int) ((REC->dev) >> 20)), "
           "((unsigned int) ((REC->dev) & ((1U << 20) - 1)))",
           "8,17");
    PRINTS("\"%d %d\", REC->minus < 0, REC->minus >> 1", "1 -3");
    PRINTS("\"%d %ld\", REC->minus < 1U, (long)REC->minus", "0 -5");
    PRINTS("\"%d %d %d %d\", REC->minus / 2, REC->minus % 3, 7 / 0, 7 % 0", "-2 -2 0 0");
    PRINTS("\"%d %d %d\", !REC->minus, ~0, -REC->small", "0 -1 -200");
    PRINTS("\"%d %d\", REC->tiny == -1, (u8)REC->tiny", "1 255");
    PRINTS("\"%lu %d\", sizeof(u64) + sizeof(void *), 010", "16 8");
    PRINTS("\"%lx %llx\", 1UL << 63, 1ULL << 64", "8000000000000000 0");
    PRINTS("\"%d\", __builtin_expect(!!(REC->dev), 1) ? 3 : 4", "3");
}

TEST("arrays are indexed, beyond their end they are 0")
{
    PRINTS("\"%x %x %x\", REC->words[2], REC->words[4], REC->words[-1]", "ffff 0 0");
    PRINTS("\"%x %d\", ((u8 *)__get_dynamic_array(blob))[1], __get_dynamic_array_len(blob)",
           "ad 4");
    PRINTS("\"%x\", *(u16 *)__get_dynamic_array(blob)", "adde");
    PRINTS("\"[%c]\", __get_str(name)[3]", "[0]");
}

TEST("strings are the bytes before a NUL, from a constant, a field or the payload's end")
{
    PRINTS("\"%s %s %s\", REC->comm, __get_str(name), __get_rel_str(relative)", "node eth0 eth0");
    PRINTS("\"[%6s] [%-6s] [%.2s]\", REC->comm, __get_str(name), REC->comm",
           "[  node] [eth0  ] [no]");
    PRINTS("\"%s%s\", REC->minus ? \"yes\" : \"no\", REC->tiny > 0 ? \"+\" : __get_str(name)",
           "yeseth0");
    PRINTS("\"%s\" \" of\" \" parts\\t\\\"\\n\", \"one \" \"text\"", "one text of parts\t\"\n");
    PRINTS("\"%s %s\", REC->addr, (char *)REC->big", "constant fffffffffffffffe");
}

TEST("flags are joined, what has no name is printed in hexadecimal")
{
    PRINTS(
        "\"%s\", __print_flags(REC->small, \"|\", { 0x80, \"A\" }, { 0x40, \"B\" }, { 1, \"C\" })",
        "A|B|0x8");
    PRINTS("\"%s\", __print_flags(3, \"\", { (unsigned long)(( gfp_t)((((1UL))) << (0))), \"A\" }, "
           "{ 1UL << 1, \"B\" }, { 0, ((void *)0) } )",
           "AB");
    PRINTS("\"%s\", __print_flags(0, \"|\", { 0, \"NONE\" }, { 1, \"A\" })", "NONE");
    PRINTS("\"%s\", __print_flags(REC->minus, \"|\", { ~0xf, \"HIGH\" })", "HIGH|0xb");
}

TEST(
    "a symbol is the first with the value; a name that the format does not explain matches nothing")
{
    PRINTS("\"%s %s\", __print_symbolic(REC->minus, {-5, \"five\"}, {-5, \"again\"}), "
           "__print_symbolic(9, {1, \"one\"})",
           "five 0x9");
    PRINTS("\"%s\", __print_symbolic(0, { SOME_ENUM, \"wrong\" }, { f(0, 1), \"wrong\" }, "
           "{ 0, \"right\" }, { -1, NULL })",
           "right");
    PRINTS("\"%s\", __print_symbolic(REC->minus, {1, \"one\"})", "0xfffffffb");
}

TEST("sched_switch prints its state as perf does")
{
    PRINTS("\"prev_comm=%s prev_state=%s%s ==> next_comm=%s\", REC->comm, "
           "(REC->small & ((((0x0 | 0x1 | 0x80) + 1) << 1) - 1)) ? __print_flags(REC->small & "
           "((((0x0 | 0x1 | 0x80) + 1) << 1) - 1), \"|\", { 0x1, \"S\" }, { 0x2, \"D\" }) : \"R\", "
           "REC->half & 0x8000 ? \"+\" : \"\", __get_str(name)",
           "prev_comm=node prev_state=R+ ==> next_comm=eth0");
}

TEST("arrays are printed in hexadecimal")
{
    PRINTS("\"%s %s\", __print_hex(__get_dynamic_array(blob), 3), __print_hex_str(REC->mac, 6)",
           "de ad be 000102aabbcc");
    PRINTS("\"%s\", __print_array(REC->words, 3, sizeof(u16))", "{0x1,0x2,0xffff}");
    PRINTS("\"%s\", __print_dynamic_array(blob, sizeof(u8))", "{0xde,0xad,0xbe,0xef}");
    PRINTS("\"%s\", __get_bitmask(blob)", "efbeadde");
    PRINTS("\"%*ph %*phC %*phN\", 3, REC->mac, 2, REC->words, 4, __get_dynamic_array(blob)",
           "00 01 02 01:00 deadbeef");
    PRINTS("\"%*pbl\", 64, REC->words", "0,17,32-47,50");
}

TEST("pointers are functions' names, addresses of networks, UUIDs, or numbers")
{
    PRINTS("\"%p %px %pK %p\", REC->addr, (void *)1, 0, 0", "0xffffffff81000123 0x1 (nil) (nil)");
    PRINTS("\"%ps %pS %pS|%20ps|\", REC->addr, REC->addr, (void *)0x10, (void *)REC->addr",
           "0xffffffff81000123 0xffffffff81000123 0x10|  0xffffffff81000123|");
    PRINTS("\"%pI4 %pi4 %pM %pm\", REC->mac, REC->mac, REC->mac, REC->mac",
           "0.1.2.170 0.1.2.170 00:01:02:aa:bb:cc 000102aabbcc");
    PRINTS("\"%pMF %pMR\", REC->mac, REC->mac", "00-01-02-aa-bb-cc cc:bb:aa:02:01:00");
    PRINTS("\"%pI6c %pI6 %pi6\", REC->ip6, REC->ip6, REC->ip6",
           "2001:db8::1 2001:0db8:0000:0000:0000:0000:0000:0001 "
           "20010db8000000000000000000000001");
    PRINTS("\"%pU %pUL\", REC->ip6, REC->ip6",
           "20010db8-0000-0000-0000-000000000001 B80D0120-0000-0000-0000-000000000001");
}

/* %pISpc, %pIS and %pI6c of 28 bytes that begin with the family. */
static void
check_socket(uint16_t family, const char *bytes, const char *wanted)
{
    struct payload changed = payload;
    memcpy(changed.socket, bytes, sizeof changed.socket);
    memcpy(changed.socket, &family, sizeof family);
    CHECK_TEXT(printed("\"%pISpc %pIS\", REC->socket, REC->socket",
                       span_of((const char *)&changed, sizeof changed), 8),
               wanted);
}

TEST("a socket's address is printed by its family")
{
    check_socket(2, "\0\0\x1f\x90\xc0\0\2\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
                 "192.0.2.1:8080 192.0.2.1");
    check_socket(10, "\0\0\0\x50\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\2\1\0\0\0",
                 "[::ffff:192.0.2.1]:80 0000:0000:0000:0000:0000:ffff:c000:0201");
    check_socket(10, "\0\0\0\x50\0\0\0\0\xfe\x80\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0",
                 "[fe80:0:1::2:0]:80 fe80:0000:0001:0000:0000:0000:0002:0000");
    check_socket(1, "\0\0\0\x50\0\0\0\0\xfe\x80\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0",
                 "(einval) (einval)");
}

TEST("an argument that depends on a variable of the kernel is a question mark")
{
    PRINTS("\"page=%p pid=%d age=%lu\", REC->dev != -1UL ? (vmemmap_base + (REC->dev)) : "
           "((void *)0), REC->common_pid, (jiffies - REC->big) / 250",
           "page=? pid=4321 age=?");
}

/* The format is not evaluated: the payload's fields are printed, here those of the first 40 bytes.
 */
static void
check_fields(const char *print)
{
    struct span got = printed(print, whole, 8);
    struct span wanted = SPAN("comm=node minus=-5 dev=8388625 big=0xfffffffffffffffe "
                              "addr=0xffffffff81000123 mac=ARRAY[00, 01, 02, aa, bb, cc, 00, 00] "
                              "ip6=ARRAY[20, ");
    if (!span_starts(got, wanted)) {
        printf("# not by its fields: %.60s\n", print);
        test_failures++;
    }
    CHECK(span_search(got, SPAN(" words=ARRAY[01, 00, 02, 00, ff, ff, 04, 00] name=eth0 "
                                "blob=ARRAY[de, ad, be, ef] outside= relative=eth0 socket=")) !=
          SPAN_NONE);
    CHECK(span_ends(got, SPAN(" small=200 tiny=-1 half=32768")));
}

TEST("an event whose print format we do not evaluate is printed by its fields")
{
    static const char *const formats[] = {
        "",
        "REC->pid",
        "\"unterminated",
        "\"%s\", some_function(REC->dev)",
        "\"%d\", ({ int x = 1; x; })",
        "\"%d\"",
        "\"%d %d\", 1",
        "\"%d\", REC->missing",
        "\"%d\", REC->comm",
        "\"%q %n\", 1, 2",
        "\"%pI4\", REC->dev",
        "\"%pG\", REC->dev",
        "\"%d\", (1",
        "\"%d\", 1)",
        "\"%d\", 1 +",
        "\"%d\", 0x",
        "\"%d\", 99999999999999999999",
        "\"%d\", 1 ? 2",
        "\"%s\", __print_flags(REC->dev, \"|\", { 1, \"A\" ",
        "\"%s\", __get_str(minus)",
        "\"%99999d\", 1",
        "\"%d\", 'a",
        "\"%d\", @",
        "\"%d\", *REC->dev",
        "\"%",
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        check_fields(formats[i]);
}

TEST("a payload that is cut counts as 0 and as empty beyond its end")
{
    for (size_t len = 0; len <= whole.len; len++) {
        char *copy = malloc(len + 1);
        memcpy(copy, whole.ptr, len);
        struct span raw = span_of(copy, len);
        printed("\"%s %d %s %pI6c %s\", REC->comm, REC->words[3], __get_str(name), REC->ip6, "
                "__print_hex(__get_dynamic_array(blob), 4)",
                raw, 8);
        printed("", raw, 8);
        free(copy);
    }
    CHECK_TEXT(printed("\"[%s] %d [%s]\", REC->comm, REC->minus, __get_str(name)",
                       span_head(whole, 20), 8),
               "[] 0 []");
}

/* Appends the part n times; returns the text so far as a C string, good until the next call. */
static const char *
repeat(struct text *t, const char *part, size_t n)
{
    for (; n > 0; n--)
        text_add(t, span_cstr(part));
    text_add(t, SPAN("\0"));
    t->len--;
    return t->ptr;
}

/* A print format of one number: n times `part`, then "1". */
static const char *
chain(const char *part, size_t n)
{
    static struct text t;
    t.len = 0;
    repeat(&t, "\"%d\", ", 1);
    repeat(&t, part, n);
    return repeat(&t, "1", 1);
}

TEST("brackets that nest deeper than the limit, and long chains, are not evaluated; constants are "
     "one")
{
    PRINTS(chain("-", 98), "1");
    check_fields(chain("-", 100));
    check_fields(chain("(", 1000));
    check_fields(chain("1?1:", 500));
    PRINTS(chain("REC->small+", 150), "30001");
    check_fields(chain("REC->small+", 300));
    PRINTS(chain("1+", 1000), "1001");
}

TEST("a text ends after the conversion that makes it 64 KiB, a width is at most 1000 columns")
{
    struct text print = {0};
    repeat(&print, "\"", 1);
    repeat(&print, "%1000d", 100);
    repeat(&print, "\"", 1);
    CHECK(printed(repeat(&print, ",1", 100), whole, 8).len == 66000);
    free(print.ptr);
    PRINTS("\"%*d\", 7, 1", "      1");
    CHECK(printed("\"%*d|%-*s|\", 2000000000, 1, -2000000000, \"x\"", whole, 8).len == 2002);
}
