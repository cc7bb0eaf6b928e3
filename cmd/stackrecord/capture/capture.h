/* A recording, from the options to records: attaches counters to what is recorded, describes what runs
 * already, and passes on what the kernel writes until the recording ends.
 *
 *     capture_prepare(&c, &options, &diag)
 *     capture_begin(&c, sink, ...)       the first records go to the sink
 *     capture_run(&c)                    all others, until the recording ends
 *     sampler_finish(&c.sampler)         ends the sink's input */
#ifndef STACKRECORD_CAPTURE_H
#define STACKRECORD_CAPTURE_H

#include "cmd/stackrecord/capture/mapkeeper.h"
#include "cmd/stackrecord/capture/sampler.h"
#include "cmd/stackrecord/capture/threads.h"
#include "cmd/stackrecord/options.h"

struct capture {
    struct text filter; /* of tracepoints */
    const struct options *options;
    struct diag *diag;
    struct session session;
    struct command command;
    struct liveprocs *live;
    bool filtered; /* other tasks are recorded too: their samples are to be dropped */
    struct running running;
    struct counters counters;
    struct sampler sampler;

    /* private from here */
    struct mapkeeper keeper;
    struct jsnames names;
    struct threads threads;
    bool loops; /* are looked at, since there are no tracepoints of their turns */
    struct rawsink *sink;
    uint64_t began; /* when the counters were opened: nanoseconds of CLOCK_MONOTONIC */
    /* When the recording was over for debug information that was still read, and the processor time that
     * was used then; 0: it is not. */
    uint64_t over, used;
};

/* Find what is recorded and open its counters. The events are borrowed from the options, which may be
 * clamped. Where standard output gets samples, `to_stderr`, what the command prints there goes to
 * standard error. Return false, after a message, if that cannot be done. */
bool capture_prepare(struct capture *c, struct options *o, bool to_stderr, struct diag *diag);

/* Return true if the counters count since they were opened: those of single threads. */
bool capture_counts_already(const struct capture *c);

/* Set the way of all records to a sink: through what adds records of our own. With `keeps_lines` these are
 * also the lines of perf maps, which are looked up here only if `looks_up`. */
void capture_sink(struct capture *c, struct rawsink *to, bool keeps_lines, bool looks_up);

/* Pass on where the kernel's code lies. With `exact` also where it takes long to find. Its names are read
 * then, which takes a tenth of a second, and several times that on a busy machine: if there is a choice,
 * before the recording begins, whose ring buffers would overflow. */
void capture_kernel(struct capture *c, bool exact);

/* Begin to count, or start the command. Return false, after a message, if there is nothing to record. */
bool capture_begin(struct capture *c);

/* Pass on what runs already, then what is recorded until it ends, and what is known only then. */
enum sampler_end capture_run(struct capture *c);

/* Empty the ring buffers in a pause. Return true if a signal asks for the end. ctx: struct capture. */
bool capture_relieve(void *ctx);

/* Read the names of JavaScript in the samples that were fetched so far (jsnames.h), and pass them on as
 * records. Return false if they are being read just now. ctx: struct capture. */
bool capture_read_names(void *ctx);

/* Return true if records had better wait for another round: sampler_wants_names(). ctx: struct capture. */
bool capture_wants_names(void *ctx);

/* Return true while debug information may be read on, for `most` nanoseconds after the recording: files of
 * other users for half of it, and others for processor time, since the machine may be busy. */
bool capture_may_read(struct capture *c, bool trusted, uint64_t most);

/* End a command that runs on after the recording, and wait until it has ended. */
void capture_end_command(struct capture *c, enum sampler_end end);
void capture_await_command(struct capture *c, enum sampler_end end);

/* A file that cannot be written ends the program in the midst of the recording. The command goes on; so
 * that nobody takes it for ended, wait as long as it runs. ctx: struct capture. */
void capture_abandon(void *ctx);

/* Name the processes that did not let us look at their files or memory in time. */
void capture_explain_silent(struct diag *diag);

#endif
