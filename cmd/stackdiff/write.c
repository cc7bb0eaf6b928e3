/* A comparison as a table:
 *
 *      before    after   change  certain  function  stack that changed most
 *      20.00%   60.00%   +40.00   >99.9%  parse     main;parse
 *
 * and as JSON:
 *
 *     {"before":{"profiles":1,"count":500},"after":{"profiles":1,"count":1000},"rows":[
 *     {"name":"parse","before":100,"before_percent":20.00,"after":600,"after_percent":60.00,
 *     "change_points":40.00,"margin_points":8.81,"certainty_percent":100.000,
 *     "stack":"main;parse","stack_change_points":40.00}
 *     ]} */
#include "cmd/stackdiff/write.h"

#include <stdlib.h>

#include "common/base/columns.h"
#include "common/base/jsontext.h"
#include "common/base/utf8.h"

enum {
    BEFORE_NAME = 36,      /* columns of a table before the function's name */
    NAME_LEAST = 8,        /* least columns of a name and of a stack, if both are shown */
    NAME_ALONE = 5,        /* least columns of a name, on any terminal */
    NAME_COLUMNS_MAX = 60, /* maximum columns for aligning stacks, if lines are not cut */
};

/* Return the stack that changed most; empty if no stack changed in the direction in which the
 * function changed. */
static struct span
stack_of(const struct comparison *c, const struct change *change, double *growth)
{
    *growth = profiles_growth(c->profiles, change->stack);
    bool same = change->growth < 0 ? *growth < 0 : *growth > 0;
    return same ? intern_text(&c->profiles->stacks, (uint32_t)change->stack) : SPAN("");
}

/* Compare by the amount of change. Of equal changes, the one listed first comes first. */
static int
changed_most_first(const void *a, const void *b)
{
    const struct change *x = *(const struct change *const *)a,
                        *y = *(const struct change *const *)b;
    double dx = x->growth < 0 ? -x->growth : x->growth, dy = y->growth < 0 ? -y->growth : y->growth;
    return dx != dy ? (dx < dy) - (dx > dy) : (x > y) - (x < y);
}

static int
in_order(const void *a, const void *b)
{
    const struct change *x = *(const struct change *const *)a,
                        *y = *(const struct change *const *)b;
    return (x > y) - (x < y);
}

/* Return the changes to list, in the order of the comparison, and set *n to their number. The
 * caller frees the list. */
static const struct change **
select_changes(const struct comparison *c, const struct listing *l, size_t *n)
{
    const struct change **list = mem_alloc(c->n * sizeof *list);
    *n = 0;
    for (size_t i = 0; i < c->n; i++) {
        double growth = c->list[i].growth, least = l->least - points_error;
        if (growth >= least || -growth >= least)
            list[(*n)++] = &c->list[i];
    }
    if (l->top > 0 && *n > l->top) {
        qsort(list, *n, sizeof *list, changed_most_first);
        *n = l->top;
        qsort(list, *n, sizeof *list, in_order);
    }
    return list;
}

static size_t
longest_name(const struct change *const *list, size_t n)
{
    size_t longest = sizeof "function" - 1;
    for (size_t i = 0; i < n; i++) {
        size_t count = utf8_count(list[i]->name);
        longest = count > longest ? count : longest;
    }
    return longest;
}

struct widths {
    size_t name, stack; /* maximum widths; stack 0: no stacks are shown */
    size_t aligned;     /* width to which shorter names are filled up */
};

/* Set the widths. A long name gets two fifths of the rest of the line, or as much as the longest
 * one needs. */
static struct widths
set_widths(size_t longest, size_t width)
{
    if (width == 0)
        return (struct widths){SIZE_MAX, SIZE_MAX,
                               longest < NAME_COLUMNS_MAX ? longest : NAME_COLUMNS_MAX};
    size_t room = width > BEFORE_NAME + NAME_ALONE ? width - BEFORE_NAME : NAME_ALONE;
    if (room < 2 * NAME_LEAST + 2)
        return (struct widths){room, 0, room};
    room -= 2;
    size_t name = room * 2 / 5 > NAME_LEAST ? room * 2 / 5 : NAME_LEAST;
    name = longest < name ? longest : name;
    return (struct widths){name, room - name, name};
}

