#include "cmd/stackcollapse/build/calltree.h"

#include <stdlib.h>

#include "common/base/num.h"

/* Count what is a function's own, if only the total was given. */
static void
count_rest(struct calltree *t, const struct calltree_function *f)
{
    struct reader *r = &t->base;
    if (f->total <= f->below)
        return;
    uint64_t rest = f->total - f->below;
    r->c->samples = num_add(r->c->samples, t->inverted ? 1 : rest);
    if (f->waits)
        r->left_out = num_add(r->left_out, rest);
    else
        stacktree_count(&r->tree, f->stack, (struct decimal){rest, 0});
}

void
calltree_leave(struct calltree *t, size_t level)
{
    if (!t->rooted || level < t->top)
        t->top = level;
    t->rooted = true;
    for (; t->path.n > 0 && t->path.at[t->path.n - 1].level >= level; t->path.n--)
        count_rest(t, &t->path.at[t->path.n - 1]);
}

void
calltree_nest(struct calltree *t, size_t level, struct span name)
{
    calltree_leave(t, level);
    uint32_t caller = t->path.n > 0 ? t->path.at[t->path.n - 1].stack : STACKTREE_ROOT;
    uint32_t stack = stacktree_child(&t->base.tree, caller, stackbuild_name(&t->base.stack, name));
    VEC_ADD(t->path, (struct calltree_function){.level = level, .stack = stack});
}

bool
calltree_enter(struct calltree *t, size_t level, struct span name)
{
    calltree_leave(t, level);
    if (level != (t->path.n > 0 ? t->path.at[t->path.n - 1].level + 1 : t->top)) {
        reader_skip(&t->base, "the line of this function's caller is missing");
        return false;
    }
    calltree_nest(t, level, name);
    return true;
}

void
calltree_skip(struct calltree *t, size_t level, const char *why)
{
    calltree_leave(t, level);
    reader_skip(&t->base, why);
}

void
calltree_count(struct calltree *t, struct decimal count)
{
    if (decimal_is_zero(count))
        return;
    stacktree_count(&t->base.tree, t->path.at[t->path.n - 1].stack, count);
    t->base.c->samples++;
}

void
calltree_total(struct calltree *t, uint64_t total)
{
    struct calltree_function *f = &t->path.at[t->path.n - 1];
    f->total = total;
    if (t->path.n > 1 && (!t->inverted || f[-1].level + 1 == f->level))
        f[-1].below = num_add(f[-1].below, total);
}

void
calltree_finish(struct reader *f)
{
    struct calltree *t = (struct calltree *)f;
    calltree_leave(t, 0);
    stacktree_shift(&f->tree, STACKTREE_ROOT, t->places);
    profile_add_tree(&f->c->profile, &f->tree);
    t->rooted = false;
}

void
calltree_end(struct reader *f)
{
    struct calltree *t = (struct calltree *)f;
    free(t->path.at);
    csv_free(&t->csv);
}
