/* Slices of time. The first frame of a folded stack may say in which slice the stack was seen:
 * "@4794564.100;node;main" in the one that begins at that second, of the clock of the recording. Of
 * a turn of an event loop that took long the frame has the turn's own begin and length, and the
 * number of its thread: "@4794564.109+0.412/4242;node;main". Before the "/" stands "-0.200" if the
 * process was stopped for so long in it, and before that ".." if the recording ended before the
 * turn did: "@4794564.109+0.412..-0.200/4242".
 *
 * In an archive times are of the calendar, in seconds since 1970, and the name of the host comes
 * before the thread: "@1764273600.000;web1;node-4242/4242;main".
 *
 * A stack that was seen in several slices of the same length can be one line, a series: its frame
 * has the start of the first slice, the length in seconds, and the counts in that slice and those
 * after it, which are empty for none. This stack was seen 3 times in the minute that begins then,
 * and 2 times in the next minute but one:
 *
 *     @1764273600.000/60:3,,2;web1;node-4242/4242;main 5
 *
 * A program that does not know what the frame means may add equal stacks up, and so change the count
 * at the end alone. Therefore the stack's count is shared among the slices in the proportion of
 * the series' counts: series.h does that. */
#ifndef STACK_SLICE_H
#define STACK_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/span.h"

/* Times are in milliseconds. */
struct slice {
    uint64_t ms;     /* when it begins */
    uint32_t length; /* of a turn, at least 1; 0: a slice as long as the others */
    /* Of a turn: */
    uint32_t tid;     /* its thread */
    uint32_t stopped; /* for how long its process was stopped meanwhile */
    bool goes_on;     /* the recording ended before it did */
    /* Of a series: */
    uint32_t step;      /* the length of each of its slices; 0: it is a single slice */
    uint32_t sum;       /* of its counts */
    struct span counts; /* borrowed from the stack */
};

enum { SLICE_TEXT = 96 };

/* Parse a sample's time, "4794564.109216", as whole milliseconds. Return false if it is none. */
bool slice_time(struct span time, uint64_t *ms);

/* Return the frame of the slice: borrows `text`. Times always have three decimal places, so that
 * the frames of one recording sort by time. Of a series return what comes before its counts,
 * "@1764273600.000/60:". */
struct span slice_frame(char text[static SLICE_TEXT], struct slice slice);

/* Take the slice's frame off *stack and set *slice. Return false, with both unchanged, if
 * the stack begins with another frame or has no other. */
bool slice_take(struct span *stack, struct slice *slice);

/* Take the frame of the host off *stack, the rest of a stack of this slice, and set *host. Return
 * false, with both unchanged, if there is none: the time is before 2001, or the next frame is not
 * that of a thread. */
bool slice_take_host(struct slice slice, struct span *stack, struct span *host);

/* Return true of "node-4242/4243", as stackcollapse --tid and an archive name a thread; either
 * number may be "?". *comm becomes "node", and *process "node-4242". */
bool slice_thread(struct span frame, struct span *comm, struct span *process);

/* Return the stack without the frames of its slice and host. */
struct span slice_off(struct span stack);

#endif
