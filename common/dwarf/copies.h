/* The copies of a function that the compiler inlined into other functions. */
#ifndef DWARF_COPIES_H
#define DWARF_COPIES_H

#include "common/dwarf/dwarf.h"

struct copy {
    size_t unit;       /* number of the unit of the program's file: see dwarf_entry_split() */
    uint64_t entry;    /* offset of its DW_TAG_inlined_subroutine */
    uint64_t function; /* offset of the function that has its code */
    uint64_t address;  /* of its first instruction */
};

/* {0} is empty. */
struct copies {
    struct copy *list; /* in the order of the debug information; all addresses are different */
    size_t count, cap;
    size_t empty; /* number of further copies that have no instruction, in the same units */
};

/* The name of a function. */
struct copies_name {
    struct span source;                                   /* as in the source, "shop::area" */
    bool (*is_linkage_name)(void *ctx, struct span name); /* of such a function */
    void *ctx;
};

/* Find the copies of all functions with a name. Stop at `most` copies. If the patience of the
 * file's cache is over afterwards, some may be missing. */
void copies_find(struct copies *c, struct dwarf *d, const struct copies_name *name, size_t most);

void copies_free(struct copies *c);

#endif
