/* Prints the table of an object's call frame information: an address and what holds from there on,
 * in readelf's words. With --size, how many rows and rules it has, its bytes, and the microseconds
 * that it took. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/clock.h"
#include "common/sym/elffile.h"
#include "common/unwind/cfitable.h"

static const char *const x86_64[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
                                     "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "ra"};

static void
print_register(unsigned machine, unsigned reg)
{
    if (machine == EM_X86_64 && reg < sizeof x86_64 / sizeof *x86_64)
        printf("%s", x86_64[reg]);
    else if (machine == EM_AARCH64)
        printf(reg == 31 ? "sp" : "x%u", reg);
    else
        printf("r%u", reg);
}

static void
print_rule(unsigned machine, struct cfi_rule rule)
{
    switch (rule.how) {
    case CFI_UNSPECIFIED:
    case CFI_UNDEFINED:
        printf("u");
        break;
    case CFI_SAME:
        printf("s");
        break;
    case CFI_OFFSET:
        printf("c%+d", rule.n);
        break;
    case CFI_VALUE:
        printf("v%+d", rule.n);
        break;
    case CFI_REGISTER:
        print_register(machine, rule.reg);
        break;
    case CFI_EXPRESSION:
        printf("exp");
        break;
    default:
        printf("vexp");
    }
}

static void
print_row(unsigned machine, uint64_t addr, const struct cfitable_rule *rule)
{
    printf("%" PRIx64, addr);
    if (rule == NULL) {
        printf(" none\n");
        return;
    }
    if (rule->cfa.how == CFI_VALUE) {
        printf(" ");
        print_register(machine, rule->cfa.reg);
        printf("%+d", rule->cfa.n);
    } else {
        printf(" exp");
    }
    for (size_t i = 0; i < rule->count; i++) {
        if (rule->regs[i].how == CFI_UNDEFINED)
            continue;
        printf(" ");
        print_register(machine, rule->regs[i].target);
        printf("=");
        print_rule(machine, rule->regs[i]);
    }
    printf("\n");
}

static void
print_rows(unsigned machine, const struct cfitable *t)
{
    for (size_t i = 0; i < t->nrows; i++)
        print_row(machine, t->base + t->rows[i].start,
                  t->rows[i].rule != 0 ? &t->rules[t->rows[i].rule] : NULL);
}

int
main(int argc, char **argv)
{
    struct elffile file;
    struct cfitable t;
    bool size = argc == 3 && strcmp(argv[1], "--size") == 0;
    const char *path = argv[argc - 1], *problem;
    if (argc != 2 + size)
        return 2;
    if ((problem = elffile_open(&file, path)) != NULL) {
        fprintf(stderr, "%s %s\n", path, problem);
        return 1;
    }
    uint64_t start = clock_now();
    cfitable_build(&t, &file.elf, NULL, NULL);
    uint64_t took = clock_now() - start;
    if (size)
        printf("%zu rows %zu rules %zu bytes %" PRIu64 " us\n", t.nrows, t.nrules - (t.nrules > 0),
               cfitable_size(&t), took / 1000);
    if (!size)
        print_rows(file.elf.machine, &t);
    if (!size && t.rest != NULL) {
        printf(".debug_frame\n");
        print_rows(file.elf.machine, t.rest);
    }
    cfitable_free(&t);
    elffile_close(&file);
    return 0;
}
