/* Unwinding: expressions, tables, and walks on stacks made by hand. */
#include <elf.h>

#include "common/unwind/arch.h"
#include "common/unwind/cfiexpr.h"
#include "common/unwind/walk.h"
#include "tests/unit/makeelf.h"
#include "tests/unit/walked.h"

/* Expressions */

static bool
read_register(void *ctx, uint64_t number, uint64_t *value)
{
    (void)ctx;
    *value = 100 + number;
    return number < 8;
}

/* Each word of memory is its address doubled. */
static bool
read_memory(void *ctx, uint64_t addr, size_t size, uint64_t *value)
{
    (void)ctx;
    *value = size == 1 ? (uint8_t)(2 * addr) : 2 * addr;
    return true;
}

static const struct cfiexpr_machine machine = {
    .reg = read_register, .load = read_memory, .bias = 0x5000, .is64 = true};

#define RUN(...)                                                                                   \
    run_expression((const unsigned char[]){__VA_ARGS__}, sizeof(const unsigned char[]){__VA_ARGS__})

/* The result of an expression that begins with 10 on the stack; -1 if it has none. */
static int64_t
run_expression(const unsigned char *program, size_t n)
{
    const uint64_t first = 10;
    uint64_t result;
    struct span s = span_of((const char *)program, n);
    return cfiexpr_run(s, &machine, &first, &result) ? (int64_t)result : -1;
}

TEST("expressions calculate as the standard says")
{
    CHECK(RUN(0x22) == -1);                               /* plus, with one number */
    CHECK(RUN(0x31, 0x22) == 11);                         /* lit1; plus */
    CHECK(RUN(0x77, 8) == 115);                           /* breg7 8 */
    CHECK(RUN(0x92, 3, 0x7f) == 102);                     /* bregx 3 -1 */
    CHECK(RUN(0x06) == 20);                               /* deref */
    CHECK(RUN(0x08, 200, 0x94, 1) == 144);                /* const1u 200; deref_size 1 */
    CHECK(RUN(0x03, 1, 0, 0, 0, 0, 0, 0, 0) == 0x5001);   /* addr */
    CHECK(RUN(0x33, 0x1c) == 7);                          /* lit3; minus */
    CHECK(RUN(0x33, 0x1b) == 3);                          /* div */
    CHECK(RUN(0x33, 0x1d) == 1);                          /* mod */
    CHECK(RUN(0x30, 0x1b) == -1);                         /* by 0 */
    CHECK(RUN(0x33, 0x24) == 80);                         /* shl */
    CHECK(RUN(0x1f, 0x31, 0x26) == -5);                   /* neg; lit1; shra */
    CHECK(RUN(0x3b, 0x2a) == 0);                          /* lit11; ge */
    CHECK(RUN(0x32, 0x33, 0x17, 0x1c, 0x1c) == -5);       /* lit2; lit3; rot; minus; minus */
    CHECK(RUN(0x31, 0x28, 1, 0, 0x30, 0x12, 0x22) == 20); /* bra over lit0; dup; plus */
    CHECK(RUN(0x77, 8, 0x77, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22) == 123);
}

TEST("expressions that do not end, or need what is not known, have no result")
{
    CHECK(RUN(0x2f, 0xfd, 0xff) == -1);       /* skip to itself */
    CHECK(RUN(0x12, 0x2f, 0xfc, 0xff) == -1); /* the same, with a growing stack */
    CHECK(RUN(0x2f, 0x10, 0) == -1);          /* skip beyond the end */
    CHECK(RUN(0x79, 0) == -1);                /* breg9 */
    CHECK(RUN(0x50) == -1);                   /* reg0, which no address is in */
    CHECK(RUN(0x08) == -1);                   /* const1u, cut */
    CHECK(RUN(0x13, 0x13) == -1);             /* drop; drop */
}

/* Tables */

enum { CODE = 0x1000, CODE_SIZE = 0x400 };

/* An object under construction, of which only the call frame information matters. */
struct object {
    struct makeelf file;
    struct content content;
    struct elf elf;
    unsigned char frames[512];
    size_t len;
};

static void
add_byte(struct object *o, unsigned byte)
{
    o->frames[o->len++] = (unsigned char)byte;
}

static void
add_word(struct object *o, uint32_t word)
{
    memcpy(o->frames + o->len, &word, sizeof word);
    o->len += sizeof word;
}

/* Writes the length of the entry that began at `start`. */
static void
end_entry(struct object *o, size_t start)
{
    while (o->len % 4 != 0)
        add_byte(o, 0);
    uint32_t length = (uint32_t)(o->len - start - 4);
    memcpy(o->frames + start, &length, sizeof length);
}

/* A CIE for addresses of four bytes: "zR", or "zRS" of signal frames; the rest are instructions. */
static uint32_t
add_cie(struct object *o, bool signal, unsigned ra, const char *program, size_t n)
{
    size_t start = o->len;
    add_word(o, 0);
    add_word(o, 0);
    add_byte(o, 1);
    memcpy(o->frames + o->len, signal ? "zRS" : "zR", signal ? 4 : 3);
    o->len += signal ? 4 : 3;
    add_byte(o, 1);    /* code align */
    add_byte(o, 0x78); /* data align: -8 */
    add_byte(o, ra);
    add_byte(o, 1); /* of augmentation data */
    add_byte(o, 3); /* DW_EH_PE_udata4 */
    memcpy(o->frames + o->len, program, n);
    o->len += n;
    end_entry(o, start);
    return (uint32_t)start;
}

static void
add_fde(struct object *o, uint32_t cie, uint32_t addr, uint32_t size, const char *program, size_t n)
{
    size_t start = o->len;
    add_word(o, 0);
    add_word(o, (uint32_t)o->len - cie);
    add_word(o, addr);
    add_word(o, size);
    add_byte(o, 0); /* of augmentation data */
    memcpy(o->frames + o->len, program, n);
    o->len += n;
    end_entry(o, start);
}

