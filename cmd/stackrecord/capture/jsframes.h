/* Finds the frames of a sample that may be JavaScript functions, without unwinding: in the copy of
 * the stack, each frame of V8 has the frame pointer of its caller, and in the word above that the
 * return address. All JavaScript frames that the unwinder finds later must be found here, too,
 * since only the names of frames that were found here are read. Additional frames do no harm. */
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
    uint64_t ip, sp, fp; /* registers; fp is 0 if unknown */
    struct span stack;   /* the copy of the stack, from sp on; empty if there is none */
    struct words chain;  /* the kernel's callchain by frame pointers, with PERF_CONTEXT_* markers */
};

/* Set the registers and the stack of a sample, if it has them. */
void jsframes_take(struct jsstack *s, const struct record *r);

/* Call `add` for each frame; *f is valid during the call. */
void jsframes_each(const struct jsstack *s, void (*add)(void *ctx, const struct v8frame *f),
                   void *ctx);

#endif
