#include "cmd/stackcollapse/build/lineformat.h"

#include <stdlib.h>

void *
lineformat_state(struct collapse *c, void **state, size_t size)
{
    if (*state == NULL) {
        *state = mem_alloc(size);
        memset(*state, 0, size);
        *(struct lineformat *)*state = (struct lineformat){.c = c, .stack.profile = &c->profile};
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
lineformat_emit(struct lineformat *f, struct decimal count)
{
    f->c->samples += stackbuild_emit(&f->stack, count);
}

void
lineformat_emit_reversed(struct lineformat *f, struct decimal count)
{
    stackbuild_reverse(&f->stack, 0);
    lineformat_emit(f, count);
}

void
lineformat_finish(void *state)
{
    lineformat_emit_reversed(state, LINEFORMAT_ONCE);
}

void
lineformat_end(void *state)
{
    struct lineformat *f = state;
    stackbuild_free(&f->stack);
    free(f->name.ptr);
    free(f->kept[0].ptr);
    free(f->kept[1].ptr);
    free(f);
}
