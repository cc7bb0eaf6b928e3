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
 * or only the array, whose end may be missing. Times are microseconds. "X" is a whole event; "B"
 * and "E" are its begin and end; other phases are no calls of functions.
 *
 * A trace may contain sampled profiles, whose stacks are folded instead of the events. Profiles of
 * V8 are events; the chunks of a profile have its process and id, but not always its thread:
 *
 *     {"args": {"data": {"cpuProfile": {"nodes": [{"id": 1, "callFrame": {...}},
 *                                                 {"id": 2, "parent": 1, "callFrame": {...}}],
 *                                       "samples": [2, 1]}, "timeDeltas": [1203, 154]}},
 *      "cat": "disabled-by-default-v8.cpu_profiler", "id": "0x1", "name": "ProfileChunk",
 *      "ph": "P", "pid": 1, "tid": 2, "ts": 100}
 *
 * Before Chrome 66, one event CpuProfile contained a whole profile. Profiles of Hermes and others
 * are apart from the events:
 *
 *     "samples": [{"pid": 1, "tid": "2", "ts": "100", "weight": "1", "sf": 2}],
 *     "stackFrames": {"1": {"name": "[root]"}, "2": {"name": "f(a.js:1:1)", "parent": 1}} */
#include <stdlib.h>

#include "cmd/stackcollapse/shared/chromeevent.h"
#include "common/base/num.h"

/* Maximum absolute time or duration in microseconds: 126 years. */
#define MOST 4e15

/* Special durations; real ones are not negative. BEGIN: the event begins here, and ends at the
 * thread's next END that has the same name or none, and does not belong to an event inside of
 * it. */
#define BEGIN (-1.0)
#define END   (-2.0)

/* Maximum number of open events. A trace whose events all overlap would otherwise need memory that
 * grows with the square of its length. Chromium's own events are nested some hundred levels
 * deep. */
enum { DEEPEST = 1000 };

/* Times of open events are in nanoseconds. */
enum { NS = 1000 };
#define OPEN_END INT64_MAX

struct open_event {
    int64_t start, end; /* end: OPEN_END if a later event ends it */
    int64_t self;
    uint32_t name;
    uint32_t stack; /* in the tree, with the events outside of it */
};

/* Makes stacks from the events of the threads, thread by thread. */
struct chrome_folder {
    struct stacktree *tree;
    VEC(struct open_event) open; /* open events of the thread, outermost first */
    size_t known;                /* number of these, from the outermost, whose stack is set */
    int64_t now;                 /* time until which is counted */
    uint64_t unopened; /* begun events of the thread that are not in `open` because it was full */
    uint64_t begins, ends; /* numbers of events without a partner */
    uint64_t cut;          /* number of events without an end, ended by the one around them */
    uint64_t deep;         /* number of events inside DEEPEST others */
};

/* Name of an event without a name. */
#define NO_NAME UINT32_MAX

struct chrome_trace {
    struct stacker base;
    struct chromeevent event; /* last event read */
    bool traces;              /* the file has events */
    struct intern threads;
    VEC(struct trace_event) events;
    struct chrome_folder folder;
    struct stacktree tree;     /* of the events */
    struct sampletree samples; /* of the file */
    struct intern profiles;    /* processes and ids */
    int64_t whole_profiles;    /* number of events CpuProfile read */
    uint64_t nevents;          /* number of calls of functions in the file */
};

static uint32_t
thread(struct chrome_trace *st)
{
    const int64_t key[] = {st->event.pid, st->event.tid};
    return intern_add(&st->threads, SPAN_BYTES(key));
}

/* Add the part of a sampled profile that is in the event. */
static void
add_profile(struct chrome_trace *st)
{
    const struct chromeevent *e = &st->event;
    struct span name = text_span(&e->name);
    bool whole = span_eq(name, SPAN("CpuProfile"));
    if (!whole && !span_eq(name, SPAN("Profile")) && !span_eq(name, SPAN("ProfileChunk"))) {
        sampletree_drop(&st->samples);
        return;
    }
    st->whole_profiles += whole;
    const int64_t key[] = {whole ? st->whole_profiles : 0, e->pid,
                           e->has & CHROME_HAS(ID) ? 0 : e->tid};
    TEXT_SET(&st->base.name, SPAN_BYTES(key), text_span(&e->id));
    sampletree_add(&st->samples, 1 + intern_add(&st->profiles, text_span(&st->base.name)),
                   e->start);
}

static bool
is_in_range(double us)
{
    return us <= MOST && us >= -MOST;
}

