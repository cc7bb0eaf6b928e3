#include "tests/fuzz/fuzz.h"

#include "common/sym/elf.h"
#include "common/unwind/walk.h"

enum { BIAS = 0x1000, STACK = 0x7fff00000000 };

struct process {
    struct cfitable table;
    struct span bytes;
    uint64_t entry;
};

static bool
find(void *ctx, uint64_t addr, struct walk_place *place)
{
    struct process *p = ctx;
    *place = (struct walk_place){
        .executable = true, .table = &p->table, .bias = BIAS, .entry = p->entry + BIAS};
    return addr < p->table.base + 0x100000;
}

static size_t
read_code(void *ctx, uint64_t addr, unsigned char *to, size_t n)
{
    struct process *p = ctx;
    if (addr >= p->bytes.len)
        return 0;
    n = n < p->bytes.len - addr ? n : p->bytes.len - (size_t)addr;
    memcpy(to, p->bytes.ptr + addr, n);
    return n;
}

/* Rows are sorted, and each rule is one of the table's; between rows the rule is the one before. */
static void
check_table(const struct cfitable *t)
{
    for (size_t i = 0; i < t->nrows; i++) {
        uint32_t rule = t->rows[i].rule;
        MUST(i == 0 || t->rows[i - 1].start < t->rows[i].start);
        MUST(rule < t->nrules);
        if (rule != 0)
            MUST(cfitable_find(t, t->base + t->rows[i].start) == &t->rules[rule]);
    }
    if (t->rest != NULL)
        check_table(t->rest);
}

/* Walks through a stack which is the file itself, from addresses all over its code. */
static void
check_walks(struct process *p, unsigned machine)
{
    struct walker w = {.arch = arch_of_machine(machine)};
    struct walk_process process = {.version = 1, .find = find, .code = read_code, .ctx = p};
    struct walk_result result;
    uint64_t chain[] = {BIAS, p->table.base + BIAS + 8, BIAS + 64};
    struct walk_thread t = {.stack = p->bytes, .chain = chain, .nchain = 3};
    t.known = ((uint64_t)1 << w.arch->registers) - 1;
    for (size_t i = 0; i < 64; i++) {
        for (size_t reg = 0; reg < w.arch->registers; reg++)
            t.regs[reg] = STACK + 16 * reg * i;
        t.regs[w.arch->sp] = STACK;
        t.regs[w.arch->ip] = p->table.base + BIAS + i * 37;
        walk(&w, &process, &t, &result);
        MUST(result.count >= 1 && result.count <= p->bytes.len / 8 + 8192 + 3);
        MUST(result.addrs[0] == t.regs[w.arch->ip] && result.exact[0]);
        MUST(result.fps[0] == t.regs[w.arch->fp] && result.sp == STACK);
        MUST(result.end <= WALK_LOST);
    }
    walk_free(&w);
}

/* An ELF file. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct content c = content_of(fuzz_span(data, size));
    struct elf e;
    struct process p = {.bytes = fuzz_span(data, size)};
    if (elf_open(&e, &c) != NULL)
        return 0;
    cfitable_build(&p.table, &e, NULL, NULL);
    p.entry = e.entry;
    check_table(&p.table);
    if (arch_of_machine(e.machine) != NULL)
        check_walks(&p, e.machine);
    cfitable_free(&p.table);
    elf_close(&e);
    return 0;
}
