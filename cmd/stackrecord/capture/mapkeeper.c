#include "cmd/stackrecord/capture/mapkeeper.h"

#include <stdlib.h>

#include "common/base/clock.h"
#include "common/base/load.h"

/* JavaScriptCore writes a jitdump's records from a thread that may wait for a CPU. (Measured:
 * records came up to 0.65 s late on a machine with four runnable threads for each CPU. Without this
 * wait, half of the frames of Bun's first tenth of a second had no name.) */
static const uint64_t LONGEST = (uint64_t)5 * CLOCK_SECOND, DUMP = CLOCK_SECOND;

static void
take(struct rawsink *sink, struct span bytes)
{
    struct mapkeeper *k = (struct mapkeeper *)sink; /* its first member */
    struct record r;
    uint32_t type = load_u32(bytes.ptr);
    if ((type == PERF_RECORD_MMAP2 || type == PERF_RECORD_COMM) &&
        record_decode(k->events, bytes, &r) == NULL)
        liveprocs_see(k->live, &r);
    k->to->record(k->to, bytes);
}

static void
end_round(struct rawsink *sink)
{
    struct mapkeeper *k = (struct mapkeeper *)sink;
    uint64_t now = clock_now();
    uint64_t least = liveprocs_has_new_map(k->live) ? LONGEST
                     : liveprocs_has_dump(k->live)  ? DUMP
                                                    : 0;
    if (now - k->passed < least)
        return;
    k->passed = now;
    k->to->round(k->to);
}

static void
finish(struct rawsink *sink)
{
    struct mapkeeper *k = (struct mapkeeper *)sink;
    k->to->finish(k->to);
    free(k->record.ptr);
}

static void
add_lines(void *keeper, const struct maplines *lines, uint64_t time)
{
    struct mapkeeper *k = keeper;
    struct ownrecord own = {.what = OWN_LINES, .lines = *lines};
    ownrecord_write(&own, k->events, time, 0, &k->record);
    k->to->record(k->to, text_span(&k->record));
}

struct rawsink *
mapkeeper_init(struct mapkeeper *k, const struct eventset *events, struct liveprocs *live,
               struct rawsink *to)
{
    *k = (struct mapkeeper){.sink = {take, end_round, finish},
                            .events = events,
                            .live = live,
                            .to = to,
                            .passed = clock_now()};
    return &k->sink;
}

void
mapkeeper_add_lines(struct mapkeeper *k, bool looks_up)
{
    liveprocs_keep(k->live, add_lines, k, looks_up);
}
