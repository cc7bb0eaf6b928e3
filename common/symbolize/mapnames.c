#include "common/symbolize/mapnames.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/num.h"
#include "common/stack/frames/frameplace.h"
#include "common/symbolize/findmap.h"

static const struct span unmapped = SPAN("[unknown]");

/* Warn about lines of the map that could not be parsed. */
static void
report_skipped(struct mapnames *n, const struct mapnames_process *p)
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

/* Return the slot for a pid's process, which is NULL for a new pid. */
static struct mapnames_process **
slot(struct mapnames *n, int64_t pid)
{
    uint32_t number;
    if (intern_put(&n->pids, SPAN_BYTES(pid), &number)) {
        n->of = mem_grow(n->of, &n->of_cap, n->pids.count, sizeof(struct mapnames_process *));
        n->of[number] = &n->without_map;
    }
    return &n->of[number];
}

static struct mapnames_process *
new_process(struct mapnames *n, const char *path, struct span dso)
{
    struct mapnames_process *p = arena_alloc(&n->arena, sizeof *p);
    *p = (struct mapnames_process){.path = arena_cstr(&n->arena, span_cstr(path)),
                                   .dso = arena_copy(&n->arena, dso),
                                   .serial = ++n->serials};
    return p;
}

/* Return a process with the open map at `path`, whose frames get `dso` as their DSO. If the map
 * cannot be read, return NULL and set *problem. */
static struct mapnames_process *
load(struct mapnames *n, struct regular_file *f, const char *path, struct span dso,
     const char **problem)
{
    struct mapnames_process loaded = {0}, *p;
    *problem = n->as_perf ? perftree_load(&loaded.tree, f) : perfmap_load(&loaded.map, f);
    if (*problem != NULL)
        return NULL;
    p = new_process(n, path, dso);
    p->map = loaded.map;
    p->tree = loaded.tree;
    report_skipped(n, p);
    return p;
}

/* As load, for a file, or a file of a folder, that the user named. */
static struct mapnames_process *
load_file(struct mapnames *n, const char *path, const char **problem)
{
    struct regular_file f;
    *problem = perfmap_open(&f, path, NULL);
    return *problem == NULL ? load(n, &f, path, span_cstr(path), problem) : NULL;
}

void
mapnames_give(struct mapnames *n, int64_t pid, const char *path)
{
    const char *problem;
    struct mapnames_process *p = load_file(n, path, &problem);
    if (p == NULL)
        diag_error(n->diag, (struct place){path, 0}, "%s", problem);
    else
        *slot(n, pid) = p;
    n->given++;
}

/* Warn about a map that exists but is not read, with advice or "". */
static void
report_unread(struct mapnames *n, int64_t pid, const char *path, const char *problem,
              const char *advice)
{
    diag_warn(n->diag, "maps that were not read", (struct place){path, 0}, "%s%s", problem, advice);
    intern_add(&n->unread, SPAN_BYTES(pid));
}

/* Return "/tmp/perf-42.map", in `text`. */
static struct span
usual_path(char text[static 64], int64_t pid)
{
    int len = snprintf(text, 64, "/tmp/perf-%" PRId64 ".map", pid);
    return span_of(text, (size_t)len);
}

void
mapnames_take_lines(struct mapnames *n, const struct maplines *lines)
{
    char dso[64];
    struct mapnames_process **place = slot(n, lines->pid), *p = *place;
    if (n->as_perf || (p->path != NULL && !p->kept))
        return;
    if (!p->kept)
        *place = p = new_process(n, "the recording", usual_path(dso, lines->pid));
    p->kept = true;
    if (lines->begins) {
        perfmap_free(&p->map);
        p->serial = ++n->serials;
    }
    perfmap_add(&p->map, lines->lines);
    n->names.in_files = n->grew = true;
}

/* Return the process with its map from n->dir, or without_map if there is none. */
static struct mapnames_process *
look_in_dir(struct mapnames *n, int64_t pid)
{
    if (pid < 0 || pid > INT32_MAX)
        return &n->without_map;
    size_t size = strlen(n->dir) + NUM_DIGITS + sizeof "/perf-.map";
    char *path = arena_text(&n->arena, size);
    snprintf(path, size, "%s/perf-%" PRId64 ".map", n->dir, pid);
    const char *problem;
    struct mapnames_process *p = load_file(n, path, &problem);
    if (p != NULL)
        return p;
    if (strcmp(problem, strerror(ENOENT)) != 0)
        report_unread(n, pid, path, problem, "");
    return &n->without_map;
}

