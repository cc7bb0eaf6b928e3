/* The call frame information of one object, for looking up addresses: rows of eight bytes, sorted,
 * each with the number of a rule. A program has hundreds of thousands of rows, and some hundred
 * different rules. */
#ifndef UNWIND_CFITABLE_H
#define UNWIND_CFITABLE_H

#include "common/base/intern.h"
#include "common/sym/elf.h"
#include "common/unwind/cfi.h"

/* From an address on, up to the next row's. */
struct cfitable_row {
    uint32_t start; /* relative to the table's base */
    uint32_t rule;  /* an index of `rules`; 0: nothing is known of the code there */
};

struct cfitable_rule {
    struct cfi_rule cfa;
    const struct cfi_rule *regs; /* those that are specified, in the order of their numbers */
    uint8_t count;               /* of regs */
    uint8_t ra;                  /* the register that stands for the return address */
    bool debug;                  /* it is by .debug_frame */
    bool signal;                 /* signal handlers return to this code: see cfi_fde */
};

/* {0} has no rows. */
struct cfitable {
    uint64_t base; /* an address of the object */
    const struct cfitable_row *rows;
    size_t nrows;
    const struct cfitable_rule *rules; /* rules[0] is not used */
    size_t nrules;

    /* private */
    struct cfitable *rest; /* where `rows` have no rule: Go's, .debug_frame's; NULL: none */
    struct cfitable_row *row_list;
    struct cfitable_rule *rule_list;
    size_t row_cap, rule_cap;
    struct intern expressions;
    struct arena arena;
};

/* Make the table of an object, from .eh_frame, from Go's table of functions, and from
 * .debug_frame, each for code of which those before have nothing; `debug`, unless NULL, is the
 * file with the object's debug symbols, which may have the last. Nothing of the files is needed
 * afterwards. Damaged entries, and code more than 4 GB after the first, are left out; so are the
 * rules of registers that the walk of this object's frames does not need (most rows differ in
 * these alone). */
void cfitable_build(struct cfitable *t, const struct elf *e, const struct elf *debug);

/* Return the rule for an address of the object; NULL: nothing is known of the code there. */
const struct cfitable_rule *cfitable_find(const struct cfitable *t, uint64_t addr);

/* Return the expression of a rule that has one; `of` is the rule that it is a part of. */
struct span cfitable_expression(const struct cfitable *t, const struct cfitable_rule *of,
                                const struct cfi_rule *rule);

/* Return how much memory the table takes, in bytes. */
size_t cfitable_size(const struct cfitable *t);

void cfitable_free(struct cfitable *t);

#endif