static void
add(struct chrome_trace *st)
{
    const struct chromeevent *e = &st->event;
    add_profile(st);
    if (e->phase != 'X' && e->phase != 'B' && e->phase != 'E')
        return;
    bool whole = e->phase == 'X', end = e->phase == 'E';
    const char *why = !(e->good & CHROME_HAS(START))          ? "an event without a time"
                      : !(e->good & CHROME_HAS(NAME)) && !end ? "an event without a name"
                      : whole && !((e->good & CHROME_HAS(DURATION)) && e->duration >= 0)
                          ? "an event without a duration"
                      : !is_in_range(e->start) || (whole && !is_in_range(e->duration))
                          ? "an event whose time is out of range"
                          : NULL;
    if (why != NULL) {
        stacker_skip(&st->base, why);
        return;
    }
    VEC_ADD(st->events,
            (struct trace_event){.start = e->start,
                                 .duration = whole ? e->duration
                                             : end ? END
                                                   : BEGIN,
                                 .thread = thread(st),
                                 .name = end && e->name.len == 0
                                             ? NO_NAME
                                             : stacker_name(&st->base, text_span(&e->name)),
                                 .order = st->events.n});
    st->nevents += !end;
}

/* Read "samples", which are apart from the events. */
static void
read_samples(void *ctx, struct json *j)
{
    struct chrome_trace *st = ctx;
    const struct chromeevent *e = &st->event;
    if (!json_enter(j, JSON_ARRAY))
        return;
    while (chromeevent_next(&st->event, j, &st->samples)) {
        sampletree_drop(&st->samples);
        if ((e->good & CHROME_HAS(START)) && (e->good & CHROME_HAS(FRAME)) && is_in_range(e->start))
            sampletree_add_sample(&st->samples, e->frame, thread(st), (int64_t)e->start);
        else
            stacker_skip(&st->base, "a sample without a time or a stack");
    }
}

/* Read "stackFrames", the stacks of those samples. */
static void
read_frames(void *ctx, struct json *j)
{
    struct chrome_trace *st = ctx;
    while (json_member(j)) {
        uint32_t id = sampletree_id(&st->samples, j), parent = SAMPLETREE_NONE;
        st->base.name.len = 0;
        if (!json_enter(j, JSON_OBJECT))
            continue;
        while (json_member(j)) {
            bool is_name = json_is(j, SPAN("name")), is_parent = json_is(j, SPAN("parent"));
            json_scalar(j);
            if (is_name && j->item == JSON_STRING)
                text_add(&st->base.name, j->text);
            else if (is_parent)
                parent = sampletree_id(&st->samples, j);
        }
        uint32_t name = stacker_name(&st->base, text_span(&st->base.name));
        sampletree_add_node(&st->samples, 0, &(struct described){id, parent, name, 0});
    }
}

/* Read the events of an array, after its "[". */
static void
read_events(struct chrome_trace *st, struct json *j)
{
    st->traces = true;
    while (chromeevent_next(&st->event, j, &st->samples))
        add(st);
}

static void
read_trace(void *ctx, struct json *j)
{
    ((struct chrome_trace *)ctx)->traces = true;
    if (json_enter(j, JSON_ARRAY))
        read_events(ctx, j);
}

static int64_t
nanoseconds(double us)
{
    double ns = us * NS;
    return (int64_t)(ns < 0 ? ns - 0.5 : ns + 0.5);
}

/* Attribute the time until `to` to the innermost open event. */
static void
count(struct chrome_folder *f, int64_t to)
{
    if (to <= f->now)
        return;
    if (f->open.n > 0)
        f->open.at[f->open.n - 1].self += to - f->now;
    f->now = to;
}

/* End the innermost open event. */
static void
pop(struct chrome_folder *f)
{
    for (; f->known < f->open.n; f->known++) {
        uint32_t parent = f->known > 0 ? f->open.at[f->known - 1].stack : STACKTREE_ROOT;
        f->open.at[f->known].stack = stacktree_child(f->tree, parent, f->open.at[f->known].name);
    }
    const struct open_event *e = &f->open.at[--f->open.n];
    uint64_t self = (uint64_t)e->self;
    stacktree_count(f->tree, e->stack, (struct decimal){self / NS, self % NS * 1000000000000000});
    f->known = f->open.n;
}

/* End the events that end until this time. */
static void
end_until(struct chrome_folder *f, int64_t time)
{
    while (f->open.n > 0 && f->open.at[f->open.n - 1].end <= time) {
        count(f, f->open.at[f->open.n - 1].end);
        pop(f);
    }
    count(f, time);
}

/* Open an event inside the open ones. Put it outside of events with the same start and an earlier
 * end, since some writers put the inner event first. */
static void
push(struct chrome_folder *f, struct open_event e)
{
    size_t at = f->open.n;
    if (at == DEEPEST) {
        f->deep++;
        f->unopened += e.end == OPEN_END;
        return;
    }
    while (at > 0 && f->open.at[at - 1].start == e.start && f->open.at[at - 1].end < e.end &&
           e.end != OPEN_END)
        at--;
    VEC_ADD(f->open, e);
    memmove(f->open.at + at + 1, f->open.at + at, (f->open.n - 1 - at) * sizeof e);
    if (at < f->known)
        f->known = at;
    f->open.at[at] = e;
}

/* End the innermost event that waits for an end with this name, or with any if it is NO_NAME, and
 * all events inside of it. If there is none, end nothing. */
