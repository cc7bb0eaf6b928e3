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

#include "cmd/stackcollapse/build/jsonfile.h"
#include "cmd/stackcollapse/build/stackbuild.h"
#include "cmd/stackcollapse/build/timeunit.h"
#include "common/base/num.h"

#define NO_FRAME UINT32_MAX

struct file {
    struct collapse *c;
    struct json json;
    struct stackbuild names;
    uint32_t *frames; /* numbers of their names in the profile */
    size_t nframes, frames_cap;
    uint32_t *profiles; /* the same for the names of the profiles */
    size_t nprofiles, profiles_cap;
    /* The stacks: a node below the root is one of the profiles; one below that is a frame, by its
     * number in `indexes`. */
    struct stacktree tree;
    uint64_t *seen; /* by stack: how often */
    size_t nseen, seen_cap;
    struct intern indexes; /* of frames, as bytes */
    uint64_t *nopen;       /* by number in `indexes`: how many such frames events have opened */
    size_t nopen_cap;
    bool mixed; /* profiles count different things */

    /* Of the profile read last. */
    struct text name, file, unit, first_unit;
    uint32_t *stacks; /* of its samples */
    size_t nstacks, stacks_cap;
    struct decimal *weights;
    size_t nweights, weights_cap;
    uint32_t profile;   /* its node, after which its stacks follow */
    uint32_t open;      /* the stack of the frames that events have opened */
    struct decimal now; /* of the events */
};

/* The index that is the value read last. */
static uint32_t
frame_index(const struct json *j)
{
    uint64_t i;
    return json_u64(j, &i) && i < NO_FRAME ? (uint32_t)i : NO_FRAME;
}

/* The number of the frame of this index. */
static uint32_t
frame_number(struct file *f, uint32_t index)
{
    uint32_t number;
    if (intern_put(&f->indexes, span_of((const char *)&index, sizeof index), &number)) {
        f->nopen = mem_grow(f->nopen, &f->nopen_cap, f->indexes.count, sizeof *f->nopen);
        f->nopen[number] = 0;
    }
    return number;
}

static void
count(struct file *f, uint32_t stack, struct decimal weight)
{
    f->seen = mem_grow(f->seen, &f->seen_cap, f->tree.n, sizeof *f->seen);
    while (f->nseen < f->tree.n)
        f->seen[f->nseen++] = 0;
    f->seen[stack]++;
    f->c->samples++;
    stacktree_count(&f->tree, stack, weight);
}

/* Appends " (app.py:3)". */
static void
add_place(struct text *name, struct span file, uint64_t line)
{
    char digits[NUM_DIGITS];
    text_add(name, SPAN(" ("));
    text_add(name, file);
    if (line > 0) {
        text_add(name, SPAN(":"));
        text_add(name, num_decimal(digits, line));
    }
    text_add(name, SPAN(")"));
}

/* Reads a frame, whose "{" was read. */
static void
read_frame(void *ctx)
{
    struct file *f = ctx;
    struct json *j = &f->json;
    uint64_t line = 0;
    f->name.len = f->file.len = 0;
    while (json_member(j)) {
        if (json_is(j, SPAN("name"))) {
            jsonfile_text(j, &f->name);
        } else if (json_is(j, SPAN("file"))) {
            jsonfile_text(j, &f->file);
        } else {
            bool is_line = json_is(j, SPAN("line"));
            json_scalar(j);
            if (is_line)
                json_u64(j, &line);
        }
    }
    if (f->file.len > 0)
        add_place(&f->name, text_span(&f->file), line);
    f->frames = mem_grow(f->frames, &f->frames_cap, f->nframes + 1, sizeof *f->frames);
    f->frames[f->nframes++] = stackbuild_name(&f->names, text_span(&f->name));
}

static void
read_shared(struct file *f)
{
    if (!json_enter(&f->json, JSON_OBJECT))
        return;
    while (json_member(&f->json)) {
        if (json_is(&f->json, SPAN("frames")))
            jsonfile_objects(&f->json, read_frame, f);
        else
            json_scalar(&f->json);
    }
}

/* Reads the stack of a sample, whose "[" was read, and gives its number. */
static uint32_t
read_stack(struct file *f)
{
    uint32_t stack = f->profile;
    for (; json_element(&f->json); json_skip(&f->json))
        stack = stacktree_child(&f->tree, stack, frame_number(f, frame_index(&f->json)));
    return stack;
}

