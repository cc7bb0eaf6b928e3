/* Which names are believed, from when on, and what takes them back. */
#include <inttypes.h>

#include "tests/unit/makeheap.h"

enum { MS = 1000 * 1000, TRAMPOLINE = 0x400123, THREAD = 7 };

static struct makeheap m;
static struct v8names *names;
static char reported[4000];

static void
add(const char *format, uint64_t since, uint64_t at, uint64_t size, struct span label)
{
    size_t len = strlen(reported);
    snprintf(reported + len, sizeof reported - len, format, (unsigned)(since / MS),
             (unsigned)(since % MS), at, size, SPAN_ARG(label));
}

static void
on_code(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span label)
{
    (void)ctx;
    add("%u.%u %" PRIx64 "+%" PRIx64 " %.*s\n", since, start, size, label);
}

static void
on_trampoline(void *ctx, uint64_t since, uint64_t addr)
{
    (void)ctx;
    add("%u.%u %" PRIx64 " trampoline%.0" PRIx64 "\n", since, addr, 0, SPAN(""));
}

static void
on_inlined(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span labels)
{
    (void)ctx;
    add("%u.%u %" PRIx64 "+%" PRIx64 " inlined %.*s\n", since, start, size, labels);
}

static void
on_lines(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span lines)
{
    (void)ctx;
    add("%u.%u %" PRIx64 "+%" PRIx64 " lines %.*s\n", since, start, size, lines);
}

static struct v8names_sink sink = {on_code, on_trampoline, on_inlined, NULL, NULL};

/* A function of its own script, its bytecode, and a JSFunction. */
struct made {
    uint64_t script, shared, bytecode, function;
};

static struct made
make(const char *name, int32_t id, uint64_t bytecode)
{
    struct made f = {.script = makeheap_script(&m, "/x.js", "a\nfunction f(){}\n", id),
                     .bytecode = bytecode};
    f.shared = makeheap_shared(&m, makeheap_scope(&m, name, 4, 12), f.script, bytecode);
    f.function = makeheap_function(&m, f.shared);
    return f;
}

static void
begin(size_t memory)
{
    makeheap_init(&m);
    m.now = 1000 * (uint64_t)MS;
    reported[0] = '\0';
    names = v8names_new(&m.layout, &m.memory, &sink, memory);
}

static void
end(void)
{
    v8names_free(names);
}

/* A caller's frame of an interpreted function. */
static struct v8frame
interpreted(const struct made *f, unsigned ms)
{
    return (struct v8frame){.time = ms * (uint64_t)MS,
                            .pc = TRAMPOLINE,
                            .context = f->shared, /* any object */
                            .function = f->function,
                            .bytecode = f->bytecode,
                            .offset = makeheap_smi(64),
                            .tid = THREAD,
                            .has_words = true,
                            .has_context = true,
                            .in_file = true};
}

/* One of compiled code; pc is a return address. */
static struct v8frame
compiled(const struct made *f, unsigned ms, uint64_t pc)
{
    struct v8frame frame = interpreted(f, ms);
    frame.pc = pc;
    frame.in_file = false;
    frame.offset = 0;
    return frame;
}

/* Resolve the frame at this time, and return what was reported. */
static struct span
resolve_at(unsigned ms, struct v8frame f)
{
    reported[0] = '\0';
    m.now = ms * (uint64_t)MS;
    v8names_add(names, &f);
    v8names_resolve(names);
    return span_cstr(reported);
}

/* "START+SIZE" of a BytecodeArray of ten bytecodes, or of code. */
static const char *
range(uint64_t start, uint64_t size)
{
    static char out[2][64];
    static unsigned next;
    next = (next + 1) % 2;
    snprintf(out[next], sizeof out[next], "%" PRIx64 "+%" PRIx64, start, size);
    return out[next];
}

/* What is reported, with the range put in the place of R. */
static struct span
with(const char *format, const char *r)
{
    static char out[2][1000];
    static unsigned next;
    size_t len = 0;
    next = (next + 1) % 2;
    for (; *format != '\0'; format++)
        len += (size_t)snprintf(out[next] + len, sizeof out[next] - len, "%.*s",
                                *format == 'R' ? (int)strlen(r) : 1, *format == 'R' ? r : format);
    return span_of(out[next], len);
}

#define CHECK_REPORTED(got, format, r) CHECK(same_report(got, with(format, r)))

static bool
same_report(struct span got, struct span wanted)
{
    if (!span_eq(got, wanted))
        printf("# wanted '%.*s', got '%.*s'\n", SPAN_ARG(wanted), SPAN_ARG(got));
    return span_eq(got, wanted);
}

TEST("an interpreted function that is read within 10 ms has its name from the sample on")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    CHECK_REPORTED(resolve_at(1010, interpreted(&f, 1000)),
                   "1000.0 R JS:~f /x.js:2:11\n1000.0 400123 trampoline\n",
                   range(f.bytecode - 1, 74));
    CHECK_TEXT(resolve_at(1060, interpreted(&f, 1030)), "");
    CHECK(v8names_counts(names)->named == 2 && v8names_counts(names)->functions == 1);
    CHECK(v8names_are_new(names));
    m.now += 200 * MS;
    CHECK(!v8names_are_new(names));
    end();
}

