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
 * and "E" are the two ends of one; other phases are no calls of functions.
 *
 * A trace may have sampled profiles, whose stacks are folded in place of the events. Those of V8
 * are events; a profile's chunks have its process and id, but not always its thread:
 *
 *     {"args": {"data": {"cpuProfile": {"nodes": [{"id": 1, "callFrame": {...}},
 *                                                 {"id": 2, "parent": 1, "callFrame": {...}}],
 *                                       "samples": [2, 1]}, "timeDeltas": [1203, 154]}},
 *      "cat": "disabled-by-default-v8.cpu_profiler", "id": "0x1", "name": "ProfileChunk",
 *      "ph": "P", "pid": 1, "tid": 2, "ts": 100}
 *
 * Before Chrome 66 an event CpuProfile had all of it. Those of Hermes and others are beside the
 * events:
 *
 *     "samples": [{"pid": 1, "tid": "2", "ts": "100", "weight": "1", "sf": 2}],
 *     "stackFrames": {"1": {"name": "[root]"}, "2": {"name": "f(a.js:1:1)", "parent": 1}} */
#include <stdlib.h>

#include "cmd/stackcollapse/build/chromeevent.h"
#include "cmd/stackcollapse/build/jsonfile.h"
#include "cmd/stackcollapse/build/stackbuild.h"
#include "cmd/stackcollapse/build/tracefold.h"

struct state {
    struct collapse *c;
    struct json json;
    struct chromeevent event; /* read last */
    struct traceevents events;
    struct intern names; /* of a script */
    struct stackbuild stack;
    struct intern threads;
    struct sampletree samples; /* of the file */
    struct intern profiles;    /* processes and ids */
    int64_t whole_profiles;    /* how many events CpuProfile were read */
    struct text text;
    struct trace_odd odd;
    uint64_t nevents; /* calls of functions in the file */
    bool array;       /* the text is an array alone */
    bool failed;      /* a script's input is wrong, and it prints nothing */
};

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

/* To the script an event that lacks something is an error. */
static void
add_as_script(struct state *st)
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
                                         .thread = script_thread(st, e->pid, e->tid)});
    st->c->samples++;
}

/* Adds what the event has of a sampled profile. */
static void
add_profile(struct state *st)
{
    const struct chromeevent *e = &st->event;
    struct span name = text_span(&e->name);
    bool whole = span_eq(name, SPAN("CpuProfile"));
    if (!whole && !span_eq(name, SPAN("Profile")) && !span_eq(name, SPAN("ProfileChunk"))) {
        sampletree_drop(&st->samples);
        return;
    }
    st->whole_profiles += whole;
    const int64_t key[] = {whole ? st->whole_profiles : 0, e->pid, e->has & HAS_ID ? 0 : e->tid};
    st->text.len = 0;
    text_add(&st->text, span_of((const char *)key, sizeof key));
    text_add(&st->text, text_span(&e->id));
    sampletree_add(&st->samples, 1 + intern_add(&st->profiles, text_span(&st->text)), e->start);
}

static bool
is_in_range(double us)
{
    return us <= TRACE_MOST && us >= -TRACE_MOST;
}

static void
add(struct state *st)
{
    struct chromeevent *e = &st->event;
    unsigned good = e->has & ~e->wrong;
    add_profile(st);
    if (e->phase != 'X' && e->phase != 'B' && e->phase != 'E')
        return;
    bool whole = e->phase == 'X', end = e->phase == 'E';
    const char *why = !(good & HAS_START)          ? "an event without a time"
                      : !(good & HAS_NAME) && !end ? "an event without a name"
                      : whole && !((good & HAS_DURATION) && e->duration >= 0)
                          ? "an event without a duration"
                      : !is_in_range(e->start) || (whole && !is_in_range(e->duration))
                          ? "an event whose time is out of range"
                          : NULL;
    if (why != NULL) {
        input_skip(&st->c->input, why);
        return;
    }
    traceevents_add(&st->events,
                    (struct trace_event){
                        .start = e->start,
                        .duration = whole ? e->duration
                                    : end ? TRACE_END
                                          : TRACE_BEGIN,
                        .name = end ? 0 : stackbuild_name(&st->stack, text_span(&e->name)),
                        .thread = own_thread(st, e->pid, e->tid),
                    });
    st->nevents += !end;
}

/* Reads "samples", which are not events. */
static void
read_samples(struct state *st)
{
    const struct chromeevent *e = &st->event;
    if (!json_enter(&st->json, JSON_ARRAY))
        return;
    while (chromeevent_next(&st->event, &st->json, &st->samples)) {
        sampletree_drop(&st->samples);
        unsigned good = e->has & ~e->wrong, needs = HAS_START | HAS_FRAME;
        if ((good & needs) == needs && is_in_range(e->start))
            sampletree_add_sample(&st->samples, e->frame, own_thread(st, e->pid, e->tid),
                                  (int64_t)e->start);
        else
            input_skip(&st->c->input, "a sample without a time or a stack");
    }
}

