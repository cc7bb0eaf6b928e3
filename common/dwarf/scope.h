/* The variables that can be named at an address: those of the function there, or of the call that
 * is inlined there. */
#ifndef DWARF_SCOPE_H
#define DWARF_SCOPE_H

#include "common/dwarf/copies.h"
#include "common/dwarf/die.h"

struct variable {
    struct die die; /* completed by die_complete() */
    bool parameter;
};

/* {0} is empty. */
struct scope {
    struct die function;    /* completed, too; of an inlined call: what is inlined */
    struct die code;        /* the function with the code, completed */
    struct die_value frame; /* its DW_AT_frame_base */
    struct die unit;
    struct variable *list; /* those of inner blocks follow those of outer blocks */
    size_t count;

    /* private */
    size_t cap;
};

/* Find the innermost scope at an address. With `whole`, ignore blocks and inlined calls: find the
 * function that contains them. Return false if there is no function. Results are valid until a
 * scope of the same file is found. Call scope_free() in both cases. */
bool scope_find(struct scope *s, struct dwarf *d, uint64_t address, bool whole);

/* Find the scope of an inlined copy, without its blocks and what is inlined into it; otherwise as
 * scope_find(). */
bool scope_find_copy(struct scope *s, struct dwarf *d, const struct copy *c);

/* Return the variable with the name in the innermost block that has one; NULL if there is none. */
const struct variable *scope_variable(const struct scope *s, struct dwarf *d, struct span name);

void scope_free(struct scope *s);

#endif
