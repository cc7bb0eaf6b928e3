/* A comparison as a table:
 *
 *      before    after   change  certain  function  stack that changed most
 *      20.00%   60.00%   +40.00  >99.9%  parse     main;parse
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
    BEFORE_NAME = 35, /* columns of a table before the function's name */
    NAME_LEAST = 8,   /* columns for a name and for a stack, however narrow the terminal is */
    NAME_MOST = 60,   /* columns that stacks are aligned after, where lines are not cut */
};

static bool
is_listed(const struct change *change, double least)
{
    return change->growth >= least - points_error || -change->growth >= least - points_error;
}

/* The stack that changed most; empty if none changed in the direction of the function's change. */
static struct span
stack_of(const struct comparison *c, const struct change *change, double *growth)
{
    *growth = profiles_growth(c->profiles, change->stack);
    bool same = change->growth < 0 ? *growth < 0 : *growth > 0;
    return same ? intern_text(&c->profiles->stacks, (uint32_t)change->stack) : SPAN("");
}

static size_t
longest_name(const struct comparison *c, double least)
{
    size_t longest = sizeof "function" - 1;
    for (size_t i = 0; i < c->n; i++)
        if (is_listed(&c->list[i], least)) {
            size_t n = utf8_count(c->list[i].name);
            longest = n > longest ? n : longest;
        }
    return longest;
}

struct widths {
    size_t name, stack; /* what they are cut to */
    size_t aligned;     /* columns that a shorter name is filled up to */
};

/* A long name gets two fifths of what is left of a line, or what the longest one takes. */
static struct widths
set_widths(size_t longest, size_t width)
{
    if (width == 0)
        return (struct widths){SIZE_MAX, SIZE_MAX, longest < NAME_MOST ? longest : NAME_MOST};
    size_t room = width > BEFORE_NAME + 2 ? width - BEFORE_NAME - 2 : 0, name = room * 2 / 5;
    name = name > NAME_LEAST ? name : NAME_LEAST;
    name = longest < name ? longest : name;
    size_t stack = room > name + NAME_LEAST ? room - name : NAME_LEAST;
    return (struct widths){name, stack, name};
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
        out_text(o, ">99.9%  ");
    else
        out_format(o, "%5.1f%%  ", certainty);
    size_t columns = columns_name(o, scratch, change->name, w->name);
    if (stack.len > 0) {
        columns_blanks(o, columns < w->aligned ? w->aligned - columns : 0);
        out_text(o, "  ");
        columns_name(o, scratch, stack, w->stack);
    }
    out_char(o, '\n');
}

void
write_table(struct out *o, const struct comparison *c, double least, size_t width)
{
    struct widths w = set_widths(longest_name(c, least), width);
    struct text scratch = {0};
    size_t candidates = compare_candidates(c, least);
    out_format(o, " before    after   change  certain  %-*s  stack%s\n", (int)w.aligned, "function",
               w.stack < strlen("stack that changed most") ? "" : " that changed most");
    for (size_t i = 0; i < c->n; i++)
        if (is_listed(&c->list[i], least))
            put_row(o, c, &c->list[i], compare_certainty(c, &c->list[i], candidates), &w, &scratch);
    free(scratch.ptr);
}

static void
put_side(struct out *o, const struct profiles *p, enum side side)
{
    char text[NUMBER_TEXT];
    out_format(o, "\"%s\":{\"profiles\":%zu,\"count\":", side == BEFORE ? "before" : "after",
               profiles_runs(p, side));
    out_span(o, p->dialect->numbers->text(text, profiles_side_total(p, side)));
    out_text(o, "},");
}

static void
put_object(struct out *o, const struct comparison *c, const struct change *change,
           size_t candidates, double factor)
{
    double growth;
    struct span stack = stack_of(c, change, &growth);
    out_text(o, "{\"name\":");
    jsontext_string(o, change->name);
    out_format(
        o, ",\"before\":%.15g,\"before_percent\":%.2f,\"after\":%.15g,\"after_percent\":%.2f,",
        change->count[BEFORE], change->share[BEFORE], change->count[AFTER], change->share[AFTER]);
    out_format(o, "\"change_points\":%.2f,\"margin_points\":%.2f,\"certainty_percent\":%.3f",
               change->growth, factor * change->error, compare_certainty(c, change, candidates));
    if (stack.len > 0) {
        out_text(o, ",\"stack\":");
        jsontext_string(o, stack);
        out_format(o, ",\"stack_change_points\":%.2f", growth);
    }
    out_char(o, '}');
}

void
write_json(struct out *o, const struct comparison *c, double least)
{
    size_t candidates = compare_candidates(c, least);
    double factor = compare_margin_factor(c, candidates);
    bool any = false;
    out_char(o, '{');
    put_side(o, c->profiles, BEFORE);
    put_side(o, c->profiles, AFTER);
    out_text(o, "\"rows\":[");
    for (size_t i = 0; i < c->n; i++) {
        if (!is_listed(&c->list[i], least))
            continue;
        out_cstr(o, any ? ",\n" : "\n");
        put_object(o, c, &c->list[i], candidates, factor);
        any = true;
    }
    out_text(o, "\n]}\n");
}