TEST("one that is read later has it from the next sample on: the first could be a predecessor's")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    CHECK_TEXT(resolve_at(1011, interpreted(&f, 1000)), "");
    CHECK(v8names_counts(names)->doubtful == 1);
    CHECK_REPORTED(resolve_at(1060, interpreted(&f, 1020)),
                   "1020.0 R JS:~f /x.js:2:11\n1020.0 400123 trampoline\n",
                   range(f.bytecode - 1, 74));
    end();
}

TEST("but it has it at once if its script is older than the sample, as its number says in its "
     "thread")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    struct made g = make("g", 5, makeheap_bytecode(&m, 10));
    struct made newer = make("newer", 6, makeheap_bytecode(&m, 10));
    resolve_at(1010, interpreted(&f, 1005));
    CHECK_REPORTED(resolve_at(1100, interpreted(&g, 1050)), "1050.0 R JS:~g /x.js:2:11\n",
                   range(g.bytecode - 1, 74));
    CHECK_TEXT(resolve_at(1200, interpreted(&newer, 1150)), "");
    struct made h = make("h", 4, makeheap_bytecode(&m, 10));
    struct v8frame frame = interpreted(&h, 1250);
    frame.tid = THREAD + 1; /* a worker counts its scripts itself */
    CHECK_TEXT(resolve_at(1300, frame), "");
    end();
}

TEST("a twin in all places of a dead function is another one, since its script has another number")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    const char *r = range(f.bytecode - 1, 74);
    resolve_at(1010, interpreted(&f, 1005));
    resolve_at(1060, interpreted(&f, 1055));
    makeheap_set(&m, f.script, m.layout.script_id, makeheap_smi(9));
    makeheap_set(&m, f.shared, m.layout.shared_name, makeheap_scope(&m, "twin", 4, 12));
    CHECK_REPORTED(resolve_at(1110, interpreted(&f, 1090)), "1060.1 R \n", r);
    CHECK_REPORTED(resolve_at(1130, interpreted(&f, 1125)), "1125.0 R JS:~twin /x.js:2:11\n", r);
    end();
}

TEST(
    "a dead function that looks alive is given up when a frame says that its bytecode is another's")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    struct made g = make("g", 6, f.bytecode);
    const char *r = range(f.bytecode - 1, 74);
    resolve_at(1010, interpreted(&f, 1005));
    CHECK_REPORTED(resolve_at(1060, interpreted(&g, 1055)),
                   "1010.1 R \n1055.0 R JS:~g /x.js:2:11\n", r);
    end();
}

TEST("a function whose JSFunction has moved is found at its new place")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    uint64_t moved = makeheap_function(&m, f.shared);
    makeheap_set(&m, f.function, 0, moved - 1);
    CHECK(resolve_at(1010, interpreted(&f, 1005)).len > 0);
    makeheap_set(&m, moved, 0, moved - 1); /* a circle */
    CHECK_TEXT(resolve_at(1060, interpreted(&f, 1055)),
               with("1010.1 R \n", range(f.bytecode - 1, 74)).ptr);
    end();
}

TEST("without its JSFunction a frame is believed as long as other functions of the script run")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10)), g = f;
    g.bytecode = makeheap_bytecode(&m, 10);
    g.shared = makeheap_shared(&m, makeheap_scope(&m, "g", 4, 12), f.script, g.bytecode);
    g.function = makeheap_function(&m, g.shared);
    resolve_at(1010, interpreted(&f, 1005));
    struct v8frame lost = interpreted(&f, 1055), other = interpreted(&g, 1055);
    lost.function = other.context;
    v8names_add(names, &other);
    CHECK_REPORTED(resolve_at(1060, lost), "1055.0 R JS:~g /x.js:2:11\n",
                   range(g.bytecode - 1, 74));
    CHECK(v8names_counts(names)->doubtful == 0);
    lost.time = 1070 * (uint64_t)MS;
    CHECK_REPORTED(resolve_at(1080, lost), "1060.1 R \n", range(f.bytecode - 1, 74));
    CHECK(v8names_counts(names)->doubtful == 1);
    end();
}

TEST("compiled code is found by its address, and has the mark of its tier")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    uint64_t baseline = makeheap_code(&m, 10, f.bytecode, 0x3000);
    uint64_t maglev = makeheap_code(&m, 11, makeheap_deopt(&m, f.shared), 0x100);
    uint64_t turbofan =
        makeheap_code(&m, 12u | m.layout.code_specialized, makeheap_deopt(&m, f.shared), 0x100);
    CHECK_REPORTED(resolve_at(1010, compiled(&f, 1005, baseline + 0x3000)),
                   "1005.0 R JS:^f /x.js:2:11\n", range(baseline, 0x3000));
    CHECK_REPORTED(resolve_at(1060, compiled(&f, 1055, maglev + 1)), "1055.0 R JS:+f /x.js:2:11\n",
                   range(maglev, 0x100));
    CHECK_REPORTED(resolve_at(1110, compiled(&f, 1105, turbofan + 1)),
                   "1105.0 R JS:*'f /x.js:2:11\n", range(turbofan, 0x100));
    CHECK_TEXT(resolve_at(1150, compiled(&f, 1140, turbofan + 0x101)), "");
    CHECK(v8names_counts(names)->unread == 1);
    end();
}

