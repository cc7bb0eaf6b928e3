#include "common/symbolize/naming.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/stack/frames/frameplace.h"
#include "common/symbolize/findmap.h"
#include "common/base/num.h"

void
naming_init(struct naming *n, struct diag *diag, struct frametab *frames)
{
    *n = (struct naming){.diag = diag, .frames = frames};
}

/* Warns of the map's lines that are not records. */
static void
report_skipped(struct naming *n, const struct naming_process *p)
{
    struct place first = {p->path, p->map.first_skipped};
    if (p->map.skipped == 1)
        diag_warn(n->diag, "maps with lines that are not records", first,
                  "not an address, a size and a name: 1 line skipped");
    else if (p->map.skipped > 1)
        diag_warn(n->diag, "maps with lines that are not records", first,
                  "not an address, a size and a name: %zu lines skipped, this is the first",
                  p->map.skipped);
}

/* Where the process of a pid is kept; it is to be set for a new one. */
static struct naming_process **
slot(struct naming *n, struct span pid)
{
    uint32_t number;
    if (intern_put(&n->pids, pid, &number)) {
        n->of = mem_grow(n->of, &n->of_cap, n->pids.count, sizeof(struct naming_process *));
        n->of[number] = &n->without_map;
    }
    return &n->of[number];
}

/* A process with the map at `path`, which is open, or NULL and in *problem why that cannot be read.
 * Its frames get `dso` as their DSO. */
static struct naming_process *
new_process(struct naming *n, struct regular_file *f, const char *path, struct span dso,
            const char **problem)
{
    struct naming_process loaded = {0}, *p;
    *problem = n->as_perf ? perftree_load(&loaded.tree, f) : perfmap_load(&loaded.map, f);
    if (*problem != NULL)
        return NULL;
    p = arena_alloc(&n->arena, sizeof *p);
    *p = loaded;
    p->path = arena_cstr(&n->arena, span_cstr(path));
    p->dso = arena_copy(&n->arena, dso);
    report_skipped(n, p);
    return p;
}

/* The same for a file that the user named, or of a folder that the user named. */
static struct naming_process *
process_of_file(struct naming *n, const char *path, const char **problem)
{
    struct regular_file f;
    *problem = perfmap_open(&f, path, NULL);
    return *problem == NULL ? new_process(n, &f, path, span_cstr(path), problem) : NULL;
}

void
naming_add_map(struct naming *n, struct span pid, const char *path)
{
    const char *problem;
    struct naming_process *p = process_of_file(n, path, &problem);
    if (p == NULL)
        diag_error(n->diag, (struct place){path, 0}, "%s", problem);
    else
        *slot(n, pid) = p;
    n->given++;
}

static bool
is_pid(struct span s)
{
    uint64_t value;
    return num_u64(s, &value) && value <= INT32_MAX;
}

/* Warns of a map that is there and is not read, with an advice or "". */
static void
report_unread(struct naming *n, struct span pid, const char *path, const char *problem,
              const char *advice)
{
    diag_warn(n->diag, "maps that were not read", (struct place){path, 0}, "%s%s", problem, advice);
    intern_add(&n->unread, pid);
}

void
naming_take_lines(struct naming *n, const struct maplines *lines)
{
    char text[NUM_DIGITS], dso[64];
    struct span pid = num_decimal(text, (uint64_t)lines->pid);
    bool known = intern_find(&n->pids, pid) != INTERN_NONE;
    struct naming_process **place = slot(n, known ? pid : arena_copy(&n->arena, pid)), *p = *place;
    if (n->as_perf || (p->path != NULL && !p->kept))
        return;
    if (!p->kept) {
        int len = snprintf(dso, sizeof dso, "/tmp/perf-%.*s.map", SPAN_ARG(pid));
        *place = p = arena_alloc(&n->arena, sizeof *p);
        *p = (struct naming_process){.path = "the recording", .kept = true};
        p->dso = arena_copy(&n->arena, span_of(dso, (size_t)len));
    }
    if (lines->begins)
        perfmap_free(&p->map);
    perfmap_add(&p->map, lines->lines);
    p->version++;
}

/* The process with its map in the directory, or without_map if there is none. */
static struct naming_process *
look_in_dir(struct naming *n, struct span pid)
{
    if (n->dir == NULL || !is_pid(pid))
        return &n->without_map;
    size_t size = strlen(n->dir) + pid.len + sizeof "/perf-.map";
    char *path = arena_text(&n->arena, size);
    snprintf(path, size, "%s/perf-%.*s.map", n->dir, SPAN_ARG(pid));
    const char *problem;
    struct naming_process *p = process_of_file(n, path, &problem);
    if (p != NULL)
        return p;
    if (strcmp(problem, strerror(ENOENT)) != 0)
        report_unread(n, pid, path, problem, "");
    return &n->without_map;
}

