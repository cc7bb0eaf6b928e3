#include "common/event/ownrecord.h"

#include "common/base/cursor.h"
#include "common/event/append.h"

enum { BEGINS = 1, POLLS = 1, GOES_ON = 1 };

/* Append the sample_id of the first event, with the time alone. */
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

static void
append_contents(const struct ownrecord *o, struct text *to)
{
    switch (o->what) {
    case OWN_LINES:
        append_u32(to, (uint32_t)o->lines.pid);
        append_u32(to, o->lines.begins ? BEGINS : 0);
        text_add(to, o->lines.lines);
        break;
    case OWN_QUEUED:
        append_u32(to, o->pid);
        append_u32(to, o->tid);
        append_u64(to, o->queued);
        break;
    case OWN_STOPPED:
        append_u32(to, o->pid);
        append_u32(to, o->tid);
        break;
    case OWN_LOOP:
        append_u32(to, o->pid);
        append_u32(to, o->tid);
        append_u32(to, o->loop.polls ? POLLS : 0);
        append_u32(to, 0);
        append_u64(to, o->loop.turn);
        append_u64(to, o->loop.began);
        break;
    case OWN_STACK:
        append_u32(to, o->pid);
        append_u32(to, o->tid);
        append_u64(to, o->ip);
        append_u64(to, o->sp);
        append_u64(to, o->chain.count);
        TEXT_ADD(to, span_of(o->chain.ptr, o->chain.count * sizeof(uint64_t)), o->stack);
        break;
    case OWN_BEGAN:
        append_u64(to, o->began);
        append_u32(to, o->flags);
        append_u32(to, o->pid);
        break;
    case OWN_CODE:
    case OWN_INLINED:
    case OWN_SRCLINES:
        append_u32(to, o->pid);
        append_u32(to, 0);
        append_u64(to, o->code.start);
        append_u64(to, o->code.size);
        text_add(to, span_head(o->code.label, o->code.label.len < OWNCODE_LABEL ? o->code.label.len
                                                                                : OWNCODE_LABEL));
        break;
    case OWN_TRAMPOLINE:
        append_u32(to, o->pid);
        append_u32(to, 0);
        append_u64(to, o->trampoline);
        break;
    case OWN_DESCRIPTOR:
        append_u32(to, o->pid);
        append_u32(to, (uint32_t)o->descriptor);
        text_add(to, span_head(o->path, o->path.len < OWNPATH_MAX ? o->path.len : OWNPATH_MAX));
        break;
    case OWN_STRING:
        append_u32(to, o->pid);
        append_u32(to, o->tid);
        append_u64(to, o->string.addr);
        append_u32(to, o->string.goes_on ? GOES_ON : 0);
        append_u32(to, 0);
        text_add(to,
                 span_head(o->string.text, o->string.text.len < OWNSTRING_MAX ? o->string.text.len
                                                                              : OWNSTRING_MAX));
        break;
    }
}

void
ownrecord_write(const struct ownrecord *o, const struct eventset *events, uint64_t time,
                uint16_t misc, struct text *to)
{
    to->len = 0;
    append_header(to, PERF_RECORD_TEXT_POKE, PERF_RECORD_MISC_USER | misc, 0);
    append_u64(to, o->what);
    size_t lengths = to->len;
    append_u32(to, 0);
    append_contents(o, to);
    store_u16(to->ptr + lengths, (uint16_t)(to->len - lengths - sizeof(uint32_t)));
    text_add(to, span_of("\0\0\0\0\0\0\0", (8 - to->len % 8) % 8));
    append_sample_id(events, time, to);
    store_u16(to->ptr + 6, (uint16_t)to->len);
}

bool
ownrecord_read(const struct record *r, struct ownrecord *o)
{
    if (r->type != PERF_RECORD_TEXT_POKE ||
        (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER)
        return false;
    struct cursor c = cursor_of(r->poke.old);
    *o = (struct ownrecord){.what = r->poke.addr};
    switch (o->what) {
    case OWN_LINES:
        o->lines.pid = (int32_t)cursor_u32(&c);
        o->lines.begins = (cursor_u32(&c) & BEGINS) != 0;
        o->lines.lines = cursor_rest(&c);
        return !c.cut && o->lines.pid > 0;
    case OWN_QUEUED:
        o->pid = cursor_u32(&c);
        o->tid = cursor_u32(&c);
        o->queued = cursor_u64(&c);
        return !c.cut;
    case OWN_STOPPED:
        o->pid = cursor_u32(&c);
        o->tid = cursor_u32(&c);
        return !c.cut;
    case OWN_LOOP:
        o->pid = cursor_u32(&c);
        o->tid = cursor_u32(&c);
        o->loop.polls = (cursor_u32(&c) & POLLS) != 0;
        cursor_u32(&c);
        o->loop.turn = cursor_u64(&c);
        o->loop.began = cursor_u64(&c);
        return !c.cut;
    case OWN_STACK:
        o->pid = cursor_u32(&c);
        o->tid = cursor_u32(&c);
        o->ip = cursor_u64(&c);
        o->sp = cursor_u64(&c);
        o->chain = cursor_words(&c, cursor_u64(&c), 1);
        o->stack = cursor_rest(&c);
        return !c.cut;
    case OWN_BEGAN:
        o->began = cursor_u64(&c);
        o->flags = cursor_u32(&c);
        o->pid = cursor_u32(&c);
        return !c.cut;
    case OWN_ENDED:
        return true;
    case OWN_CODE:
    case OWN_INLINED:
    case OWN_SRCLINES:
        o->pid = cursor_u32(&c);
        cursor_u32(&c);
        o->code.start = cursor_u64(&c);
        o->code.size = cursor_u64(&c);
        o->code.label = cursor_rest(&c);
        return !c.cut && o->code.size <= UINT64_MAX - o->code.start;
    case OWN_TRAMPOLINE:
        o->pid = cursor_u32(&c);
        cursor_u32(&c);
        o->trampoline = cursor_u64(&c);
        return !c.cut;
    case OWN_DESCRIPTOR:
        o->pid = cursor_u32(&c);
        o->descriptor = (int32_t)cursor_u32(&c);
        o->path = cursor_rest(&c);
        return !c.cut;
    case OWN_STRING:
        o->pid = cursor_u32(&c);
        o->tid = cursor_u32(&c);
        o->string.addr = cursor_u64(&c);
        o->string.goes_on = (cursor_u32(&c) & GOES_ON) != 0;
        cursor_u32(&c);
        o->string.text = cursor_rest(&c);
        return !c.cut;
    default:
        return false;
    }
}
