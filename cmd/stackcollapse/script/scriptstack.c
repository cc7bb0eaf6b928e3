#include "cmd/stackcollapse/script/scriptstack.h"

#include <errno.h>

#include "common/stack/foldedtext.h"

void
scriptstack_prepend(struct reader *f, struct span name)
{
    if (name.len > 0 || f->stack.n > 0)
        reader_push_leaf_first(f, name);
}

void
scriptstack_print(struct reader *f, struct span count)
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

void
scriptlevels_set(struct reader *f, size_t level, struct span name)
{
    while (f->list.n <= level)
        VEC_ADD(f->list, intern_add(&f->ids, SPAN("")));
    f->list.at[level] = intern_add(&f->ids, name);
}

void
scriptlevels_print(struct reader *f, size_t n, struct span count)
{
    for (size_t i = 0; i < n; i++)
        reader_push(f, intern_text(&f->ids, f->list.at[i]));
    scriptstack_print(f, count);
}

/* Perl's die() exits with errno: ENOTTY from the check whether the file is a terminal, which Perl
 * makes when it opens one, or 255 where errno is 0, which it is after reading to the file's end. */
void
script_die(struct reader *f, const char *why)
{
    diag_error(f->c->diag, input_place(&f->c->input), "%s: the script ends here", why);
    f->c->script_status = f->c->input.lines.unterminated ? 255 : ENOTTY;
    f->ended = true;
}
