/* The counters of one run: one for each event and task, or each event and CPU. */
#ifndef STACKSTAT_COUNTING_H
#define STACKSTAT_COUNTING_H

#include "common/base/diag.h"
#include "common/machine/events.h"
#include "common/machine/target.h"

/* The count of an event in one place: the sum of all its counters there. */
struct count {
    double value;              /* each counter's value is scaled up to its whole time */
    uint64_t enabled, running; /* nanoseconds for which counters were enabled, and really counted */
};

/* Why an event has no counters. */
enum absence { COUNTED, NOT_SUPPORTED, LEFT_OUT /* too few descriptors */ };

/* Counts events of a target. There is one count for each event and place: in all one place, or one
 * for each CPU or thread. Starts as {.events, .target, .on_cpus, .places}; the first two are
 * borrowed. */
struct counting {
    struct events *events;
    const struct target *target;
    bool on_cpus; /* count tasks only on the target's CPUs */
    enum places { ONE_PLACE, EACH_CPU, EACH_THREAD } places;

    /* Set by counting_open: the tasks that have counters of their own; EVERY_TASK; or a cgroup's
     * descriptor. */
    struct numbers tasks;

    /* private */
    struct counter {
        int fd;
        uint32_t event, place;
        uint32_t leader;  /* first counter of its group, which is read for all; itself, if alone */
        uint32_t next;    /* next counter of its group; 0: none */
        uint64_t last[3]; /* value, enabled and running when last read */
    } * list;
    size_t count, cap;
    uint64_t *buffer; /* for reading a group */
};

/* Open the counters. They start with counting_enable, or with the exec of a command, whose process
 * is `pid`. Set absence[i] for the i-th event. If an event may be counted in user mode only, set
 * its flags FLAG_EXCLUDE_KERNEL and FLAG_EXCLUDE_HV. Return false, after a message, if the kernel
 * does not permit counting, or if the target has ended. */
bool counting_open(struct counting *c, int32_t pid, enum absence *absence, struct diag *diag);

/* Return the number of places, after counting_open. */
size_t counting_places(const struct counting *c);

/* Start or stop all counters. Return false with errno if that fails for one of them. */
bool counting_enable(const struct counting *c);
bool counting_disable(const struct counting *c);

/* Set counts[event * places + place] to the counts since the last call. Return false with errno if
 * a counter cannot be read. */
bool counting_read(struct counting *c, struct count *counts);

void counting_close(struct counting *c);

#endif