#define PROGRAM(text) (text), sizeof(text) - 1

/* Makes the file; then its table can be built. */
static void
finish(struct object *o, uint16_t machine_number)
{
    static unsigned char code[CODE_SIZE];
    o->file = (struct makeelf){.is64 = true, .type = ET_EXEC, .machine = machine_number};
    makeelf_start(&o->file);
    makeelf_section(
        &o->file, ".text",
        (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_addr = CODE, .sh_flags = SHF_EXECINSTR}, code,
        sizeof code);
    makeelf_section(&o->file, ".eh_frame", (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_addr = 0x2000},
                    o->frames, o->len);
    makeelf_segment(&o->file, PT_LOAD, 0, CODE, CODE_SIZE);
    o->file.segments[0].p_flags = PF_R | PF_X;
    o->content = content_of(makeelf_finish(&o->file));
    CHECK(elf_open(&o->elf, &o->content) == NULL);
}

/* CFA = rsp + 8, the return address at CFA - 8 */
#define X86_CIE "\x0c\x07\x08\x90\x01"

TEST(
    "a table has the rows of its entries in the order of addresses, and none for code between them")
{
    struct object o = {.len = 0};
    struct cfitable t;
    uint32_t cie = add_cie(&o, false, 16, PROGRAM(X86_CIE));
    /* advance 4; CFA = rsp + 16; rbp at CFA - 16; advance 4; CFA = rbp + 16 */
    add_fde(&o, cie, CODE + 0x20, 0x10, PROGRAM("\x44\x0e\x10\x86\x02\x44\x0d\x06"));
    add_fde(&o, cie, CODE, 0x10, PROGRAM(""));
    finish(&o, EM_X86_64);
    cfitable_build(&t, &o.elf, NULL, NULL);
    CHECK(t.nrows == 6);
    CHECK(cfitable_find(&t, CODE - 1) == NULL);
    CHECK(cfitable_find(&t, CODE) == cfitable_find(&t, CODE + 15));
    CHECK(cfitable_find(&t, CODE + 16) == NULL);
    CHECK(cfitable_find(&t, CODE + 0x20) == cfitable_find(&t, CODE));
    const struct cfitable_rule *rule = cfitable_find(&t, CODE + 0x2f);
    CHECK(rule->cfa.how == CFI_VALUE && rule->cfa.reg == 6 && rule->cfa.n == 16);
    CHECK(rule->count == 2 && rule->regs[0].target == 6 && rule->regs[0].n == -16);
    CHECK(rule->ra == 16 && !rule->signal);
    CHECK(cfitable_find(&t, CODE + 0x30) == NULL);
    cfitable_free(&t);
    elf_close(&o.elf);
}

static bool
count_asked(void *ctx)
{
    (*(size_t *)ctx)++;
    return false; /* a table is made whole all the same */
}

TEST("a recording that waits for a table may go on while it is made")
{
    size_t asked = 0;
    struct patience patience = {.ask = count_asked, .ctx = &asked, .steps = PATIENCE_STEPS - 1};
    struct object o = {.len = 0};
    struct cfitable t;
    uint32_t cie = add_cie(&o, false, 16, PROGRAM(X86_CIE));
    add_fde(&o, cie, CODE, 0x10, PROGRAM(""));
    finish(&o, EM_X86_64);
    cfitable_build(&t, &o.elf, NULL, &patience);
    CHECK(asked == 1);
    CHECK(cfitable_find(&t, CODE) != NULL);
    cfitable_free(&t);
    elf_close(&o.elf);
}

TEST("entries over all of memory, and rows that go back, end where the next entry begins")
{
    struct object o = {.len = 0};
    struct cfitable t;
    uint32_t cie = add_cie(&o, false, 16, PROGRAM(X86_CIE));
    add_fde(&o, cie, CODE, UINT32_MAX - CODE, PROGRAM("\x04\xff\xff\xff\xff\x0e\x10\x44\x0e\x18"));
    add_fde(&o, cie, CODE + 8, 8, PROGRAM("\x0e\x20"));
    finish(&o, EM_X86_64);
    cfitable_build(&t, &o.elf, NULL, NULL);
    CHECK(cfitable_find(&t, CODE + 7)->cfa.n == 8);
    CHECK(cfitable_find(&t, CODE + 8)->cfa.n == 32);
    CHECK(cfitable_find(&t, CODE + 16) == NULL);
    cfitable_free(&t);
    elf_close(&o.elf);
}

TEST("of entries with the same start the first counts, and only up to where the next one begins")
{
    struct object o = {.len = 0};
    struct cfitable t;
    uint32_t cie = add_cie(&o, false, 16, PROGRAM(X86_CIE));
    add_fde(&o, cie, CODE, 0x40, PROGRAM("\x60\x0e\x10")); /* advance 32; CFA = rsp + 16 */
    add_fde(&o, cie, CODE, 0x40, PROGRAM("\x0e\x18"));
    add_fde(&o, cie, CODE + 0x10, 0x10, PROGRAM("\x0e\x20"));
    finish(&o, EM_X86_64);
    cfitable_build(&t, &o.elf, NULL, NULL);
    CHECK(t.nrows == 3 && t.rows[0].start < t.rows[1].start && t.rows[1].start < t.rows[2].start);
    CHECK(cfitable_find(&t, CODE)->cfa.n == 8);
    CHECK(cfitable_find(&t, CODE + 0x10)->cfa.n == 32);
    CHECK(cfitable_find(&t, CODE + 0x20) == NULL);
    cfitable_free(&t);
    elf_close(&o.elf);
}

