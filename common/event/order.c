#include "common/event/order.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>

#include "common/base/mem.h"

/* The alignment of copies. If they are not aligned, some processors (AMD's Zen 3 and 4) take three
 * times as long for the 8 KB of a stack. */
enum { ALIGNED = alignof(max_align_t) };

/* A chunk of memory for the bytes of held records. Records leave in about the order in which they
 * came, so a chunk is soon empty and can be reused. */
struct order_chunk {
    struct order_chunk *next; /* next spare chunk */
    size_t records;           /* number of records in it; one more while it is being filled */
    size_t used;              /* a multiple of ALIGNED */
    alignas(max_align_t) char data[256 * 1024];
};

static void
chunk_leave(struct order *o, struct order_chunk *c)
{
    if (c == NULL || --c->records > 0)
        return;
    c->next = o->spare;
    o->spare = c;
    o->chunks--;
}

/* Start to fill an empty chunk. */
static void
chunk_begin(struct order *o)
{
    chunk_leave(o, o->filling);
    struct order_chunk *c = o->spare;
    if (c != NULL)
        o->spare = c->next;
    else
        c = mem_alloc(sizeof *c);
    c->records = 1;
    c->used = 0;
    o->filling = c;
    o->chunks++;
}

/* Copy the bytes to the chunk that is being filled. */
static struct span
keep(struct order *o, struct span bytes)
{
    if (o->filling == NULL || sizeof o->filling->data - o->filling->used < bytes.len)
        chunk_begin(o);
    char *copy = o->filling->data + o->filling->used;
    if (bytes.len > 0)
        memcpy(copy, bytes.ptr, bytes.len);
    o->filling->used += (bytes.len + ALIGNED - 1) / ALIGNED * ALIGNED;
    o->filling->records++;
    return span_of(copy, bytes.len);
}

/* Return the end of the ascending run that begins at `from`. */
static size_t
run_end(const struct order_entry *h, size_t from, size_t end)
{
    if (from < end)
        from++;
    while (from < end && h[from - 1].time <= h[from].time)
        from++;
    return from;
}

/* Merge h[from .. middle - 1] and h[middle .. end - 1] into out. */
static void
merge(const struct order_entry *h, size_t from, size_t middle, size_t end, struct order_entry *out)
{
    size_t a = from, b = middle;
    while (a < middle && b < end)
        *out++ = h[b].time < h[a].time ? h[b++] : h[a++];
    memcpy(out, h + a, (middle - a) * sizeof *h);
    memcpy(out + (middle - a), h + b, (end - b) * sizeof *h);
}

/* Sort the held records, stably, by merging runs in pairs until one is left. There are few runs:
 * the records of each ring buffer are in order, and so are those left from the previous round. */
static void
sort(struct order *o)
{
    while (run_end(o->held, o->at, o->count) < o->count) {
        struct order_entry *h = o->held + o->at;
        size_t n = o->count - o->at;
        o->merged = mem_grow(o->merged, &o->merged_cap, n, sizeof *o->merged);
        for (size_t from = 0, end; from < n; from = end) {
            size_t middle = run_end(h, from, n);
            end = run_end(h, middle, n);
            merge(h, from, middle, end, o->merged + from);
        }
        struct order_entry *sorted = o->merged;
        size_t cap = o->merged_cap;
        o->merged = o->held;
        o->merged_cap = o->cap;
        o->held = sorted;
        o->cap = cap;
        o->at = 0;
        o->count = n;
    }
}

/* Release records up to this time. */
static void
release(struct order *o, uint64_t time)
{
    sort(o);
    o->ready = o->at;
    while (o->ready < o->count && o->held[o->ready].time <= time)
        o->ready++;
}

/* Return a new entry of the array. If the array is full, but less than half of it is held, move
 * that to the start. */
static struct order_entry *
append(struct order *o)
{
    size_t n = o->count - o->at;
    if (o->count == o->cap && n < o->cap / 2) {
        memmove(o->held, o->held + o->at, n * sizeof *o->held);
        o->ready -= o->at;
        o->at = 0;
        o->count = n;
    }
    o->held = mem_grow(o->held, &o->cap, o->count + 1, sizeof *o->held);
    return &o->held[o->count++];
}

/* Return the memory that a record takes: its bytes, and entries in two arrays. */
static size_t
weight(const struct order_entry *h)
{
    return h->bytes.len + 2 * sizeof *h;
}

/* Limit the chunks, too: a record that waits long keeps its whole chunk, so a few records in each
 * could fill the memory. */
bool
order_is_full(const struct order *o)
{
    enum { FEW = 2 };
    size_t limit = o->limit > 0 ? o->limit : ORDER_LIMIT;
    return o->bytes > limit || o->chunks > FEW + limit / sizeof(struct order_chunk) * 2;
}

bool
order_has_room(const struct order *o)
{
    size_t limit = o->limit > 0 ? o->limit : ORDER_LIMIT;
    return o->bytes <= limit / 4 && o->chunks <= limit / sizeof(struct order_chunk) / 2;
}

void
order_add(struct order *o, uint64_t time, struct span bytes, uint64_t offset)
{
    struct span copy = keep(o, bytes);
    struct order_entry *h = append(o);
    *h = (struct order_entry){time, offset, copy, o->filling};
    o->bytes += weight(h);
    if (o->latest < time)
        o->latest = time;
}

/* If memory is short, release the earlier half of the records. */
static void
release_early(struct order *o)
{
    if (!order_is_full(o))
        return;
    sort(o);
    o->ready = o->at + (o->count - o->at + 1) / 2;
}

void
order_round(struct order *o)
{
    release(o, o->round);
    o->round = o->latest;
}

void
order_end(struct order *o)
{
    release(o, UINT64_MAX);
}

bool
order_next(struct order *o, struct order_entry *next)
{
    chunk_leave(o, o->given);
    o->given = NULL;
    if (o->at >= o->ready)
        release_early(o);
    if (o->at >= o->ready)
        return false;
    *next = o->held[o->at++];
    o->bytes -= weight(next);
    o->given = next->chunk;
    return true;
}

void
order_free(struct order *o)
{
    order_end(o);
    for (struct order_entry h; order_next(o, &h);)
        ;
    chunk_leave(o, o->filling);
    while (o->spare != NULL) {
        struct order_chunk *c = o->spare;
        o->spare = c->next;
        free(c);
    }
    free(o->held);
    free(o->merged);
    *o = (struct order){0};
}
