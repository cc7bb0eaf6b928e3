/* Why the kernel does not permit recording or counting, and what helps. */
#ifndef MACHINE_REFUSAL_H
#define MACHINE_REFUSAL_H

#include "common/base/text.h"
#include "common/event/attr.h"
#include "common/machine/target.h"

/* What the kernel refused, and why. */
struct refusal {
    enum refused {
        REFUSED_NOTHING,
        REFUSED_COUNTER,
        REFUSED_FILTER,
        REFUSED_RING,
        REFUSED_LIST
    } what;
    int error;                 /* errno */
    const struct event *event; /* event of the counter */
    int32_t task;              /* task of the counter, or EVERY_TASK */
};

/* What the reason depends on, besides the error. */
struct refusal_facts {
    const char *verb; /* what is refused: "record" or "count" */
    long paranoid;    /* setting kernel.perf_event_paranoid */
    bool cgroup;      /* the counter was for a cgroup */
    bool command;     /* the counter was for the command, which this program has just started */
    bool forbidden;   /* the system call perf_event_open fails for any event */
    bool own;         /* the task belongs to the user who runs this program, by its real user id */
    unsigned long limit; /* maximum number of open files */
};

/* Read the settings, and try to count something in this process, which needs no privileges. */
struct refusal_facts refusal_facts(void);

/* Append what is wrong and what to do: "process 42 belongs to another user: record as root". */
void refusal_text(const struct refusal *r, const struct refusal_facts *facts, struct text *out);

/* Report the refusal as an error, with the reason that the machine's settings give. Return
 * false. */
bool refusal_report(const struct refusal *r, const struct target *t, const char *verb,
                    struct diag *diag);

#endif
