#include "common/dwarf/cover.h"

#include <stdlib.h>

void
ranges_add(struct ranges *r, uint64_t low, uint64_t high, uint32_t number)
{
    if (low == 0 || low >= high || r->count == RANGES_MAX)
        return;
    MEM_ADD(r->list, r->count, r->cap, (struct range){low, high, number});
}

void
ranges_free(struct ranges *r)
{
    free(r->list);
    *r = (struct ranges){0};
}

static bool
is_before(const struct range *a, const struct range *b)
{
    return a->low != b->low ? a->low < b->low : a->number < b->number;
}

/* Merge from[0 .. middle - 1] and from[middle .. n - 1]. */
static void
merge(const struct range *from, size_t middle, size_t n, struct range *to,
      struct patience *patience)
{
    size_t a = 0, b = middle;
    while ((a < middle || b < n) && !patience_is_over(patience, 1))
        *to++ = a == middle || (b < n && is_before(&from[b], &from[a])) ? from[b++] : from[a++];
}

/* Sort the ranges. qsort() would take most of a second for 4,000,000 ranges, and cannot be
 * interrupted. */
static void
sort_ranges(struct ranges *r, struct patience *patience)
{
    struct range *other = mem_alloc(r->cap * sizeof *other);
    for (size_t width = 1; width < r->count && !patience_is_over(patience, 1); width *= 2) {
        for (size_t i = 0; i < r->count; i += 2 * width) {
            size_t left = r->count - i;
            merge(r->list + i, left < width ? left : width, left < 2 * width ? left : 2 * width,
                  other + i, patience);
        }
        struct range *sorted = other;
        other = r->list;
        r->list = sorted;
    }
    free(other);
}

/* The ranges that contain the current address, as a heap with the largest number on top. */
struct heap {
    const struct range **list;
    size_t count, cap;
};

static void
push(struct heap *h, const struct range *r)
{
    h->list = mem_grow(h->list, &h->cap, h->count + 1, sizeof(struct range *));
    size_t i = h->count++;
    for (; i > 0 && h->list[(i - 1) / 2]->number < r->number; i = (i - 1) / 2)
        h->list[i] = h->list[(i - 1) / 2];
    h->list[i] = r;
}

static void
pop(struct heap *h)
{
    const struct range *last = h->list[--h->count];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < h->count) {
        if (child + 1 < h->count && h->list[child + 1]->number > h->list[child]->number)
            child++;
        if (h->list[child]->number <= last->number)
            break;
        h->list[i] = h->list[child];
        i = child;
    }
    h->list[i] = last;
}

/* Set the number from this address on. */
static void
add_part(struct cover *c, uint64_t start, uint32_t number)
{
    if (c->count > 0 && c->numbers[c->count - 1] == number)
        return;
    c->starts = mem_grow(c->starts, &c->starts_cap, c->count + 1, sizeof *c->starts);
    c->numbers = mem_grow(c->numbers, &c->numbers_cap, c->count + 1, sizeof *c->numbers);
    c->starts[c->count] = start;
    c->numbers[c->count++] = number;
}

void
cover_make(struct cover *c, struct ranges *r, struct patience *patience)
{
    struct heap open = {0};
    uint64_t at = 0;
    size_t i = 0;
    sort_ranges(r, patience);
    while ((i < r->count || open.count > 0) && !patience_is_over(patience, 4)) {
        while (open.count > 0 && open.list[0]->high <= at)
            pop(&open);
        if (open.count == 0) {
            if (i == r->count)
                break;
            if (r->list[i].low > at) {
                add_part(c, at, COVER_NONE);
                at = r->list[i].low;
            }
        }
        for (; i < r->count && r->list[i].low <= at; i++)
            push(&open, &r->list[i]);
        add_part(c, at, open.list[0]->number);
        bool ends_first = i == r->count || open.list[0]->high < r->list[i].low;
        at = ends_first ? open.list[0]->high : r->list[i].low;
    }
    add_part(c, at, COVER_NONE);
    free(open.list);
}

uint32_t
cover_find(const struct cover *c, uint64_t address)
{
    size_t low = 0, high = c->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c->starts[middle] <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? c->numbers[low - 1] : COVER_NONE;
}

size_t
cover_size(const struct cover *c)
{
    return c->starts_cap * sizeof *c->starts + c->numbers_cap * sizeof *c->numbers;
}

void
cover_free(struct cover *c)
{
    free(c->starts);
    free(c->numbers);
    *c = (struct cover){0};
}
