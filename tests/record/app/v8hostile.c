/* A process that lies about its V8: it exports the numbers that node exports (see v8exports.py), runs code in
 * anonymous memory, and has frames there whose words lead to objects that were made to do harm.
 *
 *     v8hostile HOW SECONDS [SEED]
 *
 * HOW is one of the rows of `kinds` below, or "random": objects of all types, whose words are right or wrong
 * as the seed says, and change all the time. Prints "ready" when it begins, or "refused" where the kernel does
 * not permit what HOW needs. Built together with common/v8/layout.c, since its numbers are those of whatever
 * node there is:
 *
 *     gcc -O1 -rdynamic -pthread -I ROOT v8hostile.c exports.c ROOT/common/v8/layout.c -ldl */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/v8/layout.h"

extern int _ZN2v88internal7Version6major_E, _ZN2v88internal7Version6minor_E;

enum {
    HEAP = 256 << 20,
    CODE = 4 << 20,
    STACK = 1 << 16,
    FRAME = 64,
    FRAMES = 200,
    SLOT = 192,
    PAGE = 4096
};
enum { FUNCTION_VARIABLE = 1 << 12 /* a flag of a scope: it has a name */, ONE_BYTE = 8 };

static struct v8layout l;
static char *heap, *code, *stack;
static size_t used, nframes, most = 32 << 20; /* most: bytes of the heap before it is used anew */

/* Random numbers */

static uint64_t state = 88172645463325252u;

static uint64_t
any(void) /* xorshift64: Marsaglia, 2003 */
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static bool
one_in(unsigned n)
{
    return any() % n == 0;
}

/* Objects */

