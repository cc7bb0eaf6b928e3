/* Joins the stages that records pass from the ring buffers to the outputs. The options alone decide
 * which stages there are, and their order.
 *
 *     capture ─┬─► dataout                       -o, if records are written as they come
 *              └─► timeline ─► taskfilter         if all tasks had to be recorded
 *                               └─► dataout       -o --keep-stacks
 *                                    └─► unwinding     if stacks were copied
 *                                         └─► dataout  -o
 *                                              ├─► derived, for --wall and --off-cpu ─► textout
 *                                              └─► mapped, if nothing is printed
 *
 * Stages that are not needed are left out. They are described in common/stage/sink.h and their own
 * headers. */
#ifndef STACKRECORD_PLAN_H
#define STACKRECORD_PLAN_H

#include "cmd/stackrecord/capture/capture.h"
#include "cmd/stackrecord/capture/machine.h"
#include "cmd/stackrecord/output/dataout.h"
#include "cmd/stackrecord/output/mapped.h"
#include "cmd/stackrecord/output/textout.h"
#include "common/stage/derived.h"
#include "common/stage/taskfilter.h"
#include "common/stage/timeline.h"

/* All zeros at first, in memory that is not moved. */
struct plan {
    struct textout text;
    struct archive archive;
    struct derived derived;
    struct out out;         /* output for text */
    struct outfile printed; /* file for text */
    struct outfile written; /* perf.data file */

    /* private from here */
    struct capture *capture;
    const struct options *options;
    struct recordsource_options naming;
    struct dataout data;
    struct datawrite_about about;
    struct machine machine;
    struct session unwound; /* events as written to a file: without copies of stacks */
    struct timeline timeline;
    struct taskfilter filter;
    struct unwinding unwinding;
    struct mapped mapped;
};

/* Open the folder of --archive, or the files of -o and --text, or standard output. Files keep their
 * contents until something is written. Return false, after a message, if one cannot be written, or
 * if perf.data would be written to a terminal. */
bool plan_open(struct plan *p, const struct options *o, struct diag *diag);

/* Join the stages for the captured records. Borrow the capture and the search path. */
void plan_make(struct plan *p, struct capture *c, const struct dsofile_search *files);

/* Pass the time on to the archive, if there is one: see archive_beat(). ctx: struct plan. */
void plan_beat(void *ctx, uint64_t now, bool asked);

/* Remove the files that were created, because nothing is written. */
void plan_drop(const struct plan *p);

#endif
