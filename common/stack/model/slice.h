/* Slices of time. The first frame of a folded stack may say in which slice the stack was seen:
 *
 *     @4794564.100;node;main                          the slice that begins at this time: seconds
 *                                                     of the recording's clock
 *     @4794564.109+0.412/4242;node;main               a long turn of an event loop: when it began,
 *                                                     its length, and the number of its thread
 *     @4794564.109+0.412..-0.200/4242;node;main       "..": the recording ended before the turn;
 *                                                     "-0.200": its process was stopped for so long
 *     @1764273600.000;web1;node-4242/4242;main        in an archive: seconds since 1970, the host,
 *                                                     and the thread
 *     @1764273600.000/60:3,,2;web1;node-4242/4242;main 5      a series: a stack that was seen in
 *                                                             several slices
 *
 * A series has the start of the first slice, the length of a slice in seconds, and the counts in
 * that slice and the following ones; no digits stand for 0. Here the stack was seen 3 times in the
 * minute that begins then, and 2 times in the last of three minutes.
 *
 * A program that does not know these frames may add up equal stacks, and change only the count at
 * the end. So series.h divides that count among the slices in proportion to the series' counts. */
#ifndef STACK_SLICE_H
#define STACK_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/span.h"

/* Times are in milliseconds. */
struct slice {
    uint64_t ms;     /* when it begins */
    uint32_t length; /* of a turn, at least 1; 0: it is not a turn */
    /* Of a turn: */
    uint32_t tid;     /* its thread */
    uint32_t stopped; /* time for which its process was stopped during the turn */
    bool goes_on;     /* the recording ended before the turn */
    /* Of a series: */
    uint32_t step;      /* length of each of its slices; 0: it is not a series */
    uint32_t sum;       /* of its counts */
    struct span counts; /* borrowed from the stack */
};

enum { SLICE_TEXT = 96 };

/* Parse a sample's time, "4794564.109216", as whole milliseconds. Return false for other text. */
bool slice_time(struct span time, uint64_t *ms);

/* Return the frame of the slice, written into `text`. Times always have three decimal places, so
 * that the frames of one recording sort by time. For a series, return the part before its counts,
 * "@1764273600.000/60:". */
struct span slice_frame(char text[static SLICE_TEXT], struct slice slice);

/* Remove the slice's frame from *stack and set *slice. Return false, with both unchanged, if the
 * stack does not begin with such a frame, or has no other frame. */
bool slice_take(struct span *stack, struct slice *slice);

/* Remove the frame of the host from *stack, from which the frame of this slice was removed, and set
 * *host. Return false, with both unchanged, if there is no host: the time is before 2001, or the
 * frame after the first one is not a thread's. */
bool slice_take_host(struct slice slice, struct span *stack, struct span *host);

/* Return true for the name of a thread, as stackcollapse --tid and archives have it:
 * "node-4242/4243". Either number may be "?". Set *comm to "node", and *process to "node-4242". */
bool slice_thread(struct span frame, struct span *comm, struct span *process);

/* Return the stack without the frames of its slice and host. */
struct span slice_off(struct span stack);

#endif
