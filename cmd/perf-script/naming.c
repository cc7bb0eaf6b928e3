#include "cmd/perf-script/naming.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>

#include "cmd/perf-script/canon.h"
#include "cmd/perf-script/frames.h"
#include "common/base/num.h"

void
naming_init(struct naming *n, struct diag *diag)
{
    *n = (struct naming){.diag = diag};
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

static struct process *
new_process(struct naming *n, const char *path)
{
    struct process *p = arena_alloc(&n->arena, sizeof *p);
    *p = (struct process){.path = path};
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

struct process *
naming_process(struct naming *n, const struct perf_header *h)
{
    if (n->dir == NULL && n->pids.count == 0)
        return &n->plain;
    n->lone_tids += h->pid.len == 0;
    struct span pid = h->pid.len > 0 ? h->pid : h->tid;
    uint32_t number = intern_find(&n->pids, pid);
    if (number == INTERN_NONE) {
        struct process *p = look_in_dir(n, pid);
        struct process **place = slot(n, pid);
        return *place = p;
    }
    return n->of[number];
}

/* Puts the frame's text with its name from the map into the scratch; false where it has a name or
 * the map has none. */
static bool
from_map(struct naming *n, const struct process *p, struct span text)
{
    struct perf_frame f;
    struct span name;
    uint64_t addr, start;
    if (!perf_frame_parse(text, &f) || !frame_is_nameless_jit(&f))
        return false;
    n->nameless++;
    if (p->path == NULL || !num_hex(f.addr, &addr) || !perfmap_find(&p->map, addr, &name, &start))
        return false;
    n->named++;
    bool has_srcline = span_find(text, '\n') + 1 < text.len;
    canon_named(&n->scratch, &f, has_srcline, name, addr - start, span_cstr(p->path));
    return true;
}

/* Makes the frame's text. */
static uint32_t
make(struct naming *n, struct process *p, struct span text, uint32_t frame)
{
    size_t old = p->cap;
    p->lines = mem_grow(p->lines, &p->cap, frame + 1, sizeof *p->lines);
    for (size_t i = old; i < p->cap; i++)
        p->lines[i] = INTERN_NONE;
    if (!from_map(n, p, text))
        canon_frame(&n->scratch, text);
    return p->lines[frame] = intern_add(&n->texts, text_span(&n->scratch));
}

const uint32_t *
naming_lines(struct naming *n, struct process *p, const struct perftext *t,
             const struct perf_sample *s)
{
    n->lines = mem_grow(n->lines, &n->lines_cap, s->nframes, sizeof *n->lines);
    for (size_t i = 0; i < s->nframes; i++) {
        uint32_t frame = s->frames[i];
        n->lines[i] = frame < p->cap && p->lines[frame] != INTERN_NONE
                          ? p->lines[frame]
                          : make(n, p, perftext_frame(t, frame), frame);
    }
    return n->lines;
}
