/* A recording, from the options to records: attaches counters to what is recorded, describes what
 * runs already, and passes on what the kernel writes until the recording ends.
 *
 *     capture_prepare(&c, &options, to_stderr, &diag)
 *     capture_sink(&c, sink, keeps_lines, looks_up)
 *     capture_kernel(&c, exact)          pass on where the kernel's code lies: now, or below
 *     capture_begin(&c)                  begin to count
 *     capture_kernel(&c, exact)          here if the counters count already or records are written
 *     capture_run(&c)                    pass on all other records, until the recording ends
 *     sampler_finish(&c.sampler)         end the sink's input
 *
 * The recording proceeds in rounds. A round empties each ring buffer and passes its records on, and
 * then calls the `round` of the sink (sink.h), by which the sorter passes on the records whose
 * place in the order of time is known. There are some four to a hundred rounds a second. Between
 * rounds, the ring buffers may be emptied, too, to prevent that they overflow. */
#ifndef STACKRECORD_CAPTURE_H
#define STACKRECORD_CAPTURE_H

#include "cmd/stackrecord/capture/calldetails.h"
#include "cmd/stackrecord/capture/callstrings.h"
#include "cmd/stackrecord/capture/mapkeeper.h"
#include "cmd/stackrecord/capture/sampler.h"
#include "cmd/stackrecord/capture/threads.h"
#include "cmd/stackrecord/options.h"

struct capture {
    const struct options *options;
    struct diag *diag;
    struct session session;
    struct command command;
    struct liveprocs *live;
    bool filtered; /* other tasks are recorded too; their samples must be dropped */
    struct running running;
    struct counters counters;
    struct sampler sampler;

    /* private from here */
    struct text call_filter; /* the kernel's filter for --syscalls */
    struct syscallkinds calls;
    struct calldetails details;
    struct callstrings strings;
    struct mapkeeper keeper;
    struct jsnames names;
    struct threads threads;
    bool loops; /* event loops are observed, since there are no tracepoints for their turns */
    struct rawsink *sink;
    uint64_t began; /* when the counters were opened: nanoseconds of CLOCK_MONOTONIC */
    /* Set by capture_may_read() when it first finds the recording over: the time, and the processor
     * time that this program had used by then. 0: not set. */
    uint64_t over, used;
};

/* Find what is recorded and open its counters. Borrow the options, and reduce those that exceed the
 * kernel's limits. `to_stderr`: standard output gets the samples, so redirect that of the command
 * to standard error. Return false, after a message, if the recording cannot be prepared. */
bool capture_prepare(struct capture *c, struct options *o, bool to_stderr, struct diag *diag);

/* Return true if the counters have counted since they were opened, as those of processes and
 * threads that run already do. */
bool capture_counts_already(const struct capture *c);

/* Send all records to a sink, through stages that add records of our own (ownrecord.h). With
 * `keeps_lines` the added records include the lines of perf maps; names are then looked up in the
 * maps only if `looks_up`. The sink is borrowed. */
void capture_sink(struct capture *c, struct rawsink *to, bool keeps_lines, bool looks_up);

/* Pass on records of the addresses of the kernel's code. Without `exact`, its end may be a guess
 * (tasks_kernel()). The sink may read the kernel's symbols when it gets these records, which takes
 * a tenth of a second, and several times that on a busy machine, while ring buffers may overflow:
 * so call this before the recording begins, if possible. */
void capture_kernel(struct capture *c, bool exact);

/* Begin to count, or start the command. Return false, after a message, if that fails. */
bool capture_begin(struct capture *c);

/* Pass on records that describe what runs already, then the recorded ones until the recording ends,
 * and last those of what is known only at the end. Return why it ended. */
enum sampler_end capture_run(struct capture *c);

/* Empty the ring buffers in a pause of other work. Return true if a signal asks for the end. ctx:
 * struct capture. */
bool capture_relieve(void *ctx);

/* Read the names of JavaScript functions for the samples that have left the ring buffers
 * (jsnames.h), and pass the names on as records. Return false if this is called while they are
 * being read. ctx: struct capture. */
bool capture_read_names(void *ctx);

/* Return true if records should be kept for another round: see sampler_wants_names(). ctx: struct
 * capture. */
bool capture_wants_names(void *ctx);

/* Return true while the program may go on reading debug information: during the recording, and for
 * a limited time after it. `trusted` files, of root or of this user, may be read until this program
 * has used `most` nanoseconds of processor time after the recording, since other programs may keep
 * the machine busy. Files of other users may be read until half of `most` has passed by the
 * clock. */
bool capture_may_read(struct capture *c, bool trusted, uint64_t most);

/* If the command runs on after the recording, send it a signal: SIGTERM at the end of the duration,
 * or the signal with which another process ended the recording. (A signal from the terminal also
 * reaches the command itself.) */
void capture_end_command(struct capture *c, enum sampler_end end);

/* Wait until the command has ended. */
void capture_await_command(struct capture *c, enum sampler_end end);

/* Call this before the program exits in the middle of a recording, because a file cannot be
 * written. The command runs on, unrecorded. So that nobody believes that the command has ended,
 * too, print a message and wait until it ends; a signal ends it. ctx: struct capture. */
void capture_abandon(void *ctx);

/* Warn about each process whose files or memory could not be read in time. */
void capture_explain_silent(struct diag *diag);

#endif