/* Reads "stackFrames", the stacks of these samples. */
static void
read_frames(struct state *st)
{
    struct json *j = &st->json;
    if (!json_enter(j, JSON_OBJECT))
        return;
    while (json_member(j)) {
        uint32_t id = sampletree_id(&st->samples, j), parent = SAMPLETREE_NONE;
        st->text.len = 0;
        if (!json_enter(j, JSON_OBJECT))
            continue;
        while (json_member(j)) {
            bool is_name = json_is(j, SPAN("name")), is_parent = json_is(j, SPAN("parent"));
            json_scalar(j);
            if (is_name && j->item == JSON_STRING)
                text_add(&st->text, j->text);
            else if (is_parent)
                parent = sampletree_id(&st->samples, j);
        }
        sampletree_add_node(&st->samples, id, parent, text_span(&st->text));
    }
}

/* Reads the events of an array, whose "[" was read. */
static void
read_events(struct state *st)
{
    bool script = st->c->options->script;
    while (chromeevent_next(&st->event, &st->json, script ? NULL : &st->samples))
        (script ? add_as_script : add)(st);
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

/* Reads the members of the outermost object. False if there are no events. */
static bool
read_object(struct state *st)
{
    struct json *j = &st->json;
    bool found = false, script = st->c->options->script;
    while (json_member(j)) {
        if (json_is(j, SPAN("traceEvents"))) {
            found = true;
            if (json_enter(j, JSON_ARRAY))
                read_events(st);
        } else if (!script && json_is(j, SPAN("samples"))) {
            read_samples(st);
        } else if (!script && json_is(j, SPAN("stackFrames"))) {
            read_frames(st);
        } else {
            json_scalar(j);
        }
    }
    return found;
}

/* Folds the file's samples; if it has none, its events count. */
static void
fold_samples(struct state *st)
{
    struct collapse *c = st->c;
    if (st->samples.added > 0) {
        sampletree_fold(&st->samples);
        if (st->nevents > 0)
            diag_note(c->diag, "%s: its samples are folded, and its events left out: %llu",
                      c->input.name, (unsigned long long)st->nevents);
        st->events.n = 0;
    } else {
        c->samples += st->nevents;
    }
    sampletree_free(&st->samples);
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
    st->samples = (struct sampletree){.c = c, .names = {.profile = &c->profile}};
    st->nevents = 0;
    jsonfile_start(j, c);
    j->strict = c->options->script; /* it fails where any of the text is wrong */
    st->array = json_next(j) == JSON_ARRAY && !c->options->script;
    bool found = st->array;
    if (found)
        read_events(st);
    else if (j->item == JSON_OBJECT)
        found = read_object(st);
    end_text(st);
    if (!found && !st->failed)
        diag_error(c->diag, (struct place){c->input.name, 0}, "no traceEvents");
    st->failed |= !found;
    fold_samples(st);
}

static void
finish(void *state)
{
    struct state *st = state;
    struct collapse *c = st->c;
    traceevents_sort(&st->events);
    if (c->options->script && (st->failed || c->diag->status != 0)) {
        c->script_status = 1;
    } else if (c->options->script) {
        tracefold_script(&st->events, &st->names, c->out);
    } else {
        struct trace_odd odd = tracefold_profile(&st->events, &c->profile);
        st->odd.begins += odd.begins;
        st->odd.ends += odd.ends;
        st->odd.deep += odd.deep;
    }
    st->events.n = 0;
}

static void
end(void *state)
{
    struct state *st = state;
    if (st->odd.begins > 0)
        diag_note(st->c->diag,
                  "events that begin and do not end: %llu, taken to end with their thread",
                  (unsigned long long)st->odd.begins);
    if (st->odd.ends > 0)
        diag_note(st->c->diag, "events that end and do not begin: %llu, left out",
                  (unsigned long long)st->odd.ends);
    if (st->odd.deep > 0)
        diag_note(st->c->diag,
                  "events within more than %d others: %llu, left out; their time counts for the "
                  "innermost of those",
                  TRACE_DEEPEST - 1, (unsigned long long)st->odd.deep);
    intern_free(&st->names);
    intern_free(&st->threads);
    intern_free(&st->profiles);
    stackbuild_free(&st->stack);
    free(st->event.name.ptr);
    free(st->event.id.ptr);
    free(st->text.ptr);
    free(st->events.events);
    free(st);
}

/* The head may end within the first event of an array, which may have many nodes, or within the
 * metadata of an object. */
static bool
is_ours(struct span head)
{
    if (span_starts(span_trim(head), SPAN("[")) && jsonfile_has(head, SPAN("cpuProfile")))
        return true;
    return jsonfile_has(head, SPAN("traceEvents")) ||
           (jsonfile_has(head, SPAN("metadata")) &&
            span_search(head, SPAN("\"DevTools\"")) != SPAN_NONE) ||
           (jsonfile_has(head, SPAN("ph")) && jsonfile_has(head, SPAN("ts")));
}

const struct format format_chrome = {
    .is_json = is_ours,
    .fold = fold,
    .finish = finish,
    .end = end,
};
