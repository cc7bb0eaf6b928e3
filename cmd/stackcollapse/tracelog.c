/* An event is two bytes, name * 4 + kind; then, in four bytes, how many nanoseconds it starts after
 * the one before; then, if it is whole, its duration, in the same way. Where that is not exact, the
 * event follows the two bytes as it is in memory. */
#include "cmd/stackcollapse/tracelog.h"

#include <stdlib.h>

enum kind { WHOLE, BEGIN, END, AS_IT_IS };

enum { NS = 1000, LONGEST = sizeof(uint16_t) + sizeof(struct trace_event) };

/* The time in nanoseconds, 0 if it is out of range. */
static int64_t
nanoseconds(double us)
{
    static const double most = 4e15;
    return us >= 0 && us < most ? (int64_t)(us * NS + 0.5) : 0;
}

/* True if the time is that many nanoseconds, exactly. */
static bool
is_exact(double us, int64_t ns)
{
    double back = (double)ns / NS;
    return memcmp(&back, &us, sizeof us) == 0; /* -0 is another number than 0 */
}

static char *
put(char *p, const void *value, size_t size)
{
    memcpy(p, value, size);
    return p + size;
}

/* Writes the event in the short form. NULL if that is not exact. */
static char *
write_short(struct tracelog *log, const struct trace_event *e, char *p)
{
    bool begin = e->duration == TRACE_BEGIN, end = e->duration == TRACE_END;
    int64_t start = nanoseconds(e->start), duration = nanoseconds(e->duration);
    uint32_t times[] = {(uint32_t)(start - log->time), (uint32_t)duration};
    uint16_t head = (uint16_t)(e->name << 2 | (begin ? BEGIN : end ? END : WHOLE));
    if (e->name > UINT16_MAX >> 2 || start - log->time != times[0] || !is_exact(e->start, start))
        return NULL;
    if (!begin && !end && (duration != times[1] || !is_exact(e->duration, duration)))
        return NULL;
    log->time = start;
    return put(put(p, &head, sizeof head), times, begin || end ? sizeof *times : sizeof times);
}

void
tracelog_add(struct tracelog *log, const struct trace_event *e)
{
    static const uint16_t as_it_is = AS_IT_IS;
    log->unsorted |= log->n > 0 && e->start < log->last;
    log->last = e->start;
    log->n++;
    log->bytes.ptr = mem_grow(log->bytes.ptr, &log->bytes.cap, log->bytes.len + LONGEST, 1);
    char *start = log->bytes.ptr + log->bytes.len, *p = write_short(log, e, start);
    if (p == NULL) {
        p = put(put(start, &as_it_is, sizeof as_it_is), e, sizeof *e);
        log->time = nanoseconds(e->start);
    }
    log->bytes.len += (size_t)(p - start);
}

void
tracelog_start(struct tracelog *log)
{
    log->time = 0;
}

void
tracelog_next(struct tracelog *log, struct trace_event *e)
{
    uint16_t head;
    uint32_t times[2] = {0, 0};
    const char *p = log->bytes.ptr + log->at;
    memcpy(&head, p, sizeof head);
    p += sizeof head;
    enum kind kind = head & 3;
    if (kind == AS_IT_IS) {
        memcpy(e, p, sizeof *e);
        p += sizeof *e;
        log->time = nanoseconds(e->start);
    } else {
        size_t size = kind == WHOLE ? sizeof times : sizeof *times;
        memcpy(times, p, size);
        p += size;
        log->time += times[0];
        e->name = head >> 2;
        e->start = (double)log->time / NS;
        e->duration = kind == BEGIN ? TRACE_BEGIN : kind == END ? TRACE_END : (double)times[1] / NS;
    }
    log->at = (size_t)(p - log->bytes.ptr);
    log->n--;
}

void
tracelog_free(struct tracelog *log)
{
    free(log->bytes.ptr);
    *log = (struct tracelog){0};
}
