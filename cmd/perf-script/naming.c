#include "cmd/perf-script/naming.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/stack/frameplace.h"
#include "common/base/num.h"

void
naming_init(struct naming *n, struct diag *diag, struct frametab *frames)
{
    *n = (struct naming){.diag = diag, .frames = frames};
}

void
naming_set_dir(struct naming *n, const char *dir)
{
    DIR *open = opendir(dir);
    if (open == NULL) {
        diag_error(n->diag, (struct place){dir, 0}, "%s", strerror(errno));
        return;
    }
    closedir(open);
    n->dir = dir;
}

/* Says what of a map was not understood. */
static void
report_skipped(struct naming *n, const struct process *p)
{
    if (p->map.skipped > 0)
        diag_warn(n->diag, "maps with lines that are no record",
                  (struct place){p->path, p->map.first_skipped},
                  "not an address, a size and a name: %zu lines skipped, this is the first",
                  p->map.skipped);
}

/* Makes the pid known; its process is still to be set. */
static struct process **
slot(struct naming *n, struct span pid)
{
    uint32_t number;
    if (intern_put(&n->pids, pid, &number)) {
        n->of = mem_grow(n->of, &n->of_cap, n->pids.count, sizeof(struct process *));
        n->of[number] = &n->plain;
    }
    return &n->of[number];
}

/* symbol_provider's find() for a perf map. */
static bool
find_in_map(const void *map, uint64_t addr, struct span *name, uint64_t *start)
{
    return perfmap_find(map, addr, name, start);
}

static struct process *
new_process(struct naming *n, const char *path)
{
    struct process *p = arena_alloc(&n->arena, sizeof *p);
    *p = (struct process){.path = path};
    symbols_add(&p->symbols, (struct symbol_provider){&p->map, find_in_map, span_cstr(path)});
    return p;
}

void
naming_add_map(struct naming *n, struct span pid, const char *path)
{
    struct process *p = new_process(n, path);
    const char *problem = perfmap_load(&p->map, path);
    if (problem != NULL) {
        diag_error(n->diag, (struct place){path, 0}, "%s", problem);
        return;
    }
    *slot(n, pid) = p;
    report_skipped(n, p);
}

static bool
is_pid(struct span s)
{
    uint64_t value;
    return num_u64(s, &value);
}

/* The process's map in the directory, where it has one there. */
static struct process *
look_in_dir(struct naming *n, struct span pid)
{
    if (n->dir == NULL || !is_pid(pid))
        return &n->plain;
    size_t size = strlen(n->dir) + pid.len + sizeof "/perf-.map";
    char *path = arena_text(&n->arena, size);
    snprintf(path, size, "%s/perf-%.*s.map", n->dir, SPAN_ARG(pid));
    struct process *p = new_process(n, path);
    const char *problem = perfmap_load(&p->map, path);
    if (problem == NULL) {
        report_skipped(n, p);
        return p;
    }
    if (strcmp(problem, strerror(ENOENT)) != 0)
        diag_warn(n->diag, "maps that were not read", (struct place){path, 0}, "%s", problem);
    return &n->plain;
}

/* The process of a sample. */
static struct process *
process_of(struct naming *n, const struct perf_header *h)
{
    struct span pid = h->field[PERF_PID];
    n->lone_tids += pid.len == 0;
    if (pid.len == 0)
        pid = h->field[PERF_TID];
    uint32_t number = intern_find(&n->pids, pid);
    if (number == INTERN_NONE) {
        struct process *p = look_in_dir(n, pid);
        struct process **place = slot(n, pid);
        return *place = p;
    }
    return n->of[number];
}

/* The frame under the name that the process's map has for it; the frame itself if it has a name or
 * the map has none. */
static uint32_t
look_up(struct naming *n, const struct process *p, uint32_t frame)
{
    char offset[32];
    uint64_t addr;
    struct symbol symbol;
    struct frame f = *frametab_frame(n->frames, frame);
    if (!frame_is_nameless_jit(&f))
        return frame;
    n->nameless++;
    if (!num_hex(f.addr, &addr) || !symbols_find(&p->symbols, addr, &symbol))
        return frame;
    n->found++;
    int len = snprintf(offset, sizeof offset, "+0x%" PRIx64, symbol.offset);
    f.sym = symbol.name;
    f.has_sym = true;
    f.offset = span_of(offset, (size_t)len);
    f.dso = symbol.dso;
    return frametab_add(n->frames, &f);
}

static uint32_t
named(struct naming *n, struct process *p, uint32_t frame)
{
    size_t old = p->cap;
    p->named = mem_grow(p->named, &p->cap, (size_t)frame + 1, sizeof *p->named);
    for (size_t i = old; i < p->cap; i++)
        p->named[i] = INTERN_NONE;
    if (p->named[frame] == INTERN_NONE)
        p->named[frame] = look_up(n, p, frame);
    return p->named[frame];
}

void
naming_apply(struct naming *n, struct sample *s)
{
    if (n->dir == NULL && n->pids.count == 0)
        return;
    struct process *p = process_of(n, &s->header);
    n->stack = mem_grow(n->stack, &n->stack_cap, s->nframes, sizeof *n->stack);
    for (size_t i = 0; i < s->nframes; i++)
        n->stack[i] = named(n, p, s->frames[i]);
    s->frames = n->stack;
}
