/* Pieces of a process's memory, each read once, so that work on many objects takes few requests.
 *
 * A function that works on objects requests bytes. If they were not read yet, they are noted; the
 * function gets V8_WAIT and returns. When all work waits, snapshot_fetch reads everything that was
 * noted with a single request. Then all functions are called again, and get one step further. */
#ifndef V8_SNAPSHOT_H
#define V8_SNAPSHOT_H

#include "common/v8/addresses.h"
#include "common/v8/memory.h"

enum {
    /* Bytes: memory is read in lines of this size. Lines of 64 bytes take a third more requests;
     * longer lines do not take fewer. */
    SNAPSHOT_LINE = 128,
    /* Maximum number of line lookups; then everything is refused. They take some hundredths of a
     * second. TypeScript checking itself, sampled 4,999 times a second, needs 65,000. */
    SNAPSHOT_STEPS = 1 << 19,
};

struct snapshot {
    size_t left;  /* bytes that may still be read; set by the user at the start */
    bool gone;    /* the process did not answer */
    bool refused; /* something was not read because of `left` or SNAPSHOT_STEPS */
    uint64_t requests, reads, bytes; /* totals: requests, blocks, bytes read */

    /* private */
    const struct v8memory *memory;
    struct addresses lines;   /* by address / SNAPSHOT_LINE */
    VEC(char) bytes_of;       /* by line number */
    VEC(unsigned char) state; /* by line number */
    size_t steps;             /* line lookups since snapshot_clear */
    size_t fetched;           /* lines from this number on are to be read */
    VEC(struct v8block) blocks;
};

/* Initialize; `memory` is borrowed. */
void snapshot_init(struct snapshot *s, const struct v8memory *memory);

/* Forget all bytes, so that they are read again. */
void snapshot_clear(struct snapshot *s);

/* Forget all bytes, and free their memory if it is large. */
void snapshot_trim(struct snapshot *s);

/* Note bytes that will be needed, so that snapshot_fetch reads them. */
void snapshot_want(struct snapshot *s, uint64_t addr, size_t len);

/* Copy len bytes to `to`. V8_WAIT: they were not read yet, and are noted. V8_BAD: they cannot be
 * read. */
enum v8status snapshot_get(struct snapshot *s, uint64_t addr, size_t len, void *to);

/* Read everything that was noted, with one request. */
void snapshot_fetch(struct snapshot *s);

/* Read len bytes, at most V8BLOCK_MAX, with a request of their own before returning. They are not
 * cached. Return V8_OK or V8_BAD. */
enum v8status snapshot_read(struct snapshot *s, uint64_t addr, size_t len, void *to);

/* Return the snapshot's size in memory, in bytes. */
size_t snapshot_size(const struct snapshot *s);

void snapshot_free(struct snapshot *s);

#endif
