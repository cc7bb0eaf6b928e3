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

/* Bytes of the tables of all files together: above that all are dropped, and built again when they
 * are needed. That of node takes 2.9 MB, that of Chromium some 20. A file of which .eh_frame or
 * .debug_frame is larger than twice this limit has no table: the callers of its code are lost. */
enum { UNWINDER_TABLES = 256 << 20 };

/* Limit on the bytes of call frame information that are read: UNWINDER_READ at first, and
 * UNWINDER_READ_MORE more for each sample. Otherwise processes that keep mapping new files would
 * take all the time. Files beyond the limit have to wait for their table. A whole machine's files
 * have some hundred MB. */
enum { UNWINDER_READ = 256 << 20, UNWINDER_READ_MORE = 16 << 10 };

enum { UNWINDER_BLOCKS = 512 }; /* of 4 KB of code in the cache */

/* {0} but for the symbolizer, which is borrowed. */
struct unwinder {
    struct symbolizer *symbolizer;
    size_t limit; /* in place of UNWINDER_TABLES, unless it is 0 */

    /* private */
    struct walker walker;
    struct intern files;              /* of pairs of files: with the code, and with debug symbols */
    struct unwinder_object **objects; /* by number of `files` */
    struct unwinder_object *retired;  /* to be freed */
    size_t cap, bytes;                /* bytes: of all tables */
    uint64_t samples, read;           /* read: bytes of call frame information */
    bool waiting;                     /* there are files whose tables could not be made yet */
    uint64_t files_forgotten;
    /* The cache of code: what was read of files, each block at a hash of its place. It saves a third
     * of the time for a recording of python3. */
    struct unwinder_block {
        const struct unwinder_object *of; /* NULL: empty */
        uint64_t number;                  /* of the block in the file */
        char *bytes;
    } blocks[UNWINDER_BLOCKS];
    const struct procspace *space; /* of the sample */
    uint64_t *chain;
    size_t chain_cap;
};

/* Begin with a recording of a machine of that architecture, as uname -m prints it; "": of this one.
 */
void unwinder_begin(struct unwinder *u, struct span machine);

/* Unwind the user stack of a sample, whose mappings the symbolizer has. The kernel's callchain, if
 * it has a user part, continues a stack of which not all was copied. False: the sample has no
 * registers, or is of 32-bit code, or of a machine that is not known here; then *result is not
 * set. Else it is valid until the next call. */
bool unwinder_walk(struct unwinder *u, const struct record *r, struct walk_result *result);

/* Return how many bytes of the sample's stack are enough to unwind it, as far as that is known: all,
 * unless one like it was unwound before. */
size_t unwinder_needs(const struct unwinder *u, const struct record *r);

void unwinder_free(struct unwinder *u);

#endif