/* Where the first entry ends. */
static size_t
cie_end(const struct object *o)
{
    uint32_t length;
    memcpy(&length, o->frames, sizeof length);
    return length + 4;
}

/* Appends distinct rules for all registers, each an expression with another constant. */
static size_t
many_expressions(unsigned char *to, size_t n)
{
    size_t len = 0;
    for (uint32_t i = 0; len + 9 < n; i++) {
        const unsigned char program[] = {0x10, (unsigned char)(i % 36), 5,
                                         0x0c}; /* DW_CFA_expression, const4u */
        memcpy(to + len, program, sizeof program);
        memcpy(to + len + 4, &i, sizeof i);
        to[len + 8] = 0x41; /* advance 1 */
        len += 9;
    }
    return len;
}

TEST("a table takes a limited amount of memory, whatever its expressions and rules are")
{
    enum { LARGE = 4 << 20, EH_FRAME = 2 };
    struct object o = {.len = 0};
    struct cfitable t;
    char *bytes = mem_alloc(LARGE);
    uint32_t cie = add_cie(&o, true, 16, PROGRAM(X86_CIE));
    add_fde(&o, cie, CODE, 0x40000000, PROGRAM(""));
    finish(&o, EM_X86_64);
    /* The same file with a longer entry, whose section lies at its end. */
    size_t at = MAKEELF_BYTES;
    memset(bytes, 0, LARGE);
    memcpy(bytes + at, o.frames, o.len);
    size_t program = at + o.len - 3; /* of its last word one byte is the augmentation's length */
    size_t n = many_expressions((unsigned char *)bytes + program, LARGE - program);
    uint32_t length = (uint32_t)(program + n - at - cie_end(&o) - 4);
    memcpy(bytes + at + cie_end(&o), &length, sizeof length);
    o.elf.sections[EH_FRAME].sh_offset = at;
    o.elf.sections[EH_FRAME].sh_size = program + n - at;
    o.content = content_of(span_of(bytes, LARGE));
    cfitable_build(&t, &o.elf, NULL, NULL);
    CHECK(t.nrows > 1000);
    CHECK(cfitable_size(&t) < 8 << 20);
    cfitable_free(&t);
    elf_close(&o.elf);
    free(bytes);
}

/* Walks */

struct process {
    struct cfitable table;
};

/* The object lies at its own addresses; JIT-compiled code is from 0x9000 on. */
static bool
find(void *ctx, uint64_t addr, struct walk_place *place)
{
    struct process *p = ctx;
    if (addr >= 0x9000 && addr < 0xa000) {
        *place = (struct walk_place){.executable = true};
        return true;
    }
    *place = (struct walk_place){.executable = true, .table = &p->table, .entry = CODE + 0x300};
    return addr >= CODE && addr < CODE + CODE_SIZE;
}

static bool
find_nothing(void *ctx, uint64_t addr, struct walk_place *place)
{
    (void)ctx, (void)addr, (void)place;
    return false;
}

static size_t
no_code(void *ctx, uint64_t addr, unsigned char *to, size_t n)
{
    (void)ctx, (void)addr, (void)to, (void)n;
    return 0;
}

/* At 0x1160 main returned, and exit is called: mov %eax, %edi; call. */
static size_t
code_of_exit(void *ctx, uint64_t addr, unsigned char *to, size_t n)
{
    (void)ctx;
    if (addr != 0x1160 || n < 3)
        return 0;
    memcpy(to, "\x89\xc7\xe8", 3);
    return 3;
}

/* There is padding before 0x9200 and 0x9210, and a call before each other address. */
static size_t
code_with_padding(void *ctx, uint64_t addr, unsigned char *to, size_t n)
{
    (void)ctx;
    memset(to, 0xcc, n);
    if (n >= 5 && addr + n != 0x9200 && addr + n != 0x9210)
        to[n - 5] = 0xe8;
    return n;
}

enum { ENDS = 0x1200 };

/* At ENDS is xor %rdi, %rdi; call; hlt, and elsewhere padding. */
static size_t
code_of_end(void *ctx, uint64_t addr, unsigned char *to, size_t n)
{
    static const unsigned char ends[] = {0x48, 0x31, 0xff, 0xe8, 0, 1, 0, 0, 0xf4};
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        to[i] = addr + i - ENDS < sizeof ends ? ends[addr + i - ENDS] : 0x90;
    return n;
}

static struct span
walked(const struct arch *arch, struct process *p, const struct walk_thread *t)
{
    struct walker w = {.arch = arch};
    struct walk_process process = {.version = 1, .find = find, .code = no_code, .ctx = p};
    struct span text = walked_by(&w, &process, t);
    walk_free(&w);
    return text;
}

/* 1000: CFA = rsp + 8.  1100: push rbp; mov rsp, rbp.  1200: CFA = rsp + 24.  1300: the first. */
static void
make_x86(struct object *o, struct process *p)
{
    *o = (struct object){.len = 0};
    uint32_t cie = add_cie(o, false, 16, PROGRAM(X86_CIE));
    add_fde(o, cie, CODE, 0x100, PROGRAM(""));
    add_fde(o, cie, CODE + 0x100, 0x100, PROGRAM("\x41\x0e\x10\x86\x02\x43\x0d\x06"));
    add_fde(o, cie, CODE + 0x200, 0x100, PROGRAM("\x0e\x18"));
    add_fde(o, cie, CODE + 0x300, 0x100, PROGRAM("\x07\x10")); /* the return address: undefined */
    finish(o, EM_X86_64);
    cfitable_build(&p->table, &o->elf, NULL, NULL);
}

static void
free_process(struct object *o, struct process *p)
{
    cfitable_free(&p->table);
    elf_close(&o->elf);
}

