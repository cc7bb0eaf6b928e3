/* The samples of perf.data, as a source: its records, with the names of their addresses. */
#ifndef PERF_SCRIPT_DATASOURCE_H
#define PERF_SCRIPT_DATASOURCE_H

#include "common/event/recording.h"
#include "common/symbolize/recordsource.h"

struct datasource {
    struct recordsource records; /* and in it the source */

    /* private from here */
    struct recording recording;
    struct text why; /* a record cannot be decoded */
};

/* Starts on nothing. Borrows all, and adds frames to the table. */
void datasource_init(struct datasource *d, const struct recordsource_options *options,
                     struct diag *diag, struct frametab *frames);

/* Begins with a recording, of which `lines` stands at the start, and which is called `name` in
 * messages; borrows both until the source has given ITEM_END. False, after a message, if it cannot
 * be read at all. */
bool datasource_open(struct datasource *d, struct lines *lines, const char *name);

void datasource_free(struct datasource *d);

#endif
