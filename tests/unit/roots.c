#include "tests/unit/test.h"

#include "common/stack/text/perftext.h"
#include "common/stack/frames/roots.h"

static struct frametab frames;
static struct roots counted;
static struct intern commands;

/* Counts `times` samples of a command. The frames are lines, leaf first, each ended by a newline.
 */
static void
add(const char *comm, uint64_t times, const char *lines)
{
    uint32_t stack[200];
    struct sample s = {.header.field[PERF_COMM] = span_cstr(comm), .frames = stack};
    if (frames.parse == NULL)
        frametab_init(&frames, perf_frame_parse);
    while (*lines != '\0') {
        size_t len = strcspn(lines, "\n") + 1;
        stack[s.nframes++] = frametab_line(&frames, span_of(lines, len));
        lines += len;
    }
    uint32_t command = intern_add(&commands, s.header.field[PERF_COMM]);
    while (times-- > 0)
        roots_add(&counted, &frames, &s, command, 1);
}

/* Checks what the samples added since the last check are judged to be; `symbol`: where most of the
 * broken stacks end. */
static void
check_result(uint64_t stacks, uint64_t broken, const char *symbol)
{
    struct roots_result got = roots_judge(&counted);
    if (got.stacks != stacks || got.broken != broken)
        printf("# %llu of %llu are broken\n", (unsigned long long)got.broken,
               (unsigned long long)got.stacks);
    CHECK(got.stacks == stacks && got.broken == broken);
    CHECK_TEXT(got.symbol, symbol);
    roots_free(&counted);
}

#define LIBC "7f01 __libc_start_call_main+0x7a (/lib/libc.so.6)\n"

TEST("a stack that ends at a function is broken where others of the command reach _start")
{
    add("node", 70, "1 f (/bin/node)\n2 main (/bin/node)\n3 _start (/bin/node)\n");
    add("node", 20, "4 sha512_block+0x12 (/bin/node)\n");
    add("node", 10, "5 sha512_block+0x19 (/bin/node)\n1d0c7f3ab6 [unknown] ([unknown])\n");
    add("node", 2, "6 malloc+0x1 (/lib/libc.so.6)\n");
    check_result(102, 32, "sha512_block");
}

TEST("a stack of one frame without a name is broken too, of several nothing is known")
{
    add("node", 7, "1 f (/bin/node)\n" LIBC);
    add("node", 2, "1f [unknown] ([unknown])\n");
    add("node", 1, "2f [unknown] (/bin/node)\n");
    add("node", 5, "2f [unknown] (/bin/node)\n3f [unknown] (/bin/node)\n");
    check_result(10, 3, "");
}

TEST("a stack that ends in JIT-compiled code without a name is broken")
{
    add("java", 1, "1 f (/lib/libjvm.so)\n" LIBC);
    add("java", 2, "7f01 [unknown] (/tmp/perf-7.map)\n7f02 [unknown] (/tmp/perf-7.map)\n");
    struct roots_result got = roots_judge(&counted);
    CHECK_TEXT(got.dso, "/tmp/perf-7.map");
    check_result(3, 2, "");
}

TEST("where a stripped libc starts threads, stacks are whole")
{
    add("a", 8, "1 f (/bin/a)\n2 main (/bin/a)\n" LIBC);
    add("a", 1, "1 f (/bin/a)\n2 worker (/bin/a)\n7f03 [unknown] (/lib/libc.so.6)\n");
    check_result(9, 0, "");
    add("a", 8, "1 f (/bin/a)\n2 main (/bin/a)\n" LIBC);
    add("a", 1, "7f03 [unknown] (/lib/libc.so.6)\n");
    check_result(9, 1, "");
}

TEST("threads, other libcs' and other languages' starts are roots")
{
    static const char *const roots[] = {
        "1 start_thread+0x2 (/lib/libc.so.6)\n",
        "1 __clone3 (/lib/libc.so.6)\n",
        "1 clone3 (/lib/libc.so.6)\n",
        "1 _dl_start_user (/lib/ld-linux-x86-64.so.2)\n",
        "1 __GI___clone3 (/lib/libc.so.6)\n",
        "1 runtime.goexit.abi0+0x1 (/bin/go)\n",
        "1 runtime.asmcgocall+0x1 (/bin/go)\n",
        "1 make_fcontext+0x1 (/bin/app)\n",
        "1 __start_context (/lib/libc.so.6)\n",
        "1 main+0x1 (/bin/static)\n",
        "1 __libc_start_main@@GLIBC_2.34 (/lib/libc.so.6)\n",
    };
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        add("a", 1, roots[i]);
    check_result(sizeof roots / sizeof *roots, 0, "");
}

TEST("what an unwinder prints past the root, and a nameless _start, do no harm")
{
    add("a", 1, "1 f (/bin/a)\n" LIBC "41fd89415541f689 [unknown] ([unknown])\n");
    add("a", 1, "1 f (/bin/a)\n" LIBC "1050 [unknown] (/bin/a)\n");
    check_result(2, 0, "");
}

