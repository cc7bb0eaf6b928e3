/* Profiles of Ruby's stackprof as JSON, of "stackprof --json" or JSON.generate(StackProf.results),
 * recorded with raw: true (https://github.com/tmm1/stackprof):
 *
 *     {"version": 1.2, "mode": "wall", "interval": 1000, "samples": 3, "gc_samples": 0,
 *      "frames": {"140": {"name": "Object#main", "file": "app.rb", "line": 1, "samples": 0},
 *                 "141": {"name": "Cart#total", "file": "app.rb", "line": 5, "samples": 3}},
 *      "raw": [2, 140, 141, 2, 2, 140, 141, 1]}
 *
 * "raw" has for each stack its number of frames, the frames, root first, and how many samples in a
 * row had it. The counts are those that "stackprof --stackcollapse" prints. */
#include <stdlib.h>

#include "cmd/stackcollapse/build/jsonfile.h"
#include "cmd/stackcollapse/build/stackbuild.h"
#include "common/base/num.h"

struct file {
    struct collapse *c;
    struct json json;
    struct stackbuild names;
    struct intern ids; /* of frames, as they are written */
    uint32_t *frames;  /* by their number: names in the profile; NO_NAME: the frame is not listed */
    size_t nframes, frames_cap;
    struct stacktree tree; /* of frames, by their number: they may be listed after the stacks */
    bool raw;              /* there are stacks */
};

#define NO_NAME UINT32_MAX

static uint32_t
frame_number(struct file *f, struct span id)
{
    uint32_t number = intern_add(&f->ids, id);
    f->frames = mem_grow(f->frames, &f->frames_cap, f->ids.count, sizeof *f->frames);
    while (f->nframes < f->ids.count)
        f->frames[f->nframes++] = NO_NAME;
    return number;
}

static void
read_frames(struct file *f)
{
    struct json *j = &f->json;
    if (!json_enter(j, JSON_OBJECT))
        return;
    while (json_member(j)) {
        uint32_t number = frame_number(f, j->text);
        if (!json_enter(j, JSON_OBJECT))
            continue;
        while (json_member(j)) {
            bool is_name = json_is(j, SPAN("name"));
            if (json_scalar(j) == JSON_STRING && is_name)
                f->frames[number] = stackbuild_name(&f->names, j->text);
        }
    }
}

static bool
next_number(struct json *j, uint64_t *n)
{
    return json_element(j) && json_u64(j, n);
}

/* Read a stack, whose number of frames was read, and its count. False if it is not whole. */
static bool
read_stack(struct file *f, uint64_t depth)
{
    struct json *j = &f->json;
    uint32_t stack = STACKTREE_ROOT;
    uint64_t id, count;
    for (; depth > 0; depth--) {
        if (!next_number(j, &id))
            return false;
        stack = stacktree_child(&f->tree, stack, frame_number(f, j->text));
    }
    if (!next_number(j, &count))
        return false;
    f->c->samples = num_add(f->c->samples, count);
    if (stack == STACKTREE_ROOT)
        f->c->without_frames = num_add(f->c->without_frames, count);
    else
        stacktree_count(&f->tree, stack, (struct decimal){count, 0});
    return true;
}

static void
read_raw(struct file *f)
{
    struct json *j = &f->json;
    uint64_t depth;
    size_t outside = j->depth;
    if (!json_enter(j, JSON_ARRAY))
        return;
    f->raw = true;
    while (json_element(j))
        if (!json_u64(j, &depth) || !read_stack(f, depth)) {
            input_skip(&f->c->input, "what follows in raw is not a stack");
            break;
        }
    while (j->depth > outside && json_next(j) != JSON_ERROR)
        continue;
}

/* Add the stacks to the profile. */
static void
add_stacks(struct file *f)
{
    struct stacktree *to = &f->c->profile.tree;
    uint32_t unknown = stackbuild_name(&f->names, SPAN("[unknown]"));
    uint32_t *stacks = mem_alloc((f->tree.n + 1) * sizeof *stacks);
    stacks[STACKTREE_ROOT] = STACKTREE_ROOT;
    for (uint32_t i = 1; i < f->tree.n; i++) {
        const struct stacktree_node *node = &f->tree.nodes[i];
        uint32_t name = f->frames[node->name];
        stacks[i] = stacktree_child(to, stacks[node->parent], name != NO_NAME ? name : unknown);
        if (node->counted)
            stacktree_count(to, stacks[i], node->count);
    }
    free(stacks);
}

static void
fold(struct collapse *c, void **state)
{
    (void)state;
    struct file f = {.c = c, .names = {.profile = &c->profile}};
    struct json *j = &f.json;
    jsonfile_start(j, c);
    if (json_next(j) == JSON_OBJECT)
        while (json_member(j)) {
            if (json_is(j, SPAN("frames")))
                read_frames(&f);
            else if (json_is(j, SPAN("raw")))
                read_raw(&f);
            else
                json_scalar(j);
        }
    bool whole = jsonfile_end(j, c);
    if (whole && !f.raw)
        diag_error(c->diag, (struct place){c->input.name, 0},
                   "no stacks in this profile: record it with raw: true");
    add_stacks(&f);
    stacktree_free(&f.tree);
    stackbuild_free(&f.names);
    intern_free(&f.ids);
    free(f.frames);
}

static bool
is_ours(struct span head)
{
    return jsonfile_has(head, SPAN("gc_samples")) && jsonfile_has(head, SPAN("missed_samples"));
}

const struct format format_stackprof = {.is_json = is_ours, .fold = fold};