static void
read_samples(struct file *f)
{
    if (!json_enter(&f->json, JSON_ARRAY))
        return;
    while (json_element(&f->json)) {
        uint32_t stack = f->profile;
        if (f->json.item == JSON_ARRAY)
            stack = read_stack(f);
        else
            json_skip(&f->json);
        f->stacks = mem_grow(f->stacks, &f->stacks_cap, f->nstacks + 1, sizeof *f->stacks);
        f->stacks[f->nstacks++] = stack;
    }
}

static void
read_weights(struct file *f)
{
    if (!json_enter(&f->json, JSON_ARRAY))
        return;
    for (; json_element(&f->json); json_skip(&f->json)) {
        struct decimal weight = {0, 0};
        if (!json_decimal(&f->json, 0, &weight))
            input_skip(&f->c->input, "a weight is not a number from 0 on");
        f->weights = mem_grow(f->weights, &f->weights_cap, f->nweights + 1, sizeof *f->weights);
        f->weights[f->nweights++] = weight;
    }
}

/* Closes the innermost open frame. */
static void
close_last(struct file *f)
{
    f->nopen[f->tree.nodes[f->open].name]--;
    f->open = f->tree.nodes[f->open].parent;
}

/* Closes the innermost open frame of this number, and those in it. */
static bool
close_frame(struct file *f, uint32_t frame)
{
    uint64_t left = f->nopen[frame];
    while (left > 0 && f->nopen[frame] == left)
        close_last(f);
    return left > 0;
}

/* Reads an event, whose "{" was read. The time since the event before it is the open stack's. */
static void
read_event(void *ctx)
{
    struct file *f = ctx;
    struct json *j = &f->json;
    char type = 0;
    uint32_t index = NO_FRAME;
    struct decimal at = f->now, since;
    bool good = false;
    while (json_member(j)) {
        if (json_is(j, SPAN("type"))) {
            type = json_scalar(j) == JSON_STRING && j->text.len == 1 ? j->text.ptr[0] : 0;
        } else if (json_is(j, SPAN("frame"))) {
            json_scalar(j);
            index = frame_index(j);
        } else {
            bool is_at = json_is(j, SPAN("at"));
            json_scalar(j);
            good |= is_at && json_decimal(j, 0, &at);
        }
    }
    if (j->item == JSON_ERROR)
        return;
    good = good && decimal_subtract(at, f->now, &since);
    if (good && f->open != f->profile && !decimal_is_zero(since))
        count(f, f->open, since);
    if (good)
        f->now = at;
    uint32_t frame = frame_number(f, index);
    if (good && type == 'O') {
        f->nopen[frame]++;
        f->open = stacktree_child(&f->tree, f->open, frame);
    } else if (!good || type != 'C' || !close_frame(f, frame)) {
        input_skip(&f->c->input, "an event that is out of order, or closes what is not open");
    }
}

/* Pairs the samples with their weights, and gives the weights their unit. */
static void
end_profile(struct file *f)
{
    int places, first_places;
    bool time = timeunit_places(text_span(&f->unit), &places);
    if (f->nprofiles == 0)
        text_add(&f->first_unit, text_span(&f->unit));
    bool first_time = timeunit_places(text_span(&f->first_unit), &first_places);
    f->mixed |=
        time != first_time || (!time && !span_eq(text_span(&f->unit), text_span(&f->first_unit)));
    for (size_t i = 0; i < f->nstacks; i++)
        count(f, f->stacks[i], i < f->nweights ? f->weights[i] : (struct decimal){0, 0});
    if (f->nstacks > f->nweights)
        input_skip(&f->c->input, "a profile with fewer weights than samples");
    if (f->nstacks == 0 && f->open != f->profile)
        input_skip(&f->c->input, "a profile whose last frames are not closed");
    while (f->open != f->profile)
        close_last(f);
    stacktree_shift(&f->tree, f->profile, places);
}

