/* Walks on stacks of Go programs. */
#include "tests/unit/makego.h"
#include "tests/unit/walked.h"

enum {
    CODE = 0x1000,
    GOEXIT = 0x1000,
    MAIN = 0x1040,
    SYSTEMSTACK = 0x1080,
    NANOTIME = 0x10c0,
    MCALL = 0x1100,
    SIGRETURN = 0x1140,
    PREEMPT = 0x1180,
    SWITCH = 0x11c0,
    LEAF = 0x1200,
    HANDLER = 0x1240,
    CALLBACK = 0x1280,
    END = 0x12c0,
    OTHER_STACK = 0x6fff0000
};

enum { BY_STACK = MAKEGO_WRITES_SP | MAKEGO_ASSEMBLY };

static const struct makego_function functions[] = {
    {GOEXIT - CODE, "runtime.goexit", MAKEGO_TOP_FRAME | MAKEGO_ASSEMBLY, "\x02\x40"},
    {MAIN - CODE, "main.main", 0, "\x02\x04\x30\x3c"}, /* 24 bytes from its fifth byte on */
    {SYSTEMSTACK - CODE, "runtime.systemstack", BY_STACK, "\x02\x40"},
    {NANOTIME - CODE, "runtime.nanotime1", BY_STACK, "\x02\x40"},
    {MCALL - CODE, "runtime.mcall", BY_STACK, "\x02\x40"},
    {SIGRETURN - CODE, "runtime.sigreturn__sigaction", MAKEGO_ASSEMBLY, "\x02\x40"},
    {PREEMPT - CODE, "runtime.asyncPreempt", MAKEGO_ASSEMBLY, "\x02\x01\x10\x3f"},
    {SWITCH - CODE, "runtime.systemstack_switch", MAKEGO_ASSEMBLY, "\x02\x40"},
    {LEAF - CODE, "main.leaf", 0, "\x02\x40"},
    {HANDLER - CODE, "runtime.sigtramp", MAKEGO_TOP_FRAME | MAKEGO_ASSEMBLY, "\x02\x01\x20\x3f"},
    {CALLBACK - CODE, "runtime.cgocallback.abi0", BY_STACK, "\x02\x40"},
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

struct process {
    struct makego go;
    struct makeelf file;
    struct content content;
    struct elf elf;
    struct cfitable table;
};

static bool
find(void *ctx, uint64_t addr, struct walk_place *place)
{
    struct process *p = ctx;
    *place = (struct walk_place){.executable = true, .table = &p->table};
    return addr >= CODE && addr < END;
}

/* A call is before each address that is not the start of a function, nor the one after that. */
static size_t
code(void *ctx, uint64_t addr, unsigned char *to, size_t n)
{
    (void)ctx;
    memset(to, 0x90, n);
    if (n >= 5 && (addr + n) % 0x40 > 1)
        to[n - 5] = 0xe8;
    return n;
}

static void
make(struct process *p, unsigned machine)
{
    struct span table = makego_table(&p->go, MAKEGO_20, CODE, functions, FUNCTIONS, END - CODE);
    makego_program(&p->file, ".gopclntab", table, CODE, END - CODE, machine);
    p->content = content_of(makeelf_finish(&p->file));
    CHECK(elf_open(&p->elf, &p->content) == NULL);
    cfitable_build(&p->table, &p->elf, NULL, NULL);
}

static void
unmake(struct process *p)
{
    cfitable_free(&p->table);
    elf_close(&p->elf);
}

#define WALKED(ip, fp, ...)                                                                        \
    walk_stack((ip), (fp), (const uint64_t[]){__VA_ARGS__},                                        \
               sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t), NULL, 0)

static struct span
walk_stack(uint64_t ip, uint64_t fp, const uint64_t *stack, size_t words, const uint64_t *chain,
           size_t nchain)
{
    struct process p;
    make(&p, EM_X86_64);
    struct walk_thread t = x86_thread(ip, fp, stack, words);
    t.chain = chain;
    t.nchain = nchain;
    struct walker w = {.arch = &arch_x86_64};
    struct walk_process process = {.version = 1, .find = find, .code = code, .ctx = &p};
    struct span text = walked_by(&w, &process, &t);
    walk_free(&w);
    unmake(&p);
    return text;
}