/* Return the process of a pid. */
static struct mapnames_process *
process_of(struct mapnames *n, int64_t pid)
{
    uint32_t number = intern_find(&n->pids, SPAN_BYTES(pid));
    if (number != INTERN_NONE)
        return n->of[number];
    if (n->dir == NULL)
        return &n->without_map;
    struct mapnames_process *p = look_in_dir(n, pid), **place = slot(n, pid);
    return *place = p;
}

/* Return the process with its map from where programs write it, or without_map if there is none. */
static struct mapnames_process *
search(struct mapnames *n, int64_t pid)
{
    char dso[64];
    struct findmap found;
    struct mapnames_process *p = NULL;
    if (findmap_open((int32_t)pid, NULL, &found))
        p = load(n, &found.file, found.path, usual_path(dso, pid), &found.problem);
    if (found.problem != NULL)
        report_unread(n, pid, found.path, found.problem,
                      "; --perf-map PID=FILE reads a regular file of any owner");
    return p != NULL ? p : &n->without_map;
}

/* Return the process whose map names the place: the place's own if it has a map; else the one whose
 * map is named by the DSO, which is the parent after a fork. */
static struct mapnames_process *
owner_of(struct mapnames *n, const struct jitplace *place)
{
    struct mapnames_process *p = process_of(n, place->pid);
    if (p->path != NULL || place->map_pid < 0 || place->map_pid > INT32_MAX)
        return p;
    p = process_of(n, place->map_pid);
    if (p->path != NULL || !n->searches ||
        intern_find(&n->tried, SPAN_BYTES(place->map_pid)) != INTERN_NONE)
        return p;
    intern_add(&n->tried, SPAN_BYTES(place->map_pid));
    p = search(n, place->map_pid);
    return p == &n->without_map ? p : (*slot(n, place->map_pid) = p);
}

static bool
is_asked(const struct jitplace *place)
{
    return frame_is_anonymous(&(struct frame){.dso = place->dso});
}

/* Return the map that names code of a file in the process: only one in the recording, as with
 * liveprocs.h. Return NULL if there is none. */
static const struct mapnames_process *
kept_of(const struct mapnames *n, const struct jitplace *place)
{
    uint32_t number = intern_find(&n->pids, SPAN_BYTES(place->pid));
    return number != INTERN_NONE && n->of[number]->kept ? n->of[number] : NULL;
}

static uint64_t
key(struct jitnames *names, const struct jitplace *place)
{
    uint32_t number = UINT32_MAX;
    struct mapnames *n = (struct mapnames *)names; /* its first member */
    bool asked = is_asked(place);
    const struct mapnames_process *p = asked ? owner_of(n, place) : kept_of(n, place);
    bool known = p != NULL && p->path != NULL && !n->as_perf &&
                 perfmap_number(&p->map, place->addr, &number);
    if (p == NULL || (!known && !asked))
        return 0;
    return (uint64_t)p->serial << 32 | number;
}

/* Count an address that has no name. */
static void
miss(struct mapnames *n, struct mapnames_process *p, const struct jitplace *place)
{
    bool astray = span_eq(place->dso, unmapped);
    p->astray += astray;
    p->missing += !astray;
    if (!astray && p->path == NULL && n->unmapped < 0 &&
        intern_find(&n->unread, SPAN_BYTES(place->pid)) == INTERN_NONE)
        n->unmapped = place->pid;
}

static bool
find(struct jitnames *names, const struct jitplace *place, struct jitname *found)
{
    struct mapnames *n = (struct mapnames *)names; /* its first member */
    const struct mapnames_process *kept = is_asked(place) ? NULL : kept_of(n, place);
    *found = (struct jitname){.in_dso = 0};
    if (!is_asked(place))
        return kept != NULL && perfmap_find(&kept->map, place->addr, &found->text, &found->start);
    struct mapnames_process *p = owner_of(n, place);
    bool known = n->as_perf ? perftree_find(&p->tree, place->addr, &found->text, &found->start)
                            : perfmap_find(&p->map, place->addr, &found->text, &found->start);
    if (!known) {
        miss(n, p, place);
        return false;
    }
    found->dso = p->dso;
    found->doubtful = !n->as_perf && !p->kept && perfmap_reused(&p->map, place->addr);
    p->found++;
    p->reused += found->doubtful;
    p->has_samples = true;
    return true;
}

static bool
advance(struct jitnames *names, uint64_t time, struct procmaps *maps)
{
    struct mapnames *n = (struct mapnames *)names; /* its first member */
    bool grew = n->grew;
    (void)time;
    (void)maps;
    n->grew = false;
    return grew;
}

