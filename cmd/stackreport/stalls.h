/* The stalls of threads: turns of their event loops that took long. Reads the samples of
 * stackrecord --wall --turns, in perf script text:
 *
 *     node 4242/4242 [001]  1298.412995:     398004 wall: running
 *             7f2c2b748d17 JS:*parse /srv/app.js:30:15+0x2d7 (/tmp/perf-4242.map)
 *             ...
 *     node 4242/4242 [001]  1298.412995:     412011 turn:
 *
 * The samples of the event "wall" that have a turn's thread and time are the stacks of that turn. Others
 * belong to short turns. The text after "turn:" may hold "going on" and "stopped 1500 us". */
#ifndef STACKREPORT_STALLS_H
#define STACKREPORT_STALLS_H

#include "cmd/stackreport/turn.h"
#include "cmd/stackreport/wallclock.h"
#include "common/base/diag.h"
#include "common/stack/text/input.h"
#include "common/stack/text/lookslike.h"
#include "common/stack/text/perftext.h"

struct stall {
    uint64_t end;                /* nanoseconds of the recorder's clock */
    uint64_t us;                 /* how long it took: microseconds, as all below */
    uint64_t state[TURN_STATES]; /* without the time in which the process was stopped */
    uint64_t gc, stopped;
    bool going_on; /* when the recording ended */
    int64_t pid, tid;
    uint32_t comm; /* number of its text in stalls.comms */
    struct turn_path path;
};

struct stalls;

struct stalls_options {
    enum input_format from;
    uint64_t least; /* microseconds of a stall */
    size_t top;     /* how many to keep, 1 or more */
    /* Called for each stall when it has been read from a pipe that may take long to go on; NULL: the
     * input is not read live. */
    void (*each)(const struct stalls *s, const struct stall *stall);
};

struct stalls {
    const struct stalls_options *options;
    struct diag *diag;
    struct input input; /* to be started by the caller, and freed */
    struct wallclock clock;
    struct turn_names names;
    struct intern comms;
    VEC(struct stall)
    list; /* after stalls_finish the longest, sorted; of equal ones the earlier first */
    uint64_t count, us; /* of all stalls */
    uint64_t began;     /* of the recording, as far as known: nanoseconds of its clock */

    /* private from here */
    struct perftext perf;
    struct intern threads;     /* keys of `turns` */
    VEC(struct pending) turns; /* the last samples of each thread, which may be those of a turn */
    uint64_t samples, walls, ends, incomplete;
    bool has_time;
};

/* Set up a reader, which is large: do not copy it. Borrows all. */
void stalls_init(struct stalls *s, const struct stalls_options *options, struct diag *diag);

/* Read the file that is open in s->input. */
void stalls_read(struct stalls *s);

/* Sort the list. */
void stalls_finish(struct stalls *s);

/* Report what is odd about the input; as an error, if it has no sample of which stalls can be made. */
void stalls_report(struct stalls *s);

void stalls_free(struct stalls *s);

#endif
