/* Files of speedscope, which py-spy, rbspy, dotnet-trace and others write too: JSON
 * (https://www.speedscope.app/file-format-schema.json).
 *
 *     {"$schema": "https://www.speedscope.app/file-format-schema.json",
 *      "shared": {"frames": [{"name": "main", "file": "app.py", "line": 3}, {"name": "hot"}]},
 *      "profiles": [
 *         {"type": "sampled", "name": "Thread 1", "unit": "seconds",
 *          "startValue": 0, "endValue": 1,
 *          "samples": [[0, 1], [0]], "weights": [0.75, 0.25]},
 *         {"type": "evented", "name": "Thread 2", "unit": "milliseconds",
 *          "startValue": 0, "endValue": 10,
 *          "events": [{"type": "O", "frame": 0, "at": 0}, {"type": "C", "frame": 0, "at": 10}]}]}
 *
 * A stack is indexes of frames, root first. The frames may come after the profiles, so stacks are
 * kept as indexes until the end. */
#include <stdlib.h>

#include "cmd/stackcollapse/shared/jsonfile.h"
#include "cmd/stackcollapse/shared/parts.h"
#include "common/base/num.h"

struct speedscope {
    struct stacker base;
    struct text path, unit; /* of the current frame, and of the current profile */
    struct text first_unit; /* unit of the first profile */
    struct u32vec names;    /* of the frames: numbers in the profile */
    struct intern ids;      /* indexes of frames, as bytes */
    /* The stacks. A child of the root is a profile; a node below is a frame, by its number in
     * `ids`. */
    struct stacktree tree;
    struct u32vec profiles; /* numbers of the profiles' names */
    VEC(uint64_t) seen;     /* for each stack: number of its samples */
    VEC(uint64_t) nopen;    /* for each number in `ids`: how many such frames events have opened */
    bool is_exported;       /* written by stackexport, from stacks that were already folded */
    bool mixed;             /* the profiles have different units */
    uint64_t unclosed;      /* number of frames open at the end of their profile */
    uint64_t line;          /* of the current frame */

    /* Of the last profile read: */
    struct u32vec stacks; /* stacks of its samples */
    VEC(struct decimal) weights;
    uint32_t profile;   /* its node, which is followed by those of its stacks */
    uint32_t open;      /* stack of the frames that events have opened */
    struct decimal now; /* time of the last event */
    struct decimal end; /* its endValue; 0: not given */
};

/* Return the number of the frame with this index. */
static uint32_t
frame_number(struct speedscope *f, uint32_t index)
{
    uint32_t number = intern_add(&f->ids, SPAN_BYTES(index));
    VEC_REACH(f->nopen, f->ids.count);
    return number;
}

static void
count(struct speedscope *f, uint32_t stack, struct decimal weight)
{
    VEC_REACH(f->seen, f->tree.n);
    f->seen.at[stack]++;
    f->base.c->samples++;
    stacktree_count(&f->tree, stack, weight);
}

/* Read a frame, after its "{". */
static void
read_frame(void *ctx, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_TEXT("name", struct speedscope, base.name),
        FIELD_TEXT("file", struct speedscope, path),
        FIELD_U64("line", struct speedscope, line),
        FIELD_END,
    };
    struct speedscope *f = ctx;
    struct stacker *r = ctx;
    f->line = r->name.len = f->path.len = 0;
    jsonfile_object(j, fields, f);
    if (!f->is_exported)
        jsonfile_add_place(&r->name, text_span(&f->path), f->line);
    VEC_ADD(f->names, stacker_name(r, text_span(&r->name)));
}

/* Read the stack of a sample. */
static void
read_sample(void *ctx, struct json *j)
{
    struct speedscope *f = ctx;
    uint32_t stack = f->profile;
    bool array = j->item == JSON_ARRAY;
    for (; array && json_element(j); json_skip(j))
        stack = stacktree_child(&f->tree, stack, frame_number(f, jsonfile_index(j)));
    VEC_ADD(f->stacks, stack);
}

static void
read_weight(void *ctx, struct json *j)
{
    struct speedscope *f = ctx;
    VEC_ADD(f->weights, jsonfile_weight(&f->base, j));
}

