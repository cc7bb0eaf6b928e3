/* The formats are those of perf stat: for people, CSV (perf-stat(1), section CSV FORMAT), and JSON:
 *
 *              3.70 msec task-clock         #    0.156 CPUs utilized    ( +- 33.16% )
 *   <not supported>      cycles
 *                50      page-faults        #   10.159 K/sec            ( +-  2.00% )  (41.20%)
 *
 *     3.71,msec,task-clock,4.50%,3711747,100.00,0.180,CPUs utilized
 *     CPU0,3.71,msec,...      with --no-aggr; node-1234,3.71,... with --per-thread
 *     {"counter-value" : "3.71", "unit" : "msec", "event" : "task-clock", "variance" : 4.50,
 *      "event-runtime" : 3711747, "pcnt-running" : 100.00, "metric-value" : 0.18,
 *      "metric-unit" : "CPUs utilized"}            on one line */
#include "cmd/stackstat/results.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/columns.h"
#include "common/base/jsontext.h"
#include "common/base/number.h"
#include "common/base/stats.h"

/* PERF_COUNT_* of linux/perf_event.h. */
enum { CYCLES, INSTRUCTIONS, CACHE_REFERENCES, CACHE_MISSES, BRANCHES, BRANCH_MISSES };
enum { STALLED_FRONTEND = 7, STALLED_BACKEND = 8 };
enum { CPU_CLOCK, TASK_CLOCK };
enum { L1D, L1I, LL, DTLB, ITLB };
#define READS(cache)       (cache)
#define READ_MISSES(cache) ((cache) | 1 << 16)

/* Ratios that perf prints beside an event, if the other event was counted, too. */
static const struct ratio {
    uint32_t type;
    uint64_t config, base;
    double factor;
    const char *unit;
} ratios[] = {
    {PERF_TYPE_HARDWARE, INSTRUCTIONS, CYCLES, 1, "insn per cycle"},
    {PERF_TYPE_HARDWARE, STALLED_FRONTEND, CYCLES, 100, "frontend cycles idle"},
    {PERF_TYPE_HARDWARE, STALLED_BACKEND, CYCLES, 100, "backend cycles idle"},
    {PERF_TYPE_HARDWARE, BRANCH_MISSES, BRANCHES, 100, "of all branches"},
    {PERF_TYPE_HARDWARE, CACHE_MISSES, CACHE_REFERENCES, 100, "of all cache refs"},
    {PERF_TYPE_HW_CACHE, READ_MISSES(L1D), READS(L1D), 100, "of all L1-dcache accesses"},
    {PERF_TYPE_HW_CACHE, READ_MISSES(L1I), READS(L1I), 100, "of all L1-icache accesses"},
    {PERF_TYPE_HW_CACHE, READ_MISSES(LL), READS(LL), 100, "of all LL-cache accesses"},
    {PERF_TYPE_HW_CACHE, READ_MISSES(DTLB), READS(DTLB), 100, "of all dTLB cache accesses"},
    {PERF_TYPE_HW_CACHE, READ_MISSES(ITLB), READS(ITLB), 100, "of all iTLB cache accesses"},
};

enum { RATIOS = sizeof ratios / sizeof *ratios };

void
mean_add(struct mean *m, double value)
{
    double distance = value - m->mean;
    m->n++;
    m->mean += distance / m->n;
    m->squares += distance * (value - m->mean);
}

double
mean_error(const struct mean *m)
{
    return m->n > 1 ? stats_root(m->squares / (m->n - 1) / m->n) : 0;
}

double
mean_deviation(const struct mean *m)
{
    return m->mean > 0 ? 100 * mean_error(m) / m->mean : 0;
}

static bool
is_event(const struct event *e, uint32_t type, uint64_t config)
{
    return e->type == type && e->config == config;
}

bool
results_is_clock(const struct event *e)
{
    return is_event(e, PERF_TYPE_SOFTWARE, TASK_CLOCK) ||
           is_event(e, PERF_TYPE_SOFTWARE, CPU_CLOCK);
}

static bool
is_base(const struct event *e)
{
    bool base = results_is_clock(e);
    for (size_t i = 0; i < RATIOS; i++)
        base |= is_event(e, ratios[i].type, ratios[i].base);
    return base;
}

/* The count of an event in a place. */
struct cell {
    const struct results *all;
    const struct event *event;
    const struct result *result;
    size_t place;
};

static struct cell
cell_at(const struct results *r, size_t event, size_t place)
{
    return (struct cell){r, &r->events[event], &r->list[event * r->places + place], place};
}

static bool
was_counted(const struct cell *c)
{
    return c->all->absences[c->event - c->all->events] == COUNTED && c->result->running.mean > 0;
}

