/* Time, added up by thread, by what the thread does, and by stack: a thread can be switched many
 * thousand times a second, mostly at the same few places. The sums are passed on as samples whose
 * period is the time in microseconds. */
#ifndef STAGE_STACKTIME_H
#define STAGE_STACKTIME_H

#include "common/stage/sink.h"
#include "common/base/intern.h"
#include "common/base/text.h"

/* Where a thread was, as a sample of it says. */
struct stack_place {
    uint64_t ip;
    struct words chain; /* with PERF_CONTEXT_... markers */
    uint32_t cpu;
    uint16_t misc;
    uint64_t time;  /* of the sample; 0: there is none */
    uint32_t names; /* see stacktime.names */
};

enum {
    STACKTIME_MICROSECOND = 1000,
    STACKTIME_MILLISECOND = 1000 * STACKTIME_MICROSECOND,
    STACKTIME_SECOND = 1000 * 1000 * STACKTIME_MICROSECOND,
    STACKTIME_MUCH = 4 << 20, /* bytes of sums from which on they are passed on at once */
};

/* {.describe = f} has no sums. */
struct stacktime {
    size_t bytes; /* of memory that the sums take, about */

    /* Set the members of the sample that say what the thread does. *buffer is empty at the call;
     * text that is put there is borrowed until the sample has been passed on. */
    void (*describe)(uint32_t what, struct text *buffer, struct record *sample);

    /* private from here */
    /* Code gets names while the program runs, and samples from before that have none of them. So they
     * are added up apart: this number changes after new names have come, ten times a second at most. */
    uint32_t names;
    uint64_t names_since; /* when it changed last */
    bool named;           /* names have come since then */
    struct intern keys;   /* pid, tid, misc, what the thread does, names, and callchain */
    struct intern pids;   /* that have sums, as bytes */
    struct stacktime_sum {
        uint64_t time;  /* nanoseconds */
        uint64_t parts; /* how many were added to it since the last stacktime_move() */
        uint64_t until; /* when the last part of it ended */
        uint64_t seen;  /* time of the earliest sample with that stack */
        uint64_t ip;
        uint32_t cpu;
    } * sums; /* by number of the key */
    size_t cap;
    struct text key; /* buffer */
};

/* Return what a sample says of where its thread was. */
struct stack_place stacktime_place(struct stacktime *s, const struct record *r);

/* Add a thread's time, in nanoseconds, that ended at `until`. `what` it does is a number of the
 * caller's. */
void stacktime_add(struct stacktime *s, uint32_t pid, uint32_t tid, const struct stack_place *place,
                   uint32_t what, uint64_t time, uint64_t until);

/* Set *tid to the sum's thread and *what to what it did. Return how many times were added to the sum
 * since it was made or stacktime_move() was called for it. `number` is below s->keys.count. */
uint64_t stacktime_of(const struct stacktime *s, uint32_t number, uint32_t *tid, uint32_t *what);

/* Move up to `time` nanoseconds from the sum to that of the same thread and stack for `what`. */
void stacktime_move(struct stacktime *s, uint32_t number, uint32_t what, uint64_t time);

/* Take a record of any type but samples. Return true if it changes the name or the maps of a process
 * that has sums, or ends it: then these must be passed on before the record. */
bool stacktime_see(struct stacktime *s, const struct record *r);

/* Pass all sums on as samples of the event, in the order in which they ended, and forget them. */
void stacktime_pass(struct stacktime *s, const struct event *e, struct recordsink *to);

/* Do so as if all had ended at that time. */
void stacktime_pass_at(struct stacktime *s, const struct event *e, uint64_t time,
                       struct recordsink *to);

/* Add all sums of `from` to those of s, and forget them there. */
void stacktime_take(struct stacktime *s, struct stacktime *from);

/* Add the event of these samples, which is like that of the switches. */
void stacktime_add_event(struct session *to, struct event like, struct span name);

void stacktime_free(struct stacktime *s);

#endif
