#include "common/symbolize/naming.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/stack/frames/frameplace.h"

int64_t
naming_process(const struct perf_header *h)
{
    return perf_header_has(h, PERF_PID) ? h->pid : perf_header_has(h, PERF_TID) ? h->tid : -1;
}

/* Return 42 for "/tmp/perf-42.map"; -1 for other DSOs. */
static int64_t
map_process(struct span dso)
{
    uint64_t pid;
    bool is_map = span_skip(&dso, SPAN("/tmp/perf-")) && span_ends(dso, SPAN(".map"));
    return is_map && num_u64(span_head(dso, dso.len - 4), &pid) && pid <= INT32_MAX ? (int64_t)pid
                                                                                    : -1;
}

/* Set the name that the frame's code has in this process, if it is known. */
static void
set_name(struct naming *n, struct frame *f, int64_t pid, char offset[static JITNAME_OFFSET])
{
    struct jitname name;
    const struct jitplace place = {pid, map_process(f->dso), f->ip, f->dso};
    if (f->has_ip && n->names->find(n->names, &place, &name))
        jitname_set(&name, place.addr, f, offset);
}

/* Return the frame with its name in this process, which may be the frame itself. */
static uint32_t
look_up(struct naming *n, uint32_t frame, int64_t pid, bool nameless)
{
    char offset[JITNAME_OFFSET];
    struct frame f = *frametab_frame(n->frames, frame);
    if (nameless)
        set_name(n, &f, pid, offset);
    n->name.len = 0;
    if (demangle(&n->arena, f.sym, n->demangle, &n->name))
        f.sym = text_span(&n->name);
    arena_reset(&n->arena);
    return span_eq(f.sym, frametab_frame(n->frames, frame)->sym) ? frame
                                                                 : frametab_add(n->frames, &f);
}

static uint32_t
named(struct naming *n, uint32_t frame, int64_t pid)
{
    const int64_t key[] = {pid, frame};
    uint32_t number;
    bool nameless = n->names != NULL && frame_is_nameless_jit(frametab_frame(n->frames, frame));
    if (!nameless && n->demangle == DEMANGLE_NONE)
        return frame;
    if (intern_put(&n->asked, SPAN_BYTES(key), &number)) {
        n->named = mem_grow(n->named, &n->named_cap, n->asked.count, sizeof *n->named);
        n->named[number] = look_up(n, frame, pid, nameless);
    }
    return n->named[number];
}

void
naming_apply(struct naming *n, struct sample *s)
{
    int64_t pid = naming_process(&s->header);
    if (frametab_was_emptied(n->frames, &n->generation))
        intern_free(&n->asked);
    n->stack = mem_grow(n->stack, &n->stack_cap, s->nframes, sizeof *n->stack);
    for (size_t i = 0; i < s->nframes; i++)
        n->stack[i] = named(n, s->frames[i], pid);
    s->frames = n->stack;
}

void
naming_free(struct naming *n)
{
    intern_free(&n->asked);
    arena_free(&n->arena);
    free(n->name.ptr);
    free(n->named);
    free(n->stack);
}
