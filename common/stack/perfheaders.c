#include "common/stack/perfheaders.h"

#include <stdlib.h>

#include "common/base/hash.h"
#include "common/base/mem.h"

#define EACH(byte) (0x0101010101010101u * (byte))

/* The highest bit of each byte that is not 0; the others are 0. */
static uint64_t
not_zero(uint64_t v)
{
    return (((v & EACH(0x7f)) + EACH(0x7f)) | v) & EACH(0x80);
}

/* The highest bit of each byte that is no digit: less '0', which needs no borrow, it is above 9. */
static uint64_t
not_digit(uint64_t v)
{
    v ^= EACH('0');
    return (((v & EACH(0x7f)) + EACH(0x7f - 9)) | v) & EACH(0x80);
}

/* Whether two texts of a length, at least 8, differ in digits only. */
static bool
is_like(const char *a, const char *b, size_t len)
{
    uint64_t bad = 0;
    for (size_t i = 0; i < len; i += 8) {
        size_t at = i + 8 <= len ? i : len - 8;
        uint64_t x = hash_load(a + at), y = hash_load(b + at);
        bad |= not_zero(x ^ y) & (not_digit(x) | not_digit(y));
    }
    return bad == 0;
}

static void
move(struct span *field, const char *from, const char *to)
{
    if (field->len > 0)
        field->ptr = to + (field->ptr - from);
}

/* Makes the fields, which borrow from one text, borrow from another. */
static void
move_fields(struct perf_header *h, const char *from, const char *to)
{
    move(&h->comm, from, to);
    move(&h->pid, from, to);
    move(&h->tid, from, to);
    move(&h->cpu, from, to);
    move(&h->time, from, to);
    move(&h->period, from, to);
    move(&h->event, from, to);
    move(&h->rest, from, to);
}

/* Where a header like the line is kept. */
static struct perf_known *
place(struct perf_headers *t, struct span line)
{
    if (line.len < sizeof(uint64_t) || line.len > PERF_HEADER_LONGEST)
        return &t->longer;
    return &t->known[hash_mix(line.len, hash_load(line.ptr)) % PERF_HEADERS];
}

struct perf_known *
perf_headers_find(struct perf_headers *t, struct span line, struct perf_header *h)
{
    struct perf_known *k = place(t, line);
    if (k == &t->longer || k->line.len != line.len || !is_like(k->line.ptr, line.ptr, line.len))
        return NULL;
    *h = k->header;
    move_fields(h, k->line.ptr, line.ptr);
    return k;
}

struct span
perf_headers_keep(struct perf_headers *t, struct perf_known *known, struct span line,
                  struct perf_header *h)
{
    struct perf_known *k = known != NULL ? known : place(t, line);
    k->text = mem_grow(k->text, &k->cap, line.len + 1, 1);
    memcpy(k->text, line.ptr, line.len + 1);
    if (known == NULL) {
        k->line = span_of(k->text, line.len);
        k->header = *h;
        move_fields(&k->header, line.ptr, k->text);
    }
    *h = k->header;
    return k->line;
}

void
perf_headers_free(struct perf_headers *t)
{
    for (size_t i = 0; i < PERF_HEADERS; i++)
        free(t->known[i].text);
    free(t->longer.text);
}
