/* The counters of one run: one for each event and task, or each event and CPU. */
#ifndef STACKSTAT_COUNTING_H
#define STACKSTAT_COUNTING_H

#include "common/base/diag.h"
#include "common/machine/events.h"
#include "common/machine/target.h"

/* What was counted of an event in one place by all its counters there. */
struct count {
    double value;              /* scaled up to the whole time, for each counter alone */
    uint64_t enabled, running; /* nanoseconds in which it was to be counted, and was counted */
};

/* Why an event has no counters. */
enum absence { COUNTED, NOT_SUPPORTED, LEFT_OUT /* there are too few descriptors */ };

/* What is counted, where one count is kept for each event: in a single place, or in one for each CPU
 * or thread. Starts as {.events, .target, .on_cpus, .places}; the first two are borrowed. */
struct counting {
    struct events *events;
    const struct target *target;
    bool on_cpus; /* count tasks on the target's CPUs alone */
    enum places { ONE_PLACE, EACH_CPU, EACH_THREAD } places;

    /* Set by counting_open: the CPUs or threads. */
    struct numbers tasks;

    /* private */
    struct counter {
        int fd;
        uint32_t event, place;
        uint32_t leader; /* the first counter of its group, which reads for all; itself, if alone */
        uint32_t next;   /* the next one of its group; 0: none */
        uint64_t last[3]; /* what was read last: value, enabled, running */
    } * list;
    size_t count, cap;
    uint64_t *buffer; /* for what is read of a group */
};

/* Open counters, which wait for counting_enable, or for a command's exec. `pid` is the command's
 * process. absence[i] says whether the i-th event is counted; the flags of an event of which only the
 * user's part may be counted are changed. Return false, after a message, where the kernel permits
 * nothing, or the target has ended. */
bool counting_open(struct counting *c, int32_t pid, enum absence *absence, struct diag *diag);

/* Return the number of places, after counting_open. */
size_t counting_places(const struct counting *c);

/* Return false with errno if a counter cannot be started or stopped. */
bool counting_enable(const struct counting *c);
bool counting_disable(const struct counting *c);

/* Set counts[event * places + place] to what was counted since the last call. Return false with errno
 * if a counter cannot be read. */
bool counting_read(struct counting *c, struct count *counts);

void counting_close(struct counting *c);

#endif
