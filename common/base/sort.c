/* Multikey quicksort (Bentley and Sedgewick, "Fast algorithms for sorting and searching strings",
 * 1997), seven bytes at a time: those bytes stand beside each text as one number, so that a pass
 * over texts that agree so far touches no text. */
#include "common/base/sort.h"

#include <stdlib.h>

#include "common/base/mem.h"

struct item {
    uint64_t key;
    struct span text;
    size_t place; /* among the spans as they were given */
};

/* Items lo..hi-1 agree in their first `depth` bytes. */
struct part {
    size_t lo, hi, depth;
};

enum {
    STEP = 7,
    AHEAD = 8,
    SMALL = 12, /* from here insertion sort is quicker */
    PARTS = 192 /* the smallest part goes first, so 2 * log3(2^64) wait at most */
};

/* Seven bytes, then how many there were: 8 stands for "more follow". Equal keys of 7 and below are
 * therefore equal texts, NUL bytes or not. */
static uint64_t
key_at(struct span s, size_t depth)
{
    const unsigned char *p = (const unsigned char *)s.ptr + depth;
    size_t left = s.len - depth, n = left < STEP ? left : STEP;
    uint64_t key = 0;
    if (left > STEP) /* spelled out: compilers make one load of it */
        return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
               (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
               (uint64_t)p[6] << 8 | 8;
    for (size_t i = 0; i < n; i++)
        key |= (uint64_t)p[i] << (56 - 8 * i);
    return key | left;
}

static bool
less(const struct item *a, const struct item *b, size_t depth)
{
    if (a->key != b->key)
        return a->key < b->key;
    if ((a->key & 0xff) < 8)
        return false;
    return span_cmp(span_from(a->text, depth + STEP), span_from(b->text, depth + STEP)) < 0;
}

static void
sort_small(struct item *v, struct part p)
{
    for (size_t i = p.lo + 1; i < p.hi; i++) {
        struct item x = v[i];
        size_t j = i;
        for (; j > p.lo && less(&x, &v[j - 1], p.depth); j--)
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
swap(struct item *a, struct item *b)
{
    struct item t = *a;
    *a = *b;
    *b = t;
}

/* Three ways around a pivot: keys below it in lo..lt-1, equal in lt..gt-1, above in gt..hi-1. */
static void
partition(struct item *v, struct part p, size_t *lt, size_t *gt, uint64_t *pivot)
{
    *pivot = median(v[p.lo].key, v[p.lo + (p.hi - p.lo) / 2].key, v[p.hi - 1].key);
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

/* Texts lie anywhere in memory: they are asked for some items ahead. */
static void
set_keys(struct item *v, struct part p)
{
    for (size_t i = p.lo; i < p.hi; i++) {
        if (p.hi - i > AHEAD)
            __builtin_prefetch(v[i + AHEAD].text.ptr + p.depth);
        v[i].key = key_at(v[i].text, p.depth);
    }
}

static size_t
part_size(struct part p)
{
    return p.hi - p.lo;
}

static void
sort_items(struct item *v, size_t n)
{
    struct part waiting[PARTS] = {{0, n, 0}};
    size_t nwaiting = 1;
    set_keys(v, waiting[0]);
    while (nwaiting > 0) {
        struct part p = waiting[--nwaiting];
        if (part_size(p) <= SMALL) {
            sort_small(v, p);
            continue;
        }
        size_t lt, gt;
        uint64_t pivot;
        partition(v, p, &lt, &gt, &pivot);
        struct part parts[3] = {{p.lo, lt, p.depth}, {lt, gt, p.depth + STEP}, {gt, p.hi, p.depth}};
        if ((pivot & 0xff) < 8)
            parts[1].hi = parts[1].lo; /* equal to their ends */
        else
            set_keys(v, parts[1]);
        /* Largest first onto the pile, so that the smallest comes off first. */
        for (int i = 0; i < 3; i++)
            for (int j = i + 1; j < 3; j++)
                if (part_size(parts[j]) > part_size(parts[i])) {
                    struct part t = parts[i];
                    parts[i] = parts[j];
                    parts[j] = t;
                }
        for (int i = 0; i < 3; i++)
            if (part_size(parts[i]) > 1)
                waiting[nwaiting++] = parts[i];
    }
}

/* The spans as items, in order; to be given to free(). NULL where they stand in order. */
static struct item *
sorted_items(const struct span *spans, size_t n)
{
    size_t sorted = 1;
    if (n > UINT32_MAX || n > PTRDIFF_MAX / sizeof(struct item))
        mem_exhausted();
    while (sorted < n && span_cmp(spans[sorted - 1], spans[sorted]) <= 0)
        sorted++;
    if (sorted >= n)
        return NULL;
    struct item *items = mem_alloc(n * sizeof *items);
    for (size_t i = 0; i < n; i++)
        items[i] = (struct item){0, spans[i], i};
    sort_items(items, n);
    return items;
}

void
sort_spans(struct span *spans, size_t n, uint32_t *places)
{
    struct item *items = sorted_items(spans, n);
    for (size_t i = 0; i < n; i++) {
        places[i] = (uint32_t)(items != NULL ? items[i].place : i);
        if (items != NULL)
            spans[i] = items[i].text;
    }
    free(items);
}

void
sort_order(const struct span *spans, size_t n, uint32_t *order)
{
    struct item *items = sorted_items(spans, n);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)(items != NULL ? items[i].place : i);
    free(items);
}