/* A thread id without a process id is taken for it. */
static struct span
pid_of(const struct perf_header *h)
{
    return h->field[PERF_PID].len > 0 ? h->field[PERF_PID] : h->field[PERF_TID];
}

/* The process of that pid. */
static struct naming_process *
process_of(struct naming *n, struct span pid)
{
    uint32_t number = intern_find(&n->pids, pid);
    if (number != INTERN_NONE)
        return n->of[number];
    if (n->dir == NULL)
        return &n->without_map;
    struct naming_process *p = look_in_dir(n, pid), **place = slot(n, pid);
    return *place = p;
}

/* The process with its map where a program writes it, or without_map if there is none. */
static struct naming_process *
search(struct naming *n, struct span pid, struct span dso)
{
    uint64_t number = 0;
    struct findmap found;
    num_u64(pid, &number);
    struct naming_process *p = NULL;
    if (findmap_open((int32_t)number, NULL, FINDMAP_ANY_AGE, &found))
        p = new_process(n, &found.file, found.path, dso, &found.problem);
    if (found.problem != NULL)
        report_unread(n, pid, found.path, found.problem,
                      "; --perf-map PID=FILE reads a regular file of any owner");
    return p != NULL ? p : &n->without_map;
}

/* The process whose map the DSO names, "/tmp/perf-42.map": of a forked process's code that is its
 * parent's. The map is loaded from there if no other was given. */
static struct naming_process *
process_of_dso(struct naming *n, struct span dso)
{
    const struct span start = SPAN("/tmp/perf-"), end = SPAN(".map");
    if (!span_starts(dso, start) || !span_ends(dso, end) || dso.len <= start.len + end.len)
        return &n->without_map;
    struct span pid = span_of(dso.ptr + start.len, dso.len - start.len - end.len);
    if (!is_pid(pid))
        return &n->without_map;
    struct naming_process *p = process_of(n, pid);
    if (p->path != NULL || !n->from_dso || intern_find(&n->tried, pid) != INTERN_NONE)
        return p;
    intern_add(&n->tried, pid);
    p = search(n, pid, dso);
    return p == &n->without_map ? p : (*slot(n, pid) = p);
}

/* Find the name of an address in the process's map, and where that code starts. False if it has
 * none. */
static bool
find_name(const struct naming *n, const struct naming_process *p, uint64_t addr, struct span *name,
          uint64_t *start)
{
    if (n->as_perf)
        return perftree_find(&p->tree, addr, name, start);
    return perfmap_find(&p->map, addr, name, start);
}

/* The frame with the name from the process's map; the frame itself if it has a name, or the map has
 * none. */
static struct naming_frame
look_up(struct naming *n, struct naming_process *p, uint32_t frame)
{
    char offset[32];
    uint64_t addr, start;
    struct span name;
    struct frame f = *frametab_frame(n->frames, frame);
    struct naming_frame result = {.frame = frame, .version = p->version + 1};
    if (!frame_is_nameless_jit(&f))
        return result;
    if (p->path == NULL)
        p = process_of_dso(n, f.dso);
    if (!num_hex(f.addr, &addr) || !find_name(n, p, addr, &name, &start)) {
        bool astray = span_eq(f.dso, SPAN("[unknown]"));
        p->astray += astray;
        p->missing += !astray;
        return result;
    }
    p->found++;
    p->has_samples = true;
    result.doubtful = !n->as_perf && !p->kept && perfmap_reused(&p->map, addr);
    p->reused += result.doubtful;
    int len = snprintf(offset, sizeof offset, "+0x%" PRIx64, addr - start);
    f.sym = name;
    f.has_sym = true;
    f.offset = span_of(offset, (size_t)len);
    f.dso = p->dso;
    result.frame = frametab_add(n->frames, &f);
    return result;
}

static struct naming_frame
named(struct naming *n, struct naming_process *p, uint32_t frame)
{
    size_t old = p->cap;
    p->named = mem_grow(p->named, &p->cap, (size_t)frame + 1, sizeof *p->named);
    memset(p->named + old, 0, (p->cap - old) * sizeof *p->named);
    if (p->named[frame].version != p->version + 1)
        p->named[frame] = look_up(n, p, frame);
    return p->named[frame];
}

static void
forget_frames(struct naming_process *p)
{
    free(p->named);
    p->named = NULL;
    p->cap = 0;
}

/* Forget the numbers of frames that were emptied. A frame that comes again is counted again. */
static void
forget_all_frames(struct naming *n)
{
    intern_free(&n->tried);
    forget_frames(&n->without_map);
    for (uint32_t i = 0; i < n->pids.count; i++)
        forget_frames(n->of[i]);
}