/* Return true if both count in the same modes: user, kernel, hypervisor. */
static bool
same_modes(const struct event *a, const struct event *b)
{
    const uint64_t modes = 1 << FLAG_EXCLUDE_USER | 1 << FLAG_EXCLUDE_KERNEL | 1 << FLAG_EXCLUDE_HV;
    return ((a->flags ^ b->flags) & modes) == 0;
}

/* Return the count of the first such event that was counted in the same place and modes; 0 if there
 * is none. */
static double
count_of(const struct cell *beside, uint32_t type, uint64_t config)
{
    for (size_t i = 0; i < beside->all->nbases; i++) {
        struct cell c = cell_at(beside->all, beside->all->bases[i], beside->place);
        if (is_event(c.event, type, config) && was_counted(&c) &&
            same_modes(c.event, beside->event))
            return c.result->value.mean;
    }
    return 0;
}

/* Return the seconds for computing rates: those of the first clock among the events, else the
 * elapsed ones. */
static double
seconds(const struct cell *beside)
{
    for (size_t i = 0; i < beside->all->nbases; i++) {
        struct cell c = cell_at(beside->all, beside->all->bases[i], beside->place);
        if (results_is_clock(c.event) && was_counted(&c))
            return c.result->value.mean / 1e9;
    }
    return beside->all->elapsed.mean;
}

void
results_start(struct results *r)
{
    size_t n = r->count * r->places;
    if (r->list == NULL)
        r->list = mem_alloc(n * sizeof *r->list);
    if (r->bases == NULL)
        r->bases = mem_alloc(r->count * sizeof *r->bases);
    memset(r->list, 0, n * sizeof *r->list);
    r->elapsed = (struct mean){0};
    r->nbases = 0;
    for (size_t i = 0; i < r->count; i++)
        if (is_base(&r->events[i]))
            r->bases[r->nbases++] = i;
}

void
results_free(struct results *r)
{
    free(r->list);
    free(r->bases);
    free(r->names);
}

