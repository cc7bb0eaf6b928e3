/* What --memory is for: a share for each thing that grows with what is recorded. */
#ifndef STACKRECORD_SHARES_H
#define STACKRECORD_SHARES_H

#include <stddef.h>

/* Bytes. The rest, about a fifth, is for what has a size of its own: the program, the names of the
 * kernel's functions and those of binaries. */
struct shares {
    size_t rings;   /* the kernel's ring buffers, of which each CPU has one or two, at least a page
                       each */
    size_t waiting; /* records until they are in the order of their times */
    size_t perf_maps; /* of all processes, of which one may take half */
    size_t mappings;  /* which file lies where in each process */
    size_t frames;    /* as they are printed */
    size_t stacks;    /* --folded */
};

static inline struct shares
shares_of(size_t memory)
{
    return (struct shares){.rings = memory / 16,
                           .waiting = memory / 8,
                           .perf_maps = memory / 4,
                           .mappings = memory / 8,
                           .frames = memory / 8,
                           .stacks = memory / 8};
}

#endif
