#include "common/symbolize/jitcode.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/num.h"
#include "common/sym/perfmap.h"
#include "common/symbolize/procroot.h"

static const struct jitcode_process *
find_process(const struct jitcode *j, int32_t pid)
{
    for (size_t i = 0; i < j->count; i++)
        if (j->processes[i].pid == pid)
            return &j->processes[i];
    return NULL;
}

/* True if a dump of that path is loaded: it belongs to one process, and is loaded once, however
 * often the recording names it. */
static bool
is_loaded(const struct jitcode *j, struct span path)
{
    for (size_t i = 0; i < j->count; i++)
        if (span_eq(j->processes[i].path, path))
            return true;
    return false;
}

static void
report_clock(const struct jitcode *j, const char *path, const struct jitdump *dump)
{
    if (dump->damaged > 0)
        diag_warn(j->diag, "jitdumps with damaged records", (struct place){path, 0},
                  "the record at byte %llu is cut or damaged: code from there on has no name",
                  (unsigned long long)dump->damaged);
    if (j->no_times && j->count == 0)
        diag_note(j->diag,
                  "%s: without perf record -k mono the times of samples and of JIT-compiled code "
                  "cannot be compared: where code was replaced, the newest name is printed",
                  path);
}

/* The files in --symfs are the user's, whoever owned them where they come from. */
static int
open_dump(const struct jitcode *j, int32_t pid, const char *path, const char **problem)
{
    struct regular_owners owners;
    procroot_owners(pid, &owners);
    const struct regular rules = {.root = j->symfs, .owners = j->symfs[0] == '\0' ? &owners : NULL};
    return perfmap_open(path, &rules, problem);
}

/* Loads the dump; false, after a message, if it cannot be read. */
static bool
load(struct jitcode *j, int32_t pid, struct span name)
{
    size_t size = strlen(j->symfs) + name.len + 1;
    char *path = arena_text(&j->arena, size);
    snprintf(path, size, "%s%.*s", j->symfs, SPAN_ARG(name));
    struct jitdump *dump = mem_alloc(sizeof *dump);
    const char *problem;
    int fd = open_dump(j, pid, path, &problem);
    if (fd >= 0)
        problem = jitdump_load(dump, fd, j->lines);
    if (problem != NULL) {
        diag_warn(j->diag, "jitdumps that were not read", (struct place){path, 0}, "%s", problem);
        free(dump);
        return false;
    }
    report_clock(j, path, dump);
    j->processes = mem_grow(j->processes, &j->cap, j->count + 1, sizeof *j->processes);
    j->processes[j->count++] = (struct jitcode_process){pid, arena_copy(&j->arena, name), dump};
    return true;
}

bool
jitcode_takes(struct jitcode *j, int32_t pid, const struct procmap *map)
{
    int32_t inner;
    bool known = find_process(j, pid) != NULL;
    if (jitdump_names_pid(map->name, &inner))
        return known || is_loaded(j, map->name) || load(j, pid, map->name);
    return known && span_starts(map->name, SPAN("//anon"));
}

static void
note_piece(struct jitcode *j, uint32_t dso, struct jitcode_piece piece)
{
    j->pieces = mem_grow(j->pieces, &j->pieces_cap, (size_t)dso + 1, sizeof *j->pieces);
    while (j->npieces <= dso)
        j->pieces[j->npieces++] = (struct jitcode_piece){NULL, NULL};
    j->pieces[dso] = piece;
}

static void
add_code(struct jitcode *j, struct procmaps *maps, const struct jitcode_process *p, uint64_t time)
{
    const struct jitload *load;
    while ((load = jitdump_next(p->dump, time)) != NULL) {
        struct procmap map = {.start = load->addr,
                              .len = load->size,
                              .pgoff = JITDUMP_TEXT,
                              .time = load->time,
                              .name = jitdump_dso(&j->arena, p->path, load),
                              .executable = true};
        uint32_t dso = procmaps_map(maps, p->pid, &map);
        if (dso != INTERN_NONE)
            note_piece(j, dso, (struct jitcode_piece){p->dump, load});
    }
}

void
jitcode_advance(struct jitcode *j, struct procmaps *maps, uint64_t time)
{
    for (size_t i = 0; i < j->count; i++)
        add_code(j, maps, &j->processes[i],
                 j->no_times || j->processes[i].dump->cpu_time ? UINT64_MAX : time);
}

const struct jitcode_piece *
jitcode_find(const struct jitcode *j, uint32_t dso)
{
    return dso < j->npieces && j->pieces[dso].load != NULL ? &j->pieces[dso] : NULL;
}

bool
jitcode_line(const struct jitcode_piece *p, uint64_t addr, struct text *out)
{
    struct jitline at;
    char number[NUM_DIGITS];
    if (addr < JITDUMP_TEXT ||
        !jitdump_line(p->dump, p->load, p->load->addr + (addr - JITDUMP_TEXT), &at))
        return false;
    text_add(out, at.file);
    text_add(out, SPAN(":"));
    text_add(out, num_decimal(number, at.line));
    return true;
}

void
jitcode_free(struct jitcode *j)
{
    for (size_t i = 0; i < j->count; i++) {
        jitdump_free(j->processes[i].dump);
        free(j->processes[i].dump);
    }
    free(j->processes);
    free(j->pieces);
    arena_free(&j->arena);
}