static uint64_t
address(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

static uint64_t
smi(int64_t n)
{
    return (uint64_t)n << 32;
}

static void
set(uint64_t object, size_t at, uint64_t word)
{
    memcpy((char *)(uintptr_t)(object - 1) + at, &word, sizeof word);
}

static void
set32(uint64_t object, size_t at, uint32_t word)
{
    memcpy((char *)(uintptr_t)(object - 1) + at, &word, sizeof word);
}

/* Begins anew when the memory is full; an eighth, with the maps, stays. */
static uint64_t
room(size_t size)
{
    size = (size + 15) / 16 * 16;
    if (size > most - used)
        used = most / 8;
    used += size;
    return address(heap + used - size) + 1;
}

static uint64_t
map_of(unsigned type)
{
    static uint64_t maps[UINT16_MAX + 1];
    if (maps[type] == 0) {
        maps[type] = room(80);
        set(maps[type], 0, type == l.type_map ? maps[type] : map_of(l.type_map));
        set32(maps[type], l.map_type, type);
    }
    return maps[type];
}

static uint64_t
object(unsigned type, size_t size)
{
    uint64_t o = room(size);
    memset((void *)(uintptr_t)(o - 1), 0, size);
    set(o, 0, map_of(type));
    return o;
}

static uint64_t
string_of(const void *bytes, size_t n, bool wide)
{
    uint64_t s = object(wide ? 0x20u : 0x20u | l.string_one_byte, l.string_chars + n + 8);
    set32(s, l.string_length, (uint32_t)(wide ? n / 2 : n));
    memcpy((char *)(uintptr_t)(s - 1) + l.string_chars, bytes, n);
    return s;
}

static uint64_t
string(const char *text)
{
    return string_of(text, strlen(text), false);
}

static uint64_t
string_kind(unsigned kind, uint32_t length, uint64_t first, uint64_t second)
{
    uint64_t s = object(0x20u | kind | l.string_one_byte, 32);
    set32(s, l.string_length, length);
    set(s, 16, first);
    set(s, 24, second);
    return s;
}

static uint64_t
script(uint64_t name, uint64_t source, uint64_t line_ends)
{
    static int id = 100;
    uint64_t s = object(l.type_script, 128);
    set(s, l.script_source, source);
    set(s, l.script_name, name);
    set(s, l.script_id, smi(id++));
    set(s, l.script_line_ends, line_ends);
    return s;
}

static uint64_t
scope(uint64_t name)
{
    uint64_t s = object(l.type_scope, 128), flags = FUNCTION_VARIABLE | l.scope_function;
    size_t at = 8 + 8 * (size_t)l.scope_first;
    set(s, 8, l.scope_raw_flags ? flags : smi((int64_t)flags));
    set(s, at, name);
    at = l.scope_position > 0 ? 8 + 8 * (size_t)l.scope_position : at + 16;
    set(s, at, smi(3));
    set(s, at + 8, smi(9));
    return s;
}

/* A function as node has it: its frame's words. */
struct made {
    uint64_t function, shared, bytecode;
};

static struct made
make(uint64_t name, uint64_t of_script)
{
    struct made m = {.bytecode = object(l.type_bytecode, l.bytecode_data + 32u)};
    set(m.bytecode, l.bytecode_length, smi(24));
    m.shared = object(l.type_shared, 72);
    set(m.shared, l.shared_data, m.bytecode);
    set(m.shared, l.shared_name, name);
    set(m.shared, l.shared_script, of_script);
    m.function = object(l.type_function, 72);
    set(m.function, l.function_shared, m.shared);
    return m;
}

/* Compiled code at this place in the memory for it. */
static uint64_t
put_code(size_t at, uint32_t size, unsigned kind, uint64_t deopt)
{
    uint64_t start = address(code) + at, stream = start - l.stream_header + 1, c = stream;
    if (l.type_stream > 0) {
        c = object(l.type_code, 96);
        set(stream, 0, map_of(l.type_stream));
        set(stream, l.stream_code, c);
        set(c, l.code_start, start);
    } else {
        set(c, 0, map_of(l.type_code));
    }
    set(c, l.code_deopt, deopt);
    set32(c, l.code_flags, kind);
    set32(c, l.code_size, size);
    return start;
}

static uint64_t
deopt_of(uint64_t shared)
{
    uint64_t d = object(l.type_deopt, 16 + 8 * 16), w = shared;
    if (l.type_wrapper > 0) {
        w = object(l.type_wrapper, 16);
        set(w, l.wrapper_shared, shared);
    }
    set(d, l.array_length, smi(12));
    set(d, l.array_data + 8u * l.deopt_shared, w);
    return d;
}

/* Frames */

/* Where all frames of interpreted functions return to: code of this program, which calls itself node. As that of
 * V8's interpreter, it has its frame at %rbp. */
__asm__(".text\n"
        ".globl trampoline\n"
        ".type trampoline, @function\n"
        "trampoline:\n"
        ".cfi_startproc\n"
        ".cfi_def_cfa %rbp, 16\n"
        ".cfi_offset %rbp, -16\n"
        ".cfi_offset %rip, -8\n"
        ".rept 32\n"
        "call *%rax\n"
        ".endr\n"
        ".cfi_endproc\n"
        ".size trampoline, 64\n");
extern const char trampoline[];

/* Add a frame, the caller of those before it. */
static void
frame(uint64_t ra, uint64_t function, uint64_t bytecode, uint64_t offset)
{
    uint64_t *fp = (uint64_t *)(void *)(stack + FRAME + nframes * FRAME);
    if (nframes == FRAMES)
        return;
    nframes++;
    fp[0] = address(fp) + FRAME;
    fp[1] = ra;
    fp[FRAME / 8 - 1] = function; /* the caller's words: its context may be any object */
    fp[FRAME / 8 - 2] = function;
    fp[FRAME / 8 - 4] = bytecode;
    fp[FRAME / 8 - 5] = offset;
}

static void
interpreted(const struct made *m)
{
    frame(address(trampoline) + 32, m->function, m->bytecode, smi(l.bytecode_data + 3));
}

static uint64_t
clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Run with these frames: push %rbp; push %rbx; mov %rsp,%rbx; mov %rdi,%rsp; mov %rsi,%rbp; 1: dec %edx;
 * jnz 1b; mov %rbx,%rsp; pop %rbx; pop %rbp; ret */
static const unsigned char spin[] = {0x55, 0x53, 0x48, 0x89, 0xe3, 0x48, 0x89,
                                     0xfc, 0x48, 0x89, 0xf5, 0xff, 0xca, 0x75,
                                     0xfc, 0x48, 0x89, 0xdc, 0x5b, 0x5d, 0xc3};

static void
run(size_t at, uint64_t nanoseconds)
{
    uint64_t *last = (uint64_t *)(void *)(stack + FRAME + nframes * FRAME);
    void (*f)(char *, char *, unsigned);
    void *where = code + at;
    memcpy(where, spin, sizeof spin);
    memcpy(&f, &where, sizeof f);
    last[0] = last[1] = 0;
    for (uint64_t end = clock_ns() + nanoseconds; clock_ns() < end;)
        f(stack + FRAME, stack + FRAME, 20000);
    nframes = 0;
}

/* Kinds. Each is called again and again. */

static uint64_t
plain_script(void)
{
    static uint64_t s;
    return s != 0 ? s : (s = script(string("/srv/evil.js"), string("a\nfunction f() {}\n"), 0));
}

static void
cycles(void)
{
    uint64_t self = room(SLOT), cons, thin, sliced;
    for (size_t at = 0; at < SLOT; at += 8)
        set(self, at, self);
    frame(address(code) + 4096, self, self, self);
    frame(address(trampoline) + 32, self, self, smi(100));
    cons = string_kind(l.string_cons, 100, 0, 0);
    set(cons, l.cons_first, cons);
    set(cons, l.cons_second, cons);
    thin = string_kind(l.string_thin, 100, 0, 0);
    set(thin, l.thin_actual, thin);
    sliced = string_kind(l.string_sliced, 100, 0, 0);
    set(sliced, l.sliced_parent, sliced);
    struct made m = make(scope(cons), script(thin, sliced, sliced)), data = make(thin, cons);
    interpreted(&m);
    interpreted(&data);
    uint64_t a = object(l.type_interpreter_data, 32), b = object(l.type_interpreter_data, 32);
    set(a, l.interpreter_data_bytecode, b);
    set(b, l.interpreter_data_bytecode, a);
    set(data.shared, l.shared_data, a);
    interpreted(&data);
    uint64_t moved = room(64); /* moved to itself */
    set(moved, 0, moved - 1);
    frame(address(trampoline) + 32, moved, m.bytecode, smi(100));
    run(8192, 5000000);
}

static void
lengths(void)
{
    static const int64_t numbers[] = {INT32_MAX, INT32_MIN, -1, 0, 0x40000000};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int64_t n = numbers[i];
        uint64_t s = string("x"), array = object(l.type_fixed_array, 64);
        set32(s, l.string_length, (uint32_t)n);
        set(array, l.array_length, smi(n));
        struct made m = make(scope(s), script(string("/srv/a.js"), s, array));
        set(m.bytecode, l.bytecode_length, i % 2 == 0 ? smi(n) : (uint64_t)1 << 62);
        interpreted(&m);
        uint64_t sc = scope(string("f"));
        set(sc, 8 + 8 * (size_t)l.scope_locals, smi(n));
        m = make(sc, plain_script());
        interpreted(&m);
        frame(put_code(65536 + i * 4096, (uint32_t)n, l.kind_baseline + 2u, deopt_of(m.shared)) +
                  16,
              m.function, m.bytecode, 0);
    }
    run(8192, 5000000);
}

