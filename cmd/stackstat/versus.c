/*             before              after   growth   95 % interval
 *             100.00             121.51  +21.51 %   +19.20 to  +23.82  msec task-clock
 *      1,000,000,000      1,000,000,100   +0.00 %    -0.01 to   +0.01  instructions
 *
 *     100.00,1.20%,121.51,0.90%,msec,task-clock,21.51,19.20,23.82
 *     {"before" : 100.000000, "before-variance" : 1.20, "after" : 121.510000,
 *      "after-variance" : 0.90, "unit" : "msec", "event" : "task-clock",
 *      "growth-percent" : 21.51, "low-percent" : 19.20, "high-percent" : 23.82}    on one line */
#include "cmd/stackstat/versus.h"

#include <stdio.h>

#include "common/base/columns.h"
#include "common/base/jsontext.h"
#include "common/base/number.h"
#include "common/base/stats.h"

/* The probability that the growth is below the interval, and that it is above. */
static const double outside = 0.025;

/* perf's names of a command's times, which follow the events. */
enum { ELAPSED, USER, SYSTEM, TIMES };
static const struct span times[TIMES] = {
    [ELAPSED] = SPAN("duration_time"), [USER] = SPAN("user_time"), [SYSTEM] = SPAN("system_time")};

struct change {
    struct span name;
    bool is_time; /* in milliseconds */
    enum absence absence;
    bool counted;
    struct mean side[SIDES];
    bool has_growth;          /* the value before is not 0, or the value after is 0 */
    double growth, low, high; /* percent */
};

static struct mean
scaled(struct mean m, double factor)
{
    m.mean *= factor;
    m.squares *= factor * factor;
    return m;
}

static void
compare(struct change *c)
{
    struct stats_mean mean[SIDES];
    double error;
    for (enum versus_side side = BEFORE; side < SIDES; side++) {
        const struct mean *m = &c->side[side];
        double deviation = mean_error(m);
        mean[side] = (struct stats_mean){m->mean, deviation * deviation, (size_t)m->n};
    }
    c->has_growth = mean[BEFORE].mean > 0 || mean[AFTER].mean <= 0;
    if (mean[BEFORE].mean <= 0)
        return;
    stats_growth(&mean[BEFORE], &mean[AFTER], &c->growth, &error);
    unsigned freedom = stats_growth_freedom(&mean[BEFORE], &mean[AFTER]);
    double margin = error > 0 ? error * stats_quantile(outside, freedom) : 0;
    c->low = c->growth - margin;
    c->high = c->growth + margin;
}

static size_t
changes(const struct versus *v)
{
    return v->sides[BEFORE].count + TIMES;
}

/* Return the change of an event or, after the events, of a time. */
static struct change
change_at(const struct versus *v, size_t i)
{
    const struct results *r = v->sides;
    size_t n = r->count;
    struct change c = {.counted = true, .is_time = true};
    if (i < n) {
        c.name = r->events[i].name;
        c.absence = r->absences[i];
        c.is_time = results_is_clock(&r->events[i]);
    } else {
        c.name = times[i - n];
    }
    for (enum versus_side side = BEFORE; side < SIDES; side++) {
        const struct mean *of_time[TIMES] = {&r[side].elapsed, &r[side].user, &r[side].system};
        double factor = i >= n ? 1e3 : c.is_time ? 1e-6 : 1;
        c.side[side] = scaled(i < n ? r[side].list[i].value : *of_time[i - n], factor);
        c.counted &= i >= n || (c.absence == COUNTED && r[side].list[i].running.mean > 0);
    }
    if (c.counted)
        compare(&c);
    return c;
}

static struct span
mean_text(const struct change *c, enum versus_side side, char text[static NUMBER_TEXT])
{
    if (!c->counted)
        return c->absence == NOT_SUPPORTED ? SPAN("<not supported>") : SPAN("<not counted>");
    return c->is_time ? number_fixed(text, c->side[side].mean, 2)
                      : number_commas(text, c->side[side].mean);
}

static void
print_row(const struct change *c, struct out *out)
{
    enum { COUNT_WIDTH = 18 };
    char text[NUMBER_TEXT];
    for (enum versus_side side = BEFORE; side < SIDES; side++) {
        columns_right(out, COUNT_WIDTH, mean_text(c, side, text));
        out_char(out, ' ');
    }
    if (!c->counted)
        out_format(out, "%32s", "");
    else if (!c->has_growth)
        out_format(out, "%8s%24s", "new", "");
    else
        out_format(out, "%+8.2f %% %+8.2f to %+8.2f ", c->growth, c->low, c->high);
    out_format(out, " %-4s ", c->is_time ? "msec" : "");
    out_span(out, c->name);
    out_char(out, '\n');
}

