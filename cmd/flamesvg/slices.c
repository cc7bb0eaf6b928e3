#include "cmd/flamesvg/slices.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/stack/model/series.h"

static void
add_count(struct slices *s, uint64_t ms, uint32_t stack, double count)
{
    struct span last = s->n > 0 ? intern_text(&s->times, s->list[s->n - 1].time) : SPAN("");
    uint32_t time = span_eq(last, SPAN_BYTES(ms)) ? s->list[s->n - 1].time
                                                  : intern_add(&s->times, SPAN_BYTES(ms));
    MEM_ADD(s->list, s->n, s->cap, (struct slice_count){time, stack, count});
}

/* Add the counts in the slices of a series, or in a single slice. */
static void
add_series(struct slices *s, const struct slice *slice, uint32_t stack, double count)
{
    struct series series;
    series_start(&series, slice);
    const double each = count / series.sum; /* 1, unless lines were added up */
    while (series_next(&series))
        add_count(s, series.slice.ms, stack, each * series.count);
}

void
slices_add(struct slices *s, const struct slice *slice, struct span stack, double count)
{
    uint32_t number;
    if (intern_put(&s->stacks, stack, &number)) {
        s->sums = mem_grow(s->sums, &s->sums_cap, (size_t)number + 1, sizeof *s->sums);
        s->sums[number] = 0;
    }
    if (num_is_whole(count))
        s->sums[number] += count;
    if (slice->length > 0)
        MEM_ADD(s->turns, s->nturns, s->turns_cap, (struct turn_count){*slice, number, count});
    else
        add_series(s, slice, number, count);
}

bool
slices_are_none(const struct slices *s)
{
    return s->n == 0 && s->nturns == 0;
}

/* Turns */

static int
by_turn(const struct slice *a, const struct slice *b)
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
by_turn_and_stack(const void *va, const void *vb)
{
    const struct turn_count *a = va, *b = vb;
    int order = by_turn(&a->turn, &b->turn);
    return order != 0 ? order : (a->stack > b->stack) - (a->stack < b->stack);
}

size_t
slices_of_first(const struct turn_count *list, size_t n)
{
    size_t same = 0;
    while (same < n && by_turn(&list[same].turn, &list[0].turn) == 0)
        same++;
    return same;
}

/* Round down. A double from 2^53 on is always whole. */
static double
whole(double n)
{
    return n < 0x1p53 ? (double)(uint64_t)n : n;
}

/* Distribute the count of a turn over the slices that it covers, by its time in each. If there are
 * many, only some get a share, at equal distances, so that a short line cannot demand much
 * memory. */
static void
spread_turn(struct slices *s, const struct turn_count *t)
{
    enum { MOST_PARTS = 32 };
    uint64_t begin = t->turn.ms, end = begin + t->turn.length;
    end = end < begin ? UINT64_MAX : end;
    uint64_t first = begin - begin % s->slice, slices = (end - 1 - first) / s->slice + 1;
    uint64_t step = ((slices - 1) / MOST_PARTS + 1) * s->slice;
    double put = 0;
    for (uint64_t ms = first;; ms += step) {
        bool last = end - ms <= step;
        double share = last ? 1 : (double)(ms + step - begin) / (double)(end - begin);
        double until = last ? t->count : whole(t->count * share);
        if (until > put)
            add_count(s, ms, t->stack, until - put);
        put = until;
        if (last)
            break;
    }
}

/* Times */