/* A string of a million levels, and one of 4,096 parts that share their halves. */
static void
deep(void)
{
    static uint64_t s, tree;
    if (s == 0) {
        s = tree = string("abcdefgh");
        for (uint32_t i = 0; i < 1000000; i++)
            s = string_kind(l.string_cons, 8 + i, s, tree);
        for (uint32_t i = 0, n = 16; i < 19; i++, n *= 2)
            tree = string_kind(l.string_cons, n, tree, tree);
    }
    for (unsigned i = 0; i < FRAMES / 2; i++) {
        struct made m = make(scope(s), plain_script());
        interpreted(&m);
        m = make(tree, script(tree, tree, 0));
        set(m.shared, l.shared_uncompiled, object(l.type_uncompiled, 32));
        interpreted(&m);
    }
    run(8192, 5000000);
}

static void
maps(void)
{
    uint64_t map = room(80);
    for (unsigned i = 0; i < FRAMES; i++) {
        uint64_t next = room(80);
        set(map, 0, next);
        set32(map, l.map_type, l.type_map);
        frame(address(trampoline) + 32, map, map, smi(100));
        map = next;
    }
    set(map, 0, map);
    run(8192, 5000000);
}

/* V8's line ends, 2^31 of them, and as many as fit into what is read; a source of 64 MB of newlines; one that
 * does not end. */
