#include "cmd/perf-script/select.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/base/text.h"

enum list_error
selection_add(struct selection *s, enum field field, struct span list)
{
    bool any = false, valid = true;
    int64_t number = 0;
    if (field == FIELD_EVENT)
        return eventlist_add(&s->events, list) ? LIST_OK : LIST_EMPTY;
    while (list.len > 0) {
        struct span item = span_take(&list, ',');
        if (item.len == 0)
            continue;
        valid &= field == FIELD_COMM || perf_id_parse(item, &number);
        intern_add(&s->wanted[field], field == FIELD_COMM ? item : SPAN_BYTES(number));
        any = true;
    }
    return !valid ? LIST_NO_NUMBER : any ? LIST_OK : LIST_EMPTY;
}

/* Return true if samples are selected by the field. */
static bool
is_asked(const struct selection *s, int f)
{
    if (f == FIELD_TIME)
        return !window_is_open(&s->time) || !window_is_open(&s->range);
    if (f == FIELD_EVENT)
        return s->events.patterns.count > 0 && !s->events.all;
    return s->wanted[f].count > 0;
}

bool
selection_is_asked(const struct selection *s)
{
    bool asked = false;
    for (int f = 0; f < FIELDS; f++)
        asked |= is_asked(s, f);
    return asked;
}

/* Return the field to compare. A thread id without a process id is compared with both, since the
 * main thread of a process has the same number. */
static enum perf_field
field_of(const struct perf_header *h, int f)
{
    static const enum perf_field fields[FIELDS] = {PERF_PID, PERF_TID,   PERF_COMM,
                                                   PERF_CPU, PERF_EVENT, PERF_TIME};
    return f == FIELD_PID && !perf_header_has(h, PERF_PID) ? PERF_TID : fields[f];
}

static bool
has_value(const struct perf_header *h, int f)
{
    enum perf_field field = field_of(h, f);
    return h->field[field].len > 0 || perf_header_has(h, field);
}

/* Return the value to search in a list: a name, or the bytes of a number, which is stored in
 * *number. */
static struct span
value_of(const struct perf_header *h, int f, int64_t *number)
{
    enum perf_field field = field_of(h, f);
    *number = field == PERF_PID ? h->pid : field == PERF_TID ? h->tid : h->cpu;
    return f == FIELD_COMM || f == FIELD_EVENT ? h->field[field]
                                               : span_of((const char *)number, sizeof *number);
}

/* Return true if the time is in both windows. */
static bool
in_time(const struct selection *s, uint64_t ns)
{
    if (!window_holds(&s->time, ns))
        return false;
    return window_is_open(&s->range) ||
           (s->started && ns >= s->start && window_holds(&s->range, ns - s->start));
}

static void
start_at(struct selection *s, uint64_t ns)
{
    enum { SECOND = 1000000000 };
    s->started = true;
    s->first = s->last = s->start = ns;
    if (s->origin == ORIGIN_RAW)
        s->start = 0;
    if (s->origin == ORIGIN_FLOOR)
        s->start -= ns % SECOND;
}

/* Return true if the value of a field, any but the event, is one of those selected. */
static bool
is_wanted(const struct selection *s, int f, const struct perf_header *h)
{
    int64_t number;
    return f == FIELD_TIME ? in_time(s, h->time)
                           : intern_find(&s->wanted[f], value_of(h, f, &number)) != INTERN_NONE;
}

/* The same for a sample, whose value is remembered for selection_explain. */
static bool
matches(struct selection *s, int f, const struct perf_header *h)
{
    int64_t number;
    if (f == FIELD_EVENT)
        return eventlist_matches(&s->events, h->field[PERF_EVENT]);
    if (f == FIELD_TIME) {
        s->first = h->time < s->first ? h->time : s->first;
        s->last = h->time > s->last ? h->time : s->last;
    } else {
        tally_add(&s->values[f], value_of(h, f, &number), 1, 0);
    }
    return is_wanted(s, f, h);
}

bool
selection_takes(struct selection *s, const struct perf_header *h)
{
    bool fits = true;
    int missing = FIELDS;
    s->seen++;
    if (!s->started && perf_header_has(h, PERF_TIME))
        start_at(s, h->time);
    for (int f = FIELDS; f-- > 0;) {
        if (!is_asked(s, f))
            continue;
        bool there = has_value(h, f), match = there && matches(s, f, h);
        if (!there)
            missing = f;
        s->matched[f] += match;
        fits &= match || !there;
    }
    s->thread_only += !perf_header_has(h, PERF_PID) && is_asked(s, FIELD_PID);
    if (fits && missing < FIELDS)
        s->missing_field[missing]++;
    fits &= missing == FIELDS;
    s->selected += fits;
    return fits;
}

