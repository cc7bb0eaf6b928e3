/* The loop of a recording: empties the kernel's ring buffers into a sink, in rounds (capture.h),
 * until the recording ends.
 *
 *     sampler_init(...), then records of what runs already go to the sink (task.h)
 *     sampler_run(...)
 *     sampler_finish(...) */
#ifndef STACKRECORD_SAMPLER_H
#define STACKRECORD_SAMPLER_H

#include "cmd/stackrecord/capture/calldetails.h"
#include "cmd/stackrecord/capture/callstrings.h"
#include "cmd/stackrecord/capture/counter.h"
#include "cmd/stackrecord/capture/jsnames.h"
#include "cmd/stackrecord/capture/liveprocs.h"
#include "common/machine/running.h"
#include "common/machine/command.h"
#include "common/stage/sink.h"

/* Why the recording ended. */
enum sampler_end {
    END_FAILED, /* errno */
    END_TARGET, /* all that was recorded has ended */
    END_DURATION,
    END_SIGNAL /* stop_signal() */
};

struct sampler {
    double duration; /* seconds; 0: no limit */
    /* Their perf maps are read each time before the ring buffers are emptied. NULL: no maps. */
    struct liveprocs *live_processes;
    /* Reads names of JavaScript each time after the ring buffers were emptied. NULL: no names. */
    struct jsnames *names;
    /* The same for the descriptors of system calls. NULL: none are read. */
    struct calldetails *details;
    struct callstrings *strings; /* the same for texts at addresses */
    int round_ms;                /* longest time between two rounds; 0: as the names need it */
    /* The recorded processes that still run, if the counters do not tell: else NULL. */
    struct running *running;

    /* Counted as the records pass: */
    uint64_t samples;
    uint64_t lost;       /* records lost for want of room in the ring buffers with samples */
    uint64_t lost_tasks; /* records lost for want of room in the other ring buffers: counter.h */
    uint64_t throttled;  /* how often the kernel stopped sampling because it took too much time */
    uint64_t stopped;    /* when the counters were stopped: nanoseconds of CLOCK_MONOTONIC */
    /* Number of running processes, as far as the records tell. Set it to the number of those that
     * run when the recording begins. */
    uint64_t processes;

    /* private from here */
    struct rawsink *sink;
    struct counters *counters;
    struct command *command;
    bool shows_progress;
    bool empties;                  /* the ring buffers are being emptied at this moment */
    uint64_t shown, samples_shown; /* when progress was last shown, and `samples` at that time */
    uint64_t began;                /* nanoseconds of CLOCK_MONOTONIC, as the three that follow */
    uint64_t drained;              /* when the ring buffers with samples were last emptied */
    uint64_t quarter;              /* when the quarter of a second of `apart` began */
    uint64_t passed;               /* when sampler_wants_names() last returned false */
    uint64_t apart;                /* bytes read from the ring buffers without samples */
    unsigned fill;                 /* how full the fullest one with samples last was, in percent */
    size_t live;                   /* number of counters that have tasks which still run */
    int poll, stop;                /* descriptors: of epoll, and of stop_open() */
    void (*beat)(void *ctx, uint64_t now, bool asked); /* see sampler_set_beat(); or NULL */
    void *ctx;
};

/* Initialize. Everything is borrowed; command may be NULL. Return false with errno if there is no
 * descriptor left. */
bool sampler_init(struct sampler *s, struct rawsink *sink, struct counters *counters,
                  struct command *command);

/* Restart the clock that limits the recording to `duration`. */
void sampler_begin(struct sampler *s);

/* Pass on the samples in the ring buffers, unless they were emptied within the last 5 ms or are
 * being emptied. Call this from time to time in work that takes long, of the caller or in the
 * `round` of the sink. Before sampler_init(), if *s is {0}, do nothing. Return true if a signal
 * asks for the end. */
bool sampler_relieve(struct sampler *s);

/* Return true if the samples should be kept in memory for another round, because the recording, or
 * a process with V8, began less than a second ago and its names are still being read. Call this at
 * the end of each round. After it has returned true for a second, it returns false once. */
bool sampler_wants_names(struct sampler *s);

/* Read the names of JavaScript functions for the samples that have left the ring buffers, and the
 * descriptors and texts that are arguments of system calls. Return false if this is called while
 * they are being read: see jsnames_resolve(). */
bool sampler_read_names(struct sampler *s);

/* Have the function `beat` called whenever the ring buffers were emptied. `now` is the time in
 * nanoseconds of CLOCK_MONOTONIC. `asked`: SIGUSR1 has come, and all samples from before the signal
 * have been passed on. Borrows ctx. */
void sampler_set_beat(struct sampler *s, void (*beat)(void *ctx, uint64_t now, bool asked),
                      void *ctx);

/* Return true if the recording has ended, or is to end now. */
bool sampler_is_over(const struct sampler *s);

/* Run until the recording ends; then stop the counters and empty the ring buffers. Return why it
 * ended; with END_FAILED, errno is set. */
enum sampler_end sampler_run(struct sampler *s);

/* Wait, after the recording, until the command has ended, for at most this many milliseconds. Each
 * signal that arrives meanwhile restarts the timeout. Return true if the command has ended. */
bool sampler_await_command(const struct sampler *s, int milliseconds);

/* End the input of the sink, which then prints what it holds. */
void sampler_finish(struct sampler *s);

#endif