TEST("code that is replaced loses its name, and what overlaps it, too")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    uint64_t code = makeheap_code(&m, 12, makeheap_deopt(&m, f.shared), 0x100);
    resolve_at(1010, compiled(&f, 1005, code + 0x90));
    makeheap_set(&m, code + 1, 0, 0);
    memset(m.bytes + (code - 32 - MAKEHEAP_BASE), 0x90, 32);
    m.len = (size_t)(code + 0x40 - 32 - MAKEHEAP_BASE);
    size_t old = m.len;
    m.len += 0x1000; /* the new Code object lies elsewhere */
    uint64_t other = makeheap_code(&m, 12, makeheap_deopt(&m, f.shared), 0x40);
    memcpy(m.bytes + old, m.bytes + (other - 32 - MAKEHEAP_BASE), 32);
    uint64_t object;
    memcpy(&object, m.bytes + old + 8, 8);
    makeheap_set(&m, object, m.layout.code_start, code + 0x40);
    char wanted[200];
    snprintf(wanted, sizeof wanted, "1010.1 %s \n1055.0 %s JS:*f /x.js:2:11\n", range(code, 0x100),
             range(code + 0x40, 0x40));
    CHECK_TEXT(resolve_at(1060, compiled(&f, 1055, code + 0x51)), wanted);
    end();
}

TEST("code whose start was taken by bytecode, and that is shorter then, leaves nothing behind")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10)), g = make("g", 5, f.bytecode);
    uint64_t code = makeheap_code(&m, 12, makeheap_deopt(&m, f.shared), 0x1000), object;
    memcpy(&object, m.bytes + (code - 32 + 8 - MAKEHEAP_BASE), 8);
    resolve_at(1010, compiled(&f, 1005, code + 0x90));
    g.bytecode = code + 1;
    makeheap_set(&m, code + 1, 0, makeheap_map(&m, m.layout.type_bytecode));
    makeheap_set(&m, code + 1, 8, makeheap_smi(10));
    makeheap_set(&m, g.shared, m.layout.shared_data, g.bytecode);
    resolve_at(1030, interpreted(&g, 1025));
    makeheap_set32(&m, object, m.layout.code_size, 0x40);
    resolve_at(1050, compiled(&f, 1045, code + 0x10));
    uint64_t inner = makeheap_code(&m, 12, makeheap_deopt(&m, f.shared), 0x40);
    memcpy(&object, m.bytes + (inner - 32 + 8 - MAKEHEAP_BASE), 8);
    makeheap_set(&m, object, m.layout.code_start, code + 0x800);
    memcpy(m.bytes + (code + 0x800 - 32 - MAKEHEAP_BASE), m.bytes + (inner - 32 - MAKEHEAP_BASE),
           32);
    CHECK_REPORTED(resolve_at(1070, compiled(&f, 1065, code + 0x811)),
                   "1065.0 R JS:*f /x.js:2:11\n", range(code + 0x800, 0x40));
    end();
}

TEST("a leaf in a prologue has the caller's words: it has a name if a frame with proof ran there "
     "just before")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10)),
                g = make("g", 5, makeheap_bytecode(&m, 10));
    uint64_t code = makeheap_code(&m, 12, makeheap_deopt(&m, f.shared), 0x100);
    struct v8frame leaf = compiled(&g, 1005, code);
    leaf.leaf = true;
    CHECK_TEXT(resolve_at(1010, leaf), "");
    leaf.time = 1055 * (uint64_t)MS;
    CHECK_TEXT(resolve_at(1060, leaf), "");
    CHECK_REPORTED(resolve_at(1110, compiled(&f, 1105, code + 0x90)), "1105.0 R JS:*f /x.js:2:11\n",
                   range(code, 0x100));
    leaf.time = 1155 * (uint64_t)MS;
    CHECK_TEXT(resolve_at(1160, leaf), ""); /* it has the name still */
    leaf.time = 1305 * (uint64_t)MS;
    CHECK_REPORTED(resolve_at(1310, leaf), "1160.1 R \n", range(code, 0x100));
    end();
}

TEST("optimized code in which a frame of another function runs has no name any more")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10)),
                g = make("g", 5, makeheap_bytecode(&m, 10));
    uint64_t code = makeheap_code(&m, 12, makeheap_deopt(&m, f.shared), 0x100);
    CHECK_REPORTED(resolve_at(1010, compiled(&f, 1005, code + 0x90)), "1005.0 R JS:*f /x.js:2:11\n",
                   range(code, 0x100));
    CHECK_REPORTED(resolve_at(1060, compiled(&g, 1055, code + 0x90)), "1010.1 R \n",
                   range(code, 0x100));
    end();
}

TEST("neither leaves in builtins, nor frames of other kinds, nor guesses are interpreted functions")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    struct v8frame leaf = interpreted(&f, 1005), typed = leaf, guessed = leaf, far = leaf;
    leaf.leaf = true;
    typed.context = 14 << 1;
    guessed.guessed = true;
    far.has_words = far.has_context = false;
    CHECK_TEXT(resolve_at(1010, leaf), "");
    CHECK_TEXT(resolve_at(1010, typed), "");
    CHECK_TEXT(resolve_at(1010, guessed), "");
    CHECK_TEXT(resolve_at(1010, far), "");
    CHECK(m.nrequests == 0);
    resolve_at(1020, interpreted(&f, 1015));
    guessed.time = 1025 * (uint64_t)MS;
    CHECK_TEXT(resolve_at(1030, guessed), "");
    CHECK(v8names_counts(names)->named == 2); /* of a known trampoline it is no guess */
    end();
}

