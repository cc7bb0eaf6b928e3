/* The interface between the reader and the writers of all formats: the stacks one after the other,
 * and facts about all of them. */
#ifndef STACKEXPORT_EXPORT_H
#define STACKEXPORT_EXPORT_H

#include "cmd/stackexport/framelist.h"
#include "cmd/stackexport/threads.h"
#include "common/base/diag.h"
#include "common/base/out.h"
#include "common/stack/model/wallclock.h"

/* Units of counts, in the order of --unit. */
enum unit {
    UNIT_SAMPLES,
    UNIT_NANOSECONDS,
    UNIT_MICROSECONDS,
    UNIT_MILLISECONDS,
    UNIT_SECONDS,
    UNIT_BYTES,
    UNIT_EVENTS, /* of a counter, such as cycles */
};

/* A sample, or a line of folded text. */
struct stack {
    uint32_t thread;
    const uint32_t *frames; /* numbers in the framelist, root first; at least one */
    size_t n;
    bool has_time;
    bool sliced;           /* the time is that of a slice in folded text */
    uint64_t time;         /* nanoseconds of the recorder's clock */
    struct decimal count;  /* as stackcollapse counts it */
    struct decimal period; /* of perf script text */
};

struct export
{
    const struct format *format;
    void *state; /* the format's own, all zero before begin() */
    struct out *out;
    struct diag *diag;

    struct framelist frames;
    struct threads threads;

    /* Known from the first stack on. */
    struct span event; /* its name; empty for folded text */
    enum unit unit;    /* of the counts */
    bool has_periods;  /* stacks have periods, */
    enum unit period_unit;

    /* Of the file that is read: */
    struct text host;       /* the machine's name, perhaps empty */
    struct wallclock clock; /* the time of day, if the file says it */
};

/* A format: a struct in a file of its own, and a row in formats.h. */
struct format {
    size_t state_size;
    bool is_binary; /* not for terminals */
    void (*begin)(struct export *e);
    void (*add)(struct export *e, const struct stack *s);
    /* Write the rest, and free what is in the state. */
    void (*end)(struct export *e);
};

/* Set *places to the power of ten that converts this unit of time to microseconds. Return false for
 * other units. */
bool export_time_places(enum unit unit, int *places);

/* Return the whole part of *carry + count, and keep the fraction in *carry: for formats with whole
 * numbers only. Their sum is then the sum of the counts, rounded down. */
uint64_t export_whole(struct decimal *carry, struct decimal count);

#endif