/* Close the open frames from the innermost one with this number on. Return false if there is
 * none. */
static bool
close_frames(struct speedscope *f, uint32_t frame)
{
    uint64_t left = f->nopen.at[frame];
    while (left > 0 && f->nopen.at[frame] == left) {
        const struct stacktree_node *open = &f->tree.nodes[f->open];
        f->nopen.at[open->name]--;
        f->open = open->parent;
    }
    return left > 0;
}

/* Attribute the time until `at` to the open stack. Return false if `at` is before the last
 * event. */
static bool
pass_time(struct speedscope *f, struct decimal at)
{
    struct decimal since;
    if (!decimal_subtract(at, f->now, &since))
        return false;
    if (f->open != f->profile && !decimal_is_zero(since))
        count(f, f->open, since);
    f->now = at;
    return true;
}

/* Read an event, after its "{". */
static void
read_event(void *ctx, struct json *j)
{
    struct speedscope *f = ctx;
    char type = 0;
    uint32_t index = JSONFILE_NONE;
    struct decimal at = f->now;
    bool good = false;
    while (json_member(j)) {
        bool is_type = json_is(j, SPAN("type")), is_frame = json_is(j, SPAN("frame")),
             is_at = json_is(j, SPAN("at"));
        json_scalar(j);
        if (is_type)
            type = j->item == JSON_STRING && j->text.len == 1 ? j->text.ptr[0] : 0;
        else if (is_frame)
            index = jsonfile_index(j);
        else if (is_at)
            good |= json_decimal(j, 0, &at);
    }
    if (j->item == JSON_ERROR)
        return;
    good = good && pass_time(f, at);
    uint32_t frame = frame_number(f, index);
    if (good && type == 'O') {
        f->nopen.at[frame]++;
        f->open = stacktree_child(&f->tree, f->open, frame);
    } else if (!good || type != 'C' || !close_frames(f, frame)) {
        stacker_skip(&f->base, "an event that is out of order, or closes what is not open");
    }
}

static void
read_end(void *ctx, struct json *j)
{
    struct speedscope *f = ctx;
    json_scalar(j);
    json_decimal(j, 0, &f->end);
}

/* Close the frames that are open at the profile's end. */
static void
close_all(struct speedscope *f)
{
    pass_time(f, f->end);
    for (; f->open != f->profile; f->unclosed++) {
        const struct stacktree_node *open = &f->tree.nodes[f->open];
        f->nopen.at[open->name]--;
        f->open = open->parent;
    }
}

/* Combine the samples with their weights, in their unit. Samples without weights count 1 each,
 * whatever the unit is. */
static void
end_profile(struct speedscope *f)
{
    struct span unit = text_span(&f->unit);
    bool weighted = f->stacks.n == 0 || f->weights.n > 0;
    struct decimal missing = {!weighted, 0};
    int places = 0;
    if (!weighted)
        unit = SPAN("none");
    else if (parts_time_unit(unit, &places))
        unit = SPAN("microseconds"); /* all times become microseconds */
    if (f->profiles.n == 0)
        text_set(&f->first_unit, unit);
    f->mixed |= !span_eq(unit, text_span(&f->first_unit));
    for (size_t i = 0; i < f->stacks.n; i++)
        count(f, f->stacks.at[i], i < f->weights.n ? f->weights.at[i] : missing);
    if (weighted && f->stacks.n > f->weights.n)
        stacker_skip(&f->base, "a profile with fewer weights than samples");
    close_all(f);
    stacktree_shift(&f->tree, f->profile, places);
}

/* Read a profile, after its "{". */
static void
read_profile(void *ctx, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_TEXT("name", struct speedscope, base.name),
        FIELD_TEXT("unit", struct speedscope, unit),
        FIELD_ELEMENTS("samples", read_sample),
        FIELD_ELEMENTS("weights", read_weight),
        FIELD_OBJECTS("events", read_event),
        FIELD_VALUE("endValue", read_end),
        FIELD_END,
    };
    struct speedscope *f = ctx;
    struct stacker *r = ctx;
    r->name.len = f->unit.len = f->stacks.n = f->weights.n = 0;
    f->open = f->profile = stacktree_child(&f->tree, STACKTREE_ROOT, (uint32_t)f->profiles.n);
    f->now = f->end = (struct decimal){0, 0};
    jsonfile_object(j, fields, f);
    end_profile(f);
    VEC_ADD(f->profiles, stacker_name(r, text_span(&r->name)));
}