TEST("a walk goes from the leaf to the root, by the stack pointer and by the frame pointer")
{
    struct object o;
    struct process p;
    const uint64_t stack[] = {0x1150, 0, 0, STACK + 80, 0x1250, 0, 0, 0x1310, 0};
    make_x86(&o, &p);
    struct walk_thread t = x86_thread(0x1010, STACK + 24, stack, 9);
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 1150 1250 1310 | root");
    free_process(&o, &p);
}

TEST("the frame pointer of each frame is given, also of a walk that was kept, and where the stack "
     "is")
{
    struct object o;
    struct process p;
    struct walk_result result;
    const uint64_t stack[] = {0x1150, 0, 0, STACK + 80, 0x1250, 0, 0, 0x1310, 0};
    make_x86(&o, &p);
    struct walker w = {.arch = &arch_x86_64};
    struct walk_process process = {.version = 1, .find = find, .code = no_code, .ctx = &p};
    struct walk_thread t = x86_thread(0x1010, STACK + 24, stack, 9);
    for (int i = 0; i < 2; i++) {
        walk(&w, &process, &t, &result);
        CHECK(result.count == 4 && result.sp == STACK);
        CHECK(result.fps[0] == STACK + 24 && result.fps[1] == STACK + 24);
        CHECK(result.fps[2] == STACK + 80 && result.fps[3] == STACK + 80);
        process.find = find_nothing;
    }
    walk_forget(&w);
    process.find = find;
    t.known &= ~(uint64_t)(1 << RBP);
    walk(&w, &process, &t, &result);
    CHECK(result.count == 2 && result.fps[0] == 0 && result.fps[1] == 0);
    walk_free(&w);
    free_process(&o, &p);
}

TEST("a copy that ends too early is cut, and what is no return address is lost")
{
    struct object o;
    struct process p;
    const uint64_t stack[] = {0x1150, 0, 0, STACK + 80, 0x1250, 0, 0, 0x3333, 0};
    make_x86(&o, &p);
    struct walk_thread t = x86_thread(0x1010, STACK + 24, stack, 7);
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 1150 1250 | cut");
    t.stack.len = sizeof stack;
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 1150 1250 | lost");
    t.stack.len = 0; /* as of a task in execve(2), which has no callers */
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* | root");
    t.regs[RIP] = 0x4000; /* whose code is gone, too */
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "4000* | root");
    t.regs[RIP] = 0x1010;
    t.chain = (const uint64_t[]){0x1010, 0x1250}; /* of one that touches a page */
    t.nchain = 2;
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* | cut");
    t = x86_thread(0x1150, STACK - 64, stack, 9); /* the stack pointer would fall */
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1150* | lost");
    free_process(&o, &p);
}

TEST("a register that the rule finds below the stack pointer was popped already")
{
    struct object o = {.len = 0};
    struct process p;
    const uint64_t stack[] = {0x1150, 0, 0x1310};
    uint32_t cie = add_cie(&o, false, 16, PROGRAM(X86_CIE));
    add_fde(&o, cie, CODE, 0x100, PROGRAM("\x86\x02")); /* rbp at CFA - 16 */
    add_fde(&o, cie, CODE + 0x100, 0x100, PROGRAM("\x0c\x06\x10"));
    add_fde(&o, cie, CODE + 0x300, 0x100, PROGRAM("\x07\x10"));
    finish(&o, EM_X86_64);
    cfitable_build(&p.table, &o.elf, NULL, NULL);
    struct walk_thread t = x86_thread(0x1010, STACK + 8, stack, 3);
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 1150 1310 | root");
    free_process(&o, &p);
}

TEST("code without call frame information has frame pointers, and a return address may be 0")
{
    struct object o;
    struct process p;
    const uint64_t stack[] = {0, STACK + 24, 0x9100, STACK + 48, 0x9200, 0, 0, 0};
    make_x86(&o, &p);
    struct walk_thread t = x86_thread(0x9010, STACK + 8, stack, 8);
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "9010* 9100 9200 | root");
    free_process(&o, &p);
}

TEST("a function that V8 deoptimized goes on at the start of a builtin, where no call returns to")
{
    struct object o;
    struct process p;
    const uint64_t stack[] = {0, STACK + 24, 0x9200, STACK + 48, 0x9310, 0, 0, 0};
    const uint64_t inside[] = {0, STACK + 24, 0x9210, STACK + 48, 0x9310, 0, 0, 0};
    make_x86(&o, &p);
    struct walker w = {.arch = &arch_x86_64};
    struct walk_process process = {
        .version = 1, .find = find, .code = code_with_padding, .ctx = &p};
    struct walk_thread t = x86_thread(0x9010, STACK + 8, stack, 8);
    CHECK_TEXT(walked_by(&w, &process, &t), "9010* 9200* 9310 | root");
    t = x86_thread(0x9010, STACK + 8, inside, 8);
    CHECK_TEXT(walked_by(&w, &process, &t), "9010* | lost");
    walk_free(&w);
    free_process(&o, &p);
}

/* Builtins of V8, behind padding: at 1000 one without a frame; at 1080 one that makes one at 1088;
 * at 1100 one that makes its caller's at 1110. Of 1180 the padding is too short. */
static size_t
code_of_builtins(void *ctx, uint64_t addr, unsigned char *to, size_t n)
{
    static const unsigned char frame[] = {0x55, 0x48, 0x89, 0xe5},
                               callers[] = {0x41, 0x5b, 0x55, 0x48, 0x89, 0xe5};
    enum { BEFORE = 0x1000, SIZE = CODE_SIZE };
    static unsigned char code[BEFORE + SIZE];
    (void)ctx;
    memset(code, 0x90, sizeof code);
    memset(code + 0xff0, 0xcc, 16);
    memset(code + 0x1070, 0xcc, 16);
    memset(code + 0x10fc, 0xcc, 4);
    memset(code + 0x117d, 0xcc, 3);
    memcpy(code + 0x1088, frame, sizeof frame);
    memcpy(code + 0x1110, callers, sizeof callers);
    if (addr >= sizeof code)
        return 0;
    n = n < sizeof code - addr ? n : (size_t)(sizeof code - addr);
    memcpy(to, code + addr, n);
    return n;
}