static void
sources(void)
{
    static uint64_t array, text, external;
    enum { MANY = 64 << 20 };
    if (array == 0) {
        text = object(0x20u | l.string_one_byte, MANY);
        memset((void *)(uintptr_t)(text - 1 + l.string_chars), '\n', MANY - l.string_chars);
        set32(text, l.string_length, MANY - 2 * PAGE);
        array = object(l.type_fixed_array, MANY);
        for (uint32_t i = 0; i < MANY / 8 - 2; i++)
            set(array, l.array_data + (size_t)i * 8, smi(i));
        external = string_kind(l.string_external, INT32_MAX, 0, 0);
        set(external, l.external_data, address(heap));
    }
    static unsigned n;
    const uint64_t of[] = {text, external, text, external};
    set(array, l.array_length, smi(n++ % 2 == 0 ? INT32_MAX : MANY / 8 - 100));
    for (unsigned i = 0; i < 8; i++) {
        struct made m =
            make(scope(string("f")), script(string("/srv/long.js"), of[i % 4], i < 4 ? array : 0));
        interpreted(&m);
    }
    run(8192, 20000000);
}

static void
names(void)
{
    static const uint16_t wide[] = {0xd800, 'a',  0xdc00, 0xdfff, 0xd801, 0xdc37, 0x202e, 0x2028,
                                    0x85,   0x9b, 27,     ']',    7,      0xfffe, 0xffff, 0xd800};
    static char all[256], longer[100000];
    for (unsigned i = 0; i < sizeof all; i++)
        all[i] = (char)i;
    memset(longer, '\n', sizeof longer);
    uint64_t of[] = {string_of(all, sizeof all, false),
                     string_of(wide, sizeof wide, true),
                     string_of(longer, sizeof longer, false),
                     string("\033]0;title\007\033[2J"),
                     string("x;y 1\n\nevil 1/1 1.0: 1 cycles:\n\t1 f (x)"),
                     string("")};
    enum { N = sizeof of / sizeof *of };
    for (unsigned i = 0; i < N * N; i++) {
        struct made m = make(scope(of[i % N]), script(of[i / N], string("a\nb\n"), 0));
        interpreted(&m);
    }
    run(8192, 5000000);
}

/* Ever new functions, with names that are long for every tenth. */
static void
functions(void)
{
    static unsigned long n;
    char name[4000];
    memset(name, 'x', sizeof name);
    for (unsigned i = 0; i < FRAMES; i++, n++) {
        size_t len = (size_t)sprintf(name, "function%lu", n);
        name[len] = 'x';
        struct made m = make(scope(string_of(name, i % 10 == 0 ? sizeof name : len, false)),
                             script(string_of(name, len, false), string("a\nb\n"), 0));
        interpreted(&m);
    }
    run(8192, 2000000);
}

/* Each 32 bytes of code could be the start of some. */
static void
headers(void)
{
    for (size_t at = PAGE; at + 32 < CODE; at += 32) {
        uint64_t word = room(80);
        set(address(code) + at + 1, 0, word);
        if (l.type_stream > 0)
            set(address(code) + at + 1, l.stream_code, room(96));
        set(word, 0, map_of(l.type_map));
        set32(word, l.map_type, l.type_stream > 0 ? l.type_stream : l.type_code);
    }
    for (unsigned i = 0; i < FRAMES; i++)
        frame(address(code) + 2 * PAGE + any() % (CODE - 4 * PAGE), room(64), room(64), 0);
    run(CODE - PAGE, 20000000);
}

/* Pieces of code that overlap, grow and shrink, and arrays of bytecode across them. */
static void
overlaps(void)
{
    static size_t n;
    struct made m = make(scope(string("f")), plain_script());
    for (unsigned i = 0; i < FRAMES / 2; i++) {
        size_t at = CODE / 2 + any() % 64 * 64;
        uint32_t size = (uint32_t)(64 + any() % 4096);
        put_code(at, size, l.kind_baseline + 2u, deopt_of(m.shared));
        frame(address(code) + at + any() % size, m.function, m.bytecode, 0);
        uint64_t bytecode = address(code) + CODE / 2 + any() % 64 * 64 + 17;
        set(bytecode, 0, map_of(l.type_bytecode));
        set(bytecode, l.bytecode_length, smi((int64_t)(1 + any() % 8192)));
        set(m.shared, l.shared_data, bytecode);
        frame(address(trampoline) + 32, m.function, bytecode, smi(l.bytecode_data + 3));
    }
    run(8192 + n++ % 16 * 64, 2000000);
}

/* Objects of all types, whose words are those that they should be, or others. */

static uint64_t some_object(unsigned depth);

static uint64_t
junk(void)
{
    switch (any() % 6) {
    case 0:
        return any();
    case 1:
        return smi((int32_t)any());
    case 2:
        return address(heap) + any() % HEAP / 8 * 8 + 1;
    case 3:
        return address(code) + any() % CODE / 8 * 8 + 1;
    case 4:
        return (uint64_t)1 << any() % 64;
    default:
        return UINT64_MAX - any() % 64;
    }
}

