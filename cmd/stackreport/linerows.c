#include "cmd/stackreport/linerows.h"

#include <stdlib.h>

#include "common/base/columns.h"
#include "common/base/number.h"
#include "common/base/utf8.h"

/* A function or a place, with its sort keys. */
struct item {
    struct decimal self, total;
    struct span name;
    uint64_t keys[3]; /* of a place: function, file, number */
    uint32_t number;
};

static int
compare_decimals(struct decimal a, struct decimal b)
{
    if (a.whole != b.whole)
        return (a.whole > b.whole) - (a.whole < b.whole);
    return (a.fraction > b.fraction) - (a.fraction < b.fraction);
}

static int
by_count(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    int order = compare_decimals(b->self, a->self);
    order = order != 0 ? order : compare_decimals(b->total, a->total);
    order = order != 0 ? order : span_cmp(a->name, b->name);
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

static int
by_place(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    for (int i = 0; i < 3; i++)
        if (a->keys[i] != b->keys[i])
            return (a->keys[i] > b->keys[i]) - (a->keys[i] < b->keys[i]);
    return (a->number > b->number) - (a->number < b->number);
}

/* Sort n items, free them, and return their numbers. */
static uint32_t *
sorted(struct item *items, size_t n, int (*compare)(const void *, const void *))
{
    uint32_t *numbers = mem_alloc((n + 1) * sizeof *numbers);
    qsort(items, n, sizeof *items, compare);
    for (size_t i = 0; i < n; i++)
        numbers[i] = items[i].number;
    free(items);
    return numbers;
}

static void
order_functions(struct linerows *r, size_t top)
{
    const struct linecount *c = r->count;
    struct item *items = mem_alloc((c->functions.n + 1) * sizeof *items);
    size_t n = 0;
    for (uint32_t i = 0; i < c->functions.n; i++) {
        const struct line_function *f = &c->functions.at[i];
        if (f->wanted && !decimal_is_zero(c->wanted != NULL ? f->total : f->self))
            items[n++] =
                (struct item){.self = f->self, .total = f->total, .name = f->name, .number = i};
    }
    r->functions = sorted(items, n, by_count);
    r->nfunctions = top > 0 && n > top ? top : n;
}

static void
order_places(struct linerows *r)
{
    const struct linecount *c = r->count;
    size_t n = c->places.n;
    struct item *items = mem_alloc((n + 1) * sizeof *items);
    for (uint32_t i = 0; i < n; i++) {
        const struct line_place *p = &c->places.at[i];
        items[i] = (struct item){.keys = {p->function, p->file, p->number}, .number = i};
    }
    r->places = sorted(items, n, by_place);
    r->first = mem_alloc((c->functions.n + 1) * sizeof *r->first);
    size_t at = 0;
    for (size_t f = 0; f <= c->functions.n; f++) {
        while (at < n && linerows_place(r, at)->function < f)
            at++;
        r->first[f] = at;
    }
}

void
linerows_start(struct linerows *r, const struct linecount *c, size_t top)
{
    *r = (struct linerows){.count = c};
    order_functions(r, top);
    order_places(r);
}

const struct line_place *
linerows_place(const struct linerows *r, size_t i)
{
    return &r->count->places.at[r->places[i]];
}

void
linerows_text(struct out *o, struct span text)
{
    struct text masked = {0};
    out_span(o, utf8_masked(&masked, text));
    free(masked.ptr);
}

enum { COLUMN = sizeof "  100.00" - 1 };

void
linerows_percent(struct out *o, size_t width, const struct linecount *c, struct decimal count)
{
    char text[NUMBER_TEXT];
    double all = decimal_double(c->all);
    columns_right(o, width, number_fixed(text, all > 0 ? 100 * decimal_double(count) / all : 0, 2));
}

void
linerows_function(struct out *o, const struct linecount *c, const struct line_function *f)
{
    linerows_text(o, f->name);
    out_text(o, ": self ");
    linerows_percent(o, 0, c, f->self);
    out_text(o, " %, total ");
    linerows_percent(o, 0, c, f->total);
    out_text(o, " %\n");
}

void
linerows_counts(struct out *o, const struct linecount *c, const struct line_place *p, char mark)
{
    if (p == NULL) {
        columns_blanks(o, (size_t)2 * COLUMN + 2);
        return;
    }
    linerows_percent(o, COLUMN, c, p->self);
    linerows_percent(o, COLUMN, c, p->total);
    out_char(o, ' ');
    out_char(o, mark);
}

void
linerows_titles(struct out *o)
{
    columns_right(o, COLUMN, SPAN("self"));
    columns_right(o, COLUMN, SPAN("total"));
    out_text(o, "  ");
}

void
linerows_free(struct linerows *r)
{
    free(r->functions);
    free(r->places);
    free(r->first);
}
