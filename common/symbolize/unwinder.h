/* Unwinds the stacks of samples that have registers and a copy of the stack (perf record
 * --call-graph dwarf): the walk of common/unwind, through the mappings and files that a symbolizer
 * knows.
 *
 *     struct unwinder u = {.symbolizer = &symbolizer};
 *     unwinder_begin(&u, facts->arch);                     with each recording
 *     if (unwinder_walk(&u, &record, &result))             with each sample
 *         use result.addrs[0], ... result.addrs[result.count - 1], result.end
 *     unwinder_free(&u);                                   before the symbolizer */
#ifndef SYMBOLIZE_UNWINDER_H
#define SYMBOLIZE_UNWINDER_H

#include "common/symbolize/symbolizer.h"
#include "common/unwind/walk.h"

/* Limit on the bytes of all tables for unwinding; each file with code has one. If they take more,
 * all tables are freed, and built again when needed. The table of node takes 2.9 MB, that of
 * Chromium about 20 MB. A file whose .eh_frame or .debug_frame is larger than twice this limit gets
 * no table: the callers of its code are lost. */
enum { UNWINDER_TABLES = 256 << 20 };

/* Limit on the total bytes of call frame information that are read: UNWINDER_READ, plus
 * UNWINDER_READ_MORE for each sample so far. Without it, processes that keep mapping new files
 * could take all the time. When the limit is reached, further files get their tables after more
 * samples. All files in use on a machine have a few hundred MB of call frame information. */
enum { UNWINDER_READ = 256 << 20, UNWINDER_READ_MORE = 16 << 10 };

enum { UNWINDER_BLOCKS = 512 }; /* blocks of 4 KB of code in the cache */

/* Begin with {.symbolizer = s}, which is borrowed. */
struct unwinder {
    struct symbolizer *symbolizer;
    size_t limit; /* replaces UNWINDER_TABLES unless 0 */

    /* private */
    struct walker walker;
    struct intern files;              /* pairs of a file with the code and one with debug symbols */
    struct unwinder_object **objects; /* indexed by number in `files` */
    struct unwinder_object *retired;  /* list of those to free */
    size_t cap, bytes;                /* bytes: of all tables */
    uint64_t samples, read;           /* read: bytes of call frame information */
    bool waiting;                     /* some files have no table yet because of the limits */
    uint64_t files_forgotten;
    /* A cache of code read from files: each block at a hash of its file and number. It saves a
     * third of the time for a recording of python3. */
    struct unwinder_block {
        const struct unwinder_object *of; /* NULL: empty */
        uint64_t number;                  /* number of the block in the file */
        char *bytes;
    } blocks[UNWINDER_BLOCKS];
    const struct procspace *space; /* of the sample */
    uint64_t *chain;
    size_t chain_cap;
};

/* Begin a recording. `machine`: architecture of the recorded machine, as uname -m prints it; empty:
 * that of this machine. */
void unwinder_begin(struct unwinder *u, struct span machine);

/* Unwind the user stack of a sample, with the mappings in the symbolizer. If only a part of the
 * stack was copied, continue with the user part of the kernel's callchain, if any. Return false,
 * and do not set *result, if the sample has no registers, or is of 32-bit code or of an unsupported
 * machine. *result is valid until the next call. */
bool unwinder_walk(struct unwinder *u, const struct record *r, struct walk_result *result);

/* Return the number of bytes of the sample's copied stack that are enough to unwind it: fewer than
 * all only if a similar sample was unwound before. */
size_t unwinder_needs(const struct unwinder *u, const struct record *r);

void unwinder_free(struct unwinder *u);

#endif
