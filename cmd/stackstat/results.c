/* The three formats are those of perf-stat(1), section CSV FORMAT, and of its JSON:
 *
 *              3.70 msec task-clock         #    0.156 CPUs utilized    ( +- 33.16% )
 *   <not supported>      cycles
 *                50      page-faults        #   10.159 K/sec            ( +-  2.00% )  (41.20%)
 *
 *     3.71,msec,task-clock,4.50%,3711747,100.00,0.180,CPUs utilized
 *     {"counter-value" : "3.71", "unit" : "msec", "event" : "task-clock", "variance" : 4.50,
 *      "event-runtime" : 3711747, "pcnt-running" : 100.00, "metric-value" : 0.18,
 *      "metric-unit" : "CPUs utilized"}            on one line */
#include "cmd/stackstat/results.h"

#include <stdio.h>

#include "common/base/columns.h"
#include "common/base/jsontext.h"
#include "common/base/number.h"
#include "common/base/stats.h"

/* PERF_COUNT_* of linux/perf_event.h. */
enum { CPU_CYCLES = 0, INSTRUCTIONS = 1, BRANCHES = 4, BRANCH_MISSES = 5 };
enum { CPU_CLOCK = 0, TASK_CLOCK = 1 };

void
mean_add(struct mean *m, double value)
{
    double distance = value - m->mean;
    m->n++;
    m->mean += distance / m->n;
    m->squares += distance * (value - m->mean);
}

static double
deviation(const struct mean *m)
{
    return m->n > 1 ? stats_root(m->squares / (m->n - 1) / m->n) : 0;
}

double
mean_deviation(const struct mean *m)
{
    return m->mean > 0 ? 100 * deviation(m) / m->mean : 0;
}

static bool
is_event(const struct result *r, uint32_t type, uint64_t config)
{
    return r->type == type && r->config == config;
}

static bool
is_clock(const struct result *r)
{
    return is_event(r, PERF_TYPE_SOFTWARE, TASK_CLOCK) ||
           is_event(r, PERF_TYPE_SOFTWARE, CPU_CLOCK);
}

static bool
was_counted(const struct result *r)
{
    return r->absence == COUNTED && r->running.mean > 0;
}

/* Return the count of the first event of a kind that was counted with the same modifiers, or 0. */
static double
count_of(const struct results *all, const struct result *beside, uint32_t type, uint64_t config)
{
    size_t colon = span_find(beside->name, ':');
    struct span modifiers = colon != SPAN_NONE ? span_from(beside->name, colon) : SPAN("");
    for (size_t i = 0; i < all->count; i++) {
        const struct result *r = &all->list[i];
        size_t at = span_find(r->name, ':');
        struct span own = at != SPAN_NONE ? span_from(r->name, at) : SPAN("");
        if (is_event(r, type, config) && was_counted(r) && span_eq(own, modifiers))
            return r->value.mean;
    }
    return 0;
}

/* Return the seconds that rates are by: of the first clock among the events, or those elapsed. */
static double
seconds(const struct results *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (is_clock(&all->list[i]) && was_counted(&all->list[i]))
            return all->list[i].value.mean / 1e9;
    return all->elapsed.mean;
}

struct metric {
    double value;
    const char *unit; /* NULL: there is none */
};

static struct metric
rate(double value, double time)
{
    double rate = time > 0 ? value / time : 0;
    if (rate >= 1e9)
        return (struct metric){rate / 1e9, "G/sec"};
    if (rate >= 1e6)
        return (struct metric){rate / 1e6, "M/sec"};
    return rate >= 1e3 ? (struct metric){rate / 1e3, "K/sec"} : (struct metric){rate, "/sec"};
}

/* Return the number that helps to judge the count: a ratio to another event's, or a rate. */
static struct metric
metric_of(const struct results *all, const struct result *r)
{
    double value = r->value.mean, other;
    if (!was_counted(r))
        return (struct metric){0, NULL};
    if (is_clock(r))
        return (struct metric){all->elapsed.mean > 0 ? value / 1e9 / all->elapsed.mean : 0,
                               "CPUs utilized"};
    if (is_event(r, PERF_TYPE_HARDWARE, CPU_CYCLES) && seconds(all) > 0)
        return (struct metric){value / seconds(all) / 1e9, "GHz"};
    other = count_of(all, r, PERF_TYPE_HARDWARE, CPU_CYCLES);
    if (is_event(r, PERF_TYPE_HARDWARE, INSTRUCTIONS) && other > 0)
        return (struct metric){value / other, "insn per cycle"};
    other = count_of(all, r, PERF_TYPE_HARDWARE, BRANCHES);
    if (is_event(r, PERF_TYPE_HARDWARE, BRANCH_MISSES) && other > 0)
        return (struct metric){100 * value / other, "of all branches"};
    return rate(value, seconds(all));
}

/* Return in how much of the time it was counted, in percent; 100 for what was not to be counted. */
static double
share(const struct result *r)
{
    return r->enabled.mean > 0 ? 100 * r->running.mean / r->enabled.mean : 100;
}

