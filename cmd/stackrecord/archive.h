/* --archive DIR: records without end, into one file of folded stacks for each slice of time:
 *
 *     @1764273600.000/10:7,,,5;web1;node-4242/4242;main;uv_run 12
 *
 * A stack begins with a series of counts, the host, and the thread. The series has the first ten
 * seconds in which the stack was seen, as seconds since 1970, and a count for these and for each ten
 * seconds that follow (common/stack/model/slice.h). Kernel functions have the mark "_[k]".
 *
 * The samples of a slice are counted in memory. When the slice is over, a separate process writes it
 * (archivestore.h), while the next one is recorded. A slice ends with the minute, or the time of
 * --slice, and with the hour. It ends earlier if it takes too much memory, if a signal requests it,
 * or if somebody sets the clock; and later if the previous slice is still being written. */
#ifndef STACKRECORD_ARCHIVE_H
#define STACKRECORD_ARCHIVE_H

#include "cmd/stackrecord/archivestore.h"
#include "common/base/diag.h"
#include "common/base/text.h"
#include "common/stack/model/fold.h"

struct archive_options {
    const char *folder;
    uint64_t keep;     /* maximum bytes of all files */
    uint64_t keep_for; /* maximum seconds of recorded time; 0: no limit */
    uint64_t slice;    /* seconds, up to an hour */
};

struct archive {
    /* Set by the caller before the first sample. */
    uint64_t (*offset)(void); /* nanoseconds since 1970 minus the time of the samples' clock */
    size_t most;              /* maximum bytes of memory of the stacks of a slice */

    uint64_t samples, slices;   /* numbers written */
    uint64_t lost, lost_slices; /* numbers that could not be written */
    uint64_t early;             /* number of slices that took too much memory */

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
    bool asked;      /* end the slice as soon as the previous one is written */
    bool unmerged;   /* an hour that could not be merged has been reported */
    uint64_t held;   /* samples of the current slice */
    uint64_t stored; /* samples of the slice that is being written */
    uint64_t begin;  /* start of the slice: seconds since 1970 */
    uint64_t end;    /* its end: nanoseconds of the samples' clock; 0: no slice has begun */
    uint64_t shift;  /* result of offset() for this slice */
};

/* Open the folder, and remove its oldest files if all files exceed the limit. Return false, after a
 * message, if it cannot be opened. Borrow the options and the diag. */
bool archive_open(struct archive *a, const struct archive_options *o, struct diag *diag);

/* Begin. The frames of samples are in the table, which is borrowed; `host` is the host's name. */
void archive_begin(struct archive *a, const struct frametab *frames, struct span host);

/* Add a sample. */
void archive_add(struct archive *a, const struct sample *s);

/* End the slice if its time is over, if `asked` (by a signal), or if somebody set the system's
 * clock. `now` is the current time of the samples' clock. Call this several times a second. */
void archive_beat(struct archive *a, uint64_t now, bool asked);

/* End the last slice, wait until it is written, and print how many samples the archive got. */
void archive_finish(struct archive *a);

#endif
