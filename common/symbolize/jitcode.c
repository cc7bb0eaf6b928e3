#include "common/symbolize/jitcode.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/stack/frames/v8name.h"
#include "common/sym/perfmap.h"
#include "common/symbolize/procroot.h"

static bool
is_known(const struct jitcode *j, int32_t pid)
{
    return j->pids.count > 0 && intern_find(&j->pids, SPAN_BYTES(pid)) != INTERN_NONE;
}

static void
add_process(struct jitcode *j, int32_t pid, struct span name, const struct jitdump *dump)
{
    uint32_t n = intern_add(&j->pids, SPAN_BYTES(pid));
    j->processes = mem_grow(j->processes, &j->cap, j->pids.count, sizeof *j->processes);
    j->processes[n] =
        (struct jitcode_process){.pid = pid, .path = arena_copy(&j->arena, name), .dump = dump};
    j->due = 0;
}

static void
report_clock(const struct jitcode *j, const char *path, const struct jitdump *dump)
{
    if (dump->damaged > 0)
        diag_warn(j->diag, "jitdumps with damaged records", (struct place){path, 0},
                  "the record at byte %llu is cut or damaged: code from there on has no name",
                  (unsigned long long)dump->damaged);
    if (j->no_times && j->pids.count == 0)
        diag_note(j->diag,
                  "%s: without perf record -k mono the times of samples and of JIT-compiled code "
                  "cannot be compared: where code was replaced, the newest name is printed",
                  path);
}

/* Open a dump. Trust files in --symfs, which the user named, whoever owns them. */
static const char *
open_dump(const struct jitcode *j, int32_t pid, const char *path, struct regular_file *f)
{
    struct regular_owners owners;
    procroot_owners(pid, &owners);
    const struct regular rules = {.root = j->symfs, .owners = j->symfs[0] == '\0' ? &owners : NULL};
    return perfmap_open(f, path, &rules);
}

/* Return the number of an open file in j->files. Set *first if it is new. */
static uint32_t
file_number(struct jitcode *j, const struct stat *st, bool *first)
{
    uint32_t n;
    const uint64_t id[2] = {(uint64_t)st->st_dev, (uint64_t)st->st_ino};
    *first = intern_put(&j->files, SPAN_BYTES(id), &n);
    return n;
}

/* Read and close the open dump. Return NULL, after a message, if that fails. */
static struct jitdump *
load(struct jitcode *j, const char *path, struct regular_file *f)
{
    struct jitdump *dump = mem_alloc(sizeof *dump);
    const char *problem = jitdump_load(dump, f, j->lines);
    if (problem == NULL) {
        report_clock(j, path, dump);
        return dump;
    }
    diag_warn(j->diag, "jitdumps that were not read", (struct place){path, 0}, "%s", problem);
    free(dump);
    return NULL;
}

/* Return the dump at the path, after loading it if it is new; NULL if it cannot be read. Set *first
 * if no process has it yet. */
static const struct jitdump *
find_dump(struct jitcode *j, int32_t pid, const char *path, bool *first)
{
    struct regular_file f;
    const char *problem = open_dump(j, pid, path, &f);
    if (problem != NULL) {
        diag_warn(j->diag, "jitdumps that were not read", (struct place){path, 0}, "%s", problem);
        return NULL;
    }
    uint32_t n = file_number(j, &f.st, first);
    if (!*first) {
        regular_close(&f);
        return j->dumps[n];
    }
    j->dumps = mem_grow(j->dumps, &j->dumps_cap, j->files.count, sizeof(struct jitdump *));
    return j->dumps[n] = load(j, path, &f);
}

bool
jitcode_takes(struct jitcode *j, int32_t pid, const struct procmap *map)
{
    int32_t inner;
    bool first, known = is_known(j, pid);
    if (!jitdump_names_pid(map->name, &inner))
        return known && span_starts(map->name, SPAN("//anon"));
    if (known)
        return true;
    struct text path = {0};
    text_add(&path, span_cstr(j->symfs));
    text_add(&path, map->name);
    text_add(&path, span_of("", 1));
    const struct jitdump *dump = find_dump(j, pid, path.ptr, &first);
    free(path.ptr);
    if (dump != NULL && (first || inner == pid))
        add_process(j, pid, map->name, dump);
    return dump != NULL;
}

