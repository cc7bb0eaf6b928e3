/* Adds up time by thread, activity of the thread, and stack: a thread can be switched many thousand
 * times a second, mostly at the same few places. The sums are passed on as samples whose period is
 * the time in microseconds. */
#ifndef STAGE_STACKTIME_H
#define STAGE_STACKTIME_H

#include "common/stage/sink.h"
#include "common/base/intern.h"
#include "common/base/text.h"

/* Where a thread was, from a sample of it. */
struct stack_place {
    uint64_t ip;
    struct words chain; /* with PERF_CONTEXT_... markers */
    uint32_t cpu;
    uint16_t misc;
    uint64_t time;  /* time of the sample; 0: there is no sample */
    uint32_t names; /* stacktime.names at that time */
};

enum {
    STACKTIME_MICROSECOND = 1000,
    STACKTIME_MILLISECOND = 1000 * STACKTIME_MICROSECOND,
    STACKTIME_SECOND = 1000 * 1000 * STACKTIME_MICROSECOND,
    STACKTIME_MUCH = 4 << 20, /* bytes of sums above which they are passed on at once */
};

/* {.describe = f} has no sums. */
struct stacktime {
    size_t bytes; /* approximate memory of the sums */

    /* Set the members of the sample that show the activity `what`. *buffer is empty at the call;
     * text that is appended to it is borrowed until the sample has been passed on. */
    void (*describe)(uint32_t what, struct text *buffer, struct record *sample);

    /* private from here */
    /* JIT-compiled code gets its names while the program runs, and a sample that was taken before
     * its code got a name must not get that name. So this number is a part of the key of a sum: the
     * times before and after new names go into different sums. The number is incremented after new
     * names have come, but at most ten times a second. */
    uint32_t names;
    uint64_t names_since; /* time when `names` was last incremented */
    bool named;           /* names have come since then */
    struct intern keys;   /* pid, tid, misc, activity, names, and callchain */
    struct intern pids;   /* processes with sums, as bytes */
    struct stacktime_sum {
        uint64_t time;  /* nanoseconds */
        uint64_t parts; /* number of additions since the last stacktime_move() */
        uint64_t until; /* end of the last part */
        uint64_t seen;  /* time of the earliest sample with that stack */
        uint64_t ip;
        uint32_t cpu;
    } * sums; /* by number of the key */
    size_t cap;
    struct text key; /* buffer */
};

/* Return the place of a sample's thread; its callchain is borrowed from the record. */
struct stack_place stacktime_place(struct stacktime *s, const struct record *r);

/* Add a stretch of a thread's time, in nanoseconds, which ended at `until`. `what` is the activity:
 * a number that the caller defines. */
void stacktime_add(struct stacktime *s, uint32_t pid, uint32_t tid, const struct stack_place *place,
                   uint32_t what, uint64_t time, uint64_t until);

/* Set *tid and *what to the thread and the activity of sum `number`, which is less than
 * s->keys.count. Return the number of stretches that were added to the sum since it was made, or
 * since the last stacktime_move() from it. */
uint64_t stacktime_of(const struct stacktime *s, uint32_t number, uint32_t *tid, uint32_t *what);

/* Move up to `time` nanoseconds from sum `number` to the sum of the same thread and stack with the
 * activity `what`. */
void stacktime_move(struct stacktime *s, uint32_t number, uint32_t what, uint64_t time);

/* Process a record of any type but samples. Return true if it changes the name or the maps of a
 * process that has sums, or says that the process has ended. The caller must then pass the sums on
 * before that record. */
bool stacktime_see(struct stacktime *s, const struct record *r);

/* Pass all sums on as samples of the event, in the order of their ends, and forget them. */
void stacktime_pass(struct stacktime *s, const struct event *e, struct recordsink *to);

/* Do the same as stacktime_pass, but with `time` as the end of all sums. */
void stacktime_pass_at(struct stacktime *s, const struct event *e, uint64_t time,
                       struct recordsink *to);

/* Move all sums of `from` to s. */
void stacktime_take(struct stacktime *s, struct stacktime *from);

/* Add an event for the samples of sums to a session. It is called `name`, and has the fields of
 * `like`, the event with the samples whose stacks are used. */
void stacktime_add_event(struct session *to, struct event like, struct span name);

void stacktime_free(struct stacktime *s);

#endif
