#include "cmd/stackcollapse/build/calltree.h"

#include <errno.h>
#include <stdlib.h>

static void
cut(struct calltree *t, size_t level)
{
    if (!t->started || level < t->top)
        t->top = level;
    t->started = true;
    size_t callers = level - t->top;
    t->depth = callers < t->depth ? callers : t->depth;
}

bool
calltree_enter(struct calltree *t, size_t level, struct span name)
{
    cut(t, level);
    if (t->depth != level - t->top) {
        input_skip(&t->base.c->input, "the line of this function's caller is missing");
        return false;
    }
    uint32_t caller = t->depth > 0 ? t->path[t->depth - 1] : STACKTREE_ROOT;
    t->path = mem_grow(t->path, &t->path_cap, t->depth + 1, sizeof *t->path);
    t->path[t->depth++] = stackbuild_child(&t->base.stack, &t->stacks, caller, name);
    return true;
}

void
calltree_skip(struct calltree *t, size_t level, const char *why)
{
    cut(t, level);
    input_skip(&t->base.c->input, why);
}

void
calltree_count(struct calltree *t, struct decimal count)
{
    if (decimal_is_zero(count))
        return;
    stacktree_count(&t->stacks, t->path[t->depth - 1], count);
    t->base.c->samples++;
}

void
calltree_shift(struct calltree *t, int places)
{
    stacktree_shift(&t->stacks, STACKTREE_ROOT, places);
}

void
calltree_restart(struct calltree *t)
{
    profile_add_tree(&t->base.c->profile, &t->stacks);
    t->depth = 0;
    t->started = false;
}

void
calltree_set(struct calltree *t, size_t level, struct span name)
{
    t->levels = mem_grow(t->levels, &t->levels_cap, level + 1, sizeof *t->levels);
    while (t->nlevels <= level)
        t->levels[t->nlevels++] = intern_add(&t->names, SPAN(""));
    t->levels[level] = intern_add(&t->names, name);
}

void
calltree_print(struct calltree *t, size_t n, struct span count)
{
    struct out *out = t->base.c->out;
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            out_char(out, ';');
        out_span(out, intern_text(&t->names, t->levels[i]));
    }
    out_char(out, ' ');
    out_span(out, count);
    out_char(out, '\n');
    t->base.c->samples++;
}

/* Perl's die() exits with errno: ENOTTY from the check whether the file is a terminal, which Perl
 * makes when it opens one, or 255 where errno is 0, which it is after reading to the file's end. */
void
calltree_die(struct calltree *t, const char *why)
{
    struct collapse *c = t->base.c;
    diag_error(c->diag, input_place(&c->input), "%s: the script ends here", why);
    c->script_status = c->input.lines.unterminated ? 255 : ENOTTY;
    t->over = true;
}

void
calltree_free(struct calltree *t)
{
    stacktree_free(&t->stacks);
    free(t->path);
    intern_free(&t->names);
    free(t->levels);
}
