/* The functions of a unit and the calls inlined into them, by address. */
#ifndef DWARF_INLINETREE_H
#define DWARF_INLINETREE_H

#include "common/dwarf/cover.h"
#include "common/dwarf/unit.h"

/* A function with code, or a call inlined into one. */
struct call {
    uint32_t entry;  /* offset of its entry in the unit; the entry has the name or refers to it */
    uint32_t parent; /* the call that it is inlined into; INLINETREE_NONE: it is a function */
    uint32_t file, line; /* position of the call */
};

#define INLINETREE_NONE UINT32_MAX

/* {0} is empty. */
struct inlinetree {
    struct call *calls;
    size_t count, cap;

    /* private */
    struct cover cover;
};

/* Read all entries of the unit into *t, which is {0}. Stop at damaged data. */
void inlinetree_read(struct inlinetree *t, struct units *u, struct unit *unit);

/* Return the number of the innermost call at an address; INLINETREE_NONE if there is none. */
static inline uint32_t
inlinetree_find(const struct inlinetree *t, uint64_t address)
{
    return cover_find(&t->cover, address);
}

/* Return the size in memory, in bytes. */
size_t inlinetree_size(const struct inlinetree *t);

void inlinetree_free(struct inlinetree *t);

#endif
