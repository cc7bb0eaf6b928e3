/* Samples that are made of the records of switches: --wall or --off-cpu, or neither. Both the recorder
 * and perf-script let records go through this, after stacks were unwound. */
#ifndef STAGE_DERIVED_H
#define STAGE_DERIVED_H

#include "common/stage/offcpu.h"
#include "common/stage/wall.h"

enum { DERIVE_TURNS = 50, DERIVE_TURNS_MOST = 1000000000 }; /* milliseconds */

struct derive_options {
    bool off_cpu, wall; /* at most one of them */
    size_t min_block;   /* leave out shorter waits: microseconds */
    size_t turns; /* with wall: keep turns of event loops apart that took so many ms; 0: none */
};

struct derived {
    struct derive_options options; /* private, as all; {0}: it makes no samples */
    struct offcpu offcpu;
    struct wall wall;
};

/* Return the sink that takes the records of `session` and passes samples on to `next`: that itself, if
 * neither is asked for. Set *problem to what is wrong with the formats of tracepoints, or NULL. Borrow
 * the session and the sink. */
struct recordsink *derived_init(struct derived *d, const struct derive_options *o,
                                const struct session *session, struct recordsink *next,
                                const char **problem);

/* Return the events of the samples that are passed on: those of `session` if they are its own. */
const struct session *derived_session(const struct derived *d, const struct session *session);

/* Return false for a sample that is not used. */
bool derived_takes(const struct derived *d, const struct record *r);

/* Return true if the records do not say when threads run. */
bool derived_is_refused(const struct derived *d);

/* Return how many waits were left out, since they were too short, or their ends are not known. */
uint64_t derived_too_short(const struct derived *d);
uint64_t derived_endless(const struct derived *d);

/* Return how many turns are not known, since records were lost in them. */
uint64_t derived_cut_turns(const struct derived *d);

/* Return true if turns were asked for, and the records do not say when they begin and end. */
bool derived_lacks_turns(const struct derived *d);

void derived_free(struct derived *d);

#endif
