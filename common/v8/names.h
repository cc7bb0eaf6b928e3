/* Names of JavaScript functions out of the memory of a running V8: the front door of this folder.
 *
 * The recorder hands over the frames of each sample with words of the copied stack (v8names_add),
 * and when there are no more samples to be fetched asks for names (v8names_resolve), some
 * hundredths of a second after the samples were taken. Until then garbage collection may have put
 * something else in each place. A name is told only if it is sure that it was right when the sample
 * was taken, see accept.h; else the place has no name.
 *
 * Names are told by address, from a time on, so that they need not be asked for again: what is told
 * holds until something else is told of these addresses. A told name is checked whenever a frame
 * lies in it; if something else is there, the name is taken back from just after the last time that
 * it was seen.
 *
 * Work is bounded for any content of the memory, see the numbers in names.c: each v8names_resolve reads
 * 2 MB at most, and sources of scripts beside it, 64 MB in a second, and looks at objects half a million times,
 * twice. What is left over stays without a name. A name is one line; what could harm a terminal is masked. */
#ifndef V8_NAMES_H
#define V8_NAMES_H

#include "common/v8/frame.h"
#include "common/v8/layout.h"
#include "common/v8/memory.h"
#include "common/v8/sink.h"

/* The functions of one process. */
struct v8names;

/* Begin. Borrows all three. `memory`: once it takes as many bytes, it forgets everything, and tells
 * so; 0: no limit. */
struct v8names *v8names_new(const struct v8layout *l, const struct v8memory *m,
                            const struct v8names_sink *sink, size_t memory);

/* Collect a frame for v8names_resolve. Frames in native code, too, may be handed over, as far as
 * in_file is right. All frames that the sink could name must be. */
void v8names_add(struct v8names *n, const struct v8frame *f);

/* Forget everything, also the frames that were collected, and tell so. */
void v8names_forget(struct v8names *n);

/* Read what is needed of the collected frames, tell the sink, and forget the frames. */
void v8names_resolve(struct v8names *n);

/* Since v8names_new, for messages and tests. */
struct v8names_counts {
    uint64_t named;     /* frames of JavaScript functions that are told */
    uint64_t doubtful;  /* whose function was read, but may have been another one at their time */
    uint64_t unread;    /* whose function could not be read, or was something else by then */
    uint64_t other;     /* in code of no JavaScript function that can be found */
    uint64_t left;      /* not looked at, since there were too many */
    uint64_t functions; /* functions read */
    uint64_t requests;  /* calls of `read` */
    uint64_t reads;     /* blocks of them */
    uint64_t bytes;     /* of those */
    uint64_t forgotten; /* times that everything was forgotten for want of memory */
};

const struct v8names_counts *v8names_counts(const struct v8names *n);

/* Return true if functions were found in the last tenth of a second, or if that has just begun:
 * resolve again soon, within 10 ms. */
bool v8names_are_new(const struct v8names *n);

/* Return how much memory it takes, in bytes. */
size_t v8names_size(const struct v8names *n);

void v8names_free(struct v8names *n);

#endif