static void
put_titles(struct out *o, const struct widths *w)
{
    const struct span stack = SPAN("stack that changed most");
    int width = (int)w->aligned;
    out_format(o, " before    after   change  certain  %-*.*s", width, width, "function");
    if (w->stack > 0)
        out_format(o, "  %.*s", SPAN_ARG(w->stack < stack.len ? span_head(stack, 5) : stack));
    out_char(o, '\n');
}

static void
put_row(struct out *o, const struct comparison *c, const struct change *change, double certainty,
        const struct widths *w, struct text *scratch)
{
    double growth;
    struct span stack = stack_of(c, change, &growth);
    out_format(o, "%6.2f%%  %6.2f%%  %+7.2f  ", change->share[BEFORE], change->share[AFTER],
               change->growth);
    if (certainty > 99.9)
        out_text(o, " >99.9%  ");
    else
        out_format(o, "%6.1f%%  ", certainty);
    size_t columns = columns_name(o, scratch, change->name, w->name);
    if (stack.len > 0 && w->stack > 0) {
        columns_blanks(o, columns < w->aligned ? w->aligned - columns : 0);
        out_text(o, "  ");
        columns_end(o, scratch, stack, w->stack);
    }
    out_char(o, '\n');
}

void
write_table(struct out *o, const struct comparison *c, const struct listing *l)
{
    size_t n, candidates = compare_candidates(c, l->least);
    const struct change **list = select_changes(c, l, &n);
    struct widths w = set_widths(longest_name(list, n), l->width);
    struct text scratch = {0};
    put_titles(o, &w);
    for (size_t i = 0; i < n; i++)
        put_row(o, c, list[i], compare_certainty(list[i], candidates), &w, &scratch);
    free(scratch.ptr);
    free(list);
}

static void
put_side(struct out *o, const struct profiles *p, enum side side)
{
    char text[NUMBER_TEXT];
    out_format(o, "\"%s\":{\"profiles\":%zu,\"count\":", side == BEFORE ? "before" : "after",
               profiles_runs(p, side));
    out_span(o, p->dialect->arithmetic->text(text, profiles_side_total(p, side)));
    out_text(o, "},");
}

static void
put_object(struct out *o, const struct comparison *c, const struct change *change,
           struct margins *margins)
{
    double growth;
    struct span stack = stack_of(c, change, &growth);
    out_text(o, "{\"name\":");
    jsontext_string(o, change->name);
    out_format(
        o, ",\"before\":%.15g,\"before_percent\":%.2f,\"after\":%.15g,\"after_percent\":%.2f,",
        change->count[BEFORE], change->share[BEFORE], change->count[AFTER], change->share[AFTER]);
    out_format(o, "\"change_points\":%.2f,\"margin_points\":%.2f,\"certainty_percent\":%.3f",
               change->growth, compare_margin(margins, change),
               compare_certainty(change, margins->candidates));
    if (stack.len > 0) {
        out_text(o, ",\"stack\":");
        jsontext_string(o, stack);
        out_format(o, ",\"stack_change_points\":%.2f", growth);
    }
    out_char(o, '}');
}

void
write_json(struct out *o, const struct comparison *c, const struct listing *l)
{
    size_t n;
    const struct change **list = select_changes(c, l, &n);
    struct margins margins = {.candidates = compare_candidates(c, l->least)};
    out_char(o, '{');
    put_side(o, c->profiles, BEFORE);
    put_side(o, c->profiles, AFTER);
    out_text(o, "\"rows\":[");
    for (size_t i = 0; i < n; i++) {
        out_cstr(o, i > 0 ? ",\n" : "\n");
        put_object(o, c, list[i], &margins);
    }
    out_text(o, "\n]}\n");
    free(list);
}