TEST("a goroutine ends at goexit, which no call is before, whatever is in its frame pointer")
{
    CHECK_TEXT(WALKED(LEAF + 0x10, 0x5555, MAIN + 0x10, 1, 2, 3, GOEXIT + 1, 9),
               "1210* 1050 1001 | root");
    /* in the first instruction, and in a later one, of a function with 24 bytes */
    CHECK_TEXT(WALKED(MAIN, 0, MAIN + 0x10, 1, 2, 3, GOEXIT + 1), "1040* 1050 1001 | root");
    CHECK_TEXT(WALKED(MAIN + 4, 0, 1, 2, 3, GOEXIT + 1), "1044* 1001 | root");
}

TEST("a goroutine's stack that ends in neither is lost, and one that was not copied is cut")
{
    CHECK_TEXT(WALKED(MAIN + 4, 0, 1, 2, 3, LEAF + 1), "1044* | lost");
    CHECK_TEXT(WALKED(MAIN + 4, 0, 1, 2, 3, LEAF), "1044* | lost");
    CHECK_TEXT(WALKED(MAIN + 4, 0, 1, 2, 3, 0x4000), "1044* | lost");
    CHECK_TEXT(WALKED(MAIN + 4, 0, 1, 2), "1044* | cut");
}

TEST("a thread's own stack is whole without the goroutine's, which the kernel's chain continues")
{
    static const uint64_t stack[] = {SYSTEMSTACK + 0x10, 7};
    static const uint64_t chain[] = {LEAF + 0x10, MAIN + 0x10, GOEXIT + 1};
    static const uint64_t other[] = {LEAF + 0x10, LEAF + 1, GOEXIT + 1};
    uint64_t fp = OTHER_STACK;
    CHECK_TEXT(walk_stack(LEAF + 0x10, fp, stack, 2, NULL, 0), "1210* 1090 | root");
    CHECK_TEXT(walk_stack(LEAF + 0x10, fp, stack, 2, chain, 3), "1210* 1090 1050 1001 | root");
    CHECK_TEXT(walk_stack(LEAF + 0x10, fp, stack, 2, other, 3), "1210* 1090 | root");
    /* nanotime1 may be anywhere */
    CHECK_TEXT(WALKED(LEAF + 0x10, OTHER_STACK, NANOTIME + 0x10, 7), "1210* 10d0 | cut");
    CHECK_TEXT(
        WALKED(LEAF + 0x10, STACK + 16, NANOTIME + 0x10, 7, 0, MAIN + 0x10, 1, 2, 3, GOEXIT + 1),
        "1210* 10d0 1050 1001 | root");
    /* what mcall has left may run elsewhere */
    CHECK_TEXT(
        WALKED(LEAF + 0x10, STACK + 16, MCALL + 0x10, 7, 0, MAIN + 0x10, 1, 2, 3, GOEXIT + 1),
        "1210* 1110 | root");
}

TEST("what C has called stands on goexit, or on what has called C, without C's own callers")
{
    static const uint64_t stack[] = {SYSTEMSTACK + 0x10, 7};
    static const uint64_t chain[] = {LEAF + 0x10, CALLBACK + 0x10, 0x4000};
    CHECK_TEXT(WALKED(LEAF + 0x10, 0, CALLBACK + 0x10, GOEXIT + 1), "1210* 1290 1001 | root");
    CHECK_TEXT(WALKED(LEAF + 0x10, 0, CALLBACK + 0x10, SWITCH, MAIN + 0x10, 1, 2, 3, GOEXIT + 1),
               "1210* 1290 11c0* 1050 1001 | root");
    CHECK_TEXT(walk_stack(LEAF + 0x10, OTHER_STACK, stack, 2, chain, 3), "1210* 1090 1290 | root");
}

TEST("a stack that was left for another one goes on with what stands for that")
{
    CHECK_TEXT(WALKED(MAIN + 4, 0, 1, 2, 3, SWITCH, MAIN + 0x10, 1, 2, 3, GOEXIT + 1),
               "1044* 11c0* 1050 1001 | root");
}

