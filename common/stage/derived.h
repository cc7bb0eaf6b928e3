/* Makes samples from records of context switches, for --wall or --off-cpu, or from records of
 * system calls, for --syscalls. In both stackrecord and perf-script this stage comes after
 * unwinding. If none of these options is given, it does nothing. */
#ifndef STAGE_DERIVED_H
#define STAGE_DERIVED_H

#include "common/base/diag.h"
#include "common/stage/offcpu.h"
#include "common/stage/syscalls.h"
#include "common/stage/wall.h"

/* Default and maximum of --turns, in milliseconds. */
enum { DERIVE_TURNS = 50, DERIVE_TURNS_MAX = 1000000000 };

struct derive_options {
    bool off_cpu, wall, syscalls; /* at most one of them */
    struct span calls; /* names of the wanted system calls, with commas between; empty: all */
    size_t min_block;  /* shortest wait that is counted, in microseconds */
    size_t turns; /* with wall: shortest turn of an event loop shown on its own, in ms; 0: none */
};

struct derived {
    struct derive_options options; /* private, as all members; {0}: no samples are made */
    struct offcpu offcpu;
    struct wall wall;
    struct syscalls syscalls;
};

/* Return the sink for the records of `session`. It passes the samples that it makes on to `next`.
 * If the options request no such samples, return `next` itself. Set *problem to what is wrong with
 * the formats of tracepoints, or NULL. Borrow the session and `next`. */
struct recordsink *derived_init(struct derived *d, const struct derive_options *o,
                                const struct session *session, struct recordsink *next,
                                const char **problem);

/* Return the session with the events of the samples that are passed on: `session` itself if the
 * options request no samples to be made. */
const struct session *derived_session(const struct derived *d, const struct session *session);

/* Return false if the record is a sample that this stage does not use. Return true for all other
 * records, of any type. */
bool derived_takes(const struct derived *d, const struct record *r);

/* Return true if no samples can be made: the records do not say when threads run, or what they
 * call. */
bool derived_is_refused(const struct derived *d);

/* Return the number of waits left out because they were too short, or had no recorded end. */
uint64_t derived_too_short(const struct derived *d);
uint64_t derived_endless(const struct derived *d);

/* Return the number of turns left out because records were lost in them. */
uint64_t derived_cut_turns(const struct derived *d);

/* Return the number of system calls left out because their beginning is not known, or because the
 * recording or their thread ended in them. */
uint64_t derived_unknown_calls(const struct derived *d);
uint64_t derived_unended_calls(const struct derived *d);

/* Print notes on these two numbers, if they are not 0. */
void derived_explain_calls(uint64_t unknown, uint64_t unended, struct diag *diag);

/* Return true if turns were requested, but the records do not say when they begin and end. */
bool derived_lacks_turns(const struct derived *d);

void derived_free(struct derived *d);

#endif
