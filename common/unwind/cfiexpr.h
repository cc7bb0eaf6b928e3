/* Expressions of call frame information: small programs on a stack of numbers (DWARF, 2.5). */
#ifndef UNWIND_CFIEXPR_H
#define UNWIND_CFIEXPR_H

#include <stdint.h>

#include "common/base/span.h"

/* Where an expression finds registers and memory. Each returns false for what is not known. */
struct cfiexpr_machine {
    bool (*reg)(void *ctx, uint64_t number, uint64_t *value);
    bool (*load)(void *ctx, uint64_t addr, size_t size, uint64_t *value); /* 1, 2, 4 or 8 bytes */
    void *ctx;
    uint64_t bias; /* what is added to addresses in the object */
    bool is64;
    size_t *steps; /* operations that expressions may still take together; NULL: no limit for all */
};

/* Run an expression; the stack begins with `first` unless that is NULL. False if it needs what is
 * not known, is wrong, or does not end soon. */
bool cfiexpr_run(struct span program, const struct cfiexpr_machine *m, const uint64_t *first,
                 uint64_t *result);

#endif
