/* Multikey quicksort (Bentley and Sedgewick, "Fast algorithms for sorting and searching strings",
 * 1997), seven bytes at a time: these bytes are stored as a number beside each text, so a pass over
 * texts that are equal so far does not access the texts. A merge sort would cost stackcollapse 5 %
 * more instructions for the recording node-http, and 37 % more time for 55,000 different stacks
 * (the benchmark wide.perf). */
#include "common/base/sort.h"

#include <stdlib.h>

#include "common/base/hash.h"
#include "common/base/mem.h"

struct sort_item {
    uint64_t key;
    const char *text;
    uint32_t len;
    uint32_t place; /* index in the given spans */
};

/* Items lo..hi-1 have equal first `depth` bytes. */
struct sort_range {
    size_t lo, hi, depth;
};

enum {
    BYTES_STEP = 7,
    RANK_BITS = 28,
    SEQUENCE_STEP = 2 * sizeof(uint32_t),
    MORE = 8,
    SMALL = 12, /* insertion sort is faster up to here */
    PARTS = 192 /* the smallest part is sorted first, so at most 2 * log3(2^64) parts wait */
};

static inline struct span
text_of(const struct sort_item *item)
{
    return span_of(item->text, item->len);
}

/* The order of items. key() returns the next `step` bytes of a text as a number that sorts like
 * them. Its low byte is 8 if more bytes follow, and below 8 if the text ends there; so equal keys
 * below 8 mean equal texts. compare() orders two texts whose first `depth` bytes are equal. */
struct ordering {
    uint64_t (*key)(const void *ctx, struct span s, size_t depth);
    int (*compare)(const void *ctx, struct span a, struct span b, size_t depth);
    const void *ctx;
    size_t step;
};

