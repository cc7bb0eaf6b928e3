#include "common/event/recording.h"

bool
recording_open(struct recording *g, struct lines *lines)
{
    *g = (struct recording){0};
    return perfdata_open(&g->data, lines);
}

static enum recording_item
decode(struct recording *g, struct span bytes, uint64_t offset, struct record *r)
{
    g->at = (struct perfdata_fault){record_decode(&g->data.events, bytes, r), offset};
    return g->at.what == NULL ? RECORDING_RECORD : RECORDING_SKIPPED;
}

enum recording_item
recording_next(struct recording *g, struct record *r)
{
    struct order_held held;
    struct span bytes;
    uint64_t offset;
    for (;;) {
        if (order_next(&g->order, &held))
            return decode(g, held.bytes, held.offset, r);
        if (g->ended)
            return RECORDING_END;
        if (!perfdata_next(&g->data, &bytes, &offset)) {
            g->ended = true;
            order_end(&g->order);
        } else if (load_u32(bytes.ptr) == RECORD_FINISHED_ROUND) {
            order_round(&g->order);
        } else {
            uint64_t time = record_time(&g->data.events, bytes);
            if (time == 0)
                return decode(g, bytes, offset, r);
            order_add(&g->order, time, bytes, offset);
        }
    }
}

void
recording_free(struct recording *g)
{
    order_free(&g->order);
    perfdata_free(&g->data);
    *g = (struct recording){0};
}
