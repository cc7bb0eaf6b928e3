#include "cmd/stackrecord/capture/laststack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/stackrecord/capture/attach.h"
#include "cmd/stackrecord/capture/procfs.h"
#include "common/base/clock.h"
#include "common/base/helper.h"
#include "common/base/num.h"
#include "common/event/append.h"
#include "common/unwind/arch.h"

enum { ABI_64 = 2 };

/* Where the thread is in user mode. */
struct position {
    uint64_t ip, sp;
};

/* Read the last two numbers of the line, which has more before them where the thread is in a system
 * call, or the word "running":
 *
 *     202 0x7f1f2c000b90 0x89 0x0 0x0 0x0 0xffffffff 0x7f1f31f2ec90 0x7f1f326a8117
 */
static bool
read_position(const struct laststack *t, struct text *buffer, struct position *p)
{
    char file[64];
    snprintf(file, sizeof file, "task/%u/syscall", t->tid);
    if (!procfs_ask(buffer, (int32_t)t->pid, file))
        return false;
    struct span line = text_span(buffer), ip = SPAN(""), sp;
    do {
        sp = ip;
        ip = span_take_word(&line);
    } while (span_trim(line).len > 0);
    return num_hex(sp, &p->sp) && num_hex(ip, &p->ip) && p->sp != 0;
}

/* Append what can be copied of the stack, from the stack pointer on. */
static size_t
append_stack(const struct laststack *t, uint64_t sp, struct text *record)
{
    record->ptr = mem_grow(record->ptr, &record->cap, record->len + ATTACH_STACK, 1);
    ssize_t n = helper_copy((int32_t)t->pid, sp, record->ptr + record->len, ATTACH_STACK);
    n = n > 0 ? n & ~(ssize_t)7 : 0;
    record->len += (size_t)n;
    return (size_t)n;
}

/* Append the registers in the order of the event's mask; none of a 32-bit program, whose stack is
 * below 4 GB. */
static void
append_registers(const struct event *e, const struct position *p, struct text *record)
{
    const struct arch *arch = arch_of_host();
    bool is_known = arch != NULL && p->sp > UINT32_MAX;
    append_u64(record, is_known ? ABI_64 : 0);
    for (unsigned i = 0; is_known && i < 64; i++)
        if ((e->regs_user >> i & 1) != 0)
            append_u64(record, i == arch->perf[arch->ip]   ? p->ip
                               : i == arch->perf[arch->sp] ? p->sp
                                                           : 0);
}

/* Append the fields that stackrecord's events have, in their order (perf_event_open(2)). Return false if
 * the stack cannot be copied. */
static bool
append_fields(const struct laststacks *l, const struct laststack *t, const struct position *p,
              struct text *record)
{
    const uint64_t type = l->event->sample_type;
    size_t n;
    uint64_t *ids = eventset_ids(l->events, l->event, &n);
    append_u64(record, n > 0 ? ids[0] : 0);
    free(ids);
    append_u64(record, p->ip);
    append_u32(record, t->pid);
    append_u32(record, t->tid);
    append_u64(record, l->time);
    append_u64(record, 0); /* the CPU */
    append_u64(record, 1); /* the period */
    if ((type & PERF_SAMPLE_CALLCHAIN) != 0) {
        append_u64(record, 2);
        append_u64(record, PERF_CONTEXT_USER);
        append_u64(record, p->ip);
    }
    if ((type & PERF_SAMPLE_REGS_USER) != 0)
        append_registers(l->event, p, record);
    if ((type & PERF_SAMPLE_STACK_USER) != 0) {
        size_t at = record->len;
        append_u64(record, 0);
        size_t copied = append_stack(t, p->sp, record);
        store_u64(record->ptr + at, copied);
        append_u64(record, copied);
        return copied > 0;
    }
    return true;
}

/* Set *record to a sample of the thread. Return false if it has none. */
static bool
make_record(const struct laststacks *l, const struct laststack *t, struct text *buffer,
            struct text *record)
{
    struct position before, after;
    record->len = 0;
    append_header(record, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER | RECORD_MISC_FROM_PROC, 0);
    /* It must not have run while the stack was copied. */
    bool found = read_position(t, buffer, &before) && append_fields(l, t, &before, record) &&
                 read_position(t, buffer, &after) && after.ip == before.ip && after.sp == before.sp;
    if (found)
        store_u16(record->ptr + 6, (uint16_t)record->len);
    return found;
}

void
laststacks_add(void *ctx, uint32_t pid, uint32_t tid)
{
    struct laststacks *l = ctx;
    l->threads = mem_grow(l->threads, &l->cap, l->count + 1, sizeof *l->threads);
    l->threads[l->count++] = (struct laststack){pid, tid};
}

size_t
laststacks_read(struct laststacks *l, struct rawsink *sink)
{
    enum { HALF_SECOND = 500000000 };
    const uint64_t deadline = clock_now() + HALF_SECOND;
    struct text buffer = {0}, record = {0};
    size_t missing = 0;
    for (size_t i = 0; i < l->count; i++) {
        errno = 0;
        if (clock_now() >= deadline)
            missing++;
        else if (make_record(l, &l->threads[i], &buffer, &record))
            sink->record(sink, text_span(&record));
        else
            missing += errno == ETIMEDOUT;
    }
    free(buffer.ptr);
    free(record.ptr);
    free(l->threads);
    return missing;
}
