/* Prevents samples from being used before their names are known: a rawsink that passes all records
 * on, and shows those of processes at once to the reader of their perf maps, since a process may
 * end while its records wait. While a map is read for the first time, rounds do not end, for at
 * most five seconds; if there is a jitdump, for one.
 *
 * If a recording is written to a file, records with the lines of the maps are added to it
 * (ownrecord.h), so that perf-script finds the name that code had at the time of a sample, as in
 * text. */
#ifndef STACKRECORD_MAPKEEPER_H
#define STACKRECORD_MAPKEEPER_H

#include "cmd/stackrecord/capture/liveprocs.h"
#include "common/base/text.h"
#include "common/stage/sink.h"

struct mapkeeper {
    struct rawsink sink;

    /* private from here */
    const struct eventset *events;
    struct liveprocs *live;
    struct rawsink *to;
    uint64_t passed; /* time when a round was last passed on: nanoseconds of CLOCK_MONOTONIC */
    struct text record;
};

/* Initialize and return the sink; everything is borrowed. The maps are read when liveprocs_poll is
 * called. */
struct rawsink *mapkeeper_init(struct mapkeeper *k, const struct eventset *events,
                               struct liveprocs *live, struct rawsink *to);

/* Add the lines of the maps. With `looks_up`, names are also looked up in them. */
void mapkeeper_add_lines(struct mapkeeper *k, bool looks_up);

#endif
