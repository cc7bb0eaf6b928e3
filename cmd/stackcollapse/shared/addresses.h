/* Names the addresses of formats that have no function names, but the memory maps of the process.
 * Names are looked up in the mapped files on this machine. */
#ifndef STACKCOLLAPSE_ADDRESSES_H
#define STACKCOLLAPSE_ADDRESSES_H

#include "cmd/stackcollapse/shared/stacker.h"
#include "common/symbolize/symbolizer.h"

/* It must not move after addresses_begin. */
struct addresses {
    /* private */
    struct collapse *c;
    struct symbol_options options;
    struct symbolizer symbolizer;
    struct frametab frames;
    struct foldname names;
    struct u32vec lists;   /* for each frame the number of its names, then the names, root first */
    VEC(size_t) list_of;   /* indexed by frame: offset of its list, plus 1; 0: not looked up */
    struct tally nameless; /* different addresses without a name, by file */
};

/* Begin with a process without maps. */
void addresses_begin(struct addresses *a, struct collapse *c);

/* Add a map from a line of /proc/PID/maps. Return false, and do nothing, if it is another line. Add
 * all maps before looking up addresses. */
bool addresses_map(struct addresses *a, struct span line);

/* Return the name of the function at an address, without its arguments; empty if there is none.
 * Valid until the next call. `caller`: it is a return address, and the call is before it. */
struct span addresses_symbol(struct addresses *a, uint64_t address, bool caller);

/* Append the frames at an address to a stack that begins with its leaf: the function, and with
 * --inline the calls inlined in it. */
void addresses_push(struct addresses *a, struct stacker *b, uint64_t address, bool caller);

/* Report which files gave no names, and free the memory. */
void addresses_end(struct addresses *a);

#endif
