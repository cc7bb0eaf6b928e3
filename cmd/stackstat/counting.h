/* The counters of one run: one for each event and task, or each event and CPU. */
#ifndef STACKSTAT_COUNTING_H
#define STACKSTAT_COUNTING_H

#include "common/base/diag.h"
#include "common/event/attr.h"
#include "common/machine/target.h"

/* What was counted of an event by all its counters. */
struct count {
    double value;              /* scaled up to the whole time, for each counter alone */
    uint64_t enabled, running; /* nanoseconds in which it was to be counted, and was counted */
};

/* {0} has no counters. */
struct counting {
    struct counter {
        int fd;
        uint32_t event;
        uint64_t last[3]; /* what was read last: value, enabled, running */
    } * list;
    size_t count, cap;
};

/* Why an event has no counters. */
enum absence { COUNTED, NOT_SUPPORTED, LEFT_OUT /* there are too few descriptors */ };

/* Open counters of n events, which wait for counting_enable, or for a command's exec. `pid` is the
 * command's process. absence[i] says whether the i-th event is counted; the flags of an event of
 * which only the user's part may be counted are changed. Return false, after a message, where the
 * kernel permits nothing, or the target has ended. */
bool counting_open(struct counting *c, struct event *events, size_t n, const struct target *t,
                   bool on_cpus, int32_t pid, enum absence *absence, struct diag *diag);

void counting_enable(const struct counting *c);
void counting_disable(const struct counting *c);

/* Set counts[i] to what was counted of the i-th of n events since the last call. */
void counting_read(struct counting *c, struct count *counts, size_t n);

void counting_close(struct counting *c);

#endif
