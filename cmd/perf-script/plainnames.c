#include "cmd/perf-script/plainnames.h"

#include <stdlib.h>

static uint32_t
demangled(struct plainnames *p, uint32_t frame)
{
    struct frame f = *frametab_frame(p->frames, frame);
    p->name.len = 0;
    arena_reset(&p->arena);
    if (!demangle(&p->arena, f.sym, p->style, &p->name))
        return frame;
    f.sym = text_span(&p->name);
    return frametab_add(p->frames, &f);
}

static uint32_t
plain(struct plainnames *p, uint32_t frame)
{
    size_t old = p->cap;
    p->plain = mem_grow(p->plain, &p->cap, (size_t)frame + 1, sizeof *p->plain);
    for (size_t i = old; i < p->cap; i++)
        p->plain[i] = INTERN_NONE;
    if (p->plain[frame] == INTERN_NONE)
        p->plain[frame] = demangled(p, frame);
    return p->plain[frame];
}

void
plainnames_apply(struct plainnames *p, struct sample *s)
{
    if (p->style == DEMANGLE_NONE)
        return;
    if (frametab_was_emptied(p->frames, &p->generation)) {
        free(p->plain);
        p->plain = NULL;
        p->cap = 0;
    }
    p->stack = mem_grow(p->stack, &p->stack_cap, s->nframes, sizeof *p->stack);
    for (size_t i = 0; i < s->nframes; i++)
        p->stack[i] = plain(p, s->frames[i]);
    s->frames = p->stack;
}
