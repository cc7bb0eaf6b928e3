#include "common/stack/perfheaders.h"

#include "common/base/bytes.h"
#include "common/base/hash.h"

/* Whether two texts of a length, at least sizeof (bytes), differ in digits only. */
static bool
is_like(const char *a, const char *b, size_t len)
{
    bytes bad = {0};
    for (size_t i = 0; i < len; i += sizeof bad) {
        size_t at = i + sizeof bad <= len ? i : len - sizeof bad;
        bytes x = bytes_load(a + at), y = bytes_load(b + at);
        bad |= (bytes)(x != y) & (bytes)((x - '0' > 9) | (y - '0' > 9));
    }
    return !bytes_any(bad);
}

/* Where the example for a text of 16 bytes and more is: lines of one thread begin alike. */
static size_t
place(const struct perf_headers *t, const char *text)
{
    return hash_mix(hash_load(text), hash_load(text + 8)) %
           (sizeof t->examples / sizeof *t->examples);
}

size_t
perf_headers_find(const struct perf_headers *t, struct span text, struct perf_header *h)
{
    if (text.len < sizeof(bytes))
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
    if (line.len < sizeof(bytes) || line.len > sizeof e->text)
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