static uint64_t changing; /* a SharedFunctionInfo */

/* After each request it has another script. */
static void
change_script(struct makeheap *h)
{
    makeheap_set(h, changing, h->layout.shared_script,
                 makeheap_script(h, "/y.js", "a\nfunction f(){}\n", (int32_t)h->nrequests));
}

TEST("what changes while it is read gets no name")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    changing = f.shared;
    m.after = change_script;
    CHECK_TEXT(resolve_at(1010, interpreted(&f, 1005)), "");
    CHECK(v8names_counts(names)->named == 0 && v8names_counts(names)->unread == 1);
    end();
}

TEST("a process that does not answer any more takes its names along")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    resolve_at(1010, interpreted(&f, 1005));
    m.gone = true;
    CHECK_REPORTED(resolve_at(1060, interpreted(&f, 1055)), "1010.1 R \n",
                   range(f.bytecode - 1, 74));
    CHECK(v8names_counts(names)->unread == 1);
    m.gone = false;
    CHECK(resolve_at(1110, interpreted(&f, 1105)).len > 0);
    end();
}

TEST("without memory everything is forgotten, and that is reported")
{
    begin(4096);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    CHECK(resolve_at(1010, interpreted(&f, 1005)).len > 0);
    CHECK(v8names_size(names) > 4096);
    CHECK_REPORTED(resolve_at(1060, interpreted(&f, 1055)),
                   "1010.1 0+ffffffffffffffff \n1055.0 R JS:~f /x.js:2:11\n",
                   range(f.bytecode - 1, 74));
    CHECK(v8names_counts(names)->forgotten == 1);
    end();
}

TEST("frames that there is no time for have no names, and the next ones have them without reading "
     "much")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    struct v8frame frame = interpreted(&f, 1055);
    CHECK(resolve_at(1010, interpreted(&f, 1005)).len > 0);
    uint64_t first = v8names_counts(names)->bytes;
    reported[0] = '\0';
    m.now = 1060 * (uint64_t)MS;
    v8names_add(names, &frame);
    v8names_skip(names);
    CHECK_TEXT(span_cstr(reported), "1010.1 0+ffffffffffffffff \n");
    CHECK(v8names_counts(names)->bytes == first);
    CHECK_REPORTED(resolve_at(1110, interpreted(&f, 1105)), "1105.0 R JS:~f /x.js:2:11\n",
                   range(f.bytecode - 1, 74));
    CHECK(v8names_counts(names)->functions == 1);
    CHECK(v8names_counts(names)->bytes - first < first);
    end();
}

TEST("more frames than it can keep are counted, and make it forget what it did not check")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    resolve_at(1010, interpreted(&f, 1005));
    struct v8frame frame = interpreted(&f, 1055);
    for (int i = 0; i < (1 << 16); i++)
        v8names_add(names, &frame);
    CHECK_REPORTED(resolve_at(1060, frame),
                   "1010.1 0+ffffffffffffffff \n1055.0 R JS:~f /x.js:2:11\n",
                   range(f.bytecode - 1, 74));
    CHECK(v8names_counts(names)->left == 1);
    end();
}

TEST("a search for code without end reads two megabytes at most, and is not repeated at once")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    for (size_t at = m.len + 4096; at + 8 <= sizeof m.bytes;
         at += 8) /* everything could be a map */
        memcpy(m.bytes + at, &(uint64_t){MAKEHEAP_BASE + 0x80000 + at / 2 * 8 % 0x70000 + 1}, 8);
    CHECK_TEXT(resolve_at(1010, compiled(&f, 1005, MAKEHEAP_BASE + MAKEHEAP_SIZE - 100)), "");
    CHECK(v8names_counts(names)->bytes <= 2 << 20);
    size_t before = m.nblocks;
    CHECK_TEXT(resolve_at(1020, compiled(&f, 1015, MAKEHEAP_BASE + MAKEHEAP_SIZE - 100)), "");
    CHECK(m.nblocks - before <= 1);
    end();
}

TEST("names are one line without control characters, and cut where V8 cuts them")
{
    begin(0);
    static char longest[5000];
    memset(longest, 'x', sizeof longest - 1);
    struct made f = make("a\nb\x1b", 5, makeheap_bytecode(&m, 10));
    struct made g = make(longest, 5, makeheap_bytecode(&m, 10));
    CHECK_REPORTED(resolve_at(1010, interpreted(&f, 1005)),
                   "1005.0 R JS:~a?b? /x.js:2:11\n1005.0 400123 trampoline\n",
                   range(f.bytecode - 1, 74));
    makeheap_set(&m, f.function, m.layout.function_shared, g.shared);
    CHECK(resolve_at(1020, interpreted(&g, 1015)).len == sizeof reported - 1); /* of 4,096 */
    end();
}

/* Code of f with three inlined calls: of g by f, of h by g, of f by h. At [0x20, 0x40) the second one is
 * active, at [0x40, 0x60) the third, elsewhere none. */