TEST("what a goroutine was preempted in follows by no call")
{
    CHECK_TEXT(
        WALKED(LEAF + 0x10, 0, PREEMPT + 0x10, 1, LEAF + 1, MAIN + 0x10, 1, 2, 3, GOEXIT + 1),
        "1210* 1190 1201* 1050 1001 | root");
}

TEST("below a signal handler is what it interrupted, which is cut on a stack that was not copied")
{
    enum {
        RETURNS = 1,
        REGISTERS = RETURNS + 5,
        IP = REGISTERS + 16,
        SP = IP - 1,
        FP = REGISTERS + 10
    };
    uint64_t stack[64] = {[0] = SIGRETURN, [IP] = LEAF + 1, [SP] = STACK + 40 * 8, [FP] = 0};
    stack[40] = MAIN + 0x10;
    stack[44] = GOEXIT + 1;
    CHECK_TEXT(walk_stack(LEAF + 0x10, 0, stack, 64, NULL, 0),
               "1210* 1140* 1201* 1050 1001 | root");
    stack[SP] = OTHER_STACK;
    CHECK_TEXT(walk_stack(LEAF + 0x10, 0, stack, 64, NULL, 0), "1210* 1140* 1201* | cut");
}

TEST("the kernel's chain goes on below a signal handler, where that has left the frame pointer")
{
    enum {
        RETURNS = 8,
        REGISTERS = RETURNS + 1 + 5,
        FP = REGISTERS + 10,
        SP = FP + 5,
        IP = SP + 1
    };
    /* main.main with three words, and below it sigtramp with two */
    uint64_t stack[64] = {
        [2] = OTHER_STACK + 16, [3] = HANDLER + 0x10, [4] = 1, [5] = 2, [6] = SIGRETURN};
    uint64_t chain[] = {MAIN + 0x10, HANDLER + 0x10, MAIN + 0x20, GOEXIT + 1};
    stack[FP - 2] = OTHER_STACK + 16;
    stack[SP - 2] = OTHER_STACK;
    stack[IP - 2] = MAIN + 0x20;
    CHECK_TEXT(walk_stack(MAIN + 0x10, STACK + 16, stack, 64, chain, 4),
               "1050* 1250 1140* 1060* 1060 1001 | root");
}

TEST("a deep stack of Go goes on with the kernel's chain from the first frame with a frame pointer")
{
    static const uint64_t stack[] = {MAIN + 0x10, 1};
    static const uint64_t chain[] = {LEAF + 0x10, MAIN + 0x20, MAIN + 0x10, GOEXIT + 1};
    /* main.main keeps its caller's frame pointer below its return address, 8 + 24 - 8 bytes up */
    CHECK_TEXT(walk_stack(LEAF + 0x10, STACK + 24, stack, 2, chain, 4),
               "1210* 1050 1060 1050 1001 | root");
    CHECK_TEXT(walk_stack(LEAF + 0x10, STACK + 16, stack, 2, chain, 4), "1210* 1050 | cut");
}

TEST("the kernel's chain is followed where a function without a frame points below its return "
     "address")
{
    /* duffcopy is called so: what calls it has set the frame pointer for it */
    static const uint64_t stack[] = {MAIN + 0x10, 1};
    static const uint64_t chain[] = {LEAF + 0x10, MAIN + 0x10, MAIN + 0x20, GOEXIT + 1};
    CHECK_TEXT(walk_stack(LEAF + 0x10, STACK - 8, stack, 2, chain, 4),
               "1210* 1050 1060 1001 | root");
    /* in the instructions before it has set its own, the chain lacks a function's caller */
    static const uint64_t early[] = {1, 2, 3, MAIN + 0x10, 1};
    static const uint64_t without[] = {MAIN + 4, MAIN + 0x20, GOEXIT + 1};
    CHECK_TEXT(walk_stack(MAIN + 4, STACK + 48, early, 5, without, 3),
               "1044* 1050 1060 1001 | root");
}

TEST("on arm64 goexit is a root, too")
{
    struct process p;
    make(&p, EM_AARCH64);
    const struct cfitable_rule *root = cfitable_find(&p.table, GOEXIT + 4);
    CHECK(root != NULL && root->count == 1 && root->regs[0].how == CFI_UNDEFINED);
    CHECK(cfitable_find(&p.table, MAIN + 4) == NULL);
    unmake(&p);
}
