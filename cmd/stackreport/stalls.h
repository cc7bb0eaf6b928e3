/* Finds the stalls of threads: turns of their event loops that took long. Its input is the samples
 * of stackrecord --wall --turns:
 *
 *     node 4242/4242 [001]  1298.412995:     398004 wall: running
 *             7f2c2b748d17 JS:*parse /srv/app.js:30:15+0x2d7 (/tmp/perf-4242.map)
 *             ...
 *     node 4242/4242 [001]  1298.412995:     412011 turn:
 *
 * Samples of the event "wall" with the thread and time of a turn are the stacks of that turn.
 * Others belong to short turns. The text after "turn:" may contain "going on" and "stopped 1500
 * us". */
#ifndef STACKREPORT_STALLS_H
#define STACKREPORT_STALLS_H

#include "cmd/stackreport/turn.h"
#include "common/stack/model/wallclock.h"
#include "common/base/diag.h"

struct stall {
    uint64_t end;                /* nanoseconds of the recorder's clock */
    uint64_t us;                 /* duration in microseconds, as all durations below */
    uint64_t state[TURN_STATES]; /* without the time in which the process was stopped */
    uint64_t gc, stopped;
    bool going_on; /* still in progress when the recording ended */
    int64_t pid, tid;
    uint32_t comm; /* number of its text in stalls.comms */
    struct turn_path path;
};

struct stalls;

struct stalls_options {
    uint64_t least; /* shortest duration of a stall, in microseconds */
    size_t top;     /* number of stalls to keep, 1 or more */
    /* Called for each stall after its turn was added; or NULL. */
    void (*each)(const struct stalls *s, const struct stall *stall);
};

struct stalls {
    const struct stalls_options *options;
    struct diag *diag; /* for `each`; may be NULL without it */
    struct wallclock clock;
    bool has_turns; /* a comment says that turns were recorded */
    struct turn_names names;
    struct intern comms;
    /* After stalls_finish the longest, sorted; of equal ones the earlier first. */
    VEC(struct stall) list;
    uint64_t count, us; /* of all stalls */
    uint64_t began;     /* start of the recording, if known: nanoseconds of its clock */
    /* Numbers of samples of the events wall and turn; and of those that lack a necessary number. */
    uint64_t walls, ends, incomplete;

    /* private from here */
    struct intern threads;     /* keys of `turns` */
    VEC(struct pending) turns; /* the last samples of each thread, which may be of a turn */
    bool has_time;
};

/* Start; the options, and the frametab of the samples, are borrowed. The struct must not move. */
void stalls_init(struct stalls *s, const struct stalls_options *options, struct diag *diag,
                 const struct frametab *frames);

/* Return true if the header is of a sample that ends a turn, and has no stack. */
bool stalls_is_turn(const struct perf_header *h);

/* Return true if the header is of a sample for stalls_add. */
bool stalls_wants(const struct perf_header *h);

/* Add a sample, whose numbers were parsed. */
void stalls_add(struct stalls *s, const struct sample *sample);

/* Process a comment before the samples, which may have the time of day. */
void stalls_comment(struct stalls *s, struct span comment);

/* Sort the list. */
void stalls_finish(struct stalls *s);

void stalls_free(struct stalls *s);

#endif