static uint64_t
make_inlined(const struct made *f, const struct made *g, const struct made *h)
{
    static const unsigned char table[] = {
        0x42, 0x80, 0x80, 0x80, 0x80, 0x20, /* offset 0x20: id 2 */
        0x40, 0x80, 0x80, 0x80, 0x80, 0x10, /* 0x40: id 3 */
        0x40, 0xff, 0xff, 0xff, 0xff, 0x2f, /* 0x60: id 0 */
    };
    static const struct makeheap_call calls[] = {{0, 0, 0}, {1, 1, 0}, {2, -1, 0}};
    uint64_t deopt = makeheap_deopt(&m, f->shared);
    makeheap_inline(&m, deopt, (const uint64_t[]){g->shared, h->shared}, 2, calls, 3);
    uint64_t code = makeheap_code(&m, 12, deopt, 0x100);
    makeheap_positions(&m, code, table, sizeof table);
    return code;
}

TEST("calls that were inlined at a return address are reported once, innermost first")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10)),
                g = make("g", 5, makeheap_bytecode(&m, 10)),
                h = make("h", 5, makeheap_bytecode(&m, 10));
    uint64_t code = make_inlined(&f, &g, &h);
    CHECK_REPORTED(resolve_at(1010, compiled(&f, 1005, code + 0x20)), "1005.0 R JS:*f /x.js:2:11\n",
                   range(code, 0x100));
    CHECK_REPORTED(resolve_at(1020, compiled(&f, 1015, code + 0x21)),
                   "1015.0 R inlined JS:*h /x.js:2:11\nJS:*g /x.js:2:11\n", range(code + 0x20, 1));
    CHECK_TEXT(resolve_at(1030, compiled(&f, 1025, code + 0x21)), "");
    CHECK_REPORTED(resolve_at(1040, compiled(&f, 1035, code + 0x60)),
                   "1035.0 R inlined JS:*f /x.js:2:11\nJS:*h /x.js:2:11\nJS:*g /x.js:2:11\n",
                   range(code + 0x5f, 1));
    CHECK_TEXT(resolve_at(1050, compiled(&f, 1045, code + 0x61)), "");
    end();
}

TEST("an address that was sampled is no return address: what is inlined there is not reported")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10)),
                g = make("g", 5, makeheap_bytecode(&m, 10)),
                h = make("h", 5, makeheap_bytecode(&m, 10));
    uint64_t code = make_inlined(&f, &g, &h);
    struct v8frame leaf = compiled(&f, 1005, code + 0x30);
    leaf.leaf = true;
    CHECK_REPORTED(resolve_at(1010, leaf), "1005.0 R JS:*f /x.js:2:11\n", range(code, 0x100));
    end();
}

TEST("when code gets its name back, the calls that were inlined are reported again")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10)),
                g = make("g", 5, makeheap_bytecode(&m, 10)),
                h = make("h", 5, makeheap_bytecode(&m, 10));
    uint64_t code = make_inlined(&f, &g, &h);
    char wanted[200];
    resolve_at(1010, compiled(&f, 1005, code + 0x21));
    struct v8frame leaf = compiled(&g, 1300, code + 0x90); /* long after the last proof */
    leaf.leaf = true;
    CHECK_REPORTED(resolve_at(1310, leaf), "1010.1 R \n", range(code, 0x100));
    snprintf(wanted, sizeof wanted,
             "1355.0 %s JS:*f /x.js:2:11\n1355.0 %s inlined JS:*h /x.js:2:11\nJS:*g /x.js:2:11\n",
             range(code, 0x100), range(code + 0x20, 1));
    CHECK_TEXT(resolve_at(1360, compiled(&f, 1355, code + 0x21)), wanted);
    end();
}

TEST("tables of inlined calls that cannot be right are not used, and the code has its name still")
{
    static const struct {
        unsigned char table[8];
        size_t n;
        struct makeheap_call calls[2];
    } wrong[] = {
        {{0x42, 0x80, 0x80, 0x80, 0x80}, 5, {{0, 0, 0}}}, /* a number without an end */
        {{0x42, 0x80, 0x80, 0x80, 0x80, 0x30}, 6, {{0, 0, 0}, {1, 0, 0}}}, /* id 3 of 2 */
        {{0x42, 0x80, 0x80, 0x80, 0x80, 0x10}, 6, {{0, 1, 0}}},            /* function 1 of 1 */
        {{0x42, 0x80, 0x80, 0x80, 0x80, 0x10}, 6, {{0, -2, 0}}},           /* function -2 */
        {{0x42, 0x80, 0x80, 0x80, 0x80, 0x10}, 6, {{1, 0, 0}}},            /* a call in itself */
        {{0x42, 0x80, 0x80, 0x80, 0x80, 0x10}, 6, {{2, 0, 0}}}, /* in one that comes later */
        {{0xfe, 0x7f, 0}, 3, {{0, 0, 0}}},                      /* beyond the code */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        begin(0);
        struct made f = make("f", 5, makeheap_bytecode(&m, 10)),
                    g = make("g", 5, makeheap_bytecode(&m, 10));
        uint64_t deopt = makeheap_deopt(&m, f.shared);
        makeheap_inline(&m, deopt, &g.shared, 1, wrong[i].calls, 2);
        uint64_t code = makeheap_code(&m, 12, deopt, 0x100);
        makeheap_positions(&m, code, wrong[i].table, wrong[i].n);
        CHECK_REPORTED(resolve_at(1010, compiled(&f, 1005, code + 0x21)),
                       "1005.0 R JS:*f /x.js:2:11\n", range(code, 0x100));
        end();
    }
}