static void
print_fields(const struct change *c, const char *sep, struct out *out)
{
    char text[NUMBER_TEXT];
    for (enum versus_side side = BEFORE; side < SIDES; side++) {
        if (c->counted)
            out_format(out, c->is_time ? "%.2f" : "%.0f", c->side[side].mean);
        else
            out_span(out, mean_text(c, side, text));
        out_format(out, "%s%.2f%%%s", sep, mean_deviation(&c->side[side]), sep);
    }
    out_format(out, "%s%s", c->is_time ? "msec" : "", sep);
    out_span(out, c->name);
    if (c->counted && c->has_growth)
        out_format(out, "%s%.2f%s%.2f%s%.2f\n", sep, c->growth, sep, c->low, sep, c->high);
    else
        out_format(out, "%s%s%s\n", sep, sep, sep);
}

static void
print_json(const struct change *c, struct out *out)
{
    static const char *const keys[] = {[BEFORE] = "before", [AFTER] = "after"};
    out_char(out, '{');
    for (enum versus_side side = BEFORE; side < SIDES && c->counted; side++)
        out_format(out, "\"%s\" : %.6f, \"%s-variance\" : %.2f, ", keys[side], c->side[side].mean,
                   keys[side], mean_deviation(&c->side[side]));
    out_format(out, "\"unit\" : \"%s\", \"event\" : ", c->is_time ? "msec" : "");
    jsontext_string(out, c->name);
    if (c->counted && c->has_growth)
        out_format(out,
                   ", \"growth-percent\" : %.2f, \"low-percent\" : %.2f, \"high-percent\" : %.2f",
                   c->growth, c->low, c->high);
    out_text(out, "}\n");
}

void
versus_print(const struct versus *v, const struct style *s, struct out *out)
{
    const bool table = !s->json && s->separator == NULL;
    if (table)
        out_format(out,
                   "\n Performance counter stats before: %s\n                          after: %s\n"
                   " %.0f runs of each, in turns\n\n"
                   "            before              after   growth   95 %% interval\n",
                   v->titles[BEFORE], v->titles[AFTER], v->sides[BEFORE].elapsed.n);
    for (size_t i = 0; i < changes(v); i++) {
        struct change c = change_at(v, i);
        if (s->json)
            print_json(&c, out);
        else if (table)
            print_row(&c, out);
        else
            print_fields(&c, s->separator, out);
    }
    if (table)
        out_char(out, '\n');
}

/* Check one change. What is 0 before has grown by more than any limit, unless that is by chance. */
static void
check_change(const struct change *c, const struct limit *limit, struct diag *diag)
{
    const struct mean *after = &c->side[AFTER];
    char text[NUMBER_TEXT];
    if (!c->has_growth) {
        bool sure = after->mean > mean_error(after) * stats_quantile(outside, 2);
        if (sure)
            diag_error(diag, NOWHERE, "%.*s grew from 0 to %.*s, more than --max-growth=%s allows",
                       SPAN_ARG(c->name), SPAN_ARG(mean_text(c, AFTER, text)), limit->text);
    } else if (c->low > limit->percent) {
        diag_error(diag, NOWHERE,
                   "%.*s grew by %.2f %% (%.2f to %.2f), more than --max-growth=%s allows",
                   SPAN_ARG(c->name), c->growth, c->low, c->high, limit->text);
    } else if (c->growth > limit->percent) {
        diag_note(diag,
                  "%.*s grew by %.2f %% (%.2f to %.2f), more than --max-growth=%s, but perhaps by "
                  "chance: count more runs (--repeat) to be sure",
                  SPAN_ARG(c->name), c->growth, c->low, c->high, limit->text);
    }
}

void
versus_check(const struct versus *v, const struct limit *limit, struct diag *diag)
{
    bool found = limit->event.len == 0;
    for (size_t i = 0; i < changes(v); i++) {
        struct change c = change_at(v, i);
        if (!c.counted || (limit->event.len > 0 && !span_eq(limit->event, c.name)))
            continue;
        check_change(&c, limit, diag);
        found = true;
    }
    if (!found)
        diag_error(diag, NOWHERE, "--max-growth=%s: %.*s was not counted", limit->text,
                   SPAN_ARG(limit->event));
}
