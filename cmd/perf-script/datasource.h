/* A source of the samples of perf.data, with names for their addresses. With --off-cpu and --wall
 * the samples are derived from its records of context switches, with --syscalls from those of
 * system calls. */
#ifndef PERF_SCRIPT_DATASOURCE_H
#define PERF_SCRIPT_DATASOURCE_H

#include "common/event/recording.h"
#include "common/stage/derived.h"
#include "common/stage/queue.h"
#include "common/symbolize/recordsource.h"

struct datasource {
    struct recordsource records; /* and in it the source */
    bool switches; /* a recording says when threads ran, but no samples were derived from that */

    /* private from here */
    const struct derive_options *derive;
    struct recording recording;
    struct unwinding unwinding;
    struct text why;        /* why a record cannot be decoded */
    struct derived derived; /* for the current recording, once `derives` is set */
    struct recordsink *stage;
    bool derives, ended; /* a sample or a switch has come; all records have come */
    struct queue queue;
    /* Numbers of waits, turns, calls and samples left out, over all recordings. */
    uint64_t too_short, endless, cut_turns, unknown_calls, unended_calls, others;
};

/* Set up a source without a recording. Borrow all, and add frames to the table. */
void datasource_init(struct datasource *d, const struct recordsource_options *options,
                     const struct derive_options *derive, struct diag *diag,
                     struct frametab *frames);

void datasource_free(struct datasource *d);

/* Open a recording: `lines` is at its start, and messages call it `name`. Borrow both until the
 * source returns ITEM_END. Return false, after a message, if it cannot be read at all. */
bool datasource_open(struct datasource *d, struct lines *lines, const char *name);

/* Print how many samples and waits were left out. Call this once, at the end. */
void datasource_explain(const struct datasource *d);

#endif
