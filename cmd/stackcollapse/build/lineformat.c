#include "cmd/stackcollapse/build/lineformat.h"

#include <stdlib.h>

void *
lineformat_state(struct collapse *c, void **state, size_t size)
{
    if (*state == NULL) {
        *state = mem_alloc(size);
        memset(*state, 0, size);
        *(struct lineformat *)*state = (struct lineformat){
            .c = c, .stack = {.profile = &c->profile}, .script = c->options->script};
    }
    return *state;
}

void
lineformat_fold(struct collapse *c, void **state, size_t size,
                void (*take)(void *state, struct span line))
{
    struct span line;
    struct lineformat *f = lineformat_state(c, state, size);
    while (lines_next(&c->input.lines, &line))
        take(f, line);
    if (!c->input.as_is)
        input_warn_cut(&c->input);
}

void
lineformat_push(struct lineformat *f, struct span name)
{
    (f->script ? stackbuild_push_folded : stackbuild_push)(&f->stack, name);
}

void
lineformat_push_leaf_first(struct lineformat *f, struct span name)
{
    size_t from = f->stack.n;
    lineformat_push(f, name);
    stackbuild_reverse(&f->stack, from);
}

void
lineformat_prepend(struct lineformat *f, struct span name)
{
    if (name.len > 0 || f->stack.n > 0 || !f->script)
        lineformat_push_leaf_first(f, name);
}

void
lineformat_emit(struct lineformat *f, struct decimal count)
{
    if (f->stack.n == 0 && f->script)
        stackbuild_push(&f->stack, SPAN(""));
    f->c->samples += stackbuild_emit(&f->stack, count);
}

void
lineformat_emit_reversed(struct lineformat *f)
{
    stackbuild_reverse(&f->stack, 0);
    if (f->stack.n > 0)
        lineformat_emit(f, LINEFORMAT_ONCE);
}

void
lineformat_finish(void *state)
{
    lineformat_emit_reversed(state);
}

void
lineformat_print(struct lineformat *f, struct span count)
{
    for (size_t i = 0; i < f->stack.n; i++) {
        if (i > 0)
            out_char(f->c->out, ';');
        out_span(f->c->out, profile_name_text(f->stack.profile, f->stack.frames[i]));
    }
    out_char(f->c->out, ' ');
    out_span(f->c->out, count);
    out_char(f->c->out, '\n');
    f->c->samples++;
    stackbuild_clear(&f->stack);
}

void
lineformat_end(void *state)
{
    struct lineformat *f = state;
    stackbuild_free(&f->stack);
    free(f->name.ptr);
    free(f);
}
