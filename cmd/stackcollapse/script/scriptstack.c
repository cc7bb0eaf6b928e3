#include "cmd/stackcollapse/script/scriptstack.h"

#include <errno.h>
#include <stdlib.h>

#include "common/stack/foldedtext.h"

void
scriptstack_push(struct lineformat *f, struct span name)
{
    stackbuild_push_folded(&f->stack, name);
}

void
scriptstack_push_leaf_first(struct lineformat *f, struct span name)
{
    size_t from = f->stack.n;
    stackbuild_push_folded(&f->stack, name);
    stackbuild_reverse(&f->stack, from);
}

void
scriptstack_prepend(struct lineformat *f, struct span name)
{
    if (name.len > 0 || f->stack.n > 0)
        scriptstack_push_leaf_first(f, name);
}

void
scriptstack_emit(struct lineformat *f, struct decimal count)
{
    if (f->stack.n == 0)
        stackbuild_push(&f->stack, SPAN(""));
    f->c->samples += stackbuild_emit(&f->stack, count);
}

void
scriptstack_print(struct lineformat *f, struct span count)
{
    struct out *out = f->c->out;
    for (size_t i = 0; i < f->stack.n; i++) {
        if (i > 0)
            out_char(out, ';');
        out_span(out, profile_name_text(f->stack.profile, f->stack.frames[i]));
    }
    folded_write_counts(out, count, SPAN(""));
    f->c->samples++;
    stackbuild_clear(&f->stack);
}

bool
scriptstack_count(struct lineformat *f, struct span line)
{
    struct decimal count;
    span_take_run(&line, is_space);
    if (span_run(line, 0, is_digit) < line.len)
        return false;
    if (decimal_parse(line, &count)) {
        stackbuild_reverse(&f->stack, 0);
        scriptstack_emit(f, count);
    }
    return true;
}

void
scriptlevels_set(struct scriptlevels *l, size_t level, struct span name)
{
    l->levels = mem_grow(l->levels, &l->cap, level + 1, sizeof *l->levels);
    while (l->n <= level)
        l->levels[l->n++] = intern_add(&l->names, SPAN(""));
    l->levels[level] = intern_add(&l->names, name);
}

struct span
scriptlevels_name(const struct scriptlevels *l, size_t level)
{
    return intern_text(&l->names, l->levels[level]);
}

void
scriptlevels_print(const struct scriptlevels *l, struct collapse *c, size_t n, struct span count)
{
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            out_char(c->out, ';');
        out_span(c->out, scriptlevels_name(l, i));
    }
    folded_write_counts(c->out, count, SPAN(""));
    c->samples++;
}

void
scriptlevels_free(struct scriptlevels *l)
{
    intern_free(&l->names);
    free(l->levels);
}

/* Perl's die() exits with errno: ENOTTY from the check whether the file is a terminal, which Perl
 * makes when it opens one, or 255 where errno is 0, which it is after reading to the file's end. */
void
script_die(struct collapse *c, const char *why)
{
    diag_error(c->diag, input_place(&c->input), "%s: the script ends here", why);
    c->script_status = c->input.lines.unterminated ? 255 : ENOTTY;
}
