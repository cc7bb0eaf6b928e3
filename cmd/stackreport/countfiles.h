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

/* Whether the first frames of folded stacks, which are taken for commands, are commands: the stacks
 * of many profilers, such as those of gdb, begin with a function. {0} at first. */
struct commands {
    bool matches;         /* counter.function matches a command */
    bool other;           /* some command is not named like a function that starts a thread */
    struct decimal alone; /* counts of the stacks that are the only frame of their command */
    uint32_t last;        /* the last stack's: the number of its name + 1, */
    bool calls;           /* it has a stack of more frames, */
    struct decimal bare;  /* and those of one frame have this count */
};

/* Who sees the samples beside the counters. */
struct countfiles_watch {
    void *ctx;
    /* Return true if the watcher gets the sample with this header. It is not counted then,
     * whatever its event is. */
    bool (*wants)(const struct perf_header *h);
    /* Called for a sample, whose frames are in r->perf.frames; count: what it counts, NULL: it is
     * not counted. */
    void (*sample)(void *ctx, const struct sample *s, const struct decimal *count);
    void (*comment)(void *ctx, struct span text);
    void (*record)(void *ctx, uint64_t lost); /* how many lost samples it reports */
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

/* Set up a reader, which is large: do not copy it. Borrows all. c->groups.names is set. */
void countfiles_init(struct countfiles *r, const struct countfiles_options *options,
                     struct diag *diag, struct counter *c);

/* Read the file that is open in r->input. */
void countfiles_read(struct countfiles *r);

/* Report what of the input is not in the counts, and what is odd about it. */
void countfiles_report(struct countfiles *r);

#endif