void
naming_apply(struct naming *n, struct sample *s)
{
    if (n->dir == NULL && n->pids.count == 0 && !n->from_dso)
        return;
    if (frametab_was_emptied(n->frames, &n->generation))
        forget_all_frames(n);
    struct naming_process *p = process_of(n, pid_of(&s->header));
    uint64_t missing = p->missing;
    p->has_samples = true;
    n->samples++;
    n->thread_only += s->header.field[PERF_PID].len == 0;
    n->stack = mem_grow(n->stack, &n->stack_cap, s->nframes, sizeof *n->stack);
    bool doubtful = false;
    for (size_t i = 0; i < s->nframes; i++) {
        struct naming_frame frame = named(n, p, s->frames[i]);
        n->stack[i] = frame.frame;
        doubtful |= frame.doubtful;
    }
    n->doubtful += doubtful;
    s->frames = n->stack;
    if (p->missing > missing && p->path == NULL && n->unmapped.len == 0 &&
        intern_find(&n->unread, pid_of(&s->header)) == INTERN_NONE)
        n->unmapped = arena_copy(&n->arena, pid_of(&s->header));
}

uint64_t
naming_doubtful(const struct naming *n)
{
    return n->doubtful;
}

static bool
is_incomplete(const struct naming_process *p)
{
    return p->path != NULL && !p->kept && p->missing > 0 &&
           p->missing >= (p->missing + p->found) / 20;
}

const struct naming_process *
naming_incomplete(const struct naming *n)
{
    const struct naming_process *worst = NULL;
    for (uint32_t i = 0; i < n->pids.count; i++)
        if (is_incomplete(n->of[i]) && (worst == NULL || n->of[i]->missing > worst->missing))
            worst = n->of[i];
    return worst;
}

/* Prints how many frames a process's map lacks. */
static void
explain_map(const struct naming *n, struct span pid, const struct naming_process *p)
{
    char digits[NUM_COMMAS], reused[NUM_COMMAS], found[NUM_COMMAS];
    struct span missing = num_commas(digits, p->missing);
    if (is_incomplete(p))
        diag_warn(n->diag, "maps that lack frames", NOWHERE,
                  "%.*s JIT frame%s without a name %s not in %s: was it copied before the "
                  "recording ended?",
                  SPAN_ARG(missing), p->missing == 1 ? "" : "s", p->missing == 1 ? "is" : "are",
                  p->path);
    if (p->reused > 0)
        diag_note(n->diag,
                  "%.*s of %.*s different JIT frames of process %.*s are at addresses that were "
                  "used again: "
                  "the newest name is printed",
                  SPAN_ARG(num_commas(reused, p->reused)), SPAN_ARG(num_commas(found, p->found)),
                  SPAN_ARG(pid));
    if (p->path != NULL && !p->kept && !p->has_samples)
        diag_warn(n->diag, "maps of other processes", NOWHERE,
                  "no sample is of process %.*s, whose map is %s", SPAN_ARG(pid), p->path);
}

void
naming_explain(const struct naming *n)
{
    uint64_t found = 0, astray = n->without_map.astray;
    bool incomplete = naming_incomplete(n) != NULL;
    bool given = n->dir != NULL || n->given > 0;
    if (n->samples == 0)
        return;
    for (uint32_t i = 0; i < n->pids.count; i++) {
        found += n->of[i]->found;
        astray += n->of[i]->astray;
        explain_map(n, intern_text(&n->pids, i), n->of[i]);
    }
    if (given && found == 0 && !incomplete && (n->unmapped.len > 0 || astray > 0))
        diag_note(n->diag, "no frame got a name from a perf map%s",
                  n->unmapped.len > 0 ? ""
                  : n->from_dso       ? ": no sample has an address of one"
                                      : ": perf may have named them already");
    if (n->unmapped.len > 0 && n->dir != NULL)
        diag_note(n->diag,
                  "process %.*s has JIT frames without a name, and there is no %s/perf-%.*s.map; a "
                  "container's map is named by the process id inside: rename it",
                  SPAN_ARG(n->unmapped), n->dir, SPAN_ARG(n->unmapped));
    else if (n->unmapped.len > 0 && n->from_dso)
        diag_note(n->diag,
                  "process %.*s has JIT frames without a name, and there is no /tmp/perf-%.*s.map; "
                  "--map-dir names another folder",
                  SPAN_ARG(n->unmapped), SPAN_ARG(n->unmapped));
    if (n->thread_only > 0)
        diag_note(n->diag,
                  "%s thread ids only, so maps were found for main threads alone: perf-script "
                  "-F +pid perf.data prints both",
                  n->thread_only == n->samples ? "the input has" : "some samples have");
}
