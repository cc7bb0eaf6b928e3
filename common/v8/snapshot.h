/* Pieces of a process's memory, each read once, so that work on many objects needs few requests.
 *
 * Who works asks for bytes. If they are not there yet, they are noted, the answer is V8_WAIT, and
 * the work is given up. When all work has come so far, snapshot_fetch reads what was noted with a
 * single request, and all work begins again; it then comes one step further. */
#ifndef V8_SNAPSHOT_H
#define V8_SNAPSHOT_H

#include "common/v8/addresses.h"
#include "common/v8/memory.h"

enum {
    SNAPSHOT_LINE = 64,
    SNAPSHOT_STEPS =
        1 << 19, /* looks at lines before all is refused: some hundredths of a second; TypeScript
                               * checking itself, sampled 4,999 times a second, needs 65,000 */
};

struct snapshot {
    size_t left;  /* bytes that may still be read; whoever begins sets it */
    bool gone;    /* the process did not answer */
    bool refused; /* something was not read since nothing was left, or too much was asked for */
    uint64_t requests, reads, bytes; /* since the beginning: requests, blocks, bytes read */

    /* private */
    const struct v8memory *memory;
    struct addresses lines;   /* by address / SNAPSHOT_LINE */
    VEC(char) bytes_of;       /* by number of the line */
    VEC(unsigned char) state; /* by number of the line */
    size_t steps;             /* looks at lines since snapshot_clear */
    size_t fetched;           /* lines from this number on are to be read */
    VEC(struct v8block) blocks;
};

/* Begin an empty one; `memory` is borrowed. */
void snapshot_init(struct snapshot *s, const struct v8memory *memory);

/* Forget all bytes, so that they are read anew. */
void snapshot_clear(struct snapshot *s);

/* The same, and free what was large. */
void snapshot_trim(struct snapshot *s);

/* Note bytes for snapshot_fetch that will be needed. */
void snapshot_want(struct snapshot *s, uint64_t addr, size_t len);

/* Copy len bytes to `to`. V8_WAIT: they are noted; V8_BAD: they cannot be read. */
enum v8status snapshot_get(struct snapshot *s, uint64_t addr, size_t len, void *to);

/* Read what was noted. */
void snapshot_fetch(struct snapshot *s);

/* Read at most V8BLOCK_MAX bytes at once, without keeping them. V8_OK or V8_BAD. */
enum v8status snapshot_read(struct snapshot *s, uint64_t addr, size_t len, void *to);

/* Return how much memory it takes, in bytes. */
size_t snapshot_size(const struct snapshot *s);

void snapshot_free(struct snapshot *s);

#endif