static void
needs_no_map(struct jitnames *names, int64_t pid)
{
    struct mapnames *n = (struct mapnames *)names;
    if (n->unmapped == pid)
        n->unmapped = -1;
}

static bool
has_map(struct jitnames *names, int64_t pid)
{
    return process_of((struct mapnames *)names, pid)->path != NULL;
}

void
mapnames_init(struct mapnames *n, struct diag *diag)
{
    *n = (struct mapnames){.names = {key, find, advance, has_map, needs_no_map, .anywhere = true},
                           .diag = diag,
                           .unmapped = -1};
}

void
mapnames_see(struct mapnames *n, int64_t pid, bool thread_only)
{
    if (!mapnames_any(n))
        return;
    process_of(n, pid)->has_samples = true;
    n->samples++;
    n->thread_only += thread_only;
}

bool
mapnames_any(const struct mapnames *n)
{
    return n->dir != NULL || n->pids.count > 0 || n->searches;
}

static bool
is_incomplete(const struct mapnames_process *p)
{
    return p->path != NULL && !p->kept && p->missing > 0 &&
           p->missing >= (p->missing + p->found) / 20;
}

const struct mapnames_process *
mapnames_incomplete(const struct mapnames *n)
{
    const struct mapnames_process *worst = NULL;
    for (uint32_t i = 0; i < n->pids.count; i++)
        if (is_incomplete(n->of[i]) && (worst == NULL || n->of[i]->missing > worst->missing))
            worst = n->of[i];
    return worst;
}

/* Print the number of frames that a process's map lacks. */
static void
explain_map(const struct mapnames *n, int64_t pid, const struct mapnames_process *p)
{
    if (is_incomplete(p))
        diag_warn(n->diag, "maps that lack frames", NOWHERE,
                  "%s JIT frame%s without a name %s not in %s: was it copied before the "
                  "recording ended?",
                  NUM_TEXT(p->missing), p->missing == 1 ? "" : "s", p->missing == 1 ? "is" : "are",
                  p->path);
    if (p->reused > 0)
        diag_note(n->diag,
                  "%s of %s different JIT frames of process %" PRId64 " are at addresses that were "
                  "used again: "
                  "the newest name is printed",
                  NUM_TEXT(p->reused), NUM_TEXT(p->found), pid);
    if (p->path != NULL && !p->kept && !p->has_samples)
        diag_warn(n->diag, "maps of other processes", NOWHERE,
                  "no sample is of process %" PRId64 ", whose map is %s", pid, p->path);
}

void
mapnames_explain(const struct mapnames *n)
{
    uint64_t found = 0, astray = n->without_map.astray;
    int64_t pid;
    bool incomplete = mapnames_incomplete(n) != NULL;
    bool given = n->dir != NULL || n->given > 0;
    if (n->samples == 0)
        return;
    for (uint32_t i = 0; i < n->pids.count; i++) {
        found += n->of[i]->found;
        astray += n->of[i]->astray;
        memcpy(&pid, intern_text(&n->pids, i).ptr, sizeof pid);
        explain_map(n, pid, n->of[i]);
    }
    if (given && found == 0 && !incomplete && (n->unmapped >= 0 || astray > 0))
        diag_note(n->diag, "no frame got a name from a perf map%s",
                  n->unmapped >= 0 ? ""
                  : n->searches    ? ": no sample has an address of one"
                                   : ": perf may have named them already");
    if (n->unmapped >= 0 && n->dir != NULL)
        diag_note(n->diag,
                  "process %" PRId64
                  " has JIT frames without a name, and there is no %s/perf-%" PRId64
                  ".map; a container's map is named by the process id inside: rename it",
                  n->unmapped, n->dir, n->unmapped);
    else if (n->unmapped >= 0 && n->searches)
        diag_note(n->diag,
                  "process %" PRId64
                  " has JIT frames without a name, and there is no /tmp/perf-%" PRId64
                  ".map; --map-dir names another folder",
                  n->unmapped, n->unmapped);
    if (n->thread_only > 0)
        diag_note(n->diag,
                  "%s thread ids only, so maps were found for main threads alone: perf-script "
                  "-F +pid perf.data prints both",
                  n->thread_only == n->samples ? "the input has" : "some samples have");
}

void
mapnames_free(struct mapnames *n)
{
    for (uint32_t i = 0; i < n->pids.count; i++) {
        perfmap_free(&n->of[i]->map);
        perftree_free(&n->of[i]->tree);
    }
    free(n->of);
    intern_free(&n->pids);
    intern_free(&n->tried);
    intern_free(&n->unread);
    arena_free(&n->arena);
}