static uint64_t
maybe(uint64_t right)
{
    return one_in(12) ? junk() : right;
}

static int64_t
some_number(void)
{
    return one_in(8) ? (int32_t)any() : (int64_t)(any() % 200);
}

static uint64_t
some_string(unsigned depth)
{
    unsigned n = (unsigned)(any() % 60);
    char text[60];
    for (unsigned i = 0; i < n; i++)
        text[i] = (char)any();
    if (depth == 0 || one_in(2))
        return string_of(text, n, one_in(3));
    uint64_t a = maybe(some_string(depth - 1)), b = maybe(some_string(depth - 1));
    unsigned kind = (unsigned)(any() % 8);
    if (kind == l.string_sliced)
        b = maybe(smi(some_number()));
    return string_kind(kind, (uint32_t)some_number(), a, b);
}

static struct made
some_function(void)
{
    uint64_t name = maybe(one_in(3) ? some_string(3) : scope(maybe(some_string(3))));
    uint64_t ends = 0;
    if (one_in(3)) {
        ends = object(l.type_fixed_array, 64);
        for (unsigned i = 0; i < 6; i++)
            set(ends, l.array_data + i * 8u, maybe(smi(i * 5)));
        set(ends, l.array_length, maybe(smi(some_number())));
    }
    struct made m =
        make(name, maybe(script(maybe(some_string(3)), maybe(some_string(3)), maybe(ends))));
    set(m.bytecode, l.bytecode_length, maybe(smi(some_number())));
    if (one_in(4))
        set(m.shared, l.shared_data, some_object(3));
    if (one_in(4))
        set(m.function, l.function_shared, junk());
    return m;
}

static uint64_t
some_object(unsigned depth)
{
    uint64_t o;
    switch (depth == 0 ? 0 : any() % 5) {
    case 0:
        return junk();
    case 1:
        o = object(l.type_interpreter_data, 32);
        set(o, l.interpreter_data_bytecode, some_object(depth - 1));
        set(o, l.interpreter_data_entry, some_object(depth - 1));
        return o;
    case 2:
        return some_function().bytecode;
    case 3:
        o = object(l.type_code, 96);
        set(o, l.code_deopt, some_object(depth - 1));
        set32(o, l.code_flags, (uint32_t)any());
        return o;
    default:
        return some_function().shared;
    }
}

static void
random_heap(void)
{
    static struct made kept[64]; /* so that some are there again */
    for (unsigned i = 0; i < FRAMES; i++) {
        struct made *m = &kept[any() % 64];
        if (m->function == 0 || one_in(3))
            *m = some_function();
        size_t at = 2 * PAGE + any() % (CODE / 64 - 256) * 64;
        unsigned kind = one_in(8) ? (unsigned)any() : l.kind_baseline + (unsigned)(any() % 3);
        uint64_t ra = address(trampoline) + 32;
        if (one_in(2))
            ra = put_code(at, (uint32_t)(one_in(8) ? any() : 64 + any() % 512), kind,
                          maybe(kind == l.kind_baseline ? m->bytecode : deopt_of(m->shared))) +
                 any() % 64;
        frame(ra, maybe(m->function), maybe(m->bytecode), maybe(smi(l.bytecode_data + 3)));
    }
    run(PAGE, 1000000);
}

/* A second thread changes what lies in the memory. */
static void *
change_words(void *unused)
{
    uint64_t x = 1;
    for (;; usleep(1)) {
        for (unsigned i = 0; i < 2000; i++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            uint64_t word, *at = (uint64_t *)(void *)(heap + (x >> 20) % (HEAP / 8) * 8);
            memcpy(&word, at, sizeof word);
            if (word != 0)
                *at = x % 3 == 0 ? word + 8 : x;
        }
    }
    return unused;
}

static bool
begin_changing(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, change_words, NULL) == 0;
}

/* Or the memory itself comes and goes. */
static char *coming;

static void *
come_and_go(void *unused)
{
    for (;; usleep(1)) {
        if (mmap(coming, 4 * PAGE, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_POPULATE, -1, 0) == coming)
            memset(coming, 1, PAGE);
        munmap(coming, 4 * PAGE);
    }
    return unused;
}

static bool
begin_coming(void)
{
    pthread_t thread;
    coming = heap + HEAP - 64 * PAGE;
    return pthread_create(&thread, NULL, come_and_go, NULL) == 0;
}

