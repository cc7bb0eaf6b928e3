/* The samples of perf.data, as a source: its records, or with --off-cpu and --wall what they say of
 * threads that did not run, with the names of their addresses. */
#ifndef PERF_SCRIPT_DATASOURCE_H
#define PERF_SCRIPT_DATASOURCE_H

#include "common/event/recording.h"
#include "common/stage/derived.h"
#include "common/stage/queue.h"
#include "common/symbolize/recordsource.h"

struct datasource {
    struct recordsource records; /* and in it the source */
    bool
        switches; /* records of a recording that was read say when threads ran; no samples were made */

    /* private from here */
    const struct derive_options *derive;
    struct recording recording;
    struct unwinding unwinding;
    struct text why;        /* a record cannot be decoded */
    struct derived derived; /* of the recording, once `derives`: */
    struct recordsink *stage;
    bool derives, ended; /* a sample or a switch has come; all records have */
    struct queue queue;
    /* Over all recordings: waits, turns and samples that are left out. */
    uint64_t too_short, endless, cut_turns, others;
};

/* Set up a source without a recording. Borrow all, and add frames to the table. */
void datasource_init(struct datasource *d, const struct recordsource_options *options,
                     const struct derive_options *derive, struct diag *diag,
                     struct frametab *frames);

void datasource_free(struct datasource *d);

/* Open a recording: `lines` stands at its start, and messages call it `name`. Borrow both until the
 * source has given ITEM_END. Return false, after a message, if it cannot be read at all. */
bool datasource_open(struct datasource *d, struct lines *lines, const char *name);

/* Print how many samples and waits were left out. Call it once, at the end. */
void datasource_explain(const struct datasource *d);

#endif
