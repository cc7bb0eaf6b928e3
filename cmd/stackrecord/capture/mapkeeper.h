/* Prevents samples from being used before the names of their code are known: a rawsink that passes
 * all records on. It shows MMAP2 and COMM records to the reader of perf maps (liveprocs.h) at once,
 * since a process may end while its records wait to be sorted. And it does not pass on the ends of
 * rounds (capture.h), so that records wait: while a map is read for the first time, for up to five
 * seconds; and if there is a jitdump, for a second.
 *
 * For a recording that is written to a file, it adds records with the lines of the perf maps
 * (ownrecord.h). From them perf-script finds the name that code had at the time of a sample, as
 * stackrecord does when it prints text. */
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
    uint64_t passed; /* when it last passed on the end of a round: ns of CLOCK_MONOTONIC */
    struct text record;
};

/* Initialize and return the sink; everything is borrowed. The caller must call liveprocs_poll(),
 * which reads the maps. */
struct rawsink *mapkeeper_init(struct mapkeeper *k, const struct eventset *events,
                               struct liveprocs *live, struct rawsink *to);

/* Add records with the lines of the perf maps. Without `looks_up`, no names can be looked up in the
 * maps. */
void mapkeeper_add_lines(struct mapkeeper *k, bool looks_up);

#endif
