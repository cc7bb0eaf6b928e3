/* Finds the frames of a sample that may be JavaScript functions, without unwinding: in the copy of
 * the stack, each frame of V8 has the caller's frame pointer, and the return address in the word
 * above it. All frames that an unwinder finds later must be among these, since a name is checked
 * only if a frame was found. Additional ones do no harm. */
#ifndef STACKRECORD_JSFRAMES_H
#define STACKRECORD_JSFRAMES_H

#include "common/event/record.h"
#include "common/sym/procmaps.h"
#include "common/v8/frame.h"

struct jsstack {
    const struct procmaps *maps;
    const struct procspace *space; /* of the process */
    uint32_t dso;                  /* number in `maps` of the file with V8 */
    uint64_t time;                 /* of the sample */
    uint32_t tid;
    uint64_t ip, sp, fp; /* registers; fp 0: unknown */
    struct span stack;   /* from sp on; empty: not copied */
    struct words chain;  /* the kernel's callchain by frame pointers, with markers */
};

/* Set the registers and the stack of a sample, if it has them. */
void jsframes_take(struct jsstack *s, const struct record *r);

/* Call `add` for each frame. */
void jsframes_each(const struct jsstack *s, void (*add)(void *ctx, const struct v8frame *f),
                   void *ctx);

#endif
