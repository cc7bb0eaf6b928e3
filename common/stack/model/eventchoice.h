/* Selects the events whose samples of perf script text become one profile. A sum of, say, cycles
 * and page faults is a profile of neither, so unless --event requests several, only the first event
 * of the input is used: on all kinds of cores (eventname.h). */
#ifndef STACK_EVENTCHOICE_H
#define STACK_EVENTCHOICE_H

#include "common/base/diag.h"
#include "common/stack/model/eventlist.h"

/* {0} selects the first event that a sample names. */
struct eventchoice {
    struct eventlist *list; /* of --event, borrowed; NULL: no such option */
    struct span only;       /* the one event that is selected; ptr NULL: not known yet */
    bool asked;             /* `only` was requested, by --event-filter */
    bool lenient;           /* select samples that name no event, too */
    /* The first event is selected on one kind of core only; other kinds are other events. */
    bool one_kind;
    bool takes_turns; /* treat samples of the event "turn" like those of other events */
    const char *verb; /* the effect of --event=LIST in this program, such as "folds" */

    /* private from here */
    uint64_t taken;        /* number of samples, without a list */
    struct tally left_out; /* the other events, without a list */
    struct arena arena;
};

/* Count a sample of the event, and return true if it is selected. A turn (eventname.h) is not
 * selected, and does not count as a sample of another event either. */
bool eventchoice_take(struct eventchoice *e, struct span event);

/* Report the samples that were not selected, and the names of other events. It is an error if no
 * sample is of a requested event. */
void eventchoice_report(const struct eventchoice *e, struct diag *diag);

/* Free everything except the list. */
void eventchoice_free(struct eventchoice *e);

#endif
