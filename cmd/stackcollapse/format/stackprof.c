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
#include "cmd/stackcollapse/shared/jsonfile.h"
#include "common/base/num.h"

struct stackprof {
    struct stacker base;
    struct intern ids;   /* of frames, as written */
    struct u32vec names; /* for each id: 1 + number of its name in the profile; 0: not listed */
    struct stacktree
        tree; /* of frames by their numbers, since they may be listed after the stacks */
    bool raw; /* there are stacks */
};

static uint32_t
frame_number(struct stackprof *f, struct span id)
{
    uint32_t number = intern_add(&f->ids, id);
    VEC_REACH(f->names, f->ids.count);
    return number;
}

static void
read_frames(void *ctx, struct json *j)
{
    struct stackprof *f = ctx;
    while (json_member(j)) {
        uint32_t number = frame_number(f, j->text);
        if (!json_enter(j, JSON_OBJECT))
            continue;
        while (json_member(j)) {
            bool is_name = json_is(j, SPAN("name"));
            if (json_scalar(j) == JSON_STRING && is_name)
                f->names.at[number] = 1 + stacker_name(&f->base, j->text);
        }
    }
}

static bool
next_number(struct json *j, uint64_t *n)
{
    return json_element(j) && json_u64(j, n);
}

/* Read a stack of `depth` frames, and its count. Return false if it is incomplete. */
static bool
read_stack(struct stackprof *f, struct json *j, uint64_t depth)
{
    uint32_t stack = STACKTREE_ROOT;
    uint64_t id, count;
    for (; depth > 0; depth--) {
        if (!next_number(j, &id))
            return false;
        stack = stacktree_child(&f->tree, stack, frame_number(f, j->text));
    }
    if (!next_number(j, &count))
        return false;
    if (stack == STACKTREE_ROOT) {
        stacker_add_empty(&f->base, count);
    } else {
        f->base.c->samples = num_add(f->base.c->samples, count);
        stacktree_count(&f->tree, stack, (struct decimal){count, 0});
    }
    return true;
}

static void
read_raw(void *ctx, struct json *j)
{
    struct stackprof *f = ctx;
    uint64_t depth;
    size_t outside = j->depth;
    if (!json_enter(j, JSON_ARRAY))
        return;
    f->raw = true;
    while (json_element(j))
        if (!json_u64(j, &depth) || !read_stack(f, j, depth)) {
            stacker_skip(&f->base, "what follows in raw is not a stack");
            break;
        }
    while (j->depth > outside && json_next(j) != JSON_ERROR)
        continue;
}

/* Add the stacks to the profile. */
static void
finish(struct stacker *s)
{
    struct stackprof *f = (struct stackprof *)s;
    uint32_t unknown = stacker_name(s, SPAN("[unknown]"));
    if (!s->damaged && !f->raw)
        diag_error(s->c->diag, stacker_file(s),
                   "no stacks in this profile: record it with raw: true");
    for (uint32_t i = 1; i < f->tree.n; i++) {
        uint32_t name = f->names.at[f->tree.nodes[i].name];
        f->tree.nodes[i].name = name > 0 ? name - 1 : unknown;
    }
    profile_add_tree(&s->c->profile, &f->tree);
}

static bool
is_ours(struct span head)
{
    return (jsonfile_has(head, SPAN("gc_samples")) && jsonfile_has(head, SPAN("missed_samples"))) ||
           (jsonfile_has(head, SPAN("frames")) && jsonfile_has(head, SPAN("total_samples")));
}

static const struct jsonfield members[] = {
    FIELD_OBJECT("frames", read_frames),
    FIELD_VALUE("raw", read_raw),
    FIELD_END,
};

const struct format format_stackprof = {.is_json = is_ours,
                                        .members = members,
                                        .state_size = sizeof(struct stackprof),
                                        .finish = finish,
                                        .trees = MEMBERS(struct stackprof, tree),
                                        .interns = MEMBERS(struct stackprof, ids),
                                        .buffers = MEMBERS(struct stackprof, names)};
