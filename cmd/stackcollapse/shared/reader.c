#include "cmd/stackcollapse/shared/reader.h"

#include <stdlib.h>

#include "common/base/num.h"

struct reader *
reader_new(struct collapse *c, size_t size)
{
    struct reader *f = mem_alloc(size);
    memset((void *)f, 0, size);
    f->c = c;
    f->stack.profile = &c->profile;
    return f;
}

void
reader_fold(struct reader *f, void (*take)(struct reader *f, struct span line))
{
    struct span line;
    while (lines_next(&f->c->input.lines, &line)) {
        if (f->ended)
            continue;
        f->lines++;
        take(f, line);
    }
    if (!f->c->input.as_is)
        input_warn_cut(&f->c->input);
}

void
reader_push(struct reader *f, struct span name)
{
    if (f->c->options->dialect->names->raw_semicolons)
        stackbuild_push_folded(&f->stack, name);
    else
        stackbuild_push(&f->stack, name);
}

void
reader_push_leaf_first(struct reader *f, struct span name)
{
    size_t from = f->stack.n;
    reader_push(f, name);
    stackbuild_reverse(&f->stack, from);
}

struct span
reader_bracket(struct reader *f, struct span file)
{
    TEXT_SET(&f->name, SPAN("["), file, SPAN("]"));
    return text_span(&f->name);
}

void
reader_emit(struct reader *f, struct decimal count)
{
    f->c->samples += stackbuild_emit(&f->stack, count);
}

void
reader_emit_reversed(struct reader *f, struct decimal count)
{
    stackbuild_reverse(&f->stack, 0);
    reader_emit(f, count);
}

void
reader_finish(struct reader *f)
{
    reader_emit_reversed(f, READER_ONCE);
}

void
reader_note(const struct reader *f, uint64_t n, const char *what)
{
    char digits[NUM_COMMAS];
    if (n > 0)
        diag_note(f->c->diag, "%.*s %s", SPAN_ARG(num_commas(digits, n)), what);
}

void
reader_warn_left_out(const struct reader *f, uint64_t n, const char *what)
{
    char digits[NUM_COMMAS];
    if (n > 0)
        diag_warn(f->c->diag, NULL, reader_file(f), "%s, left out: %.*s", what,
                  SPAN_ARG(num_commas(digits, n)));
}

void
reader_free(struct reader *f)
{
    stackbuild_free(&f->stack);
    stacktree_free(&f->tree);
    free(f->name.ptr);
    for (size_t i = 0; i < sizeof f->kept / sizeof *f->kept; i++)
        free(f->kept[i].ptr);
    intern_free(&f->ids);
    free(f->list.at);
    free(f);
}