/* The object has no table for them. */
static void
make_builtins(struct object *o, struct process *p)
{
    *o = (struct object){.len = 0};
    uint32_t cie = add_cie(o, false, 16, PROGRAM(X86_CIE));
    add_fde(o, cie, CODE + 0x300, 0x100, PROGRAM("\x07\x10"));
    finish(o, EM_X86_64);
    cfitable_build(&p->table, &o->elf, NULL, NULL);
}

TEST("a leaf in a builtin of V8 that has made no frame was called by the function at the frame "
     "pointer")
{
    struct object o;
    struct process p;
    uint64_t stack[] = {0x9100, 0x9200, 0, 0, 0x1310, 0};
    static const struct {
        uint64_t ip;
        const char *walk;
    } leaves[] = {
        {0x1000, "1000* 9100 1310 | root"},      {0x1010, "1010* 9100 1310 | root"},
        {0x1069, "1069* 9100 1310 | root"},      {0x1084, "1084* 9100 1310 | root"},
        {0x1088, "1088* 9100 1310 | root"},      {0x1089, "1089* 9200 1310 | root"},
        {0x108c, "108c* 1310 | root"},           {0x10f0, "10f0* 1310 | root"},
        {0x1100, "1100* 9100 9200 1310 | root"}, {0x1110, "1110* 9100 9200 1310 | root"},
        {0x1112, "1112* 9100 1310 | root"},      {0x1116, "1116* 1310 | root"},
        {0x1180, "1180* 1310 | root"},
    };
    make_builtins(&o, &p);
    struct walker w = {.arch = &arch_x86_64};
    struct walk_process process = {.version = 1, .find = find, .code = code_of_builtins, .ctx = &p};
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
        struct walk_thread t = x86_thread(leaves[i].ip, STACK + 24, stack, 6);
        CHECK_TEXT(walked_by(&w, &process, &t), leaves[i].walk);
    }
    stack[0] = 0x5555; /* it is where no code is */
    struct walk_thread t = x86_thread(0x1010, STACK + 24, stack, 6);
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* 1310 | root");
    walk_free(&w);
    free_process(&o, &p);
}

TEST("a function whose frame its callee makes has no frame pointer, and the kernel's chain "
     "continues "
     "after it")
{
    struct object o;
    struct process p;
    struct walk_result result;
    const uint64_t stack[] = {0x9100, 0x9200, 0, 0, 0x1310, 0};
    const uint64_t chain[] = {0x1100, 0x1310};
    make_builtins(&o, &p);
    struct walker w = {.arch = &arch_x86_64};
    struct walk_process process = {.version = 1, .find = find, .code = code_of_builtins, .ctx = &p};
    struct walk_thread t = x86_thread(0x1100, STACK + 24, stack, 6);
    walk(&w, &process, &t, &result);
    CHECK(result.count == 4 && result.fps[0] == STACK + 24);
    CHECK(result.fps[1] == 0 && result.fps[2] == STACK + 24);
    t = x86_thread(0x1100, STACK + 24, stack, 2);
    CHECK_TEXT(walked_by(&w, &process, &t), "1100* 9100 9200 | cut");
    t.chain = chain;
    t.nchain = 2;
    CHECK_TEXT(walked_by(&w, &process, &t), "1100* 9100 9200 1310 | root");
    t.regs[RIP] = 0x1010;
    t.chain = (const uint64_t[]){0x1010, 0x1310};
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* 9100 1310 | root");
    walk_free(&w);
    free_process(&o, &p);
}

TEST("a coroutine's stack ends at what ends the program after it, which no call is before")
{
    struct object o = {.len = 0};
    struct process p;
    uint64_t stack[] = {ENDS, 0};
    uint32_t cie = add_cie(&o, false, 16, PROGRAM(X86_CIE));
    add_fde(&o, cie, CODE, 0x100, PROGRAM(""));
    finish(&o, EM_X86_64);
    cfitable_build(&p.table, &o.elf, NULL, NULL);
    struct walker w = {.arch = &arch_x86_64};
    struct walk_process process = {.version = 1, .find = find, .code = code_of_end, .ctx = &p};
    struct walk_thread t = x86_thread(0x1010, 0x5555, stack, 2);
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* 1200* | root");
    stack[0] = ENDS + 1;
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* | lost");
    walk_free(&w);
    free_process(&o, &p);
}

TEST("a trampoline that only calls on has its return address behind eight bytes of padding")
{
    struct object o;
    struct process p;
    uint64_t stack[] = {0x9100, 0, 0x1250, 0, 0x1320, 0x1310, 0};
    make_x86(&o, &p);
    struct walk_thread t = x86_thread(0x1010, 0x5555, stack, 7);
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 9100 1250 1310 | root");
    t.regs[RBP] = STACK + 24; /* a frame pointer comes first */
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 9100 1320 | root");
    t.regs[RBP] = STACK + 800; /* beyond the copy: of another function, too */
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 9100 1250 1310 | root");
    t.regs[RBP] = 0x5555;
    stack[2] = 0x9200; /* no function of an object calls it */
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 9100 | lost");
    free_process(&o, &p);
}

