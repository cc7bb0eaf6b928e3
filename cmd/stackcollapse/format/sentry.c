/* The sample format of Sentry's SDKs (https://develop.sentry.dev/sdk/telemetry/profiles/), of a
 * transaction (version 1) or a chunk of time (version 2):
 *
 *     {"version": "1", "platform": "python", "profile": {
 *         "samples": [{"stack_id": 0, "thread_id": "7", "elapsed_since_start_ns": "10500500"},
 *                     {"stack_id": 1, "thread_id": "7", "elapsed_since_start_ns": "20500500"}],
 *         "stacks": [[1, 0], [0]],
 *         "frames": [{"function": "main", "filename": "app.py", "abs_path": "/srv/app.py",
 *                     "module": "app", "lineno": 3, "in_app": true},
 *                    {"function": "work", "filename": "app.py", "lineno": 9}],
 *         "thread_metadata": {"7": {"name": "MainThread"}}}}
 *
 * A stack is indexes of frames, leaf first. Samples follow each other at equal distances. */
#include <stdlib.h>

#include "cmd/stackcollapse/shared/jsname.h"
#include "common/stack/frames/dso.h"

struct sentry_frame {
    uint32_t function, file, package; /* numbers of jsonfile_string */
    uint64_t line, column;
};

/* Samples of one thread and stack. */
struct sentry_samples {
    uint32_t thread; /* number of its id in `threads` */
    uint32_t stack;
    uint64_t n;
};

struct sentry {
    struct stacker base;
    struct text platform;
    struct intern strings;
    VEC(struct sentry_frame) frames;
    struct u32vec stacks;               /* frames of all stacks, stack by stack */
    VEC(size_t) ends;                   /* end of each stack in `stacks` */
    struct intern threads;              /* ids, as written */
    struct u32vec names;                /* for each thread: 1 + number of its name in the profile */
    struct intern pairs;                /* thread and stack, as bytes */
    VEC(struct sentry_samples) samples; /* for each pair */
    struct u32vec path;                 /* of the stack being folded */
};

static void
read_frame(void *ctx, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_U64("lineno", struct sentry_frame, line),
        FIELD_U64("colno", struct sentry_frame, column),
        FIELD_END,
    };
    struct sentry *f = ctx;
    struct sentry_frame frame = {.line = UINT64_MAX, .column = UINT64_MAX};
    uint32_t path = 0;
    while (json_member(j)) {
        uint32_t *string = json_is(j, SPAN("function"))   ? &frame.function
                           : json_is(j, SPAN("filename")) ? &frame.file
                           : json_is(j, SPAN("abs_path")) ? &path
                           : json_is(j, SPAN("package"))  ? &frame.package
                                                          : NULL;
        jsonfile_member(j, fields, &frame);
        if (string != NULL)
            *string = jsonfile_string(&f->strings, j);
    }
    if (jsonfile_text(&f->strings, frame.file).len == 0)
        frame.file = path;
    VEC_ADD(f->frames, frame);
}

static void
read_stack(void *ctx, struct json *j)
{
    struct sentry *f = ctx;
    if (j->item == JSON_ARRAY)
        for (; json_element(j); json_skip(j))
            VEC_ADD(f->stacks, jsonfile_index(j));
    VEC_ADD(f->ends, f->stacks.n);
}

/* Return the number of the thread whose id was read last. */
static uint32_t
thread_of(struct sentry *f, const struct json *j)
{
    bool id = j->item == JSON_NUMBER || j->item == JSON_STRING || j->item == JSON_KEY;
    uint32_t thread = intern_add(&f->threads, id ? j->text : SPAN("?"));
    VEC_REACH(f->names, f->threads.count);
    return thread;
}

static void
read_sample(void *ctx, struct json *j)
{
    struct sentry *f = ctx;
    uint32_t key[] = {JSONFILE_NONE, JSONFILE_NONE}, pair; /* thread and stack */
    while (json_member(j)) {
        bool is_stack = json_is(j, SPAN("stack_id")), is_thread = json_is(j, SPAN("thread_id"));
        json_scalar(j);
        if (is_thread)
            key[0] = thread_of(f, j);
        else if (is_stack)
            key[1] = jsonfile_index(j);
    }
    if (j->item == JSON_ERROR)
        return;
    f->base.c->samples++;
    if (intern_put(&f->pairs, SPAN_BYTES(key), &pair))
        VEC_ADD(f->samples, (struct sentry_samples){key[0], key[1], 0});
    f->samples.at[pair].n++;
}

/* Read the names of threads. */
static void
read_threads(void *ctx, struct json *j)
{
    struct sentry *f = ctx;
    while (json_member(j)) {
        uint32_t thread = thread_of(f, j);
        if (!json_enter(j, JSON_OBJECT))
            continue;
        while (json_member(j)) {
            bool is_name = json_is(j, SPAN("name"));
            if (json_scalar(j) == JSON_STRING && is_name && j->text.len > 0)
                f->names.at[thread] = 1 + stacker_name(&f->base, j->text);
        }
    }
}

