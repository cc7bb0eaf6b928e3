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
    bool trace_period; /* give the period of tracepoints too, */
    bool trace_ip;     /* and their address where they have no callchain */
    bool no_marks;     /* do not add [cut] or [lost] to stacks whose callers are missing */
    bool leaf_only;    /* the address that was sampled, and no callchain */
    /* If it is set, it gets the lines of perf maps that the recording has, in the order of their
     * times among the samples. */
    void (*take_lines)(void *ctx, const struct maplines *lines);
    /* If it is set, it is called for each name of a process's code that the recording has. */
    void (*take_named)(void *ctx, uint32_t pid);
    void *ctx;
    unsigned show; /* records that are given as items: bits of showrecord.h */
};

/* A source whose next() is that of the struct around it: whoever has the records. */
struct recordsource {
    struct source source;
    struct symbolizer symbolizer;
    struct unwinder unwinder; /* its limit may be set */
    /* Completes the callchains of the samples that are wanted. NULL, unless it is set by the caller: they
     * are complete. */
    struct unwinding *unwinding;

    /* Over all recordings that were read, for the summary: */
    uint64_t samples, lost;          /* lost: by LOST and LOST_SAMPLES records */
    uint64_t unwound[WALK_LOST + 1]; /* samples whose stack was unwound, by how that ended */
    uint64_t lbr_cut;                /* with as many calls as the processor keeps (LBR) */

    /* private from here */
    const struct recordsource_options *options;
    struct diag *diag;
    bool unwinds;                 /* the unwinder has begun with this recording */
    const char *name;             /* of the recording, for messages */
    const struct perfdata *facts; /* that describe the recording; NULL: none is read */
    struct tracing tracing;
    struct traceprint *printer;
    struct arena names; /* of tracepoints */
    uint16_t event_width;
    size_t access_width;
    uint32_t *stack;
    size_t stack_cap;
    struct text rest, text;
};

/* Begin without a recording. Borrow all, and add frames to the table. */
void recordsource_init(struct recordsource *d, const struct recordsource_options *options,
                       struct diag *diag, struct frametab *frames);

/* Begin with a recording, which is called `name` in messages. Of the facts its events, build-ids
 * and tracing data are used, which may still come while records are taken. Both are borrowed until
 * recordsource_end. */
void recordsource_begin(struct recordsource *d, const char *name, const struct perfdata *facts);

/* Return what unwinds stacks with the files and processes that the source knows. Of records that are
 * not samples it has to have taken those before. */
struct stackwalker recordsource_walker(struct recordsource *d);

/* Print the names of these events, and not those of the recording: samples are made of its records. To
 * be called before the first sample. */
void recordsource_show(struct recordsource *d, const struct eventset *events);

/* Take the recording's next record, and give what it is for the reader of the source: a sample,
 * or a record to print or count. ITEM_END: nothing, since it is not wanted, or only says which
 * processes and files there are. The item's texts are good until the next call. */
enum source_item recordsource_take(struct recordsource *d, const struct record *r);

/* End the recording, if one was begun, and print which names were not found. */
void recordsource_end(struct recordsource *d);

/* Print how many samples were lost, and what else was missing. Call it once, at the end. */
void recordsource_explain(const struct recordsource *d);

void recordsource_free(struct recordsource *d);

#endif