static void
note_piece(struct jitcode *j, uint32_t dso, struct jitcode_piece piece)
{
    j->pieces =
        mem_grow(j->pieces, &j->pieces_cap, (size_t)dso + 1, sizeof(struct jitcode_piece *));
    while (j->npieces <= dso)
        j->pieces[j->npieces++] = NULL;
    j->pieces[dso] = arena_alloc(&j->arena, sizeof piece);
    *j->pieces[dso] = piece;
}

void
jitcode_renumber(struct jitcode *j, const uint32_t *numbers, size_t count)
{
    size_t old = j->npieces;
    struct jitcode_piece **pieces = j->pieces;
    j->pieces = NULL;
    j->npieces = j->pieces_cap = 0;
    for (size_t i = 0; i < old && i < count; i++)
        if (pieces[i] != NULL && numbers[i] != INTERN_NONE)
            note_piece(j, numbers[i], *pieces[i]);
    free(pieces);
}

/* Add a process's code that was generated up to a time. */
static void
add_code(struct jitcode *j, struct procmaps *maps, struct jitcode_process *p, uint64_t time)
{
    struct text dso = {0};
    for (; p->next < p->dump->count && p->dump->loads[p->next].time <= time; p->next++) {
        const struct jitload *load = &p->dump->loads[p->next];
        struct procmap map = {.start = load->addr,
                              .len = load->size,
                              .pgoff = JITDUMP_TEXT,
                              .time = load->time,
                              .name = jitdump_dso(&dso, p->path, load->pid, load->index),
                              .executable = true};
        uint32_t number = procmaps_map(maps, p->pid, &map);
        if (number != INTERN_NONE)
            note_piece(j, number, (struct jitcode_piece){p->dump, load});
    }
    free(dso.ptr);
    if (p->next < p->dump->count && p->dump->loads[p->next].time < j->due)
        j->due = p->dump->loads[p->next].time;
}

void
jitcode_advance(struct jitcode *j, struct procmaps *maps, uint64_t time)
{
    if (time < j->due)
        return;
    j->due = UINT64_MAX;
    for (size_t i = 0; i < j->pids.count; i++)
        add_code(j, maps, &j->processes[i],
                 j->no_times || j->processes[i].dump->cpu_time ? UINT64_MAX : time);
}

const struct jitcode_piece *
jitcode_find(const struct jitcode *j, uint32_t dso)
{
    return dso < j->npieces ? j->pieces[dso] : NULL;
}

/* Replace the file name that V8's jitdump has for a line of JavaScript by "??", which addr2line
 * prints for an unknown file: its first bytes are corrupt, and for a call inlined from another file
 * it is the wrong file. Return false for code of the interpreter and the baseline compiler, whose
 * tables have bytecode offsets in place of addresses. */
static bool
correct_v8(struct jitline *at, struct span name)
{
    struct v8name n;
    if (!v8name_parse(name, &n) || n.wasm)
        return true;
    at->file = SPAN("??");
    return n.tier != '~' && n.tier != '^';
}

bool
jitcode_line(const struct jitcode_piece *p, uint64_t addr, struct text *out)
{
    struct jitline at;
    char number[NUM_DIGITS];
    if (addr < JITDUMP_TEXT ||
        !jitdump_line(p->dump, p->load, p->load->addr + (addr - JITDUMP_TEXT), &at) ||
        !correct_v8(&at, p->load->name))
        return false;
    text_add(out, at.file);
    text_add(out, SPAN(":"));
    text_add(out, num_decimal(number, at.line));
    return true;
}

void
jitcode_free(struct jitcode *j)
{
    for (size_t i = 0; i < j->files.count; i++)
        if (j->dumps[i] != NULL) {
            jitdump_free(j->dumps[i]);
            free(j->dumps[i]);
        }
    free(j->dumps);
    free(j->processes);
    intern_free(&j->files);
    intern_free(&j->pids);
    free(j->pieces);
    arena_free(&j->arena);
}
