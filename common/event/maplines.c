#include "common/event/maplines.h"

#include "common/base/cursor.h"
#include "common/event/append.h"

enum { BEGINS = 1 };

/* sample_id of the first event, with the time alone. */
static void
append_sample_id(const struct eventset *events, uint64_t time, struct text *to)
{
    static const uint64_t fields[] = {PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
                                      PERF_SAMPLE_ID,  PERF_SAMPLE_STREAM_ID,
                                      PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if ((events->events[0].sample_type & fields[i]) != 0)
            append_u64(to, fields[i] == PERF_SAMPLE_TIME ? time : 0);
}

void
maplines_write(const struct maplines *m, const struct eventset *events, uint64_t time,
               struct text *to)
{
    enum { IDS = 8 };
    char lengths[4];
    size_t padding = 8 - (sizeof lengths + IDS + m->lines.len) % 8;
    store_u16(lengths, (uint16_t)(IDS + m->lines.len));
    store_u16(lengths + 2, 0);
    to->len = 0;
    append_header(to, PERF_RECORD_TEXT_POKE, PERF_RECORD_MISC_USER, 0);
    append_u64(to, MAPLINES_MAGIC);
    text_add(to, span_of(lengths, sizeof lengths));
    append_u32(to, (uint32_t)m->pid);
    append_u32(to, m->begins ? BEGINS : 0);
    text_add(to, m->lines);
    text_add(to, span_of("\0\0\0\0\0\0\0", padding % 8));
    append_sample_id(events, time, to);
    store_u16(to->ptr + 6, (uint16_t)to->len);
}

bool
maplines_read(const struct record *r, struct maplines *m)
{
    struct cursor c = {.rest = r->poke.old};
    if (r->type != PERF_RECORD_TEXT_POKE || r->poke.addr != MAPLINES_MAGIC ||
        (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER)
        return false;
    m->pid = (int32_t)cursor_u32(&c);
    m->begins = (cursor_u32(&c) & BEGINS) != 0;
    m->lines = c.rest;
    return !c.cut && m->pid > 0;
}