/* Write the count into `text`: clocks in milliseconds, as perf does. */
static struct span
count_text(const struct result *r, bool commas, char text[static NUMBER_TEXT])
{
    if (r->absence != COUNTED || r->running.mean <= 0)
        return r->absence == NOT_SUPPORTED ? SPAN("<not supported>") : SPAN("<not counted>");
    if (is_clock(r))
        return number_fixed(text, r->value.mean / 1e6, 2);
    if (commas)
        return number_commas(text, r->value.mean);
    return span_of(text, (size_t)snprintf(text, NUMBER_TEXT, "%.0f", r->value.mean));
}

static const char *
unit(const struct result *r)
{
    return is_clock(r) ? "msec" : "";
}

static void
print_row(const struct results *all, const struct result *r, struct out *out)
{
    enum { COUNT_WIDTH = 18, NAME_WIDTH = 24, UNIT_WIDTH = 20 };
    char text[NUMBER_TEXT];
    struct metric m = metric_of(all, r);
    columns_right(out, COUNT_WIDTH, count_text(r, true, text));
    out_format(out, " %-4s ", unit(r));
    if (m.unit == NULL) {
        out_span(out, r->name);
        out_char(out, '\n');
        return;
    }
    columns_left(out, NAME_WIDTH, r->name);
    out_format(out, " # %8.3f", m.value);
    out_text(out, " ");
    if (r->value.n > 1 || share(r) < 99.995) {
        columns_left(out, UNIT_WIDTH, span_cstr(m.unit));
        if (r->value.n > 1)
            out_format(out, " ( +- %5.2f%% )", mean_deviation(&r->value));
        if (share(r) < 99.995)
            out_format(out, " (%.2f%%)", share(r));
    } else
        out_cstr(out, m.unit);
    out_char(out, '\n');
}

static void
print_fields(const struct results *all, const struct result *r, const char *sep, struct out *out)
{
    char text[NUMBER_TEXT];
    struct metric m = metric_of(all, r);
    out_span(out, count_text(r, false, text));
    out_format(out, "%s%s%s", sep, unit(r), sep);
    out_span(out, r->name);
    if (r->value.n > 1)
        out_format(out, "%s%.2f%%", sep, mean_deviation(&r->value));
    out_format(out, "%s%.0f%s%.2f%s", sep, r->running.mean, sep, share(r), sep);
    if (m.unit != NULL)
        out_format(out, "%.3f", m.value);
    out_format(out, "%s%s\n", sep, m.unit != NULL ? m.unit : "");
}

/* The rest of an object, after its first character. */
static void
print_json(const struct results *all, const struct result *r, struct out *out)
{
    char text[NUMBER_TEXT];
    struct metric m = metric_of(all, r);
    out_text(out, "\"counter-value\" : \"");
    out_span(out, count_text(r, false, text));
    out_format(out, "\", \"unit\" : \"%s\", \"event\" : ", unit(r));
    jsontext_string(out, r->name);
    if (r->value.n > 1)
        out_format(out, ", \"variance\" : %.2f", mean_deviation(&r->value));
    out_format(out, ", \"event-runtime\" : %.0f, \"pcnt-running\" : %.2f", r->running.mean,
               share(r));
    out_format(out, ", \"metric-value\" : %.6f, \"metric-unit\" : \"%s\"}\n", m.value,
               m.unit != NULL ? m.unit : "");
}

void
results_print_interval(const struct results *r, const struct style *s, double time, struct out *out)
{
    for (size_t i = 0; i < r->count; i++) {
        if (s->json) {
            out_format(out, "{\"interval\" : %.9f, ", time);
            print_json(r, &r->list[i], out);
        } else if (s->separator != NULL) {
            out_format(out, "%.9f%s", time, s->separator);
            print_fields(r, &r->list[i], s->separator, out);
        } else {
            out_format(out, "%16.9f ", time);
            print_row(r, &r->list[i], out);
        }
    }
}

static void
print_times(const struct results *r, struct out *out)
{
    if (r->elapsed.n > 1)
        out_format(out, "\n%18.6f +- %.6f seconds time elapsed ( +- %5.2f%% )\n", r->elapsed.mean,
                   deviation(&r->elapsed), mean_deviation(&r->elapsed));
    else
        out_format(out, "\n%18.9f seconds time elapsed\n", r->elapsed.mean);
    if (r->has_times)
        out_format(out, "\n%18.6f seconds user\n%18.6f seconds sys\n", r->user.mean,
                   r->system.mean);
    out_char(out, '\n');
}

void
results_print(const struct results *r, const struct style *s, struct out *out)
{
    bool table = !s->json && s->separator == NULL;
    if (table) {
        out_text(out, "\n Performance counter stats for ");
        out_cstr(out, s->title);
        if (r->elapsed.n > 1)
            out_format(out, " (%.0f runs)", r->elapsed.n);
        out_text(out, ":\n\n");
    }
    for (size_t i = 0; i < r->count; i++) {
        if (s->json) {
            out_char(out, '{');
            print_json(r, &r->list[i], out);
        } else if (table)
            print_row(r, &r->list[i], out);
        else
            print_fields(r, &r->list[i], s->separator, out);
    }
    if (table)
        print_times(r, out);
}