bool
selection_takes_record(const struct selection *s, const struct perf_header *h)
{
    for (int f = 0; f < FIELDS; f++) {
        if (f != FIELD_EVENT && has_value(h, f) && is_asked(s, f) && !is_wanted(s, f, h))
            return false;
    }
    return true;
}

/* For each field its name in messages, and how perf prints it in text, or records it. */
static const struct {
    const char *name, *print, *record;
} names[FIELDS] = {
    {"process id", "-F +pid", ""}, {"thread id", "-F +tid", ""},
    {"command", "-F +comm", ""},   {"CPU", "-F +cpu", ": use perf record --sample-cpu"},
    {"event", "-F +event", ""},    {"time", "-F +time", ": use perf record --timestamp"},
};

/* Report which samples could not be compared. */
static void
explain_missing(const struct selection *s, struct diag *diag, bool recording)
{
    for (int f = 0; f < FIELDS; f++) {
        const char *plural = s->missing_field[f] == 1 ? "" : "s";
        if (s->missing_field[f] > 0 && recording)
            diag_note(diag, "%s sample%s left out: no %s was recorded%s",
                      NUM_TEXT(s->missing_field[f]), plural, names[f].name, names[f].record);
        else if (s->missing_field[f] > 0)
            diag_note(
                diag,
                "%s sample%s left out: the text has no %s: perf-script %s perf.data prints it",
                NUM_TEXT(s->missing_field[f]), plural, names[f].name, names[f].print);
    }
    if (s->thread_only > 0)
        diag_note(diag,
                  "%s thread ids only, so --pid matched main threads alone: perf-script -F +pid "
                  "perf.data prints both",
                  s->thread_only == s->seen ? "the input has" : "some samples have");
}

/* Return a value of the field as text, possibly in the buffer `text`. */
static struct span
value_text(int f, struct span value, char text[static PERF_NUMBER])
{
    int64_t number;
    if (f == FIELD_COMM)
        return value;
    memcpy(&number, value.ptr, sizeof number);
    return perf_id_text(number, text);
}

/* Report that no sample has a selected value of the field, and which values the input has. */
static void
explain_field(const struct selection *s, struct diag *diag, int f)
{
    char has[TALLY_TEXT], message[EVENTLIST_TEXT], number[PERF_NUMBER];
    const struct tally *seen = &s->values[f];
    struct text wanted = {0};
    struct tally values = {0};
    if (f == FIELD_EVENT) {
        eventlist_explain(&s->events, message);
        diag_error(diag, NOWHERE, "%s", message);
        return;
    }
    for (uint32_t i = 0; i < s->wanted[f].count; i++)
        TEXT_ADD(&wanted, i > 0 ? SPAN(",") : SPAN(""),
                 value_text(f, intern_text(&s->wanted[f], i), number));
    for (uint32_t i = 0; i < seen->names.count; i++)
        tally_add(&values, value_text(f, intern_text(&seen->names, i), number), seen->rows[i].count,
                  0);
    tally_describe(&values, has);
    diag_error(diag, NOWHERE, "no sample of %s '%.*s'; the input has: %s", names[f].name,
               SPAN_ARG(text_span(&wanted)), has);
    free(wanted.ptr);
    tally_free(&values);
}

/* Report that no sample is in the selected time, and which times the input has. */
static void
explain_time(const struct selection *s, struct diag *diag)
{
    char from[TIME_TEXT], to[TIME_TEXT], length[TIME_TEXT];
    time_format(s->first, from);
    time_format(s->last, to);
    time_format(s->last - s->first, length);
    diag_error(diag, NOWHERE,
               "no sample of that time; the input has times from %s to %s (%s seconds)", from, to,
               length);
}

void
selection_explain(const struct selection *s, struct diag *diag, bool recording)
{
    bool explained = false;
    explain_missing(s, diag, recording);
    if (s->seen == 0 || s->selected > 0)
        return;
    for (int f = 0; f < FIELDS; f++) {
        bool printed = f == FIELD_TIME    ? s->started
                       : f == FIELD_EVENT ? s->events.events.names.count > 0
                                          : s->values[f].names.count > 0;
        if (!is_asked(s, f) || s->matched[f] > 0 || !printed)
            continue;
        if (f == FIELD_TIME)
            explain_time(s, diag);
        else
            explain_field(s, diag, f);
        explained = true;
    }
    if (!explained)
        diag_error(diag, NOWHERE, "none of %s samples fits all that is asked for",
                   NUM_TEXT(s->seen));
}