struct metric {
    double value;
    const char *unit; /* NULL: none */
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

/* Return a number that helps to judge the count: its ratio to that of another event, or a rate. */
static struct metric
metric_of(const struct cell *c)
{
    double value = c->result->value.mean, elapsed = c->all->elapsed.mean, time = seconds(c);
    if (!was_counted(c))
        return (struct metric){0, NULL};
    if (results_is_clock(c->event))
        return (struct metric){elapsed > 0 ? value / 1e9 / elapsed : 0, "CPUs utilized"};
    if (is_event(c->event, PERF_TYPE_HARDWARE, CYCLES) && time > 0)
        return (struct metric){value / time / 1e9, "GHz"};
    for (const struct ratio *r = ratios; r < ratios + RATIOS; r++) {
        if (!is_event(c->event, r->type, r->config))
            continue;
        double base = count_of(c, r->type, r->base);
        if (base > 0)
            return (struct metric){r->factor * value / base, r->unit};
    }
    return rate(value, time);
}

/* Return the percentage of the time in which the event was counted; 100 if it was never enabled. */
static double
share(const struct result *r)
{
    return r->enabled.mean > 0 ? 100 * r->running.mean / r->enabled.mean : 100;
}

/* Write the count into `text`. Clocks are in milliseconds, as with perf. */
static struct span
count_text(const struct cell *c, bool commas, char text[static NUMBER_TEXT])
{
    double value = c->result->value.mean;
    if (c->all->absences[c->event - c->all->events] == NOT_SUPPORTED)
        return SPAN("<not supported>");
    if (!was_counted(c))
        return SPAN("<not counted>");
    if (results_is_clock(c->event))
        return number_fixed(text, value / 1e6, 2);
    if (commas)
        return number_commas(text, value);
    return span_of(text, (size_t)snprintf(text, NUMBER_TEXT, "%.0f", value));
}

static const char *
unit(const struct event *e)
{
    return results_is_clock(e) ? "msec" : "";
}

/* Print the columns of the place, as wide as perf's. */
static void
print_place(const struct cell *c, struct out *out)
{
    enum { CPU_WIDTH = 11, COMM_WIDTH = 16, TID_WIDTH = 10 };
    if (c->all->kind == ONE_PLACE)
        return;
    struct span name = c->all->names[c->place];
    size_t dash = c->all->kind == EACH_THREAD ? span_rfind(name, '-') : 0;
    if (c->all->kind == EACH_CPU) {
        columns_left(out, CPU_WIDTH, name);
        return;
    }
    columns_right(out, COMM_WIDTH, span_head(name, dash));
    columns_left(out, TID_WIDTH, span_from(name, dash));
}

static void
print_row(const struct cell *c, struct out *out)
{
    enum { COUNT_WIDTH = 18, NAME_WIDTH = 24, UNIT_WIDTH = 20 };
    char text[NUMBER_TEXT];
    struct metric m = metric_of(c);
    const struct mean *value = &c->result->value;
    double counted = share(c->result);
    print_place(c, out);
    columns_right(out, COUNT_WIDTH, count_text(c, true, text));
    out_format(out, " %-4s ", unit(c->event));
    if (m.unit == NULL) {
        out_span(out, c->event->name);
        out_char(out, '\n');
        return;
    }
    columns_left(out, NAME_WIDTH, c->event->name);
    out_format(out, " # %8.3f ", m.value);
    if (value->n > 1 || counted < 99.995)
        columns_left(out, UNIT_WIDTH, span_cstr(m.unit));
    else
        out_cstr(out, m.unit);
    if (value->n > 1)
        out_format(out, " ( +- %5.2f%% )", mean_deviation(value));
    if (counted < 99.995)
        out_format(out, " (%.2f%%)", counted);
    out_char(out, '\n');
}

static void
print_fields(const struct cell *c, const char *sep, struct out *out)
{
    char text[NUMBER_TEXT];
    struct metric m = metric_of(c);
    if (c->all->kind != ONE_PLACE) {
        out_span(out, c->all->names[c->place]);
        out_cstr(out, sep);
    }
    out_span(out, count_text(c, false, text));
    out_format(out, "%s%s%s", sep, unit(c->event), sep);
    out_span(out, c->event->name);
    if (c->result->value.n > 1)
        out_format(out, "%s%.2f%%", sep, mean_deviation(&c->result->value));
    out_format(out, "%s%.0f%s%.2f%s", sep, c->result->running.mean, sep, share(c->result), sep);
    if (m.unit != NULL)
        out_format(out, "%.3f", m.value);
    out_format(out, "%s%s\n", sep, m.unit != NULL ? m.unit : "");
}

/* Print the rest of an object after its first character. */
static void
print_json(const struct cell *c, struct out *out)
{
    char text[NUMBER_TEXT];
    struct metric m = metric_of(c);
    if (c->all->kind != ONE_PLACE) {
        bool cpu = c->all->kind == EACH_CPU;
        out_cstr(out, cpu ? "\"cpu\" : " : "\"thread\" : ");
        jsontext_string(out, span_from(c->all->names[c->place], cpu ? strlen("CPU") : 0));
        out_text(out, ", ");
    }
    out_text(out, "\"counter-value\" : \"");
    out_span(out, count_text(c, false, text));
    out_format(out, "\", \"unit\" : \"%s\", \"event\" : ", unit(c->event));
    jsontext_string(out, c->event->name);
    if (c->result->value.n > 1)
        out_format(out, ", \"variance\" : %.2f", mean_deviation(&c->result->value));
    out_format(out, ", \"event-runtime\" : %.0f, \"pcnt-running\" : %.2f", c->result->running.mean,
               share(c->result));
    out_format(out, ", \"metric-value\" : %.6f, \"metric-unit\" : \"%s\"}\n", m.value,
               m.unit != NULL ? m.unit : "");
}

void
results_print_heads(const struct results *r, struct out *out)
{
    static const char *const heads[] = {
        [ONE_PLACE] = "#           time             counts unit events\n",
        [EACH_CPU] = "#           time CPU                    counts unit events\n",
        [EACH_THREAD] = "#           time             comm-tid              counts unit events\n"};
    out_cstr(out, heads[r->kind]);
}

/* Print a count, after the time of its interval in seconds. A negative time is left out. */
static void
print_cell(const struct cell *c, const struct style *s, double time, struct out *out)
{
    if (s->json) {
        out_char(out, '{');
        if (time >= 0)
            out_format(out, "\"interval\" : %.9f, ", time);
        print_json(c, out);
    } else if (s->separator != NULL) {
        if (time >= 0)
            out_format(out, "%.9f%s", time, s->separator);
        print_fields(c, s->separator, out);
    } else {
        if (time >= 0)
            out_format(out, "%16.9f ", time);
        print_row(c, out);
    }
}

static void
print_cells(const struct results *r, const struct style *s, double time, struct out *out)
{
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < r->places; k++) {
            struct cell c = cell_at(r, i, k);
            print_cell(&c, s, time, out);
        }
}

void
results_print_interval(const struct results *r, const struct style *s, double time, struct out *out)
{
    print_cells(r, s, time, out);
}

static void
print_times(const struct results *r, struct out *out)
{
    if (r->elapsed.n > 1)
        out_format(out, "\n%18.6f +- %.6f seconds time elapsed ( +- %5.2f%% )\n", r->elapsed.mean,
                   mean_error(&r->elapsed), mean_deviation(&r->elapsed));
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
    print_cells(r, s, -1, out);
    if (table)
        print_times(r, out);
}
