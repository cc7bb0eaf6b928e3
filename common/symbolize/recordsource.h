/* Turns decoded records, from a file or from the kernel's ring buffers, into samples whose
 * addresses have names, and other records into text. */
#ifndef SYMBOLIZE_RECORDSOURCE_H
#define SYMBOLIZE_RECORDSOURCE_H

#include "common/event/ownrecord.h"
#include "common/event/perfdata.h"
#include "common/stage/unwinding.h"
#include "common/tracepoint/traceprint.h"
#include "common/stack/model/source.h"
#include "common/symbolize/unwinder.h"

struct recordsource_options {
    struct symbol_options symbols;
    bool nanoseconds;  /* print times with nine decimal places, not six */
    bool trace_period; /* include the period of tracepoints */
    bool trace_ip;     /* include the address of tracepoints that have no callchain */
    bool no_marks;     /* do not add [cut] or [lost] to stacks whose callers are missing */
    bool leaf_only;    /* use the sampled address only, without the callchain */
    /* Called with the lines of perf maps that are in the recording, when their records are
     * processed, so before all later samples. NULL: ignore them. */
    void (*take_lines)(void *ctx, const struct maplines *lines);
    /* Called for each OWN_CODE record that names code of the process. NULL: ignore them. */
    void (*take_named)(void *ctx, uint32_t pid);
    void *ctx;
    unsigned show; /* records to return as items: bits of showrecord.h */
};

/* A source of samples (source.h). The struct that contains it gets the records, and passes them to
 * recordsource_take(). It also sets `source.next`, if that is to be called. */
struct recordsource {
    struct source source;
    struct symbolizer symbolizer;
    struct unwinder unwinder; /* the caller may set its limit */
    /* Completes the callchains of the samples that are wanted. Set by the caller; NULL: callchains
     * are complete. */
    struct unwinding *unwinding;

    /* Totals over all recordings, for the summary: */
    uint64_t samples, lost;          /* lost: sum of LOST and LOST_SAMPLES records */
    uint64_t unwound[WALK_LOST + 1]; /* samples with an unwound stack; indexed by enum walk_end */
    uint64_t lbr_cut;                /* samples with as many calls as the processor keeps (LBR) */

    /* private from here */
    const struct recordsource_options *options;
    struct diag *diag;
    bool unwinds;                 /* the unwinder has begun with this recording */
    const char *name;             /* name of the recording, for messages */
    const struct perfdata *facts; /* description of the recording; NULL: no recording */
    struct tracing tracing;
    struct traceprint *printer;
    struct arena names; /* names of tracepoints */
    uint16_t event_width;
    size_t access_width;
    uint32_t *stack;
    size_t stack_cap;
    struct text rest, text;
};

/* Begin without a recording. Borrow all, and add frames to the table. */
void recordsource_init(struct recordsource *d, const struct recordsource_options *options,
                       struct diag *diag, struct frametab *frames);

/* Begin a recording. `name`: its name in messages. `facts`: its events, build-ids and tracing data;
 * the caller may add to these while records are processed. Borrow both until recordsource_end. */
void recordsource_begin(struct recordsource *d, const char *name, const struct perfdata *facts);

/* Return an unwinder that uses the files and processes known to the source. Before it unwinds a
 * sample, all earlier records that are not samples must have been passed to recordsource_take. */
struct stackwalker recordsource_walker(struct recordsource *d);

/* Align the names of events as for these events in place of those of the recording: the samples to
 * print are derived from the records of the recording. Call this before the first sample. */
void recordsource_show(struct recordsource *d, const struct eventset *events);

/* Process the recording's next record. Return the kind of item that source.next() has to return for
 * it: ITEM_SAMPLE, or ITEM_RECORD for another record to print or count. Return ITEM_END if there is
 * nothing to return, because the record is not wanted or only describes processes and files. The
 * item's texts are valid until the next call. */
enum source_item recordsource_take(struct recordsource *d, const struct record *r);

/* End the recording, if one was begun, and print which names were not found. */
void recordsource_end(struct recordsource *d);

/* Print how many samples were lost, and what else was missing. Call this once, at the end. */
void recordsource_explain(const struct recordsource *d);

void recordsource_free(struct recordsource *d);

#endif