TEST("in tables of V8 14, two flags are below the offsets")
{
    begin(0);
    static const unsigned char table[] = {
        0x86, 0x01, 0x80, 0x80, 0x80, 0x80, 0x10, /* offset 0x20: id 1 */
        0x83, 0x01, 0xff, 0xff, 0xff, 0xff, 0x0f, /* 0x40, a statement: id 0 */
    };
    m.layout.positions_have_flags = true;
    struct made f = make("f", 5, makeheap_bytecode(&m, 10)),
                g = make("g", 5, makeheap_bytecode(&m, 10));
    uint64_t deopt = makeheap_deopt(&m, f.shared);
    makeheap_inline(&m, deopt, &g.shared, 1, &(struct makeheap_call){0, 0, 0}, 1);
    uint64_t code = makeheap_code(&m, 12, deopt, 0x100);
    makeheap_positions(&m, code, table, sizeof table);
    resolve_at(1010, compiled(&f, 1005, code + 0x80));
    CHECK_REPORTED(resolve_at(1015, compiled(&f, 1012, code + 0x40)),
                   "1012.0 R inlined JS:*g /x.js:2:11\n", range(code + 0x3f, 1));
    CHECK_TEXT(resolve_at(1020, compiled(&f, 1015, code + 0x20)), "");
    CHECK_TEXT(resolve_at(1030, compiled(&f, 1025, code + 0x41)), "");
    end();
}

/* A table of source positions for `lined`: at 2 g is called, at 5 the loop begins, at 8 h is called.
 */
static const unsigned char positions[] = {0x01, 0x2c, 0x06, 0x1c, 0x06, 0x1c, 0x06, 0x34};

/* A function with lines. Its bytecode has that table. */
static struct made
lined(int32_t id)
{
    struct made f = {.script = makeheap_script(
                         &m, "/x.js", "function f() {\n  g();\n  for (;;)\n    h();\n}\n", id),
                     .bytecode = makeheap_bytecode(&m, 9)};
    makeheap_set(&m, f.bytecode, m.layout.bytecode_positions,
                 makeheap_bytes(&m, positions, sizeof positions));
    f.shared = makeheap_shared(&m, makeheap_scope(&m, "f", 4, 10), f.script, f.bytecode);
    f.function = makeheap_function(&m, f.shared);
    return f;
}

/* Begin with a sink that wants lines. */
static void
begin_lines(void)
{
    sink.lines = on_lines;
    begin(0);
}

static void
end_lines(void)
{
    end();
    sink.lines = NULL;
}

/* A caller's frame of an interpreted function, which runs the bytecode at an offset. */
static struct v8frame
interpreted_at(const struct made *f, unsigned ms, int32_t offset)
{
    struct v8frame frame = interpreted(f, ms);
    frame.offset = makeheap_smi(m.layout.bytecode_data - 1 + offset);
    return frame;
}

static struct v8frame
compiled_leaf(const struct made *f, unsigned ms, uint64_t pc)
{
    struct v8frame frame = compiled(f, ms, pc);
    frame.leaf = true;
    return frame;
}

TEST("an interpreted function has the line of the bytecode that calls, reported once")
{
    begin_lines();
    struct made f = lined(5);
    uint64_t first = f.bytecode + m.layout.bytecode_data - 1;
    resolve_at(1010, interpreted_at(&f, 1005, 8));
    CHECK_REPORTED(resolve_at(1020, interpreted_at(&f, 1015, 0)), "1015.0 R lines /x.js:1\n",
                   range(first, 1));
    CHECK_REPORTED(resolve_at(1030, interpreted_at(&f, 1025, 4)), "1025.0 R lines /x.js:2\n",
                   range(first + 4, 1));
    CHECK_TEXT(resolve_at(1040, interpreted_at(&f, 1035, 8)), "");
    end_lines();
}

TEST("the line of an interpreted function is not reported if the offset in its frame may be older")
{
    begin_lines();
    struct made f = lined(5);
    resolve_at(1010, interpreted_at(&f, 1005, 8));
    struct v8frame leaf = interpreted_at(&f, 1015, 2), guessed = interpreted_at(&f, 1025, 2);
    leaf.leaf = guessed.guessed = true;
    CHECK_TEXT(resolve_at(1020, leaf), "");
    CHECK_TEXT(resolve_at(1030, guessed), "");
    end_lines();
}

/* Return code of this kind, for f with lines, whose table is that of its bytecode. Something in it was
 * sampled at 1005, so that it has a name. */
static uint64_t
lined_code(const struct made *f, uint32_t kind)
{
    uint64_t code = makeheap_code(&m, kind, makeheap_deopt(&m, f->shared), 0x100);
    makeheap_positions(&m, code, positions, sizeof positions);
    resolve_at(1010, compiled(f, 1005, code + 0x80));
    return code;
}

TEST("optimized code has the line of the instruction that runs, or that calls")
{
    begin_lines();
    struct made f = lined(5);
    uint64_t code = lined_code(&f, 12);
    CHECK_REPORTED(resolve_at(1020, compiled(&f, 1015, code + 5)), "1015.0 R lines /x.js:2\n",
                   range(code + 4, 1));
    CHECK_REPORTED(resolve_at(1030, compiled_leaf(&f, 1025, code + 5)), "1025.0 R lines /x.js:3\n",
                   range(code + 5, 1));
    end_lines();
}

