/* Where the value of a variable is: in a register, or in memory at an address that a register or a
 * constant gives. Computed from a DWARF expression, without running the program. */
#ifndef DWARF_VARPLACE_H
#define DWARF_VARPLACE_H

#include "common/dwarf/die.h"

enum { VARPLACE_HOPS = 8 };

enum varplace_base {
    VARPLACE_REGISTER, /* `number` is DWARF's number of the register */
    VARPLACE_STATIC,   /* `number` is 0: offsets[0] is an address in the file */
    VARPLACE_RETURN,   /* the value that a function returns */
    VARPLACE_CONSTANT  /* `number` is the value itself */
};

/* Start with the base. For each offset, add it and load from that address. So {REGISTER 6, -20} is
 * in memory 20 bytes below where register 6 points; {REGISTER 5} is in the register itself. STATIC
 * without a hop is the address offsets[0] itself, such as that of a text. */
struct varplace {
    enum varplace_base base;
    uint64_t number;
    int64_t offsets[VARPLACE_HOPS];
    size_t hops;
    unsigned bits; /* only the lowest bits belong to the value; 0: all */
    /* It is relative to the function's frame, which is complete only after the prologue. */
    bool framed;
};

/* What an expression refers to. */
struct varplace_frame {
    uint64_t address;             /* of the instruction */
    const struct varplace *cfa;   /* as a place with one offset; NULL: unknown */
    const struct die_value *base; /* DW_AT_frame_base of the function */
};

/* Find the place of the byte at offset `part` of a variable. If the value is in several places, as
 * in two registers, set *rest to the byte's offset in its place; otherwise to `part`.
 * Return NULL, or the reason why the place is not known: a text that completes a sentence whose
 * subject is the variable, such as "was optimized out there". */
const char *varplace_find(struct varplace *p, const struct die_value *location, uint64_t part,
                          uint64_t *rest, const struct varplace_frame *f);

/* The value at the place is a pointer. Change the place to the memory at an offset from where it
 * points. Return false if there are too many steps. */
bool varplace_load(struct varplace *p, int64_t offset);

#endif
