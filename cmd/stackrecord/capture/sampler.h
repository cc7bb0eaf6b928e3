/* The loop of a recording: empties the kernel's ring buffers into a sink until the recording ends.
 *
 *     sampler_init(...), then records of what runs already go to the sink (task.h)
 *     sampler_run(...)
 *     sampler_finish(...)
 */
#ifndef STACKRECORD_SAMPLER_H
#define STACKRECORD_SAMPLER_H

#include "cmd/stackrecord/capture/counter.h"
#include "cmd/stackrecord/capture/jsnames.h"
#include "cmd/stackrecord/capture/liveprocs.h"
#include "common/machine/running.h"
#include "common/machine/command.h"
#include "common/stage/sink.h"

/* Why it ended. */
enum sampler_end {
    END_FAILED, /* errno */
    END_TARGET, /* all that was recorded has ended */
    END_DURATION,
    END_SIGNAL /* stop_signal() */
};

struct sampler {
    double duration;                  /* seconds; 0: no limit */
    struct liveprocs *live_processes; /* their maps are read before each round; NULL: nobody's */
    struct jsnames *names;   /* are read whenever the ring buffers were emptied; NULL: nobody's */
    int round_ms;            /* between two rounds at most; 0: as the names need it */
    struct running *running; /* where the counters do not tell what has ended; or NULL */

    /* Counted as the records pass: */
    uint64_t samples;
    uint64_t lost;       /* records that found no room in a ring buffer */
    uint64_t lost_tasks; /* the same of the ring buffers that have no samples: see counter.h */
    uint64_t throttled;  /* how often the kernel stopped sampling because it took too much time */
    uint64_t stopped;    /* when the counters were stopped: nanoseconds of CLOCK_MONOTONIC */
    uint64_t processes;  /* that run, as far as the records tell; set it to what ran before */

    /* private from here */
    struct rawsink *sink;
    struct counters *counters;
    struct command *command;
    bool shows_progress;
    bool empties;                  /* the ring buffers, just now */
    uint64_t shown, samples_shown; /* when progress was shown last, and the samples until then */
    uint64_t began;                /* nanoseconds of CLOCK_MONOTONIC */
    uint64_t drained;              /* when the ring buffers were emptied last */
    uint64_t rounded;              /* the same of all of them */
    uint64_t passed;               /* when sampler_wants_names() last said no */
    unsigned fill;                 /* percents of the fullest ring buffer in the last round */
    size_t live;                   /* counters whose tasks have not all ended */
    int poll, stop;
    void (*beat)(void *ctx, uint64_t now, bool asked); /* NULL: nobody is called */
    void *ctx;
};

/* Borrow all; command may be NULL. Return false with errno if there is no descriptor left. */
bool sampler_init(struct sampler *s, struct rawsink *sink, struct counters *counters,
                  struct command *command);

/* Restart the clock that limits the recording to `duration`. */
void sampler_begin(struct sampler *s);

/* Pass on the samples in the ring buffers, unless that was done just before or is being done: for work
 * of the caller, or of the sink in `round`, that takes long. Return true if a signal asks for the end.
 */
bool sampler_relieve(struct sampler *s);

/* Return true while samples should stay in memory, because a process began less than a second ago and
 * its names are still being read. Call this at the end of each round. After a second of true it
 * returns false once. */
bool sampler_wants_names(struct sampler *s);

/* Read the names of JavaScript in the samples that were fetched so far. Return false if they are being
 * read just now: see jsnames_resolve(). */
bool sampler_read_names(struct sampler *s);

/* Call a function after each round with the time, nanoseconds of CLOCK_MONOTONIC; `asked`: SIGUSR1
 * has come, and all samples before it have been passed on. Borrows ctx. */
void sampler_set_beat(struct sampler *s, void (*beat)(void *ctx, uint64_t now, bool asked),
                      void *ctx);

/* Return true if the recording has ended, or is to end now. */
bool sampler_is_over(const struct sampler *s);

/* Run until the recording ends. The counters are stopped then, and the ring buffers empty. */
enum sampler_end sampler_run(struct sampler *s);

/* Wait after the recording until the command has ended. Each signal that arrives meanwhile starts
 * the timeout, in milliseconds, again. Return true if the command has ended. */
bool sampler_await_command(const struct sampler *s, int milliseconds);

/* End the sink's input, which then prints what it holds. */
void sampler_finish(struct sampler *s);

#endif
