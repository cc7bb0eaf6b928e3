#include "common/symbolize/naming.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/num.h"
#include "common/stack/frames/frameplace.h"

enum { HAS_NAME = 1, NAMELESS };

int64_t
naming_process(const struct perf_header *h)
{
    return perf_header_has(h, PERF_PID) ? h->pid : perf_header_has(h, PERF_TID) ? h->tid : -1;
}

/* Return 42 of "/tmp/perf-42.map"; -1 of other DSOs. */
static int64_t
map_process(struct span dso)
{
    uint64_t pid;
    bool is_map = span_skip(&dso, SPAN("/tmp/perf-")) && span_ends(dso, SPAN(".map"));
    return is_map && num_u64(span_head(dso, dso.len - 4), &pid) && pid <= INT32_MAX ? (int64_t)pid
                                                                                    : -1;
}

/* Return the frame with its name in that process; the frame itself if there is none. */
static uint32_t
look_up(struct naming *n, uint32_t frame, int64_t pid)
{
    char offset[32];
    struct jitname name;
    struct frame f = *frametab_frame(n->frames, frame);
    const struct jitplace place = {pid, map_process(f.dso), f.ip, f.dso};
    if (!f.has_ip || !n->names->find(n->names, &place, &name))
        return frame;
    int len = snprintf(offset, sizeof offset, "+0x%" PRIx64, place.addr - name.start);
    f.sym = name.text;
    f.has_sym = true;
    f.offset = span_of(offset, (size_t)len);
    f.dso = name.dso.len > 0 ? name.dso : f.dso;
    f.doubtful = name.doubtful;
    return frametab_add(n->frames, &f);
}

static uint32_t
named(struct naming *n, uint32_t frame, int64_t pid)
{
    const int64_t key[] = {pid, frame};
    uint32_t number;
    size_t old = n->kinds_cap;
    n->kinds = mem_grow(n->kinds, &n->kinds_cap, (size_t)frame + 1, 1);
    memset(n->kinds + old, 0, n->kinds_cap - old);
    if (n->kinds[frame] == 0)
        n->kinds[frame] =
            frame_is_nameless_jit(frametab_frame(n->frames, frame)) ? NAMELESS : HAS_NAME;
    if (n->kinds[frame] == HAS_NAME)
        return frame;
    if (intern_put(&n->asked, SPAN_BYTES(key), &number)) {
        n->named = mem_grow(n->named, &n->named_cap, n->asked.count, sizeof *n->named);
        n->named[number] = look_up(n, frame, pid);
    }
    return n->named[number];
}

static void
forget(struct naming *n)
{
    free(n->kinds);
    n->kinds = NULL;
    n->kinds_cap = 0;
    intern_free(&n->asked);
}

void
naming_apply(struct naming *n, struct sample *s)
{
    int64_t pid = naming_process(&s->header);
    if (frametab_was_emptied(n->frames, &n->generation))
        forget(n);
    n->stack = mem_grow(n->stack, &n->stack_cap, s->nframes, sizeof *n->stack);
    for (size_t i = 0; i < s->nframes; i++)
        n->stack[i] = named(n, s->frames[i], pid);
    s->frames = n->stack;
}

void
naming_free(struct naming *n)
{
    forget(n);
    free(n->named);
    free(n->stack);
}
