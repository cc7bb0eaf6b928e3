/* Access to the memory of a process: a running one in the recorder, a recorded image in tests. */
#ifndef V8_MEMORY_H
#define V8_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A range of memory to be read. */
struct v8block {
    uint64_t addr;
    void *to;     /* room for len bytes; undefined unless `ok` */
    uint32_t len; /* 1 to V8BLOCK_MAX */
    bool ok;      /* set by `read`: all of it was copied */
};

enum { V8BLOCK_MAX = 32 * 1024 };

struct v8memory {
    /* Copy the blocks from the process's memory and set `ok` of each; a block that cannot be read
     * does not affect the others. This may be slow (a request to another process): request many
     * blocks at a time. Return false if the process is gone or does not answer: then no block is
     * ok. */
    bool (*read)(void *ctx, struct v8block *blocks, size_t n);
    uint64_t (*now)(void *ctx); /* nanoseconds of the samples' clock */
    void *ctx;
};

/* The result of reading something from the process. */
enum v8status {
    V8_OK,
    V8_WAIT, /* memory is missing: try again after snapshot_fetch */
    V8_BAD   /* the memory cannot be read, or has unexpected contents */
};

#endif
