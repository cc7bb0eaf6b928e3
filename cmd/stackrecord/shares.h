/* How --memory is divided: a share for each kind of data that grows with what is recorded. */
#ifndef STACKRECORD_SHARES_H
#define STACKRECORD_SHARES_H

#include <stddef.h>

/* Bytes. The rest, 3/16, is for the program itself and for the symbols of the kernel and of
 * binaries, which are not limited here. */
struct shares {
    size_t rings;     /* the kernel's ring buffers: one or two for each CPU, each at least a page */
    size_t waiting;   /* records that wait to be sorted by time */
    size_t perf_maps; /* of all processes together; one process may take half */
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
