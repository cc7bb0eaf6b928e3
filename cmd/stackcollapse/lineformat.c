#include "cmd/stackcollapse/lineformat.h"

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

/* Takes the next lines as long as each is the one that is predicted. */
static void
take_predicted(struct lineformat *f, struct lines *l)
{
    struct span rest = lines_buffered(l);
    const struct linepair *next;
    size_t n = 0;
    for (; (next = linecache_predicted(&f->cache, rest)) != NULL; n++) {
        rest = span_from(rest, next->text.len);
        stackbuild_push_name(&f->stack, next->name);
    }
    lines_skip(l, (size_t)(rest.ptr - l->buf) - l->pos, n);
}

/* Takes the line if it is one that was kept. */
static bool
take_known(struct lineformat *f, struct span line)
{
    uint32_t known = lineformat_find(f, line);
    if (known != INTERN_NONE)
        lineformat_frame_again(f, known);
    return known != INTERN_NONE;
}

void
lineformat_fold(struct collapse *c, void **state, size_t size,
                void (*take)(void *state, struct span line))
{
    struct span line;
    struct lines *l = &c->input.lines;
    struct lineformat *f = lineformat_state(c, state, size);
    f->after_frame = false;
    for (;;) {
        bool after_frame = f->after_frame;
        if (after_frame)
            take_predicted(f, l);
        else
            linecache_begin(&f->cache);
        if (!lines_next(l, &line))
            break;
        if (after_frame && take_known(f, line))
            continue;
        f->after_frame = false;
        take(f, line);
    }
    if (!c->options->script)
        input_warn_cut(&c->input);
}

void
lineformat_begin(struct lineformat *f)
{
    f->after_frame = !f->script;
    linecache_begin(&f->cache);
}

void
lineformat_frame(struct lineformat *f, struct span line, struct span name)
{
    lineformat_push_leaf_first(f, name);
    f->after_frame = !f->script;
    if (!f->script)
        linecache_keep(&f->cache, line, f->stack.frames[f->stack.n - 1]);
}

uint32_t
lineformat_find(const struct lineformat *f, struct span line)
{
    return linecache_find(&f->cache, line);
}

void
lineformat_frame_again(struct lineformat *f, uint32_t line)
{
    f->after_frame = true;
    stackbuild_push_name(&f->stack, linecache_take(&f->cache, line));
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
    linecache_free(&f->cache);
    free(f->name.ptr);
    free(f);
}
