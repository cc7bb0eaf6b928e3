/* Replaces stackcollapse-chrome-tracing.py, which folds events with a duration, computes in double
 * precision, and prints stacks in the order in which they first end. If a member of an event is
 * missing, that is an error, and it prints nothing. See format/chrometracing.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/stackcollapse/shared/chromeevent.h"
#include "cmd/stackcollapse/script/floatsum.h"

struct open_call {
    double end, total;
    uint32_t stack; /* with the events outside of it */
};

struct chrome_script {
    struct stacker base;
    struct chromeevent event; /* last event read */
    struct intern threads;
    bool traces; /* there are events */
    VEC(struct trace_event) events;
    struct intern names;        /* of the events */
    VEC(struct open_call) open; /* outermost first */
    struct floatsum totals;
    bool failed;
};

/* Return the thread. The script regards as one thread all with the same pairing number: Cantor's,
 * in double precision. */
static uint32_t
thread(struct chrome_script *st, int64_t pid, int64_t tid)
{
    double sum = (double)tid + (double)pid, key = sum * (sum + 1) / 2 + (double)pid;
    if (sum >= 0 && sum < 0x1p31) {
        uint64_t half = (uint64_t)sum * ((uint64_t)sum + 1) / 2; /* of integers in Python, too */
        key = (double)half + (double)pid;
    }
    return intern_add(&st->threads, SPAN_BYTES(key));
}

static void
add(struct chrome_script *st)
{
    const struct chromeevent *e = &st->event;
    unsigned ids = CHROME_HAS(PHASE) | CHROME_HAS(PID) | CHROME_HAS(TID),
             needs = e->has & CHROME_HAS(DURATION)
                         ? ids | CHROME_HAS(NAME) | CHROME_HAS(START) | CHROME_HAS(DURATION)
                         : ids;
    if ((e->has & CHROME_HAS(PHASE)) && e->phase != 'X')
        return;
    if ((e->good & needs) != needs && !st->failed) {
        diag_error(st->base.c->diag, input_place(&st->base.c->input),
                   "an event without ph, pid, tid, name or ts");
        st->failed = true;
    }
    if (st->failed || !(e->has & CHROME_HAS(DURATION)))
        return;
    VEC_ADD(st->events, (struct trace_event){.start = e->start,
                                             .duration = e->duration,
                                             .name = intern_add(&st->names, text_span(&e->name)),
                                             .thread = thread(st, e->pid, e->tid),
                                             .order = st->events.n});
    st->base.c->samples++;
}

static void
read_events(void *ctx, struct json *j)
{
    struct chrome_script *st = ctx;
    st->traces = true;
    if (json_enter(j, JSON_ARRAY))
        while (chromeevent_next(&st->event, j, NULL))
            add(st);
}

static void
fold(struct stacker *f)
{
    static const struct jsonfield fields[] = {FIELD_VALUE("traceEvents", read_events), FIELD_END};
    struct chrome_script *st = (struct chrome_script *)f;
    struct json j;
    st->traces = false;
    json_start(&j, &f->c->input.lines);
    j.strict = true; /* the script fails if any part of the text is malformed */
    if (json_next(&j) == JSON_OBJECT)
        jsonfile_object(&j, fields, f);
    st->failed |= !jsonfile_end(f, &j);
    if (!st->traces && !st->failed)
        diag_error(f->c->diag, stacker_file(f), "no traceEvents");
    st->failed |= !st->traces;
}

static void
pop(struct chrome_script *st)
{
    const struct open_call *e = &st->open.at[--st->open.n];
    floatsum_add(&st->totals, e->stack, e->total);
}

static void
push(struct chrome_script *st, const struct trace_event *e)
{
    while (st->open.n > 0 && st->open.at[st->open.n - 1].end <= e->start)
        pop(st);
    uint32_t stack = st->open.n > 0 ? st->open.at[st->open.n - 1].stack : STACKTREE_ROOT;
    if (st->open.n > 0)
        st->open.at[st->open.n - 1].total -= e->duration;
    stack = floatsum_child(&st->totals, stack, intern_text(&st->names, e->name));
    VEC_ADD(st->open, (struct open_call){e->start + e->duration, e->duration, stack});
}

/* Print a number as Python's str() does: with the fewest digits that give the same number, and with
 * an exponent from 10^16 on and below 10^-4. */
static void
print_float(struct out *out, double value)
{
    char text[32];
    int precision = 0;
    do
        snprintf(text, sizeof text, "%.*e", precision, value);
    while (strtod(text, NULL) != value && ++precision < 17);
    char *e = strchr(text, 'e');
    int exponent = e != NULL ? (int)strtol(e + 1, NULL, 10) : 0;
    if (e == NULL || exponent >= 16 || exponent < -4)
        out_cstr(out, text); /* "1e+16", "1.5e-05"; "inf" */
    else
        out_format(out, "%.*f", precision > exponent ? precision - exponent : 1, value);
}

static void
finish(struct stacker *f)
{
    struct chrome_script *st = (struct chrome_script *)f;
    uint32_t last = UINT32_MAX;
    if (st->failed || st->base.c->diag->status != 0) {
        st->base.c->script_status = 1;
        return;
    }
    chromeevent_sort(st->events.at, st->events.n);
    for (size_t i = 0; i < st->events.n; i++) {
        const struct trace_event *e = &st->events.at[i];
        while (e->thread != last && st->open.n > 0)
            pop(st);
        last = e->thread;
        push(st, e);
    }
    while (st->open.n > 0)
        pop(st);
    floatsum_write(&st->totals, st->base.c->out, -INFINITY, print_float);
}

static void
end(struct stacker *f)
{
    struct chrome_script *st = (struct chrome_script *)f;
    floatsum_free(&st->totals);
}

const struct format script_chrome = {
    .fold = fold,
    .state_size = sizeof(struct chrome_script),
    .finish = finish,
    .end = end,
    .interns = MEMBERS(struct chrome_script, threads, names),
    .buffers = MEMBERS(struct chrome_script, event.name, event.id, events, open)};
