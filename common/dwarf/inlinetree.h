/* The functions of a unit and the calls inlined into them, by address. */
#ifndef DWARF_INLINETREE_H
#define DWARF_INLINETREE_H

#include "common/dwarf/cover.h"
#include "common/dwarf/unit.h"

/* A function with code, or a call inlined into one. */
struct call {
    uint32_t entry;      /* offset of its entry, which has the name or leads to it, in the unit */
    uint32_t parent;     /* the call that it is inlined into; INLINETREE_NONE: it is a function */
    uint32_t file, line; /* where it is called */
};

#define INLINETREE_NONE UINT32_MAX

/* {0} has none. */
struct inlinetree {
    struct call *calls;
    size_t count, cap;

    /* private */
    struct cover cover;
};

/* Read all entries of the unit into *t, which is {0}. What is damaged ends them. */
void inlinetree_read(struct inlinetree *t, struct units *u, struct unit *unit);

/* Return the number of the innermost call at an address, or INLINETREE_NONE. */
static inline uint32_t
inlinetree_find(const struct inlinetree *t, uint64_t address)
{
    return cover_find(&t->cover, address);
}

/* Return how many bytes it takes. */
size_t inlinetree_size(const struct inlinetree *t);

void inlinetree_free(struct inlinetree *t);

#endif
