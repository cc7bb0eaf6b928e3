/* When a function that is read now may be believed for a sample of a moment ago.
 *
 * Functions that are made and die quickly have successors in the same places, with the same map,
 * bytecode and code, word by word (`new Function` in a loop). What tells them apart is Script.id,
 * which only grows, in each isolate by itself; in node each isolate has a thread. And since garbage
 * collection does not clear what it frees, a dead function may look as if it lived, together with
 * bytecode that is its successor's by now; only the JSFunction in the frame leads to the right one.
 *
 * So the JSFunction in the frame must lead to the function. If that was seen in the place before
 * the sample, too, the script's id included, it was there all the time. At first sight, either no
 * more than 10 ms have passed, or the script's id is not above the largest one that had been read
 * in this thread before the sample: then the script is older than the sample. For frames whose
 * JSFunction cannot be read any more, see `believe` in names.c.
 *
 * Measured with perf maps as the truth, Node 18 to 26, under garbage collection, compaction, and
 * with new functions all the time: none of 380,000 frames was wrong. Without the ids, up to 1.9 %
 * are under --stress-compaction; before a frame that is not believed took back what is told of its
 * address, 2 of 25,000 were among new functions.
 */
#ifndef V8_ACCEPT_H
#define V8_ACCEPT_H

#include "common/base/vec.h"
#include "common/v8/place.h"

enum { ACCEPT_WITHIN = 10 * 1000 * 1000 /* nanoseconds */ };

/* The largest ids of scripts; {0}: none were read. */
struct accept {
    /* private */
    VEC(struct accept_thread) threads;
};

/* Note the id of a script that was read at this time by way of a frame of this thread. */
void accept_note(struct accept *a, uint32_t tid, uint64_t time, uint64_t id);

/* Return true if a function of a script with this id, read at `now`, may be believed at first sight
 * for a sample of this time and thread, whose JSFunction leads to it. */
bool accept_first(const struct accept *a, uint32_t tid, uint64_t time, uint64_t now, uint64_t id);

/* Return how much memory it takes, in bytes. */
size_t accept_size(const struct accept *a);

void accept_free(struct accept *a);

#endif
