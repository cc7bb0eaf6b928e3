/* The samples of perf.data, as a source: its records, with the names of their addresses. */
#ifndef PERF_SCRIPT_DATASOURCE_H
#define PERF_SCRIPT_DATASOURCE_H

#include "cmd/perf-script/symbolizer.h"
#include "common/event/recording.h"
#include "common/event/traceprint.h"
#include "common/stack/source.h"

struct datasource_options {
    struct symbol_options symbols;
    bool nanoseconds;  /* print times with nine decimal places, not six */
    bool trace_period; /* give the period of tracepoints too, */
    bool trace_ip;     /* and their address where they have no callchain */
    bool leaf_only;    /* the address that was sampled, and no callchain */
    unsigned show;     /* records that are given as items: bits of showrecord.h */
};

struct datasource {
    struct source source;

    /* Over all recordings that were read, for the summary: */
    uint64_t samples, lost; /* lost: by LOST and LOST_SAMPLES records */
    uint64_t stacks;        /* samples with a copy of the stack, not a callchain */
    uint64_t skipped;       /* records that could not be decoded */

    /* private from here */
    const struct datasource_options *options;
    struct diag *diag;
    struct symbolizer symbolizer;
    const char *name; /* of the file, for messages */
    bool open;
    struct recording recording;
    struct tracing tracing;
    struct traceprint *printer;
    uint16_t event_width;
    uint32_t *stack;
    size_t stack_cap;
    char digits[5][32]; /* of a sample's numbers */
    struct text rest, text, why;
    struct text printed[2]; /* of the event's name or a record; of a tracepoint's text */
};

/* Starts on nothing. Borrows all, and adds frames to the table. */
void datasource_init(struct datasource *d, const struct datasource_options *options,
                     struct diag *diag, struct frametab *frames);

/* Begins with a recording, of which `lines` stands at the start, and which is called `name` in
 * messages; borrows both until the source has given ITEM_END. False, after a message, if it cannot
 * be read at all. */
bool datasource_open(struct datasource *d, struct lines *lines, const char *name);

/* Prints how many samples were lost, and what else was missing. Call it once, at the end. */
void datasource_explain(const struct datasource *d);

void datasource_free(struct datasource *d);

#endif