TEST("the kernel's chain continues a stack that is cut at a frame with a frame pointer, and only "
     "there")
{
    struct object o;
    struct process p;
    const uint64_t stack[] = {0x1150, 0, 0, 0};
    const uint64_t chain[] = {0x1010, 0x1160, 0x1170, 0x1310};
    make_x86(&o, &p);
    struct walk_thread t = x86_thread(0x1010, STACK + 800, stack, 4);
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 1150 | cut");
    t.chain = chain;
    t.nchain = 4;
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 1150 1160 1170 1310 | root");
    const uint64_t skips[] = {0x1010, 0x1160, 0x1250, 0x1310}; /* past the caller of 1250 */
    t.chain = skips;
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 1150 1160 1250 | cut");
    t.chain = chain;
    t.nchain = 3; /* where the kernel has lost its way */
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 1150 1160 1170 | cut");
    t.nchain = 4;
    t.regs[RIP] = 0x1210; /* its frame is found by the stack pointer */
    t.stack.len = 16;
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1210* | cut");
    free_process(&o, &p);
}

TEST(
    "where the kernel's chain or the copy ends at what calls main, a stack has the callers of that "
    "which another had")
{
    struct object o;
    struct process p;
    const uint64_t whole[] = {0x1160, 0, 0, STACK + 80, 0x1250, 0, 0, 0x1310, 0};
    const uint64_t cut[] = {0x1150, 0, 0, 0};
    const uint64_t chain[] = {0x1010, 0x1160};
    make_x86(&o, &p);
    struct walker w = {.arch = &arch_x86_64};
    struct walk_process process = {.version = 1, .find = find, .code = code_of_exit, .ctx = &p};
    struct walk_thread a = x86_thread(0x1010, STACK + 24, whole, 9),
                       b = x86_thread(0x1010, STACK + 800, cut, 4);
    b.chain = chain;
    b.nchain = 2;
    CHECK_TEXT(walked_by(&w, &process, &b), "1010* 1150 1160 | root");
    CHECK_TEXT(walked_by(&w, &process, &a), "1010* 1160 1250 1310 | root");
    CHECK_TEXT(walked_by(&w, &process, &b), "1010* 1150 1160 1250 1310 | root");
    a.stack.len = 4 * sizeof *whole; /* up to the frame of what calls main */
    CHECK_TEXT(walked_by(&w, &process, &a), "1010* 1160 | cut"); /* as perf has it */
    a.chain = (const uint64_t[]){0x1010, 0x3333};                /* which is no code */
    a.nchain = 2;
    CHECK_TEXT(walked_by(&w, &process, &a), "1010* 1160 1250 1310 | root");
    a.stack.len = 7 * sizeof *whole; /* up to that of its caller */
    CHECK_TEXT(walked_by(&w, &process, &a), "1010* 1160 1250 1310 | root");
    a.regs[RIP] = 0x1160; /* no return address */
    a.stack.len = sizeof *whole;
    CHECK_TEXT(walked_by(&w, &process, &a), "1160* | cut");
    process.version = 2; /* another process */
    CHECK_TEXT(walked_by(&w, &process, &b), "1010* 1150 1160 | root");
    walk_free(&w);
    free_process(&o, &p);
}

TEST("what a signal interrupted is exact, and all its registers are known")
{
    struct object o = {.len = 0};
    struct process p;
    uint32_t cie = add_cie(&o, false, 16, PROGRAM(X86_CIE));
    uint32_t signal = add_cie(&o, true, 16, PROGRAM(X86_CIE));
    add_fde(&o, cie, CODE, 0x100, PROGRAM(""));
    /* CFA = rcx + 8, which a call does not preserve: rsp, rcx and rip are at CFA + 16, 24, 32 */
    add_fde(&o, cie, CODE + 0x100, 0x100, PROGRAM("\x0c\x02\x08"));
    add_fde(&o, signal, CODE + 0x200, 0x80, PROGRAM("\x11\x07\x7e\x11\x02\x7d\x11\x10\x7c"));
    add_fde(&o, cie, CODE + 0x300, 0x100, PROGRAM("\x07\x10"));
    finish(&o, EM_X86_64);
    cfitable_build(&p.table, &o.elf, NULL, NULL);
    const uint64_t stack[] = {0x1200, 0, 0, 0, STACK + 56, STACK + 64, 0x1100, 0, 0x1310};
    struct walk_thread t = x86_thread(0x1010, 0, stack, 9);
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 1200 1100* 1310 | root");
    /* in the kernel, which came from the last instruction of what the handler returned to */
    const uint64_t left[] = {0, 0, 0, STACK + 48, STACK + 56, 0x1100, 0, 0x1310};
    t = x86_thread(0x1280, 0, left, 8);
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1280* 1100* 1310 | root");
    free_process(&o, &p);
}

TEST("what a signal interrupted has to be code: else the stack is lost there")
{
    struct object o = {.len = 0};
    struct process p;
    uint32_t cie = add_cie(&o, false, 16, PROGRAM(X86_CIE));
    uint32_t signal = add_cie(&o, true, 16, PROGRAM(X86_CIE));
    add_fde(&o, cie, CODE, 0x100, PROGRAM(""));
    add_fde(&o, signal, CODE + 0x200, 0x100, PROGRAM("\x11\x07\x7e\x11\x10\x7c"));
    finish(&o, EM_X86_64);
    cfitable_build(&p.table, &o.elf, NULL, NULL);
    uint64_t stack[] = {0x1200, 0, 0, 0, STACK + 56, 0, 0, 0x1310};
    struct walk_thread t = x86_thread(0x1010, 0, stack, 8);
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 1200 | lost");
    stack[6] = (uint64_t)-128; /* in a callchain the kernel's addresses would follow */
    CHECK_TEXT(walked(&arch_x86_64, &p, &t), "1010* 1200 | lost");
    free_process(&o, &p);
}