static void
end_begun(struct chrome_folder *f, uint32_t name)
{
    size_t i = f->open.n;
    if (f->unopened > 0) {
        f->unopened--;
        return;
    }
    for (; i > 0; i--) {
        const struct open_event *e = &f->open.at[i - 1];
        if (e->end == OPEN_END && (name == NO_NAME || name == e->name))
            break;
    }
    if (i == 0) {
        f->ends++;
        return;
    }
    for (; f->open.n > i; pop(f))
        f->cut += f->open.at[f->open.n - 1].end == OPEN_END;
    pop(f);
}

static void
end_thread(struct chrome_folder *f)
{
    int64_t last = f->now;
    f->unopened = 0;
    for (size_t i = 0; i < f->open.n; i++) {
        f->begins += f->open.at[i].end == OPEN_END;
        if (f->open.at[i].end != OPEN_END && f->open.at[i].end > last)
            last = f->open.at[i].end;
    }
    while (f->open.n > 0) {
        end_until(f, last);
        if (f->open.n > 0)
            pop(f);
    }
}

/* Add the self time of each event to the profile, in microseconds, exact to nanoseconds. An event
 * without an end ends with the last event of its thread. */
static void
fold_events(struct chrome_trace *st)
{
    struct chrome_folder *f = &st->folder;
    uint32_t last = UINT32_MAX;
    f->tree = &st->tree;
    chromeevent_sort(st->events.at, st->events.n);
    for (size_t i = 0; i < st->events.n; i++) {
        const struct trace_event *e = &st->events.at[i];
        int64_t start = nanoseconds(e->start);
        if (e->thread != last) {
            end_thread(f);
            f->now = start;
            last = e->thread;
        }
        end_until(f, start);
        if (e->duration == END)
            end_begun(f, e->name);
        else
            push(f, (struct open_event){
                        .start = start,
                        .end = e->duration == BEGIN ? OPEN_END : start + nanoseconds(e->duration),
                        .name = e->name});
    }
    end_thread(f);
    profile_add_tree(&st->base.c->profile, f->tree);
}

/* Fold what was read from the file: its samples or, if there are none, its events. */
static void
fold_file(struct chrome_trace *st)
{
    struct collapse *c = st->base.c;
    if (st->samples.added > 0) {
        sampletree_fold(&st->samples);
        if (st->nevents > 0)
            diag_note(c->diag, "%s: its samples are folded, and its events left out: %s",
                      c->input.name, NUM_TEXT(st->nevents));
    } else {
        fold_events(st);
        c->samples += st->nevents;
    }
    st->events.n = 0;
    st->nevents = 0;
    sampletree_free(&st->samples);
}

static void
fold(struct stacker *f)
{
    static const struct jsonfield fields[] = {
        FIELD_VALUE("traceEvents", read_trace),
        FIELD_VALUE("samples", read_samples),
        FIELD_OBJECT("stackFrames", read_frames),
        FIELD_END,
    };
    struct chrome_trace *st = (struct chrome_trace *)f;
    struct json j;
    st->samples = (struct sampletree){.r = f};
    st->traces = false;
    json_start(&j, &f->c->input.lines);
    bool array = json_next(&j) == JSON_ARRAY, good = true;
    if (array)
        read_events(st, &j);
    else if (j.item == JSON_OBJECT)
        jsonfile_object(&j, fields, st);
    bool open_array = array && j.item == JSON_ERROR && j.cut && j.depth == 1;
    if (!open_array)
        good = jsonfile_end(f, &j);
    if (!st->traces && good)
        diag_error(f->c->diag, stacker_file(f), "no traceEvents");
    fold_file(st);
}

/* Print a note that n events are like this, and what became of them. */
static void
note(const struct stacker *f, uint64_t n, const char *events, const char *fate)
{
    if (n > 0)
        diag_note(f->c->diag, "events %s: %s, %s", events, NUM_TEXT(n), fate);
}

static void
end(struct stacker *r)
{
    struct chrome_trace *st = (struct chrome_trace *)r;
    note(r, st->folder.begins, "that begin and do not end", "taken to end with their thread");
    note(r, st->folder.cut, "that begin and do not end",
         "taken to end with the event that they are in");
    note(r, st->folder.ends, "that end and do not begin", "left out");
    note(r, st->folder.deep, "within more than 999 others",
         "left out; their time counts for the innermost of those");
}

/* The head may end within the first event of an array, which may have many nodes, or within the
 * metadata of an object. */
static bool
is_ours(struct span head)
{
    if (span_starts(span_trim(head), SPAN("[")) && jsonfile_has(head, SPAN("cpuProfile")))
        return true;
    return jsonfile_has(head, SPAN("traceEvents")) ||
           (jsonfile_has(head, SPAN("metadata")) && span_holds(head, SPAN("\"DevTools\""))) ||
           (jsonfile_has(head, SPAN("ph")) && jsonfile_has(head, SPAN("ts")));
}

const struct format format_chrome = {
    .is_json = is_ours,
    .fold = fold,
    .state_size = sizeof(struct chrome_trace),
    .end = end,
    .trees = MEMBERS(struct chrome_trace, tree),
    .interns = MEMBERS(struct chrome_trace, threads, profiles),
    .buffers = MEMBERS(struct chrome_trace, event.name, event.id, events, folder.open)};
