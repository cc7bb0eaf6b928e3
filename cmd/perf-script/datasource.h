/* The samples of perf.data, as a source: its records, with the names of their addresses. */
#ifndef PERF_SCRIPT_DATASOURCE_H
#define PERF_SCRIPT_DATASOURCE_H

#include "common/event/recording.h"
#include "common/symbolize/recordsource.h"

struct datasource {
    struct recordsource records; /* and in it the source */

    /* private from here */
    struct recording recording;
    struct unwinding unwinding;
    struct text why; /* a record cannot be decoded */
};

/* Set up a source without a recording. Borrow all, and add frames to the table. */
void datasource_init(struct datasource *d, const struct recordsource_options *options,
                     struct diag *diag, struct frametab *frames);

void datasource_free(struct datasource *d);

/* Open a recording: `lines` stands at its start, and messages call it `name`. Borrow both until the
 * source has given ITEM_END. Return false, after a message, if it cannot be read at all. */
bool datasource_open(struct datasource *d, struct lines *lines, const char *name);

#endif