TEST("a walk is given again while all that it looked at is the same, and only then")
{
    struct object o;
    struct process p;
    uint64_t stack[] = {0x1150, 0, 0, STACK + 80, 0x1250, 0, 0, 0x1310, 0};
    make_x86(&o, &p);
    struct walk_thread t = x86_thread(0x1010, STACK + 24, stack, 9);
    struct walker w = {.arch = &arch_x86_64};
    struct walk_process process = {.version = 1, .find = find, .code = no_code, .ctx = &p};
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* 1150 1250 1310 | root");
    process.find = find_nothing;
    stack[1] = 7; /* not looked at */
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* 1150 1250 1310 | root");
    stack[4] = 0x1254;
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* | lost");
    stack[4] = 0x1250;
    t.stack.len -= sizeof *stack; /* of which nothing was looked at */
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* 1150 1250 1310 | root");
    t.stack.len -= sizeof *stack;
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* | lost");
    t.stack.len += 2 * sizeof *stack;
    t.regs[RBP]++;
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* | lost");
    t.regs[RBP]--;
    process.version = 2;
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* | lost");
    process.version = 1;
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* 1150 1250 1310 | root");
    walk_forget(&w);
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* | lost");
    walk_free(&w);
    free_process(&o, &p);
}

TEST("of a stack that was unwound before, what the walk looked at is enough, if that is the same")
{
    struct object o;
    struct process p;
    uint64_t stack[16] = {0x1150, 0, 0, STACK + 80, 0x1250, 0, 0, 0x1310};
    make_x86(&o, &p);
    struct walker w = {.arch = &arch_x86_64};
    struct walk_process process = {.version = 1, .find = find, .code = no_code, .ctx = &p};
    struct walk_thread t = x86_thread(0x1010, STACK + 24, stack, 16);
    CHECK(walk_needs(&w, &t) == sizeof stack);
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* 1150 1250 1310 | root");
    CHECK(walk_needs(&w, &t) == 8 * sizeof *stack);
    t.stack.len = walk_needs(&w, &t);
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* 1150 1250 1310 | root");
    process.version = 2; /* other mappings: the walk is made again */
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* 1150 1250 1310 | root");
    t.stack.len = sizeof stack;
    stack[1]++; /* no walk looks at that */
    CHECK(walk_needs(&w, &t) == 8 * sizeof *stack);
    stack[4] = 0x1260; /* another caller */
    CHECK(walk_needs(&w, &t) == sizeof stack);
    stack[4] = 0x1250;
    t.regs[RBP] += 8;
    CHECK(walk_needs(&w, &t) == sizeof stack);
    walk_free(&w);
    free_process(&o, &p);
}

TEST("what a walk looked at reaches past the frame pointer of each frame that has one, so that "
     "what lies "
     "below it is not cut off")
{
    struct object o;
    struct process p;
    struct walk_result result;
    uint64_t stack[32] = {0};
    stack[10] = STACK + 20 * sizeof *stack;
    stack[11] = 0x9100;
    stack[21] = 0x1310;
    make_x86(&o, &p);
    struct walker w = {.arch = &arch_x86_64};
    struct walk_process process = {.version = 1, .find = find, .code = no_code, .ctx = &p};
    struct walk_thread t = x86_thread(0x9010, STACK + 10 * sizeof *stack, stack, 32);
    walk(&w, &process, &t, &result);
    CHECK(result.end == WALK_ROOT && result.count == 3);
    CHECK(result.fps[1] == STACK + 20 * sizeof *stack);
    CHECK(walk_needs(&w, &t) == 22 * sizeof *stack);
    walk_free(&w);
    free_process(&o, &p);
}

TEST("a walk that was cut is made again when more of the stack is there")
{
    struct object o;
    struct process p;
    const uint64_t stack[] = {0x1150, 0, 0, STACK + 80, 0x1250, 0, 0, 0x1310};
    make_x86(&o, &p);
    struct walker w = {.arch = &arch_x86_64};
    struct walk_process process = {.version = 1, .find = find, .code = no_code, .ctx = &p};
    struct walk_thread t = x86_thread(0x1010, STACK + 24, stack, 7);
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* 1150 1250 | cut");
    CHECK(walk_needs(&w, &t) == 7 * sizeof *stack);
    t.stack.len = sizeof stack;
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* 1150 1250 1310 | root");
    t.stack.len = 7 * sizeof *stack; /* as if it had been shortened for another process */
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* 1150 1250 | cut");
    t.stack.len = sizeof stack;
    CHECK(walk_needs(&w, &t) == sizeof stack);
    walk_free(&w);
    free_process(&o, &p);
}

TEST("a walk that has looked beyond the copy is not kept: with a longer one it may be another")
{
    struct object o = {.len = 0};
    struct process p;
    const uint64_t stack[] = {0x1310, 0};
    uint32_t cie = add_cie(&o, false, 16, PROGRAM(X86_CIE));
    /* DW_CFA_offset_extended_sf: rbp is at CFA + 800 */
    add_fde(&o, cie, CODE, 0x100, PROGRAM("\x11\x06\x9c\x7f"));
    add_fde(&o, cie, CODE + 0x300, 0x100, PROGRAM("\x07\x10"));
    finish(&o, EM_X86_64);
    cfitable_build(&p.table, &o.elf, NULL, NULL);
    struct walker w = {.arch = &arch_x86_64};
    struct walk_process process = {.version = 1, .find = find, .code = no_code, .ctx = &p};
    struct walk_thread t = x86_thread(0x1010, 0, stack, 2);
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* 1310 | root");
    process.find = find_nothing;
    CHECK_TEXT(walked_by(&w, &process, &t), "1010* | lost");
    walk_free(&w);
    free_process(&o, &p);
}