/* Return seven bytes, then their number. */
static inline uint64_t
bytes_key(const void *ctx, struct span s, size_t depth)
{
    const unsigned char *p = (const unsigned char *)s.ptr + depth;
    size_t left = s.len - depth, n = left < BYTES_STEP ? left : BYTES_STEP;
    uint64_t key = 0;
    (void)ctx;
    if (left > BYTES_STEP) /* written out: compilers turn it into one load */
        return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
               (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
               (uint64_t)p[6] << 8 | MORE;
    for (size_t i = 0; i < n; i++)
        key |= (uint64_t)p[i] << (56 - 8 * i);
    return key | left;
}

static inline int
bytes_compare(const void *ctx, struct span a, struct span b, size_t depth)
{
    (void)ctx;
    return span_cmp(span_from(a, depth), span_from(b, depth));
}

/* Return the rank of the number at `depth`, which depends on whether it is the last one. */
static inline uint64_t
rank_at(const uint32_t *rank, struct span s, size_t depth)
{
    uint32_t number;
    memcpy(&number, s.ptr + depth, sizeof number);
    return rank[2 * (size_t)number + (depth + sizeof number == s.len)];
}

/* Return two ranks of RANK_BITS, then their number. */
static inline uint64_t
sequence_key(const void *rank, struct span s, size_t depth)
{
    size_t left = s.len - depth;
    uint64_t key = left > 0 ? rank_at(rank, s, depth) << (8 + RANK_BITS) : 0;
    if (left >= SEQUENCE_STEP)
        key |= rank_at(rank, s, depth + sizeof(uint32_t)) << 8;
    return key | (left > SEQUENCE_STEP ? MORE : left / sizeof(uint32_t));
}

static inline int
sequence_compare(const void *rank, struct span a, struct span b, size_t depth)
{
    size_t common = span_common(span_from(a, depth), span_from(b, depth));
    size_t at = depth + common / sizeof(uint32_t) * sizeof(uint32_t);
    /* If one sequence ends here, its last number has another rank than the same number in the
     * other. */
    if (at > depth && (at == a.len || at == b.len))
        at -= sizeof(uint32_t);
    if (at == a.len || at == b.len)
        return (a.len > b.len) - (a.len < b.len);
    uint64_t x = rank_at(rank, a, at), y = rank_at(rank, b, at);
    return (x > y) - (x < y);
}

static inline bool
less(const struct ordering *o, const struct sort_item *a, const struct sort_item *b, size_t depth)
{
    if (a->key != b->key)
        return a->key < b->key;
    if ((a->key & 0xff) < MORE)
        return false;
    return o->compare(o->ctx, text_of(a), text_of(b), depth + o->step) < 0;
}

static inline void
sort_small(const struct ordering *o, struct sort_item *v, struct sort_range p)
{
    for (size_t i = p.lo + 1; i < p.hi; i++) {
        struct sort_item x = v[i];
        size_t j = i;
        for (; j > p.lo && less(o, &x, &v[j - 1], p.depth); j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
}

static uint64_t
median(uint64_t a, uint64_t b, uint64_t c)
{
    if (a > b) {
        uint64_t t = a;
        a = b;
        b = t;
    }
    return c <= a ? a : c >= b ? b : c;
}

static void
swap(struct sort_item *a, struct sort_item *b)
{
    struct sort_item t = *a;
    *a = *b;
    *b = t;
}

/* Return the key of a random item of the range. */
static uint64_t
random_key(const struct sort_item *v, struct sort_range p, uint64_t *random)
{
    *random = *random * 0x5851f42d4c957f2du + 1; /* Knuth, vol. 2, 3.3.4, table 1 */
    return v[p.lo + (size_t)((*random >> 32) * (p.hi - p.lo) >> 32)].key;
}

/* Partition three ways around a pivot: keys below it in lo..lt-1, equal in lt..gt-1, above in
 * gt..hi-1. The pivot is random: for any fixed choice, some order of the texts takes quadratic
 * time. */
static void
partition(struct sort_item *v, struct sort_range p, size_t *lt, size_t *gt, uint64_t *pivot,
          uint64_t *random)
{
    uint64_t a = random_key(v, p, random), b = random_key(v, p, random);
    *pivot = median(a, b, random_key(v, p, random));
    *lt = p.lo;
    *gt = p.hi;
    for (size_t i = p.lo; i < *gt;) {
        if (v[i].key < *pivot)
            swap(&v[i++], &v[(*lt)++]);
        else if (v[i].key > *pivot)
            swap(&v[i], &v[--*gt]);
        else
            i++;
    }
}

static inline void
set_keys(const struct ordering *o, struct sort_item *v, struct sort_range p)
{
    enum { AHEAD = 8 };
    for (size_t i = p.lo; i < p.hi; i++) {
        __builtin_prefetch(v[i + AHEAD < p.hi ? i + AHEAD : i].text + p.depth);
        v[i].key = o->key(o->ctx, text_of(&v[i]), p.depth);
    }
}

static size_t
part_size(struct sort_range p)
{
    return p.hi - p.lo;
}

static inline __attribute__((always_inline)) void
sort_items(const struct ordering *o, struct sort_item *v, size_t n)
{
    struct sort_range waiting[PARTS] = {{0, n, 0}};
    size_t nwaiting = 1;
    uint64_t random = hash_key().a;
    set_keys(o, v, waiting[0]);
    while (nwaiting > 0) {
        struct sort_range p = waiting[--nwaiting];
        if (part_size(p) <= SMALL) {
            sort_small(o, v, p);
            continue;
        }
        size_t lt, gt;
        uint64_t pivot;
        partition(v, p, &lt, &gt, &pivot, &random);
        struct sort_range parts[3] = {
            {p.lo, lt, p.depth}, {lt, gt, p.depth + o->step}, {gt, p.hi, p.depth}};
        if ((pivot & 0xff) < MORE)
            parts[1].hi = parts[1].lo; /* equal texts: sorted */
        else
            set_keys(o, v, parts[1]);
        /* Push the largest first, so that the smallest is popped first. */
        for (int i = 0; i < 3; i++)
            for (int j = i + 1; j < 3; j++)
                if (part_size(parts[j]) > part_size(parts[i])) {
                    struct sort_range t = parts[i];
                    parts[i] = parts[j];
                    parts[j] = t;
                }
        for (int i = 0; i < 3; i++)
            if (part_size(parts[i]) > 1)
                waiting[nwaiting++] = parts[i];
    }
}

static struct sort_item *
new_items(const struct span *texts, size_t n)
{
    if (n > UINT32_MAX || n > PTRDIFF_MAX / sizeof(struct sort_item))
        mem_exhausted();
    struct sort_item *items = mem_alloc(n * sizeof *items);
    for (size_t i = 0; i < n; i++) {
        if (texts[i].len > UINT32_MAX)
            mem_exhausted();
        items[i] = (struct sort_item){0, texts[i].ptr, (uint32_t)texts[i].len, (uint32_t)i};
    }
    return items;
}

/* Return the spans as items, in order. The caller frees them. Return NULL if the spans are already
 * in order. */
static struct sort_item *
sorted_items(const struct span *spans, size_t n)
{
    size_t sorted = 1;
    if (n > UINT32_MAX)
        mem_exhausted();
    while (sorted < n && span_cmp(spans[sorted - 1], spans[sorted]) <= 0)
        sorted++;
    if (sorted >= n)
        return NULL;
    const struct ordering by_bytes = {bytes_key, bytes_compare, NULL, BYTES_STEP};
    struct sort_item *items = new_items(spans, n);
    sort_items(&by_bytes, items, n);
    return items;
}

void
sort_spans(struct span *spans, size_t n, uint32_t *places)
{
    struct sort_item *items = sorted_items(spans, n);
    for (size_t i = 0; i < n; i++) {
        places[i] = items != NULL ? items[i].place : (uint32_t)i;
        if (items != NULL)
            spans[i] = text_of(&items[i]);
    }
    free(items);
}

void
sort_order(const struct span *spans, size_t n, uint32_t *order)
{
    struct sort_item *items = sorted_items(spans, n);
    for (size_t i = 0; i < n; i++)
        order[i] = items != NULL ? items[i].place : (uint32_t)i;
    free(items);
}

void
sort_sequences(const struct span *sequences, size_t n, const uint32_t *rank, uint32_t *order)
{
    const struct ordering by_rank = {sequence_key, sequence_compare, rank, SEQUENCE_STEP};
    struct sort_item *items = new_items(sequences, n);
    sort_items(&by_rank, items, n);
    for (size_t i = 0; i < n; i++)
        order[i] = items[i].place;
    free(items);
}
