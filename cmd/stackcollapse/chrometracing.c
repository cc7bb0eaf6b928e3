/* Traces in the Trace Event Format of Chrome's about:tracing and developer tools, of Perfetto's
 * JSON export, and of node --trace-event-categories (https://docs.google.com/document/d/
 * 1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU):
 *
 *     {"traceEvents": [
 *         {"pid": 1, "tid": 2, "ts": 100, "ph": "X", "name": "Task", "cat": "v8", "dur": 50.5},
 *         {"pid": 1, "tid": 2, "ts": 110, "ph": "B", "name": "Run"},
 *         {"pid": 1, "tid": 2, "ts": 130, "ph": "E"}],
 *      "metadata": {}}
 *
 * or the array alone, whose end may be missing. Times are microseconds. "X" is a whole event, "B"
 * and "E" are the two ends of one; other phases are no calls of functions. */
#include <stdlib.h>

#include "cmd/stackcollapse/jsonfile.h"
#include "cmd/stackcollapse/stackbuild.h"
#include "cmd/stackcollapse/tracefold.h"
#include "common/base/num.h"

/* What an event has. A member whose value is of no use counts as wrong. */
enum { PHASE = 1, START = 2, DURATION = 4, NAME = 8, PID = 16, TID = 32 };

struct event {
    unsigned has, wrong;
    char phase; /* 0: none of those that count */
    double start, duration;
    int64_t pid, tid;
    struct text name;
};

struct state {
    struct collapse *c;
    struct json json;
    struct event event; /* read last */
    struct tracesort sort;
    struct intern names; /* of a script */
    struct stackbuild stack;
    struct intern threads;
    struct trace_lone lone;
    bool array;  /* the text is an array alone */
    bool failed; /* a script's input is wrong, and it prints nothing */
};

/* The time that is the value read last, written as a number or in quotes. */
static bool
time_of(const struct json *j, double *time)
{
    char text[64], *end;
    struct span s = span_trim(j->text);
    if (j->item == JSON_NUMBER)
        return json_double(j, time);
    if (j->item != JSON_STRING || s.len == 0 || s.len >= sizeof text)
        return false;
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    *time = strtod(text, &end);
    return *end == '\0';
}

/* The same for the id of a process or thread. */
static bool
id_of(const struct json *j, int64_t *id)
{
    static const double most = 9e18;
    double value;
    uint64_t whole;
    bool number = j->item == JSON_NUMBER || j->item == JSON_STRING;
    struct span s = number ? span_trim(j->text) : SPAN("");
    if (num_u64(s, &whole)) {
        *id = whole < INT64_MAX ? (int64_t)whole : INT64_MAX;
        return true;
    }
    if (!json_double(j, &value))
        return false;
    *id = (int64_t)(value > most ? most : value < -most ? -most : value);
    return true;
}

static bool
phase_of(const struct json *j, char *phase)
{
    *phase = j->item == JSON_STRING && j->text.len == 1 ? j->text.ptr[0] : 0;
    return true;
}

static bool
name_of(const struct json *j, struct text *name)
{
    name->len = 0;
    if (j->item == JSON_STRING)
        text_add(name, j->text);
    return j->item == JSON_STRING;
}

/* The number of the event's member. Comparisons of constants cost no call. */
static size_t
key_of(struct span s)
{
    return span_eq(s, SPAN("ph"))     ? 0
           : span_eq(s, SPAN("ts"))   ? 1
           : span_eq(s, SPAN("dur"))  ? 2
           : span_eq(s, SPAN("name")) ? 3
           : span_eq(s, SPAN("pid"))  ? 4
           : span_eq(s, SPAN("tid"))  ? 5
                                      : 6;
}

/* Reads the value of the event's member whose key was read. */
static void
read_member(struct json *j, struct event *e)
{
    size_t key = key_of(j->text);
    json_scalar(j);
    bool good = key == 0   ? phase_of(j, &e->phase)
                : key == 1 ? time_of(j, &e->start)
                : key == 2 ? time_of(j, &e->duration)
                : key == 3 ? name_of(j, &e->name)
                : key == 4 ? id_of(j, &e->pid)
                           : key == 5 && id_of(j, &e->tid);
    e->has |= 1u << key;
    e->wrong = good ? e->wrong & ~(1u << key) : e->wrong | 1u << key;
}

/* The script takes for one thread what has the same pairing number: Cantor's, in double
 * precision. */
static uint32_t
script_thread(struct state *st, int64_t pid, int64_t tid)
{
    double sum = (double)tid + (double)pid, key = sum * (sum + 1) / 2 + (double)pid;
    if (sum >= 0 && sum < 0x1p31) {
        uint64_t half = (uint64_t)sum * ((uint64_t)sum + 1) / 2; /* Python's, of whole numbers */
        key = (double)half + (double)pid;
    }
    return intern_add(&st->threads, span_of((const char *)&key, sizeof key));
}

static uint32_t
own_thread(struct state *st, int64_t pid, int64_t tid)
{
    const int64_t key[] = {pid, tid};
    return intern_add(&st->threads, span_of((const char *)key, sizeof key));
}

static uint32_t
own_name(struct state *st, struct span name)
{
    stackbuild_push(&st->stack, name);
    return st->stack.frames[--st->stack.n];
}

