#include "cmd/perf-script/select.h"

/* "001" is CPU 1. */
static struct span
without_zeros(struct span s)
{
    while (s.len > 1 && s.ptr[0] == '0')
        s = span_from(s, 1);
    return s;
}

/* "-1" is one too: perf prints it where there is no thread or no CPU. */
static bool
is_number(struct span s)
{
    size_t sign = span_starts(s, SPAN("-"));
    return s.len > sign && span_run(s, sign, is_digit) == s.len - sign;
}

static bool
add_item(struct selection *s, enum field field, struct span item)
{
    bool numbers = field == FIELD_PID || field == FIELD_TID || field == FIELD_CPU;
    if (item.len == 0)
        return true;
    intern_add(&s->sets[field], field == FIELD_CPU ? without_zeros(item) : item);
    return !numbers || is_number(item);
}

bool
selection_add(struct selection *s, enum field field, struct span list)
{
    size_t start = 0;
    bool in_slashes = false, valid = true;
    for (size_t at = 0; at < list.len; at++) {
        if (list.ptr[at] == '/' && field == FIELD_EVENT)
            in_slashes = !in_slashes;
        if (list.ptr[at] == ',' && !in_slashes) {
            valid &= add_item(s, field, span_of(list.ptr + start, at - start));
            start = at + 1;
        }
    }
    return add_item(s, field, span_from(list, start)) && valid;
}

static bool
contains(const struct intern *set, struct span value)
{
    return set->count == 0 || intern_find(set, value) != INTERN_NONE;
}

/* True where the time is in both windows. */
static bool
in_time(const struct selection *s, uint64_t ns)
{
    if (!window_holds(&s->time, ns))
        return false;
    return window_is_open(&s->range) ||
           (s->started && ns >= s->start && window_holds(&s->range, ns - s->start));
}

static bool
wants_time(const struct selection *s)
{
    return !window_is_open(&s->time) || !window_is_open(&s->range);
}

static void
start_at(struct selection *s, uint64_t ns)
{
    enum { SECOND = 1000000000 };
    s->started = true;
    s->start = ns;
    if (s->origin == ORIGIN_RAW)
        s->start = 0;
    if (s->origin == ORIGIN_FLOOR)
        s->start -= ns % SECOND;
}

/* What is compared, by field. A lone thread id stands for the process's: its main thread has the
 * same. */
static void
values_of(const struct perf_header *h, struct span values[FIELD_TIME])
{
    values[FIELD_PID] = h->field[PERF_PID].len > 0 ? h->field[PERF_PID] : h->field[PERF_TID];
    values[FIELD_TID] = h->field[PERF_TID];
    values[FIELD_COMM] = h->field[PERF_COMM];
    values[FIELD_CPU] = without_zeros(h->field[PERF_CPU]);
    values[FIELD_EVENT] = h->field[PERF_EVENT];
}

/* True where all the fields that it prints are wanted, a record's event aside. The first field that
 * is asked for and not printed is left in *lacking, which else stays. */
static bool
fits(const struct selection *s, const struct perf_header *h, bool record, enum field *lacking)
{
    uint64_t ns;
    struct span values[FIELD_TIME];
    values_of(h, values);
    if (wants_time(s)) {
        if (!time_parse(h->field[PERF_TIME], &ns))
            *lacking = FIELD_TIME;
        else if (!in_time(s, ns))
            return false;
    }
    for (int f = FIELD_TIME; f-- > 0;) {
        if (s->sets[f].count == 0 || (record && f == FIELD_EVENT))
            continue;
        if (values[f].len == 0)
            *lacking = (enum field)f;
        else if (!contains(&s->sets[f], values[f]))
            return false;
    }
    return true;
}

bool
selection_takes(struct selection *s, const struct perf_header *h)
{
    uint64_t ns;
    enum field lacking = FIELDS;
    s->seen++;
    if (!s->started && time_parse(h->field[PERF_TIME], &ns))
        start_at(s, ns);
    s->lone_tids += h->field[PERF_PID].len == 0 && s->sets[FIELD_PID].count > 0;
    if (!fits(s, h, false, &lacking))
        return false;
    if (lacking == FIELDS)
        return true;
    s->lacking[lacking]++;
    return false;
}

bool
selection_takes_record(const struct selection *s, const struct perf_header *h)
{
    enum field lacking;
    return fits(s, h, true, &lacking);
}
