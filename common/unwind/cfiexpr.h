/* Expressions of call frame information: small programs on a stack of numbers (DWARF, 2.5). */
#ifndef UNWIND_CFIEXPR_H
#define UNWIND_CFIEXPR_H

#include <stdint.h>

#include "common/base/span.h"

/* Access to registers and memory for an expression. Each function returns false if the value is
 * unknown. */
struct cfiexpr_machine {
    bool (*reg)(void *ctx, uint64_t number, uint64_t *value);
    bool (*load)(void *ctx, uint64_t addr, size_t size, uint64_t *value); /* 1, 2, 4 or 8 bytes */
    void *ctx;
    uint64_t bias; /* added to addresses in the object */
    bool is64;
    size_t *steps; /* operations left for all expressions together; NULL: no such limit */
};

/* Run an expression. Push *first initially unless `first` is NULL. Return false if a value is
 * unknown, the expression is invalid, or it takes too many operations. */
bool cfiexpr_run(struct span program, const struct cfiexpr_machine *m, const uint64_t *first,
                 uint64_t *result);

#endif
