/* Which events' samples of perf script text become one profile. Adding up, say, cycles and page
 * faults gives a profile of neither, so unless --event asks for several only the first event of the
 * input is taken: on all kinds of cores (eventname.h). */
#ifndef STACK_EVENTCHOICE_H
#define STACK_EVENTCHOICE_H

#include "common/base/diag.h"
#include "common/stack/model/eventlist.h"

/* {0} takes the first event that a sample names. */
struct eventchoice {
    struct eventlist *list; /* --event, borrowed; NULL: no such option */
    struct span only;       /* the one event that is taken; ptr NULL: not known yet */
    bool asked;             /* `only` was asked for, by --event-filter */
    bool lenient;           /* a sample that names no event passes this filter */
    bool one_kind;          /* the first event is taken on one kind of core, as the others */
    bool takes_turns;       /* samples of the event "turn" are stacks as those of others */
    const char *verb;       /* what --event=LIST does in this program: "folds" */

    /* private from here */
    uint64_t taken;        /* samples, without a list */
    struct tally left_out; /* the other events, without a list */
    struct arena arena;
};

/* Count a sample of the event, and return whether it is taken. A turn (eventname.h) is not, and is
 * no sample of another event either. */
bool eventchoice_take(struct eventchoice *e, struct span event);

/* Report the samples that were not taken, and what other events there are. If no sample is of an
 * event that was asked for, that is an error. */
void eventchoice_report(const struct eventchoice *e, struct diag *diag);

/* Free all but the list. */
void eventchoice_free(struct eventchoice *e);

#endif
