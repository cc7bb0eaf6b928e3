/* Reads perf script text and folded stacks into a counter. */
#ifndef STACKREPORT_COUNTFILES_H
#define STACKREPORT_COUNTFILES_H

#include "cmd/stackreport/count.h"
#include "common/base/diag.h"
#include "common/stack/model/eventchoice.h"
#include "common/stack/model/fold.h"
#include "common/stack/model/latency.h"
#include "common/stack/model/measure.h"
#include "common/stack/text/foldedsplit.h"
#include "common/stack/text/input.h"
#include "common/stack/text/lookslike.h"
#include "common/stack/text/perftext.h"

struct countfiles_options {
    enum input_format from;
    enum weight weight;
    bool latency;             /* samples count their share of the threads that ran */
    bool no_comm;             /* folded stacks do not begin with a command name */
    bool comm;                /* the command is counted, too, as the first frame of its stacks */
    bool live;                /* the files are pipes that may take long to go on */
    struct eventlist *events; /* --event; NULL: no such option */
};

/* Checks the assumption that the first frames of folded stacks are commands: the stacks of many
 * profilers, such as those of gdb, begin with a function. Starts as {0}. */
struct commands {
    bool matches;         /* counter.function matches a command */
    bool other;           /* some command is not named like a function that starts a thread */
    struct decimal alone; /* count of commands all of whose stacks are this one frame */
    uint32_t last;        /* the last stack's command: number of its name plus 1 */
    bool calls;           /* that command has a stack of more frames */
    struct decimal bare;  /* count of that command's stacks of one frame */
};

/* A watcher, which gets samples in addition to the counters. */
struct countfiles_watch {
    void *ctx;
    /* Return true if the watcher alone gets the sample with this header: whatever its event, it is
     * not counted. */
    bool (*wants)(const struct perf_header *h);
    /* Called for a sample, whose frames are in r->perf.frames. `count`: its count; NULL if it is
     * not counted. */
    void (*sample)(void *ctx, const struct sample *s, const struct decimal *count);
    void (*comment)(void *ctx, struct span text);
    void (*record)(void *ctx, uint64_t lost); /* lost: number of lost samples in the record */
};

struct countfiles {
    const struct countfiles_options *options;
    struct diag *diag;
    struct input input; /* to be started by the caller, and freed */
    struct counter *counter;
    /* These count the same; they may be set after countfiles_init. */
    struct counter *others;
    size_t nothers;
    const struct countfiles_watch *watch; /* likewise; NULL: nobody watches */
    struct commands commands;             /* of folded stacks, unless --no-comm is given */

    struct perftext perf;
    struct eventchoice events;
    uint64_t samples, lines; /* of perf text, and of folded stacks */

    /* private from here */
    struct profile names; /* the counter's; it has no stacks */
    struct fold_options fold_options;
    struct fold fold;
    struct foldedsplit split;
    struct latency latency;
    uint32_t no_frames; /* the number of the name NO_FRAMES */
    uint64_t no_period;
    uint64_t threads; /* lines whose command name ends in a process and thread number */
};

/* Set up a reader, which is large: do not copy it. Borrow all. c->groups.names is set. */
void countfiles_init(struct countfiles *r, const struct countfiles_options *options,
                     struct diag *diag, struct counter *c);

/* Read the file that is open in r->input. */
void countfiles_read(struct countfiles *r);

/* Report what of the input is not in the counts, and what is odd about it. */
void countfiles_report(struct countfiles *r);

#endif