TEST("in code of Maglev, the first word of a loop is no line: it stands for all positions in it")
{
    begin_lines();
    struct made f = lined(5);
    uint64_t code = lined_code(&f, 11);
    CHECK_TEXT(resolve_at(1020, compiled(&f, 1015, code + 6)), "");
    CHECK_REPORTED(resolve_at(1030, compiled(&f, 1025, code + 9)), "1025.0 R lines /x.js:4\n",
                   range(code + 8, 1));
    end_lines();
}

TEST("at a call that is in an inlined function, both have their lines; elsewhere the outer one")
{
    begin_lines();
    static const unsigned char table[] = {0x01, 0x98, 0x81, 0x80, 0x80, 0x10}; /* id 1, h() */
    static const struct makeheap_call call = {0, 0, 18};                       /* g() */
    struct made f = lined(5), g = lined(6);
    uint64_t deopt = makeheap_deopt(&m, f.shared);
    makeheap_inline(&m, deopt, &g.shared, 1, &call, 1);
    uint64_t code = makeheap_code(&m, 12, deopt, 0x100);
    makeheap_positions(&m, code, table, sizeof table);
    resolve_at(1010, compiled(&f, 1005, code + 0x80));
    CHECK_REPORTED(resolve_at(1020, compiled(&f, 1015, code + 5)),
                   "1015.0 R inlined JS:*f /x.js:1:11\n1015.0 R lines /x.js:4\n/x.js:2\n",
                   range(code + 4, 1));
    CHECK_REPORTED(resolve_at(1030, compiled_leaf(&f, 1025, code + 5)), "1025.0 R lines /x.js:2\n",
                   range(code + 5, 1));
    end_lines();
}

/* Baseline code of f, whose bytecodes at 0, 2, 3, 7 and 8 have 10, 6, 20, 2 and 5 bytes of code,
 * after 4 bytes of a prologue. */
static uint64_t
make_baseline(const struct made *f)
{
    static const unsigned char bytecodes[] = {2, 0, 3, 0 /* wide */, 2, 0, 0, 3, 3};
    static const unsigned char offsets[] = {4, 10, 6, 20, 2, 5};
    memcpy(m.bytes + (f->bytecode - 1 - MAKEHEAP_BASE) + m.layout.bytecode_data, bytecodes,
           sizeof bytecodes);
    uint64_t code = makeheap_code(&m, 10, f->bytecode, 0x100);
    makeheap_positions(&m, code, offsets, sizeof offsets);
    return code;
}

TEST("baseline code has the line of the bytecode of which it is made, if the sizes of those are "
     "known")
{
    static const struct v8bytecodes sizes = {{1, 1, 2, 1, 1, 1, 3, 1, 1, 1, 5, 1}, 4};
    for (int known = 0; known < 2; known++) {
        begin_lines();
        m.layout.bytecodes = known ? sizes : (struct v8bytecodes){.count = 0};
        struct made f = lined(5);
        uint64_t code = make_baseline(&f);
        resolve_at(1010, compiled(&f, 1005, code + 0x80));
        CHECK_REPORTED(resolve_at(1020, compiled(&f, 1015, code + 15)),
                       known ? "1015.0 R lines /x.js:2\n" : "", range(code + 14, 1));
        CHECK_REPORTED(resolve_at(1030, compiled(&f, 1025, code + 42)),
                       known ? "1025.0 R lines /x.js:3\n" : "", range(code + 41, 1));
        CHECK_REPORTED(resolve_at(1040, compiled_leaf(&f, 1035, code + 42)),
                       known ? "1035.0 R lines /x.js:4\n" : "", range(code + 42, 1));
        end_lines();
    }
}

enum { WASM = 0x20000101, FUNCTION = 4, TO_JS = 5 }; /* code, outside the heap; types of frames */

/* A caller's frame of this type at a return address. */
static struct v8frame
typed(unsigned type, unsigned ms, uint64_t pc)
{
    return (struct v8frame){.time = ms * (uint64_t)MS,
                            .pc = pc,
                            .context = type << 1,
                            .tid = THREAD,
                            .has_words = true,
                            .has_context = true};
}

/* The innermost frame at an address. Only the word nearest to the frame pointer is in the copy. */
static struct v8frame
typed_leaf(unsigned type, unsigned ms, uint64_t pc)
{
    struct v8frame f = typed(type, ms, pc);
    f.has_words = false;
    f.leaf = true;
    return f;
}

#define WASM_NAME "(WebAssembly without names)"

TEST("an address in WebAssembly has its label by the type of the frame, once, and nothing is read")
{
    begin(0);
    CHECK_TEXT(resolve_at(1010, typed(FUNCTION, 1005, WASM + 1)),
               "1005.0 20000101+1 " WASM_NAME "\n");
    CHECK_TEXT(resolve_at(1020, typed(FUNCTION, 1015, WASM + 1)), "");
    CHECK_TEXT(resolve_at(1990, typed(FUNCTION, 1985, WASM + 1)), "");
    CHECK_TEXT(resolve_at(2010, typed_leaf(FUNCTION, 2005, WASM + 9)),
               "2005.0 2000010a+1 " WASM_NAME "\n");
    CHECK_TEXT(resolve_at(2020, typed(TO_JS, 2015, WASM + 0x40)),
               "2015.0 20000140+1 Stub:wasm-to-js\n");
    CHECK(m.nrequests == 0 && v8names_counts(names)->other == 5);
    end();
}

