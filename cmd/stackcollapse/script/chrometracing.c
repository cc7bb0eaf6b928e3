/* stackcollapse-chrome-tracing.py: it folds the events that have a duration, with the arithmetic of
 * double precision, and prints stacks in the order in which they first end. An event that lacks
 * something is an error, after which it prints nothing. See format/chrometracing.c. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/stackcollapse/build/chromeevent.h"
#include "cmd/stackcollapse/build/jsonfile.h"
#include "cmd/stackcollapse/script/floatsum.h"

struct open_event {
    double end, total;
    uint32_t stack; /* with the events outside of it */
};

struct state {
    struct collapse *c;
    struct json json;
    struct chromeevent event; /* read last */
    struct traceevents events;
    struct intern names, threads; /* of the events */
    bool failed;
    struct open_event *open; /* the outermost first */
    size_t n, cap;
    struct floatsum totals;
};

/* The script takes for one thread what has the same pairing number: Cantor's, in double
 * precision. */
static uint32_t
thread(struct state *st, int64_t pid, int64_t tid)
{
    double sum = (double)tid + (double)pid, key = sum * (sum + 1) / 2 + (double)pid;
    if (sum >= 0 && sum < 0x1p31) {
        uint64_t half = (uint64_t)sum * ((uint64_t)sum + 1) / 2; /* Python's, of whole numbers */
        key = (double)half + (double)pid;
    }
    return intern_add(&st->threads, span_of((const char *)&key, sizeof key));
}

static void
add(struct state *st)
{
    const struct chromeevent *e = &st->event;
    unsigned good = e->has & ~e->wrong;
    unsigned ids = HAS_PHASE | HAS_PID | HAS_TID,
             needs = e->has & HAS_DURATION ? ids | HAS_NAME | HAS_START | HAS_DURATION : ids;
    if ((e->has & HAS_PHASE) && e->phase != 'X')
        return;
    if ((good & needs) != needs && !st->failed) {
        diag_error(st->c->diag, input_place(&st->c->input),
                   "an event without ph, pid, tid, name or ts");
        st->failed = true;
    }
    if (st->failed || !(e->has & HAS_DURATION))
        return;
    traceevents_add(&st->events,
                    (struct trace_event){.start = e->start,
                                         .duration = e->duration,
                                         .name = intern_add(&st->names, text_span(&e->name)),
                                         .thread = thread(st, e->pid, e->tid)});
    st->c->samples++;
}

/* Reads the members of the outermost object. False if there are no events. */
static bool
read_object(struct state *st)
{
    struct json *j = &st->json;
    bool found = false;
    while (json_member(j)) {
        bool events = json_is(j, SPAN("traceEvents"));
        found |= events;
        if (!events)
            json_scalar(j);
        else if (json_enter(j, JSON_ARRAY))
            while (chromeevent_next(&st->event, j, NULL))
                add(st);
    }
    return found;
}

static void
fold(struct collapse *c, void **state)
{
    if (*state == NULL) {
        *state = mem_alloc(sizeof(struct state));
        *(struct state *)*state = (struct state){.c = c};
    }
    struct state *st = *state;
    struct json *j = &st->json;
    jsonfile_start(j, c);
    j->strict = true; /* the script fails where any of the text is wrong */
    bool found = json_next(j) == JSON_OBJECT && read_object(st);
    st->failed |= !jsonfile_end(j, c);
    if (!found && !st->failed)
        diag_error(c->diag, (struct place){c->input.name, 0}, "no traceEvents");
    st->failed |= !found;
}

static void
pop(struct state *st)
{
    const struct open_event *e = &st->open[--st->n];
    floatsum_add(&st->totals, e->stack, e->total);
}

static void
push(struct state *st, const struct trace_event *e)
{
    while (st->n > 0 && st->open[st->n - 1].end <= e->start)
        pop(st);
    uint32_t stack = st->n > 0 ? st->open[st->n - 1].stack : STACKTREE_ROOT;
    if (st->n > 0)
        st->open[st->n - 1].total -= e->duration;
    stack = floatsum_child(&st->totals, stack, intern_text(&st->names, e->name));
    st->open = mem_grow(st->open, &st->cap, st->n + 1, sizeof *st->open);
    st->open[st->n++] = (struct open_event){e->start + e->duration, e->duration, stack};
}

/* Prints a number as Python's str() does: the fewest digits that give the same number, and an
 * exponent from 10^16 on and below 10^-4. */
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
finish(void *state)
{
    struct state *st = state;
    uint32_t last = UINT32_MAX;
    if (st->failed || st->c->diag->status != 0) {
        st->c->script_status = 1;
        return;
    }
    traceevents_sort(&st->events);
    for (size_t i = 0; i < st->events.n; i++) {
        const struct trace_event *e = &st->events.events[i];
        while (e->thread != last && st->n > 0)
            pop(st);
        last = e->thread;
        push(st, e);
    }
    while (st->n > 0)
        pop(st);
    floatsum_write(&st->totals, st->c->out, NULL, print_float);
}

static void
end(void *state)
{
    struct state *st = state;
    intern_free(&st->names);
    intern_free(&st->threads);
    floatsum_free(&st->totals);
    free(st->event.name.ptr);
    free(st->event.id.ptr);
    free(st->events.events);
    free(st->open);
    free(st);
}

const struct format script_chrome = {.fold = fold, .finish = finish, .end = end};