/* Return the number of a thread's name in the profile; of "thread 7" if it has none. */
static uint32_t
name_thread(struct sentry *f, uint32_t thread)
{
    struct stacker *r = &f->base;
    if (thread == JSONFILE_NONE)
        return stacker_name(r, SPAN("thread ?"));
    if (f->names.at[thread] > 0)
        return f->names.at[thread] - 1;
    TEXT_SET(&r->name, SPAN("thread "), intern_text(&f->threads, thread));
    return stacker_name(r, text_span(&r->name));
}

/* Return the number of a frame's name in the profile: "work (app.py:9)", or for JavaScript the name
 * of a perf map. */
static uint32_t
name_frame(struct sentry *f, const struct sentry_frame *frame)
{
    struct stacker *r = &f->base;
    struct span function = jsonfile_text(&f->strings, frame->function),
                file = jsonfile_text(&f->strings, frame->file),
                package = jsonfile_text(&f->strings, frame->package),
                platform = text_span(&f->platform);
    bool js = span_eq(platform, SPAN("node")) || span_eq(platform, SPAN("javascript"));
    if (js && file.len > 0) {
        jsname_compose(&r->name, function, file, frame->line, frame->column, 1);
    } else if (function.len == 0 && package.len > 0) {
        stacker_bracket(r, dso_base(package));
    } else {
        text_set(&r->name, function.len > 0 ? function : SPAN("[unknown]"));
        jsonfile_add_place(&r->name, file, frame->line);
    }
    return stacker_name(r, text_span(&r->name));
}

/* Special values instead of the number of a list. */
#define UNLISTED UINT32_MAX
#define EMPTY    (UINT32_MAX - 1)

/* Return the number of a stack's frames in the profile's tree, which stores equal stacks of many
 * threads once. Return UNLISTED if the stack has a frame that is not listed. */
static uint32_t
list_of(struct sentry *f, const uint32_t *names, size_t stack)
{
    size_t start = stack > 0 ? f->ends.at[stack - 1] : 0;
    f->path.n = 0;
    for (size_t i = f->ends.at[stack]; i > start; i--) {
        if (f->stacks.at[i - 1] >= f->frames.n)
            return UNLISTED;
        VEC_ADD(f->path, names[f->stacks.at[i - 1]]);
    }
    return f->path.n > 0 ? profile_list(&f->base.c->profile, f->path.at, f->path.n) : EMPTY;
}

/* Return list_of() for all stacks. The caller frees the array. */
static uint32_t *
list_stacks(struct sentry *f)
{
    uint32_t *names = mem_alloc((f->frames.n + 1) * sizeof *names);
    uint32_t *lists = mem_alloc((f->ends.n + 1) * sizeof *lists);
    for (size_t i = 0; i < f->frames.n; i++)
        names[i] = name_frame(f, &f->frames.at[i]);
    for (size_t i = 0; i < f->ends.n; i++)
        lists[i] = list_of(f, names, i);
    free(names);
    return lists;
}

/* Add the stacks to the profile. */
static void
finish(struct stacker *r)
{
    struct sentry *f = (struct sentry *)r;
    struct stacktree *to = &r->c->profile.tree;
    uint64_t lost = 0;
    uint32_t *lists = list_stacks(f);
    for (size_t i = 0; i < f->samples.n; i++) {
        const struct sentry_samples *s = &f->samples.at[i];
        uint32_t list = s->stack < f->ends.n ? lists[s->stack] : UNLISTED;
        if (list == UNLISTED) {
            lost += s->n;
        } else if (list == EMPTY) {
            r->c->without_frames += s->n;
        } else {
            uint32_t thread = stacktree_child(to, STACKTREE_ROOT, name_thread(f, s->thread));
            stacktree_count(to, stacktree_child(to, thread, list), (struct decimal){s->n, 0});
        }
    }
    free(lists);
    stacker_warn_left_out(r, lost, "samples of stacks that are not listed");
}

/* The frames may come first, and exceed the head. In an error event they are part of a
 * "stacktrace". */
static bool
is_ours(struct span head)
{
    bool frames = jsonfile_has(head, SPAN("in_app")) && jsonfile_has(head, SPAN("frames")) &&
                  jsonfile_has(head, SPAN("profile")) && !jsonfile_has(head, SPAN("stacktrace"));
    return frames ||
           (jsonfile_has(head, SPAN("stack_id")) && jsonfile_has(head, SPAN("thread_id"))) ||
           (jsonfile_has(head, SPAN("thread_metadata")) && jsonfile_has(head, SPAN("stacks")));
}

static const struct jsonfield members[] = {
    FIELD_TEXT("platform", struct sentry, platform),
    FIELD_INSIDE("profile", JSON_OBJECT),
    FIELD_OBJECTS("samples", read_sample),
    FIELD_ELEMENTS("stacks", read_stack),
    FIELD_OBJECTS("frames", read_frame),
    FIELD_OBJECT("thread_metadata", read_threads),
    FIELD_END,
};

const struct format format_sentry = {
    .is_json = is_ours,
    .members = members,
    .state_size = sizeof(struct sentry),
    .finish = finish,
    .interns = MEMBERS(struct sentry, strings, threads, pairs),
    .buffers = MEMBERS(struct sentry, platform, frames, stacks, ends, names, samples, path)};