static uint64_t
time_of(const struct slices *s, uint32_t number)
{
    uint64_t ms;
    memcpy(&ms, intern_text(&s->times, number).ptr, sizeof ms);
    return ms;
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

/* Return the length of a slice, as far as the times show: each time is a multiple of it. At least
 * 1. */
static uint64_t
find_length(const struct slices *s)
{
    const uint64_t second = 1000;
    uint64_t length = s->times.count < 2 ? second : 0; /* a single slice shows little */
    for (uint32_t i = 0; i < s->times.count; i++)
        length = greatest_divisor(length, time_of(s, i));
    return length > 0 ? length : 1;
}

static int
by_ms(const void *va, const void *vb)
{
    uint64_t a = *(const uint64_t *)va, b = *(const uint64_t *)vb;
    return (a > b) - (a < b);
}

static int
by_time(const void *va, const void *vb)
{
    const struct slice_count *a = va, *b = vb;
    if (a->time != b->time)
        return (a->time > b->time) - (a->time < b->time);
    return (a->count > b->count) - (a->count < b->count); /* the order affects a sum */
}

/* Store the sorted times of the slices in s->cells, and replace their numbers in the list by their
 * indexes there. */
static void
order_times(struct slices *s)
{
    uint32_t *place = mem_alloc(s->times.count * sizeof *place);
    s->ncells = s->times.count;
    s->cells = mem_alloc(s->ncells * sizeof *s->cells);
    for (uint32_t i = 0; i < s->times.count; i++)
        s->cells[i] = time_of(s, i);
    qsort(s->cells, s->ncells, sizeof *s->cells, by_ms);
    for (uint32_t i = 0; i < s->times.count; i++) {
        uint64_t ms = time_of(s, i);
        const uint64_t *found = bsearch(&ms, s->cells, s->ncells, sizeof ms, by_ms);
        place[i] = (uint32_t)(found - s->cells);
    }
    for (size_t i = 0; i < s->n; i++)
        s->list[i].time = place[s->list[i].time];
    free(place);
}

/* Sort the list by frame and time. Sorting only by frame leaves the times in order if they are so
 * in the input. */
static void
sort_list(struct slices *s, size_t nframes)
{
    size_t *end = mem_alloc((nframes + 1) * sizeof *end);
    struct slice_count *sorted = mem_alloc(s->n * sizeof *sorted);
    memset(end, 0, (nframes + 1) * sizeof *end);
    for (size_t i = 0; i < s->n; i++)
        end[s->list[i].stack + 1]++;
    for (size_t i = 1; i <= nframes; i++)
        end[i] += end[i - 1];
    for (size_t i = 0; i < s->n; i++)
        sorted[end[s->list[i].stack]++] = s->list[i];
    for (size_t frame = 0, from = 0; frame < nframes; from = end[frame++]) {
        bool ordered = true;
        for (size_t i = from + 1; i < end[frame] && ordered; i++)
            ordered = sorted[i - 1].time <= sorted[i].time;
        if (!ordered)
            qsort(sorted + from, end[frame] - from, sizeof *sorted, by_time);
    }
    free(end);
    free(s->list);
    s->list = sorted;
    s->cap = s->n;
}

/* Cells */

/* Set the number of each slice's cell, if cells have this length. Return the number of counts that
 * the cells would have. */
static size_t
count_cells(const struct slices *s, uint64_t cell, uint32_t *cell_of)
{
    size_t n = 0;
    for (size_t i = 0; i < s->ncells; i++)
        cell_of[i] = i == 0 ? 0 : cell_of[i - 1] + (s->cells[i] / cell != s->cells[i - 1] / cell);
    for (size_t i = 0; i < s->n; i++)
        n += i == 0 || s->list[i].stack != s->list[i - 1].stack ||
             cell_of[s->list[i].time] != cell_of[s->list[i - 1].time];
    return n;
}

/* Return the next length of a cell: one that people expect and that is a multiple of a slice's
 * length, or twice the last one. */
static uint64_t
next_length(uint64_t cell, uint64_t slice)
{
    enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE };
    static const uint32_t round[] = {
        10,         20,         50,          100,         200,         500,         SECOND,
        2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND, 20 * SECOND, 30 * SECOND, MINUTE,
        2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 20 * MINUTE, 30 * MINUTE, HOUR,
        2 * HOUR,   4 * HOUR,   6 * HOUR,    12 * HOUR,   24 * HOUR};
    for (size_t i = 0; i < sizeof round / sizeof *round; i++)
        if (round[i] > cell && round[i] <= 5 * cell && round[i] % slice == 0)
            return round[i];
    return cell > UINT64_MAX / 2 ? UINT64_MAX : 2 * cell;
}

/* Merge slices into cells, and add up the counts of each frame and cell. */
static void
merge_cells(struct slices *s)
{
    uint32_t *cell_of = mem_alloc(s->ncells * sizeof *cell_of);
    s->cell = s->slice;
    while (count_cells(s, s->cell, cell_of) > SLICES_MAX && cell_of[s->ncells - 1] > 0)
        s->cell = next_length(s->cell, s->slice);
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        struct slice_count one = s->list[i];
        one.time = cell_of[one.time];
        if (n > 0 && s->list[n - 1].stack == one.stack && s->list[n - 1].time == one.time)
            s->list[n - 1].count += one.count;
        else
            s->list[n++] = one;
    }
    s->n = n;
    for (size_t i = 0; i < s->ncells; i++)
        s->cells[cell_of[i]] = s->cells[i] / s->cell;
    s->ncells = (size_t)cell_of[s->ncells - 1] + 1;
    free(cell_of);
}

void
slices_finish(struct slices *s, const uint32_t *frames, size_t nframes)
{
    s->slice = find_length(s);
    for (size_t i = 0; i < s->n; i++)
        s->list[i].stack = frames[s->list[i].stack];
    for (size_t i = 0; i < s->nturns; i++)
        s->turns[i].stack = frames[s->turns[i].stack];
    if (s->nturns > 0)
        qsort(s->turns, s->nturns, sizeof *s->turns, by_turn_and_stack);
    for (size_t i = 0; i < s->nturns; i++)
        spread_turn(s, &s->turns[i]);
    if (s->n == 0)
        return;
    order_times(s);
    sort_list(s, nframes);
    merge_cells(s);
}
