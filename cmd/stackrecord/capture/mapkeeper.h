/* Adds what perf maps have to a recording that is written to a file: a rawsink that passes all
 * records on, and records with the lines of the maps among them (ownrecord.h), so that perf-script
 * finds the name that code had at the time of a sample, as it is in text.
 *
 * While a map is read for the first time, rounds do not end, for five seconds at most: a reader has
 * the names before it needs them. */
#ifndef STACKRECORD_MAPKEEPER_H
#define STACKRECORD_MAPKEEPER_H

#include "cmd/stackrecord/output/sink.h"
#include "common/base/text.h"
#include "common/symbolize/liveprocs.h"

struct mapkeeper {
    struct rawsink sink;

    /* private from here */
    const struct eventset *events;
    struct liveprocs *live;
    struct rawsink *to;
    uint64_t passed; /* when a round was passed on last: nanoseconds of CLOCK_MONOTONIC */
    struct text record;
};

/* Borrow all, and return the sink. The maps are read when liveprocs_poll is called. */
struct rawsink *mapkeeper_init(struct mapkeeper *k, const struct eventset *events,
                               struct liveprocs *live, struct rawsink *to);

#endif