TEST("all expressions of a walk together take a limited number of operations")
{
    struct object o = {.len = 0};
    struct process p;
    uint32_t signal = add_cie(&o, true, 16, PROGRAM(X86_CIE));
    /* The frame is its own caller: rsp = CFA - 8, rip in memory at CFA - 8. rax: what comes of 256
     * rounds, const2u 256; lit1; minus; dup; bra back */
    add_fde(&o, signal, CODE, 0x100,
            PROGRAM("\x15\x07\x01\x16\x00\x09\x0a\x00\x01\x31\x1c\x12\x28\xfa\xff"));
    finish(&o, EM_X86_64);
    cfitable_build(&p.table, &o.elf, NULL, NULL);
    const uint64_t stack[] = {0x1010, 0};
    struct walker w = {.arch = &arch_x86_64};
    struct walk_process process = {.version = 1, .find = find, .code = no_code, .ctx = &p};
    struct walk_result result;
    struct walk_thread t = x86_thread(0x1010, 0, stack, 2);
    walk(&w, &process, &t, &result);
    CHECK(result.end == WALK_LOST);
    CHECK(result.count > 10 && result.count < 20);
    walk_free(&w);
    free_process(&o, &p);
}

TEST("a leaf of arm64 returns to its link register, and authentication codes are stripped")
{
    enum { X29 = 29, X30 = 30, SP = 31, PC = 32 };
    struct object o = {.len = 0};
    struct process p;
    uint32_t cie = add_cie(&o, false, X30, PROGRAM("\x0c\x1f\x00"));
    add_fde(&o, cie, CODE, 0x100, PROGRAM(""));
    /* DW_CFA_AARCH64_negate_ra_state; CFA = sp + 16; x29 at CFA - 16, x30 at CFA - 8 */
    add_fde(&o, cie, CODE + 0x100, 0x100, PROGRAM("\x2d\x0e\x10\x9d\x02\x9e\x01"));
    add_fde(&o, cie, CODE + 0x300, 0x100, PROGRAM("\x07\x1e"));
    finish(&o, EM_AARCH64);
    cfitable_build(&p.table, &o.elf, NULL, NULL);
    const uint64_t stack[] = {0, 0x003f000000001310, 0, 0};
    struct walk_thread t = {.known = (uint64_t)1 << X29 | (uint64_t)1 << X30 | (uint64_t)1 << SP |
                                     (uint64_t)1 << PC};
    t.regs[PC] = CODE + 0x10;
    t.regs[X30] = 0x0010000000001150;
    t.regs[SP] = STACK;
    t.stack = span_of((const char *)stack, sizeof stack);
    CHECK_TEXT(walked(&arch_arm64, &p, &t), "1010* 1150 1310 | root");
    t.regs[PC] = CODE + 0x110; /* a function that saved its link register, and a leaf is none */
    CHECK_TEXT(walked(&arch_arm64, &p, &t), "1110* 1310 | root");
    free_process(&o, &p);
}

/* Architectures */

#define IS_CALL(arch, ...)                                                                         \
    (arch).is_call((const unsigned char[]){__VA_ARGS__} +                                          \
                       sizeof(const unsigned char[]){__VA_ARGS__},                                 \
                   sizeof(const unsigned char[]){__VA_ARGS__})

TEST("calls are recognised by their bytes")
{
    CHECK(IS_CALL(arch_x86_64, 0xe8, 1, 2, 3, 4));
    CHECK(IS_CALL(arch_x86_64, 0x41, 0xff, 0xd0));             /* call *%r8 */
    CHECK(IS_CALL(arch_x86_64, 0xff, 0x15, 0, 0, 0, 0));       /* call *0(%rip) */
    CHECK(IS_CALL(arch_x86_64, 0xff, 0x14, 0xc5, 0, 0, 0, 0)); /* call *0(,%rax,8) */
    CHECK(IS_CALL(arch_x86_64, 0xff, 0x50, 0x18));             /* call *24(%rax) */
    CHECK(!IS_CALL(arch_x86_64, 0xff, 0xe0));                  /* jmp *%rax */
    CHECK(!IS_CALL(arch_x86_64, 0x90, 0x90, 0x90, 0x90, 0x90));
    CHECK(IS_CALL(arch_arm64, 0x01, 0x00, 0x00, 0x94));  /* bl */
    CHECK(IS_CALL(arch_arm64, 0x00, 0x00, 0x3f, 0xd6));  /* blr x0 */
    CHECK(!IS_CALL(arch_arm64, 0x00, 0x00, 0x1f, 0xd6)); /* br x0 */
}

TEST("what calls main, or a thread's first function, is recognised by what it does afterwards")
{
    static const unsigned char exits[] = {0x89, 0xc7, 0xe8, 0, 0, 0, 0},
                               keeps[] = {0x48, 0x98, 0x64, 0x48, 0x89, 0x04, 0x25, 0x30, 6, 0, 0},
                               jumps[] = {0xe9, 0xfc, 0xff, 0xff, 0xff};
    uint64_t jump;
    CHECK(arch_x86_64.is_outermost(exits, sizeof exits, &jump) && jump == 0);
    CHECK(!arch_x86_64.is_outermost(exits, 2, &jump) && jump == 0);
    CHECK(arch_x86_64.is_outermost(keeps, sizeof keeps, &jump) && jump == 0);
    CHECK(!arch_x86_64.is_outermost(jumps, sizeof jumps, &jump) && jump == 1);
    CHECK(!arch_x86_64.is_outermost(jumps + 1, 0, &jump));
}

TEST("an architecture is found by its number and by the name that uname prints")
{
    CHECK(arch_of_machine(EM_X86_64) == &arch_x86_64);
    CHECK(arch_of_name(SPAN("aarch64")) == &arch_arm64);
    CHECK(arch_of_machine(EM_386) == NULL);
    CHECK(arch_of_name(SPAN("")) == NULL);
}