/* To the script an event that lacks something is an error. */
static void
add_as_script(struct state *st)
{
    const struct event *e = &st->event;
    unsigned good = e->has & ~e->wrong;
    unsigned ids = PHASE | PID | TID,
             needs = e->has & DURATION ? ids | NAME | START | DURATION : ids;
    if ((e->has & PHASE) && e->phase != 'X')
        return;
    if ((good & needs) != needs && !st->failed) {
        diag_error(st->c->diag, input_place(&st->c->input),
                   "an event without ph, pid, tid, name or ts");
        st->failed = true;
    }
    if (st->failed || !(e->has & DURATION))
        return;
    struct trace_event event = {e->start, e->duration, intern_add(&st->names, text_span(&e->name)),
                                script_thread(st, e->pid, e->tid)};
    tracesort_add(&st->sort, event);
    st->c->samples++;
}

static void
add(struct state *st)
{
    struct event *e = &st->event;
    unsigned good = e->has & ~e->wrong;
    if (e->phase != 'X' && e->phase != 'B' && e->phase != 'E')
        return;
    bool whole = e->phase == 'X', end = e->phase == 'E';
    const char *why = !(good & START)          ? "an event without a time"
                      : !(good & NAME) && !end ? "an event without a name"
                      : whole && !((good & DURATION) && e->duration >= 0)
                          ? "an event without a duration"
                          : NULL;
    if (why != NULL) {
        input_skip(&st->c->input, why);
        return;
    }
    struct trace_event event = {e->start,
                                whole ? e->duration
                                : end ? TRACE_END
                                      : TRACE_BEGIN,
                                end ? 0 : own_name(st, text_span(&e->name)),
                                own_thread(st, e->pid, e->tid)};
    tracesort_add(&st->sort, event);
    st->c->samples += !end;
}

/* Reads the events of an array, whose "[" was read. */
static void
read_events(struct state *st)
{
    struct json *j = &st->json;
    bool script = st->c->options->script;
    while (json_element(j)) {
        struct text name = st->event.name;
        name.len = 0;
        st->event = (struct event){.name = name};
        if (j->item != JSON_OBJECT) {
            json_skip(j);
        } else {
            while (json_member(j))
                read_member(j, &st->event);
            if (j->item == JSON_ERROR)
                return;
        }
        (script ? add_as_script : add)(st);
    }
}

/* Reads the rest of the text, and reports an error in it. */
static void
end_text(struct state *st)
{
    struct json *j = &st->json;
    bool open_array = st->array && j->item == JSON_ERROR && j->cut && j->depth == 1;
    if (!open_array && !jsonfile_end(j, st->c))
        st->failed = true;
}

static void
fold(struct collapse *c, void **state)
{
    if (*state == NULL) {
        *state = mem_alloc(sizeof(struct state));
        *(struct state *)*state = (struct state){.c = c, .stack = {.profile = &c->profile}};
    }
    struct state *st = *state;
    struct json *j = &st->json;
    jsonfile_start(j, c);
    j->strict = c->options->script; /* it fails where any of the text is wrong */
    st->array = json_next(j) == JSON_ARRAY && !c->options->script;
    bool found = st->array;
    if (found)
        read_events(st);
    else if (j->item == JSON_OBJECT)
        while (json_member(j)) {
            bool events = json_is(j, SPAN("traceEvents"));
            if (!events)
                json_scalar(j);
            else if (json_enter(j, JSON_ARRAY))
                read_events(st);
            found |= events;
        }
    end_text(st);
    if (!found && !st->failed)
        diag_error(c->diag, (struct place){c->input.name, 0}, "no traceEvents");
    st->failed |= !found;
}

static void
finish(void *state)
{
    struct state *st = state;
    struct collapse *c = st->c;
    tracesort_start(&st->sort);
    if (c->options->script && (st->failed || c->diag->status != 0)) {
        c->script_status = 1;
    } else if (c->options->script) {
        tracefold_script(&st->sort, &st->names, c->out);
    } else {
        struct trace_lone lone = tracefold_profile(&st->sort, &c->profile);
        st->lone.begins += lone.begins;
        st->lone.ends += lone.ends;
    }
    if (st->sort.error != 0)
        diag_error(c->diag, NOWHERE, "the temporary file, below TMPDIR or /tmp: %s",
                   strerror(st->sort.error));
    tracesort_free(&st->sort);
}

static void
end(void *state)
{
    struct state *st = state;
    if (st->lone.begins > 0)
        diag_note(st->c->diag,
                  "events that begin and do not end: %llu, taken to end with their thread",
                  (unsigned long long)st->lone.begins);
    if (st->lone.ends > 0)
        diag_note(st->c->diag, "events that end and do not begin: %llu, left out",
                  (unsigned long long)st->lone.ends);
    intern_free(&st->names);
    intern_free(&st->threads);
    stackbuild_free(&st->stack);
    free(st->event.name.ptr);
    free(st);
}

static bool
is_ours(struct span head)
{
    return jsonfile_has(head, SPAN("traceEvents")) ||
           (jsonfile_has(head, SPAN("ph")) && jsonfile_has(head, SPAN("ts")));
}

const struct format format_chrome = {
    .is_json = is_ours,
    .fold = fold,
    .finish = finish,
    .end = end,
};