/* Reads a profile, whose "{" was read. */
static void
read_profile(void *ctx)
{
    struct file *f = ctx;
    struct json *j = &f->json;
    f->name.len = f->unit.len = f->nstacks = f->nweights = 0;
    f->open = f->profile = stacktree_child(&f->tree, STACKTREE_ROOT, (uint32_t)f->nprofiles);
    f->now = (struct decimal){0, 0};
    while (json_member(j)) {
        if (json_is(j, SPAN("name")))
            jsonfile_text(j, &f->name);
        else if (json_is(j, SPAN("unit")))
            jsonfile_text(j, &f->unit);
        else if (json_is(j, SPAN("samples")))
            read_samples(f);
        else if (json_is(j, SPAN("weights")))
            read_weights(f);
        else if (json_is(j, SPAN("events")))
            jsonfile_objects(j, read_event, f);
        else
            json_scalar(j);
    }
    end_profile(f);
    f->profiles = mem_grow(f->profiles, &f->profiles_cap, f->nprofiles + 1, sizeof *f->profiles);
    f->profiles[f->nprofiles++] = stackbuild_name(&f->names, text_span(&f->name));
}

/* The stack in the profile's tree of one whose parent's is this one; NO_FRAME if a frame is not
 * listed. */
static uint32_t
place(struct file *f, const struct stacktree_node *node, uint32_t parent)
{
    struct stacktree *to = &f->c->profile.tree;
    uint32_t index;                     /* the bytes may be unaligned */
    if (node->parent == STACKTREE_ROOT) /* where there is one profile only, its name is left out */
        return f->nprofiles > 1 ? stacktree_child(to, STACKTREE_ROOT, f->profiles[node->name])
                                : STACKTREE_ROOT;
    memcpy(&index, intern_text(&f->indexes, node->name).ptr, sizeof index);
    return parent != NO_FRAME && index < f->nframes ? stacktree_child(to, parent, f->frames[index])
                                                    : NO_FRAME;
}

/* Adds all stacks to the profile. */
static void
add_stacks(struct file *f)
{
    char digits[NUM_COMMAS];
    uint64_t lost = 0;
    uint32_t *places = mem_alloc((f->tree.n + 1) * sizeof *places);
    places[STACKTREE_ROOT] = STACKTREE_ROOT;
    for (uint32_t i = 1; i < f->tree.n; i++) {
        const struct stacktree_node *node = &f->tree.nodes[i];
        places[i] = place(f, node, places[node->parent]);
        if (!node->counted)
            continue;
        if (places[i] == NO_FRAME)
            lost += f->seen[i];
        else if (places[i] == STACKTREE_ROOT)
            f->c->without_frames += f->seen[i];
        else
            stacktree_count(&f->c->profile.tree, places[i], node->count);
    }
    free(places);
    if (lost > 0)
        diag_warn(f->c->diag, NULL, (struct place){f->c->input.name, 0},
                  "stacks with frames that are not listed, left out: %.*s",
                  SPAN_ARG(num_commas(digits, lost)));
    if (f->mixed)
        diag_note(f->c->diag, "%s: its profiles count different things, which are added up",
                  f->c->input.name);
}

static void
free_file(struct file *f)
{
    stackbuild_free(&f->names);
    stacktree_free(&f->tree);
    intern_free(&f->indexes);
    struct text *texts[] = {&f->name, &f->file, &f->unit, &f->first_unit};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]->ptr);
    free(f->frames);
    free(f->profiles);
    free(f->seen);
    free(f->stacks);
    free(f->weights);
    free(f->nopen);
}

static void
fold(struct collapse *c, void **state)
{
    (void)state;
    struct file f = {.c = c, .names = {.profile = &c->profile}};
    jsonfile_start(&f.json, c);
    if (json_next(&f.json) == JSON_OBJECT)
        while (json_member(&f.json)) {
            if (json_is(&f.json, SPAN("shared")))
                read_shared(&f);
            else if (json_is(&f.json, SPAN("profiles")))
                jsonfile_objects(&f.json, read_profile, &f);
            else
                json_scalar(&f.json);
        }
    jsonfile_end(&f.json, c);
    add_stacks(&f);
    free_file(&f);
}

static bool
is_ours(struct span head)
{
    bool schema = jsonfile_has(head, SPAN("$schema")) &&
                  span_search(head, SPAN("speedscope.app/file-format-schema")) != SPAN_NONE;
    bool shared = jsonfile_has(head, SPAN("shared")) && jsonfile_has(head, SPAN("frames"));
    return schema || shared;
}

const struct format format_speedscope = {.is_json = is_ours, .fold = fold};
