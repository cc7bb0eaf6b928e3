#include "common/stack/perfheaders.h"

#include "common/base/hash.h"

/* Which bytes are no digits: '0' to '9' become 0 to 9, and nothing else does. */
static uint64_t
not_digit(uint64_t v)
{
    return bytes_above(v ^ BYTES_ALL('0'), 9);
}

/* Whether two texts of a length, at least 8, differ in digits only. */
static bool
is_like(const char *a, const char *b, size_t len)
{
    uint64_t bad = 0;
    for (size_t i = 0; i < len; i += 8) {
        size_t at = i + 8 <= len ? i : len - 8;
        uint64_t x = bytes_load(a + at), y = bytes_load(b + at);
        bad |= bytes_above(x ^ y, 0) & (not_digit(x) | not_digit(y));
    }
    return bad == 0;
}

/* Where the example for a text of 8 bytes and more is: lines of one thread begin alike. */
static size_t
place(const struct perf_headers *t, const char *text)
{
    return hash_mix(hash_mix(0, bytes_load(text)), bytes_load(text + 8)) %
           (sizeof t->examples / sizeof *t->examples);
}

size_t
perf_headers_find(const struct perf_headers *t, struct span text, struct perf_header *h)
{
    if (text.len < 16)
        return 0;
    const char *p = text.ptr;
    const struct perf_example *e = &t->examples[place(t, p)];
    if (e->len == 0 || e->len >= text.len || p[e->len] != '\n' || !is_like(e->text, p, e->len))
        return 0;
    h->comm = span_of(p + e->comm.at, e->comm.len);
    h->pid = span_of(p + e->pid.at, e->pid.len);
    h->tid = span_of(p + e->tid.at, e->tid.len);
    h->cpu = span_of(p + e->cpu.at, e->cpu.len);
    h->time = span_of(p + e->time.at, e->time.len);
    h->period = span_of(p + e->period.at, e->period.len);
    h->event = span_of(p + e->event.at, e->event.len);
    h->rest = span_of(p + e->rest.at, e->rest.len);
    return e->len;
}

static struct perf_place
place_of(struct span field, struct span line)
{
    struct perf_place p = {0, (uint8_t)field.len};
    if (field.len > 0)
        p.at = (uint8_t)(field.ptr - line.ptr);
    return p;
}

void
perf_headers_add(struct perf_headers *t, struct span line, const struct perf_header *h)
{
    struct perf_example *e;
    if (line.len < 16 || line.len > sizeof e->text)
        return;
    e = &t->examples[place(t, line.ptr)];
    e->comm = place_of(h->comm, line);
    e->pid = place_of(h->pid, line);
    e->tid = place_of(h->tid, line);
    e->cpu = place_of(h->cpu, line);
    e->time = place_of(h->time, line);
    e->period = place_of(h->period, line);
    e->event = place_of(h->event, line);
    e->rest = place_of(h->rest, line);
    e->len = (uint8_t)line.len;
    memcpy(e->text, line.ptr, line.len);
}
