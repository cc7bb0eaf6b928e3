#include "cmd/perf-script/fields.h"

#include <stdio.h>

static const struct {
    struct span name;
    struct fields bits;
} table[] = {
    {{"comm", 4}, {1 << PERF_COMM, 0, false, false}},
    {{"pid", 3}, {1 << PERF_PID, 0, false, false}},
    {{"tid", 3}, {1 << PERF_TID, 0, false, false}},
    {{"cpu", 3}, {1 << PERF_CPU, 0, false, false}},
    {{"flags", 5}, {1 << PERF_FLAGS, 0, false, false}},
    {{"time", 4}, {1 << PERF_TIME, 0, false, false}},
    {{"period", 6}, {1 << PERF_PERIOD, 0, false, false}},
    {{"event", 5}, {1 << PERF_EVENT, 0, false, false}},
    {{"trace", 5}, {1 << PERF_REST, 0, false, false}},
    {{"ip", 2}, {0, PERFWRITE_ADDR, false, false}},
    {{"sym", 3}, {0, PERFWRITE_SYM, false, false}},
    {{"symoff", 6}, {0, PERFWRITE_OFFSET, false, false}},
    {{"dso", 3}, {0, PERFWRITE_DSO, false, false}},
    {{"srcline", 7}, {0, PERFWRITE_SRCLINE, false, false}},
};

enum { TABLE = sizeof table / sizeof *table };

struct fields
fields_all(void)
{
    struct fields f = {0, 0, false, false};
    for (size_t i = 0; i < TABLE; i++) {
        f.header |= table[i].bits.header;
        f.frame |= table[i].bits.frame;
    }
    return f;
}

struct fields
fields_default(void)
{
    struct fields f = fields_all();
    f.header &= ~(1u << PERF_PID | 1u << PERF_FLAGS);
    f.frame &= ~(unsigned)PERFWRITE_SRCLINE;
    return f;
}

static bool
find(struct span name, struct fields *bits)
{
    for (size_t i = 0; i < TABLE; i++) {
        if (span_eq(table[i].name, name)) {
            *bits = table[i].bits;
            return true;
        }
    }
    return false;
}

/* Return a message if a field needs another one that is not printed, else NULL. */
static const char *
conflict(const struct fields *f)
{
    if ((f->frame & PERFWRITE_OFFSET) && !(f->frame & PERFWRITE_SYM))
        return "symoff needs sym";
    if (f->frame != 0 && !(f->frame & PERFWRITE_ADDR))
        return "sym, dso and srcline need ip";
    return NULL;
}

/* Add or remove fields. With a removed field, also remove those that cannot be printed without
 * it. */
static void
change(struct fields *f, char sign, struct fields bits)
{
    if (bits.header & 1u << PERF_PERIOD)
        f->trace_period = sign == '+';
    if (bits.frame & PERFWRITE_ADDR)
        f->trace_ip = sign == '+';
    if (sign == '+') {
        f->header |= bits.header;
        f->frame |= bits.frame;
        return;
    }
    f->header &= ~bits.header;
    f->frame &= ~bits.frame;
    if (bits.frame & PERFWRITE_SYM)
        f->frame &= ~(unsigned)PERFWRITE_OFFSET;
    if (bits.frame & PERFWRITE_ADDR)
        f->frame = 0;
}

/* Return "'x' is not a field: comm, pid, ...", valid until the next call. */
static const char *
unknown(struct span item)
{
    static char problem[256];
    int len = snprintf(problem, sizeof problem,
                       "'%.*s' is not a field:", (int)(item.len < 40 ? item.len : 40), item.ptr);
    for (size_t i = 0; i < TABLE; i++)
        len += snprintf(problem + len, sizeof problem - (size_t)len, "%s %.*s", i > 0 ? "," : "",
                        SPAN_ARG(table[i].name));
    return problem;
}

const char *
fields_parse(struct span list, struct fields *f)
{
    struct fields bits;
    bool changes = list.len > 0 && (list.ptr[0] == '+' || list.ptr[0] == '-');
    if (!changes)
        *f = (struct fields){0, 0, false, false};
    while (list.len > 0) {
        struct span item = span_trim(span_take(&list, ','));
        char sign = item.len > 0 && (item.ptr[0] == '+' || item.ptr[0] == '-') ? item.ptr[0] : 0;
        if ((sign != 0) != changes)
            return "fields are either all with + or -, or all without";
        if (sign != 0)
            item = span_from(item, 1);
        if (!find(item, &bits))
            return unknown(item);
        change(f, sign != 0 ? sign : '+', bits);
    }
    return f->header == 0 && f->frame == 0 ? "no field is left" : conflict(f);
}

void
fields_apply(struct fields f, struct perfwrite *w)
{
    struct fields all = fields_all();
    w->hidden = all.header & ~f.header;
    w->hidden_parts = all.frame & ~f.frame;
}
