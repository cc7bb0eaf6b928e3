/* --archive DIR: records without end, one file of folded stacks for each slice of time:
 *
 *     @1764273600.000;web1;node-4242/4242;main;uv_run 12
 *
 * A stack begins with the time of the ten seconds in which it was seen, as seconds since 1970, the
 * host and the thread; the kernel's functions have the mark "_[k]". The samples of a slice are
 * counted in memory, and a process of its own writes them when the slice is over (archivestore.h),
 * while the next one is recorded. A slice ends with the minute, or what --slice says, and with the
 * hour; earlier, if it takes too much memory, if a signal asks for it, or if somebody sets the clock;
 * and later, as long as the one before is written. */
#ifndef STACKRECORD_ARCHIVE_H
#define STACKRECORD_ARCHIVE_H

#include "cmd/stackrecord/archivestore.h"
#include "common/base/diag.h"
#include "common/base/text.h"
#include "common/stack/model/fold.h"

struct archive_options {
    const char *folder;
    uint64_t keep;     /* bytes that all files may take */
    uint64_t keep_for; /* seconds of recorded time; 0: no limit */
    uint64_t slice;    /* seconds, up to an hour */
};

struct archive {
    /* Set by the caller before the first sample. */
    uint64_t (*offset)(void); /* from the clock of samples to nanoseconds since 1970 */
    size_t most;              /* bytes of memory that the stacks of a slice may take */

    uint64_t samples, slices;   /* written */
    uint64_t lost, lost_slices; /* that could not be written */
    uint64_t early;             /* slices that took too much memory */

    /* private from here */
    const struct archive_options *options;
    struct diag *diag;
    const struct frametab *frames;
    struct archivefolder folder;
    struct archivestore store;
    struct fold_options folding;
    struct fold fold;
    struct profile profile;
    struct text host;
    bool asked;      /* the slice is to end as soon as the one before it is written */
    bool unmerged;   /* it was said that an hour cannot be merged */
    uint64_t held;   /* samples of the slice */
    uint64_t stored; /* of the one that is being written */
    uint64_t begin;  /* of the slice: seconds since 1970 */
    uint64_t end;    /* nanoseconds of the samples' clock; 0: no slice has begun */
    uint64_t shift;  /* from that clock to nanoseconds since 1970, in this slice */
};

/* Open the folder, and remove its oldest files if they take more than they may. Return false, after a
 * message, if it cannot be opened. Borrow all but the struct. */
bool archive_open(struct archive *a, const struct archive_options *o, struct diag *diag);

/* Begin, with samples whose frames are in the table, which is borrowed, of a host of this name. */
void archive_begin(struct archive *a, const struct frametab *frames, struct span host);

/* Add a sample. */
void archive_add(struct archive *a, const struct sample *s);

/* End the slice if its time is over, if a signal `asked` for that, or if somebody set the system's
 * clock. `now` is the current time by the clock of the samples. Call this several times a second. */
void archive_beat(struct archive *a, uint64_t now, bool asked);

/* End the last slice, and wait until it is written. Then say how many samples the archive got. */
void archive_finish(struct archive *a);

#endif
