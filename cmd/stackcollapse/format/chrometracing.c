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

#include "cmd/stackcollapse/shared/chromeevent.h"
#include "common/base/num.h"

/* The largest time or duration in microseconds, either way: 126 years. */
#define MOST 4e15

/* In place of a duration, which is not negative: the event begins here, and it ends at the thread's
 * next END that has its name or none and belongs to no event within it. */
#define BEGIN (-1.0)
#define END   (-2.0)

/* At most this many events are open at once: a trace whose events all overlap would otherwise need
 * memory by the square of its length. Chromium's own events are within some hundred others. */
enum { DEEPEST = 1000 };

/* Times of an open event are nanoseconds. */
enum { NS = 1000 };
#define OPEN_END INT64_MAX

struct open_event {
    int64_t start, end; /* end: OPEN_END for one that a later event ends */
    int64_t self;
    uint32_t name;
    uint32_t stack; /* with the events outside of it, in the tree */
};

/* Makes stacks from the events of the threads, one thread after the other. */
struct chrome_folder {
    struct stacktree *tree;
    VEC(struct open_event) open; /* the thread's open events, the outermost first */
    size_t known;                /* how many of them, the outermost, have their stack */
    int64_t now;                 /* the time up to which is counted */
    uint64_t unopened; /* events of the thread that are to end and are not in `open`: it is full */
    uint64_t begins, ends; /* events without a partner */
    uint64_t cut;          /* events without an end, which end with the one that they are in */
    uint64_t deep;         /* events within DEEPEST others */
};

/* In place of a name: the event has none. */
#define NO_NAME UINT32_MAX

struct chrome_trace {
    struct stacker base;
    struct chromeevent event; /* read last */
    bool traces;              /* the file has events */
    struct intern threads;
    VEC(struct trace_event) events;
    struct chrome_folder folder;
    struct stacktree tree;     /* of the events */
    struct sampletree samples; /* of the file */
    struct intern profiles;    /* processes and ids */
    int64_t whole_profiles;    /* how many events CpuProfile were read */
    uint64_t nevents;          /* calls of functions in the file */
};

static uint32_t
thread(struct chrome_trace *st)
{
    const int64_t key[] = {st->event.pid, st->event.tid};
    return intern_add(&st->threads, SPAN_BYTES(key));
}

/* Add what the event has of a sampled profile. */
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

/* Read "samples", which are not events. */
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

/* Read "stackFrames", the stacks of these samples. */
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

/* Read events, whose "[" was read. */
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

/* Count the time up to `to` for the innermost open event. */
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

/* End the events that are over at this time. */
static void
end_until(struct chrome_folder *f, int64_t time)
{
    while (f->open.n > 0 && f->open.at[f->open.n - 1].end <= time) {
        count(f, f->open.at[f->open.n - 1].end);
        pop(f);
    }
    count(f, time);
}

/* Open an event inside the open ones; but outside of those that start at the same time and end
 * earlier, since some writers put the inner event first. */
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

/* End the innermost event that waits for an end of this name, which may be NO_NAME, and what is open in it. An end that
 * names no open event ends nothing. */
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

/* Add the self time of each event to the profile, in microseconds to the nanosecond. An event that
 * begins and does not end is taken to end with the last event of its thread. */
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

/* Fold what was read of the file: its samples, or if it has none its events. */
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

/* Note how many events are as this says, and what became of them. */
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
