/* The call frame information of one object as a lookup table: sorted rows of 8 bytes, each with an
 * index into a list of rules. A program has hundreds of thousands of rows, but only some hundred
 * different rules. */
#ifndef UNWIND_CFITABLE_H
#define UNWIND_CFITABLE_H

#include "common/base/intern.h"
#include "common/base/patience.h"
#include "common/sym/elf.h"
#include "common/unwind/cfi.h"

/* A row is valid up to the start of the next one. */
struct cfitable_row {
    uint32_t start; /* relative to the table's base */
    uint32_t rule;  /* index into rules; 0 if the code is unknown */
};

struct cfitable_rule {
    struct cfi_rule cfa;
    const struct cfi_rule *regs; /* only specified ones, by ascending register */
    uint8_t count;               /* of regs */
    uint8_t ra;                  /* the return address register */
    bool debug;                  /* comes from .debug_frame */
    bool signal;                 /* as in struct cfi_fde */
};

/* {0} has no rows. */
struct cfitable {
    uint64_t base; /* start of its code, an address in the object */
    const struct cfitable_row *rows;
    size_t nrows;
    const struct cfitable_rule *rules; /* rules[0] is unused */
    size_t nrules;

    /* private */
    struct cfitable *rest; /* next table to try where `rows` has no rule; NULL: none */
    struct cfitable_row *row_list;
    struct cfitable_rule *rule_list;
    size_t row_cap, rule_cap;
    struct intern expressions;
    struct arena arena;
};

/* Build the table of an object from .eh_frame, Go's function table and .debug_frame, in this order:
 * a later source is used only for code that the earlier ones lack. `debug`, the file with the
 * object's debug symbols or NULL, may provide .debug_frame. The files may be closed afterwards.
 * Damaged entries, and code more than 4 GB after the first, are skipped, as are rules of registers
 * that no walk through this object needs (most rows differ in these alone). `patience`, or NULL, is
 * asked meanwhile; its answer is ignored. */
void cfitable_build(struct cfitable *t, const struct elf *e, const struct elf *debug,
                    struct patience *patience);

/* Return the rule for an address of the object. Return NULL if there is none. */
const struct cfitable_rule *cfitable_find(const struct cfitable *t, uint64_t addr);

/* Return the expression of `rule`, which has one and is a part of `of`. */
struct span cfitable_expression(const struct cfitable *t, const struct cfitable_rule *of,
                                const struct cfi_rule *rule);

/* Return the memory that the table uses, in bytes. */
size_t cfitable_size(const struct cfitable *t);

void cfitable_free(struct cfitable *t);

#endif