TEST("a frame of another type is no WebAssembly, and neither are guesses and frames in node itself")
{
    begin(0);
    struct v8frame guess = typed(FUNCTION, 1015, WASM + 1), file = guess, far = guess;
    guess.guessed = true;
    file.in_file = true;
    far.has_words = far.has_context = false;
    CHECK_TEXT(resolve_at(1010, typed(7, 1005, WASM + 1)), "");
    CHECK_TEXT(resolve_at(1020, guess), "");
    CHECK_TEXT(resolve_at(1020, file), "");
    CHECK_TEXT(resolve_at(1020, far), "");
    /* in the first instruction of a function that a wrapper calls */
    CHECK_TEXT(resolve_at(1020, typed_leaf(TO_JS, 1015, WASM)), "");
    m.layout.frame_wasm = 0; /* a V8 without WebAssembly */
    CHECK_TEXT(resolve_at(1030, typed(FUNCTION, 1025, WASM + 1)), "");
    CHECK_TEXT(resolve_at(1030, typed(0, 1025, WASM + 1)), "");
    end();
}

TEST(
    "a frame that says that it is no WebAssembly takes the label back, from the last frame on that "
    "was")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    resolve_at(1010, typed(FUNCTION, 1005, WASM + 1));
    resolve_at(1020, typed(FUNCTION, 1015, WASM + 1));
    CHECK_TEXT(resolve_at(1030, compiled(&f, 1025, WASM + 1)), "1020.1 20000101+1 \n");
    CHECK_TEXT(resolve_at(1040, typed(FUNCTION, 1035, WASM + 1)),
               "1035.0 20000101+1 " WASM_NAME "\n");
    CHECK_TEXT(resolve_at(1050, typed(7, 1045, WASM + 1)), "1040.1 20000101+1 \n");
    end();
}

TEST("a frame that does not say what it is keeps the label for a tenth of a second")
{
    begin(0);
    resolve_at(1010, typed(FUNCTION, 1005, WASM + 1));
    CHECK_TEXT(resolve_at(1020, typed_leaf(TO_JS, 1015, WASM)), "");
    struct v8frame guess = typed(FUNCTION, 1095, WASM + 1);
    guess.guessed = true;
    CHECK_TEXT(resolve_at(1100, guess), "");
    guess.time = 1125 * (uint64_t)MS;
    CHECK_TEXT(resolve_at(1130, guess), "1100.1 20000101+1 \n");
    end();
}

TEST("JavaScript in whose place WebAssembly runs loses its name, and gets it back")
{
    begin(0);
    struct made f = make("f", 5, makeheap_bytecode(&m, 10));
    uint64_t code = makeheap_code(&m, 12, makeheap_deopt(&m, f.shared), 0x100);
    char wanted[200];
    resolve_at(1010, compiled(&f, 1005, code + 0x91));
    snprintf(wanted, sizeof wanted, "1010.1 %s \n1055.0 %s " WASM_NAME "\n", range(code, 0x100),
             range(code + 0x20, 1));
    CHECK_TEXT(resolve_at(1060, typed(FUNCTION, 1055, code + 0x21)), wanted);
    snprintf(wanted, sizeof wanted, "1060.1 %s \n1105.0 %s JS:*f /x.js:2:11\n",
             range(code + 0x20, 1), range(code, 0x100));
    CHECK_TEXT(resolve_at(1110, compiled(&f, 1105, code + 0x91)), wanted);
    CHECK_TEXT(resolve_at(1160, compiled(&f, 1155, code + 0x21)), "");
    end();
}

TEST("the label of an address changes with what runs there, and ends with all names")
{
    begin(0);
    resolve_at(1010, typed_leaf(FUNCTION, 1005, WASM)); /* in the first instruction of a wrapper */
    CHECK_TEXT(resolve_at(1020, typed(TO_JS, 1015, WASM + 1)),
               "1010.1 20000101+1 \n1015.0 20000101+1 Stub:wasm-to-js\n");
    m.now = 1030 * (uint64_t)MS;
    reported[0] = '\0';
    v8names_forget(names);
    CHECK_TEXT(span_cstr(reported), "1020.1 0+ffffffffffffffff \n");
    CHECK_TEXT(resolve_at(1040, typed(TO_JS, 1035, WASM + 1)),
               "1035.0 20000101+1 Stub:wasm-to-js\n");
    end();
}

TEST("regular expressions and compiled calls of WebAssembly have the name of their kind, from the "
     "second sample on")
{
    static const struct {
        uint32_t kind;
        const char *label;
    } kinds[] = {{3, "RegExp:(pattern not known)"}, {7, "Stub:js-to-wasm"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        begin(0);
        struct made f = make("f", 5, makeheap_bytecode(&m, 10));
        uint64_t code = makeheap_code(&m, kinds[i].kind, makeheap_deopt(&m, f.shared), 0x100);
        CHECK_TEXT(resolve_at(1010, compiled(&f, 1005, code + 0x21)), "");
        char wanted[100];
        snprintf(wanted, sizeof wanted, "1055.0 %s %s\n", range(code, 0x100), kinds[i].label);
        CHECK_TEXT(resolve_at(1060, compiled(&f, 1055, code + 0x21)), wanted);
        CHECK_TEXT(resolve_at(1070, compiled(&f, 1065, code + 0x91)), "");
        end();
    }
}
