#include "cmd/stackcollapse/build/calltree.h"

#include <stdlib.h>

/* Takes the functions of this level and of those below it off the path. */
static void
leave(struct calltree *t, size_t level)
{
    if (!t->started || level < t->top)
        t->top = level;
    t->started = true;
    while (t->depth > 0 && t->path[t->depth - 1].level >= level)
        t->depth--;
}

void
calltree_nest(struct calltree *t, size_t level, struct span name)
{
    leave(t, level);
    uint32_t caller = t->depth > 0 ? t->path[t->depth - 1].stack : STACKTREE_ROOT;
    uint32_t stack = stacktree_child(&t->stacks, caller, stackbuild_name(&t->base.stack, name));
    t->path = mem_grow(t->path, &t->cap, t->depth + 1, sizeof *t->path);
    t->path[t->depth++] = (struct calltree_function){level, stack};
}

bool
calltree_enter(struct calltree *t, size_t level, struct span name)
{
    leave(t, level);
    if (level != (t->depth > 0 ? t->path[t->depth - 1].level + 1 : t->top)) {
        input_skip(&t->base.c->input, "the line of this function's caller is missing");
        return false;
    }
    calltree_nest(t, level, name);
    return true;
}

void
calltree_skip(struct calltree *t, size_t level, const char *why)
{
    leave(t, level);
    input_skip(&t->base.c->input, why);
}

void
calltree_count(struct calltree *t, struct decimal count)
{
    if (decimal_is_zero(count))
        return;
    stacktree_count(&t->stacks, t->path[t->depth - 1].stack, count);
    t->base.c->samples++;
}

void
calltree_finish(struct calltree *t, int places)
{
    stacktree_shift(&t->stacks, STACKTREE_ROOT, places);
    profile_add_tree(&t->base.c->profile, &t->stacks);
    t->depth = 0;
    t->started = false;
}

void
calltree_free(struct calltree *t)
{
    stacktree_free(&t->stacks);
    free(t->path);
}
