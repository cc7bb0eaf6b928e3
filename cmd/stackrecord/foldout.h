/* --folded: adds samples up in memory by their stacks, and writes them as folded text at the end.
 * Where the sums take more memory than they may, it writes them earlier and begins with empty ones:
 * the counts of equal lines can be added up. The names are those that stackcollapse makes without
 * options, and a sample counts what it counts there: one, or its period for the events of
 * common/stack/measure.h. */
#ifndef STACKRECORD_FOLDOUT_H
#define STACKRECORD_FOLDOUT_H

#include "cmd/stackrecord/sink.h"
#include "common/stack/fold.h"

struct foldout {
    struct samplesink sink;
    uint64_t samples; /* that were added */
    size_t limit;     /* bytes of memory; set by the caller; 0: there is none */
    size_t parts;     /* that were written before the end */

    /* private from here */
    struct profile profile;
    struct fold fold;
    struct out *out;
};

/* Folds samples whose frames are in the table; `finish` writes the stacks to `out` and flushes it.
 * Borrows both. Samples of all events are added up: record one. */
void foldout_init(struct foldout *f, const struct frametab *frames, struct out *out);

/* True if some count is full (decimal_is_full). */
bool foldout_is_full(const struct foldout *f);

void foldout_free(struct foldout *f);

#endif