static void
mappings(void)
{
    struct made m = make(scope(string("f")), plain_script());
    for (unsigned i = 0; i < FRAMES; i++) {
        uint64_t gone = address(coming) + any() % (4 * PAGE) / 8 * 8 + 1;
        frame(address(trampoline) + 32, i % 2 == 0 ? gone : m.function, gone, smi(100));
        set(m.shared, i % 3 == 0 ? l.shared_name : l.shared_script, gone);
        frame(address(code) + PAGE * 16, m.function, gone, 0);
    }
    run(8192, 2000000);
}

/* A page whose faults nobody answers, as userfaultfd(2) makes it: UFFD_API and UFFD_REGISTER of
 * linux/userfaultfd.h, which a C library need not have. */
static char *silent_page;

static bool
begin_silence(void)
{
    enum { UFFD_VERSION = 0xaa, MISSING = 1 };
    struct {
        uint64_t api, features, ioctls;
    } api = {.api = UFFD_VERSION};
    struct {
        uint64_t start, len, mode, ioctls;
    } all = {0};
    int fd = (int)syscall(SYS_userfaultfd, 0);
    silent_page = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    all.start = address(silent_page);
    all.len = PAGE;
    all.mode = MISSING;
    return fd >= 0 && syscall(SYS_ioctl, fd, _IOWR(UFFD_VERSION, 0x3f, api), &api) == 0 &&
           syscall(SYS_ioctl, fd, _IOWR(UFFD_VERSION, 0, all), &all) == 0;
}

/* Processes that come and go, each with ever new functions. */
static void
forks(void)
{
    enum { MANY = 32 };
    for (unsigned i = 0; i < MANY; i++)
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (uint64_t end = clock_ns() + 300000000u; clock_ns() < end;)
                functions();
            _exit(0);
        }
    while (wait(NULL) > 0)
        continue;
}

static bool
begin_large(void)
{
    most = HEAP - 128 * PAGE;
    return true;
}

static void
silent(void)
{
    frame(address(trampoline) + 32, address(silent_page) + 1, address(silent_page) + 1, smi(100));
    run(8192, 5000000);
}

static const struct {
    const char *name;
    void (*run)(void);
    bool (*begin)(void);
} kinds[] = {
    {"cycles", cycles, NULL},
    {"lengths", lengths, NULL},
    {"deep", deep, begin_large},
    {"maps", maps, NULL},
    {"sources", sources, begin_large},
    {"names", names, NULL},
    {"functions", functions, NULL},
    {"headers", headers, NULL},
    {"overlaps", overlaps, NULL},
    {"mappings", mappings, begin_coming},
    {"forks", forks, NULL},
    {"silent", silent, begin_silence},
    {"random", random_heap, begin_changing},
};

static bool
value(void *ctx, const char *symbol, int64_t *to)
{
    (void)ctx;
    const int *at = dlsym(RTLD_DEFAULT, symbol);
    if (at != NULL)
        *to = *at;
    return at != NULL;
}

static void *
memory(size_t size, int protection)
{
    void *p = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    return p;
}

int
main(int argc, char **argv)
{
    size_t kind = 0;
    const unsigned version[] = {(unsigned)_ZN2v88internal7Version6major_E,
                                (unsigned)_ZN2v88internal7Version6minor_E};
    const char *why = v8layout_init(&l, version, value, NULL);
    while (argc > 2 && kind < sizeof kinds / sizeof *kinds &&
           strcmp(kinds[kind].name, argv[1]) != 0)
        kind++;
    if (why != NULL || argc < 3 || kind == sizeof kinds / sizeof *kinds) {
        fprintf(stderr, "v8hostile: %s\n", why != NULL ? why : "HOW SECONDS [SEED]");
        return 2;
    }
    state += argc > 3 ? strtoull(argv[3], NULL, 10) * 2654435761u : 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    heap = memory(HEAP, PROT_READ | PROT_WRITE);
    code = memory(CODE, PROT_READ | PROT_WRITE | PROT_EXEC);
    stack = memory(STACK, PROT_READ | PROT_WRITE);
    memset(stack, 0, STACK);
    bool begun = kinds[kind].begin == NULL || kinds[kind].begin();
    puts(begun ? "ready" : "refused");
    fflush(stdout);
    for (uint64_t end = clock_ns() + strtoull(argv[2], NULL, 10) * 1000000000u;
         begun && clock_ns() < end;)
        kinds[kind].run();
    return 0;
}
