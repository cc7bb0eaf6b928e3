/* Keeps samples from being used before their names are known: a rawsink that passes all records on,
 * and shows those of processes at once to what reads their perf maps, since a process may end while
 * its records wait. While a map is read for the first time, rounds do not end, for five seconds at
 * most, and where there is a jitdump for one.
 *
 * Where a recording is written to a file, records with the lines of the maps are added to it
 * (ownrecord.h), so that perf-script finds the name that code had at the time of a sample, as it is in
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
    uint64_t passed; /* when a round was passed on last: nanoseconds of CLOCK_MONOTONIC */
    struct text record;
};

/* Borrow all, and return the sink. The maps are read when liveprocs_poll is called. */
struct rawsink *mapkeeper_init(struct mapkeeper *k, const struct eventset *events,
                               struct liveprocs *live, struct rawsink *to);

/* Add the lines of the maps. With `looks_up` names are looked up in them too. */
void mapkeeper_add_lines(struct mapkeeper *k, bool looks_up);

#endif