/* Return the stack in the profile's tree for a node, below the stack of its parent. Return
 * JSONFILE_NONE if a frame is not listed. */
static uint32_t
place(struct speedscope *f, const struct stacktree_node *node, uint32_t parent)
{
    struct stacktree *to = &f->base.c->profile.tree;
    uint32_t index;                     /* the bytes may be unaligned */
    if (node->parent == STACKTREE_ROOT) /* leave out the name of a single profile */
        return f->profiles.n > 1 && !f->is_exported
                   ? stacktree_child(to, STACKTREE_ROOT, f->profiles.at[node->name])
                   : STACKTREE_ROOT;
    memcpy(&index, intern_text(&f->ids, node->name).ptr, sizeof index);
    return parent != JSONFILE_NONE && index < f->names.n
               ? stacktree_child(to, parent, f->names.at[index])
               : JSONFILE_NONE;
}

/* Add all stacks to the profile. */
static void
finish(struct stacker *r)
{
    struct speedscope *f = (struct speedscope *)r;
    uint64_t lost = 0;
    uint32_t *places = mem_alloc((f->tree.n + 1) * sizeof *places);
    places[STACKTREE_ROOT] = STACKTREE_ROOT;
    for (uint32_t i = 1; i < f->tree.n; i++) {
        const struct stacktree_node *node = &f->tree.nodes[i];
        places[i] = place(f, node, places[node->parent]);
        if (!node->counted)
            continue;
        if (places[i] == JSONFILE_NONE)
            lost += f->seen.at[i];
        else if (places[i] == STACKTREE_ROOT)
            r->c->without_frames += f->seen.at[i];
        else
            stacktree_count(&f->base.c->profile.tree, places[i], node->count);
    }
    free(places);
    stacker_warn_left_out(r, lost, "stacks with frames that are not listed");
    if (f->unclosed > 0)
        diag_note(r->c->diag, "%s: frames that are not closed: %s, taken to end with their profile",
                  r->c->input.name, NUM_TEXT(f->unclosed));
    if (f->mixed)
        diag_note(r->c->diag, "%s: its profiles count different things, which are added up",
                  r->c->input.name);
}

static bool
is_ours(struct span head)
{
    bool schema = jsonfile_has(head, SPAN("$schema")) &&
                  span_search(head, SPAN("speedscope.app/file-format-schema")) != SPAN_NONE;
    bool shared = jsonfile_has(head, SPAN("shared")) && jsonfile_has(head, SPAN("frames"));
    bool profiles = jsonfile_has(head, SPAN("profiles")) && jsonfile_has(head, SPAN("endValue"));
    return schema || shared || profiles;
}

/* Remember whether stackexport wrote the file: its stacks were already folded, so neither the
 * places of functions nor the names of threads belong to them. */
static void
read_exporter(void *ctx, struct json *j)
{
    json_scalar(j);
    ((struct speedscope *)ctx)->is_exported =
        j->item == JSON_STRING && span_eq(j->text, SPAN("flamepipe"));
}

static const struct jsonfield members[] = {
    FIELD_VALUE("exporter", read_exporter),
    FIELD_INSIDE("shared", JSON_OBJECT),
    FIELD_OBJECTS("frames", read_frame),
    FIELD_OBJECTS("profiles", read_profile),
    FIELD_END,
};

const struct format format_speedscope = {.is_json = is_ours,
                                         .members = members,
                                         .state_size = sizeof(struct speedscope),
                                         .finish = finish,
                                         .trees = MEMBERS(struct speedscope, tree),
                                         .interns = MEMBERS(struct speedscope, ids),
                                         .buffers = MEMBERS(struct speedscope, path, unit,
                                                            first_unit, names, profiles, seen,
                                                            nopen, stacks, weights)};
