#include "cmd/flamesvg/slices.h"

#include <stdlib.h>

void
slices_add(struct slices *s, const struct slice *slice, struct span stack, double count)
{
    struct slice_list *list = slice->length > 0 ? &s->turns : &s->list;
    MEM_ADD(list->at, list->n, list->cap,
            (struct slice_count){*slice, count, intern_add(&s->stacks, stack)});
}

bool
slices_are_none(const struct slices *s)
{
    return s->list.n == 0 && s->turns.n == 0;
}

static int
by_slice(const struct slice *a, const struct slice *b)
{
    if (a->ms != b->ms)
        return (a->ms > b->ms) - (a->ms < b->ms);
    if (a->length != b->length)
        return (a->length > b->length) - (a->length < b->length);
    if (a->tid != b->tid)
        return (a->tid > b->tid) - (a->tid < b->tid);
    if (a->stopped != b->stopped)
        return (a->stopped > b->stopped) - (a->stopped < b->stopped);
    return (a->goes_on > b->goes_on) - (a->goes_on < b->goes_on);
}

static int
by_slice_and_stack(const void *va, const void *vb)
{
    const struct slice_count *a = va, *b = vb;
    int order = by_slice(&a->slice, &b->slice);
    return order != 0 ? order : (a->stack > b->stack) - (a->stack < b->stack);
}

static void
sort_list(struct slice_list *list)
{
    if (list->n > 0)
        qsort(list->at, list->n, sizeof *list->at, by_slice_and_stack);
}

size_t
slices_of_first(const struct slice_count *list, size_t n)
{
    size_t same = 0;
    while (same < n && by_slice(&list[same].slice, &list[0].slice) == 0)
        same++;
    return same;
}

static uint64_t
greatest_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Return the length of a slice, by the slices of a sorted list. */
static uint64_t
find_length(const struct slices *s)
{
    const uint64_t second = 1000;
    uint64_t length = 0;
    for (size_t i = 0; i < s->list.n; i++)
        length = greatest_divisor(length, s->list.at[i].slice.ms);
    if (s->list.n == 0 || s->list.at[0].slice.ms ==
                              s->list.at[s->list.n - 1].slice.ms) /* one slice does not tell much */
        length = greatest_divisor(length, second);
    return length > 0 ? length : 1;
}

/* Round down. From 2^53 on a double is whole anyway. */
static double
whole(double n)
{
    return n < 0x1p53 ? (double)(uint64_t)n : n;
}

/* Add the count of a turn to the slices that the turn took, to each by its time in it. Of many
 * slices only some get a share, at equal distances, so that a short line cannot ask for much
 * memory. */
static void
spread_turn(struct slice_list *list, const struct slice_count *t, uint64_t length)
{
    enum { MOST_PARTS = 32 };
    uint64_t begin = t->slice.ms, end = begin + t->slice.length;
    end = end < begin ? UINT64_MAX : end;
    uint64_t first = begin - begin % length, slices = (end - 1 - first) / length + 1;
    uint64_t step = ((slices - 1) / MOST_PARTS + 1) * length;
    double put = 0;
    for (uint64_t ms = first;; ms += step) {
        bool last = end - ms <= step;
        double share = last ? 1 : (double)(ms + step - begin) / (double)(end - begin);
        double until = last ? t->count : whole(t->count * share);
        if (until > put)
            MEM_ADD(list->at, list->n, list->cap,
                    (struct slice_count){{.ms = ms}, until - put, t->stack});
        put = until;
        if (last)
            break;
    }
}

uint64_t
slices_finish(struct slices *s)
{
    sort_list(&s->list);
    sort_list(&s->turns);
    uint64_t length = find_length(s);
    for (size_t i = 0; i < s->turns.n; i++)
        spread_turn(&s->list, &s->turns.at[i], length);
    if (s->turns.n > 0)
        sort_list(&s->list);
    return length;
}

void
slices_free(struct slices *s)
{
    intern_free(&s->stacks);
    free(s->list.at);
    free(s->turns.at);
}