TEST("the kernel's stacks are whole, with names and without")
{
    add("a", 1, "1 f (/bin/a)\n" LIBC);
    add("a", 2,
        "ffffffff81 do_idle+0x1 ([kernel.kallsyms])\n"
        "ffffffff82 common_startup_64 ([kernel.kallsyms])\n");
    check_result(3, 0, "");
    add("a", 1, "1 f (/bin/a)\n" LIBC);
    add("a", 2, "ffffffff81234567 [unknown] ([unknown])\n");
    check_result(1, 0, "");
}

TEST("one stack more that reaches the start of user code changes no more than one")
{
    for (uint64_t whole = 0; whole < 2; whole++) {
        add("awk", 9, "1 f (/bin/awk)\n" LIBC);
        add("sort", whole, "2 compare (/bin/sort)\n" LIBC);
        add("sort", 60, "7f02 memcmp (/lib/libc.so.6)\n");
        add("sort", 5, "2 compare (/bin/sort)\n");
        add("sort", 5, "2 compare (/bin/sort)\n1d0c7f3ab6 [unknown] ([unknown])\n");
        add("sort", 30, "2 compare (/bin/sort)\n3 merge (/bin/sort)\n");
        struct roots_result got = roots_judge(&counted);
        CHECK(got.command == intern_find(&commands, SPAN("sort")));
        check_result(109 + whole, 70, "memcmp");
    }
}

TEST("nothing is said of stacks of several functions where few of the command reach _start")
{
    add("a", 9, "1 f (/bin/a)\n" LIBC);
    add("b", 9, "1 f (/bin/b)\n2 g (/bin/b)\n");
    add("b", 9, "ffffffff82 entry_SYSCALL_64 ([kernel.kallsyms])\n");
    add("b", 9, "7f02 __GI___execve+0x7 (/lib/libc.so.6)\n");
    check_result(36, 0, "");
    add("b", 5, "2 main (/bin/b)\n");
    add("b", 5, "1 f (/bin/b)\n2 g (/bin/b)\n");
    check_result(10, 5, "g");
}

TEST("nothing is said of stacks of which a filter has dropped the roots")
{
    add("a", 9, "1 JS:*f (/tmp/perf-7.map)\n");
    add("a", 9, "1 JS:*f (/tmp/perf-7.map)\n2 JS:*g (/tmp/perf-7.map)\n");
    check_result(18, 0, "");
    add("a", 9, "1 read (/lib/libc.so.6)\n");
    add("a", 9, "1 read (/lib/libc.so.6)\n");
    add("a", 1, "1 f (/a)\n7f03 [unknown] ([unknown])\n");
    add("a", 1, "1 f (/a)\n2 g (/a)\n3 h (/a)\n");
    check_result(20, 19, "read");
}

TEST("nothing is said of stacks that were recorded up to some depth")
{
    static const char nine[] =
        "1 a (/x)\n2 b (/x)\n3 c (/x)\n4 d (/x)\n5 e (/x)\n6 f (/x)\n7 g (/x)\n8 h (/x)\n";
    add("a", 50, "1 a (/x)\n9 main (/x)\n");
    add("a", 9, nine);
    check_result(59, 0, "");
    add("a", 9, "1 a (/x)\n");
    check_result(9, 0, "");
    add("a", 9, "1 a (/x)\n");
    add("a", 9, "1 a (/x)\n1d0c7f3ab6 [unknown] ([unknown])\n");
    check_result(18, 18, "a");
}

TEST("a function with frames above it, at the root of many stacks, may be another runtime's root")
{
    add("a", 8, "1 f (/bin/a)\n" LIBC);
    add("a", 2, "1 f (/bin/a)\n2 g (/bin/a)\n3 h (/bin/a)\n4 fiber_run (/bin/a)\n");
    check_result(10, 0, "");
    add("a", 8, "1 f (/bin/a)\n" LIBC);
    add("a", 2, "1 f (/bin/a)\n2 g (/bin/a)\n3 h (/bin/a)\n4 qsort_r (/lib/libc.so.6)\n");
    check_result(10, 2, "qsort_r");
    add("a", 8, "1 f (/bin/a)\n" LIBC);
    add("a", 2, "1 f (/bin/a)\n2 g (/bin/a)\n3 h (/bin/a)\n4 JS:*f (/tmp/perf-7.map)\n");
    check_result(10, 2, "JS:*f");
    add("a", 98, "1 f (/bin/a)\n" LIBC);
    add("a", 2, "1 f (/bin/a)\n2 g (/bin/a)\n3 h (/bin/a)\n4 fiber_run (/bin/a)\n");
    check_result(100, 2, "fiber_run");
}

TEST("a stack as deep as the kernel records is left out, and so is a sample without a callchain")
{
    static const char frame[] = "1 f (/bin/a)\n";
    enum { FRAME = sizeof frame - 1 };
    char deep[127 * FRAME + 1] = "";
    for (size_t i = 0; i < 127; i++)
        memcpy(deep + i * FRAME, frame, FRAME);
    add("a", 1, "1 f (/bin/a)\n" LIBC);
    add("a", 3, deep);
    struct sample s = {0};
    roots_add(&counted, &frames, &s, 0, 1);
    check_result(1, 0, "");
}
