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

struct countfiles {
    const struct countfiles_options *options;
    struct diag *diag;
    struct input input; /* to be started by the caller, and freed */
    struct counter *counter;
    struct counter *recent;   /* counts the same; may be set after countfiles_init; NULL: none */
    struct commands commands; /* of folded stacks, unless --no-comm is given */

    /* private from here */
    struct profile names; /* the counter's; it has no stacks */
    struct fold_options fold_options;
    struct fold fold;
    struct perftext perf;
    struct foldedsplit split;
    struct eventchoice events;
    struct latency latency;
    uint32_t no_frames; /* the number of the name NO_FRAMES */
    uint64_t samples, lines, no_period;
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
