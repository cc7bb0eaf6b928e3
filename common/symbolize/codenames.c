#include "common/symbolize/codenames.h"

#include <stdlib.h>

#include "common/event/ownrecord.h"
#include "common/sym/procmaps.h"

struct codenames_process {
    struct codemap map; /* its lines are indexes of entries */
    /* As `map`, for inlined calls and for source lines. Their addresses are also in `map`. */
    struct codemap inlined, lines;
    uint64_t serial; /* of the process's first record; 0: it has none, but its parent may */
    /* The pid of the parent that forked it, and the parent's serial, which tells it from a later
     * process with that pid; 0: it has no parent with names. */
    uint32_t parent;
    uint64_t parent_serial;
    uint32_t pid;
    bool ended;
    size_t size; /* approximate bytes of its names */
};

/* Memory */

static size_t
size_of(const struct codenames *c)
{
    return c->maps_size + c->cap * sizeof *c->entries + intern_size(&c->labels) +
           c->processes.cap * sizeof(struct codenames_process) + intern_size(&c->processes.tids);
}

/* Return the memory of the process's maps, in bytes. */
static size_t
maps_size(const struct codenames_process *p)
{
    return codemap_size(&p->map) + codemap_size(&p->inlined) + codemap_size(&p->lines);
}

static void
free_map(struct codenames *c, struct codenames_process *p)
{
    c->maps_size -= maps_size(p);
    codemap_free(&p->map);
    codemap_free(&p->inlined);
    codemap_free(&p->lines);
    p->size = 0;
}

/* Return the approximate memory of a name, in bytes. */
static size_t
size_of_name(struct span label)
{
    return sizeof(struct codenames_entry) + sizeof(struct codepiece) + label.len;
}

/* Return true if the process is to stay in the table. Free the maps of one that has ended. */
static bool
keeps(void *ctx, const void *element)
{
    const struct codenames_process *p = element;
    struct codenames_process ended = *p;
    if (!p->ended)
        return true;
    free_map(ctx, &ended);
    return false;
}

static void
forget_ended(struct codenames *c)
{
    for (size_t i = 0; i < threadtable_count(&c->processes); i++) {
        struct codenames_process *p = threadtable_at(&c->processes, i);
        if (p->ended)
            free_map(c, p);
    }
}

/* A compaction under way: the entries and labels that are still used are copied. */
struct renewal {
    const struct codenames_entry *entries; /* old */
    const struct intern *labels;           /* old */
    uint32_t *numbers;                     /* new number of each old entry; INTERN_NONE: none yet */
};

static uint32_t
renew_entry(struct codenames *c, const struct renewal *r, uint32_t number)
{
    if (r->numbers[number] != INTERN_NONE)
        return r->numbers[number];
    struct codenames_entry e = r->entries[number];
    e.label = intern_add(&c->labels, intern_text(r->labels, e.label));
    MEM_ADD(c->entries, c->count, c->cap, e);
    return r->numbers[number] = (uint32_t)(c->count - 1);
}

static void
renew_map(struct codenames *c, const struct renewal *r, struct codenames_process *p,
          struct codemap *map)
{
    struct codemap old = *map;
    c->maps_size -= codemap_size(&old);
    *map = (struct codemap){0};
    const struct codepiece *piece = codemap_from(&old, 0);
    while (piece != NULL) {
        uint64_t end = piece->start + piece->len;
        uint32_t entry = renew_entry(c, r, piece->line);
        codemap_put(map, piece->start, end, entry);
        p->size += size_of_name(intern_text(&c->labels, c->entries[entry].label));
        piece = codemap_from(&old, end);
    }
    codemap_free(&old);
    c->maps_size += codemap_size(map);
}

/* Forget the processes that have ended, and the entries and labels that no code uses any more. */
static void
make_room(struct codenames *c)
{
    struct codenames_entry *entries = c->entries;
    struct intern labels = c->labels;
    struct renewal r = {entries, &labels, mem_alloc((c->count + 1) * sizeof *r.numbers)};
    for (size_t i = 0; i < c->count; i++)
        r.numbers[i] = INTERN_NONE;
    forget_ended(c);
    c->labels = (struct intern){0};
    c->entries = NULL;
    c->count = c->cap = 0;
    for (size_t i = 0; i < threadtable_count(&c->processes); i++) {
        struct codenames_process *p = threadtable_at(&c->processes, i);
        p->size = 0;
        renew_map(c, &r, p, &p->map);
        renew_map(c, &r, p, &p->inlined);
        renew_map(c, &r, p, &p->lines);
    }
    c->renumbered++;
    free(r.numbers);
    free(entries);
    intern_free(&labels);
    c->full = size_of(c) > c->limit / 4 * 3;
}

/* Processes */

static struct codenames_process *
find_process(const struct codenames *c, uint32_t pid)
{
    return threadtable_count(&c->processes) > 0 ? threadtable_find(&c->processes, pid) : NULL;
}

/* Return the element of a running process, which is added if it is new. */
static struct codenames_process *
begin_process(struct codenames *c, uint32_t pid)
{
    struct codenames_process *p = threadtable_add(&c->processes, pid);
    c->processes.ended -= p->ended;
    p->ended = false;
    p->pid = pid;
    return p;
}

/* Return the process's element, after detaching it from its parent: it gets names of its own now.
 */
static struct codenames_process *
begin_own(struct codenames *c, uint32_t pid)
{
    struct codenames_process *p = begin_process(c, pid);
    if (p->serial == 0)
        p->serial = ++c->serials;
    p->parent_serial = 0;
    return p;
}

/* Note the end of a process: its pid may be another process's from now on. */
static void
end_process(struct codenames *c, uint32_t pid)
{
    struct codenames_process *p = find_process(c, pid);
    if (p == NULL || p->ended)
        return;
    p->ended = true;
    c->processes.ended++;
    threadtable_sweep(&c->processes, keeps, c);
}

/* Forget a process's names: the pid now has another process, or the process another program. */
static void
forget_process(struct codenames *c, uint32_t pid)
{
    struct codenames_process *p = find_process(c, pid);
    if (p == NULL)
        return;
    c->full = false;
    free_map(c, p);
    p->serial = p->parent_serial = 0;
    end_process(c, pid);
}

/* Return the process whose names p uses: itself, or its parent; NULL if there is none. */
static const struct codenames_process *
owner_of(const struct codenames *c, const struct codenames_process *p)
{
    if (p == NULL || p->serial != 0 || p->parent_serial == 0)
        return p;
    const struct codenames_process *parent = find_process(c, p->parent);
    return parent != NULL && parent->serial == p->parent_serial ? parent : NULL;
}

/* Let a forked process share its parent's names. A process that ran before the recording is listed
 * as if it were forked, and may have names of its own already. */
static void
fork_process(struct codenames *c, const struct record *r)
{
    uint32_t pid = r->task.pid;
    if (pid == r->task.ppid || (r->misc & PERF_RECORD_MISC_FORK_EXEC) != 0)
        return;
    forget_process(c, pid);
    const struct codenames_process *parent = owner_of(c, find_process(c, r->task.ppid));
    if (parent == NULL || parent->serial == 0)
        return;
    uint32_t owner = parent->pid;
    uint64_t serial = parent->serial;
    struct codenames_process *child = begin_process(c, pid);
    child->parent = owner;
    child->parent_serial = serial;
}

/* Names */

static void
clear(struct codenames *c, struct codenames_process *p, uint64_t start, uint64_t size)
{
    if (size == 0)
        return;
    c->maps_size -= maps_size(p);
    codemap_clear(&p->map, start, start + size);
    codemap_clear(&p->inlined, start, start + size);
    codemap_clear(&p->lines, start, start + size);
    c->maps_size += maps_size(p);
}

/* Return true if the code already has this name. */
static bool
is_known(const struct codenames *c, const struct codemap *map, const struct owncode *code)
{
    const struct codepiece *piece = codemap_find(map, code->start);
    if (piece == NULL || piece->start != code->start || piece->len != code->size)
        return false;
    const struct codenames_entry *e = &c->entries[piece->line];
    return e->start == code->start && span_eq(intern_text(&c->labels, e->label), code->label);
}

static void
name_code(struct codenames *c, struct codenames_process *p, struct codemap *map,
          const struct owncode *code, uint64_t since)
{
    struct codenames_entry e = {code->start, ++c->serials, since,
                                intern_add(&c->labels, code->label)};
    c->maps_size -= codemap_size(map);
    codemap_put(map, code->start, code->start + code->size, (uint32_t)c->count);
    c->maps_size += codemap_size(map);
    MEM_ADD(c->entries, c->count, c->cap, e);
    p->size += size_of_name(code->label);
    if (c->limit > 0 && !c->full && size_of(c) > c->limit)
        make_room(c);
}

/* Return true if there is room for another name of the process. */
static bool
has_room(const struct codenames *c, const struct codenames_process *p)
{
    bool few = p->size < c->limit / 16 && size_of(c) < c->limit + c->limit / 8;
    return c->count < UINT32_MAX && (!c->full || few);
}

/* Return true if the record can be a name: no function takes 4 GB. */
static bool
is_name(const struct owncode *code)
{
    return code->label.len > 0 && code->size > 0 && code->size < UINT32_MAX;
}

static void
take_code(struct codenames *c, uint32_t pid, const struct owncode *code, uint64_t time)
{
    struct codenames_process *p = begin_own(c, pid);
    bool named = is_name(code);
    if (named && is_known(c, &p->map, code))
        return;
    clear(c, p, code->start, code->size);
    if (named && has_room(c, p))
        name_code(c, p, &p->map, code, time);
    else if (named && c->refused++ == 0)
        c->refused_pid = (int32_t)pid;
}

/* Add inlined calls or source lines. If there is no room they are ignored. */
static void
take_detail(struct codenames *c, const struct ownrecord *own, uint64_t time)
{
    struct codenames_process *p = find_process(c, own->pid);
    if (p == NULL || p->serial == 0 || !is_name(&own->code) || !has_room(c, p))
        return;
    struct codemap *map = own->what == OWN_INLINED ? &p->inlined : &p->lines;
    if (!is_known(c, map, &own->code))
        name_code(c, p, map, &own->code, time);
}

/* Forget the names of a range where a file is mapped: the file names its code. Ignore anonymous
 * mappings: V8 changes the protection of its own memory all the time, each time with a record. */
static void
take_map(struct codenames *c, const struct record *r)
{
    const struct record_mmap *m = &r->mmap;
    bool user = (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
    struct codenames_process *p = user ? find_process(c, m->pid) : NULL;
    if (p == NULL || procmaps_is_anonymous(m->file))
        return;
    clear(c, p, m->addr, m->len < UINT64_MAX - m->addr ? m->len : UINT64_MAX - m->addr);
}

static void
take_own(struct codenames *c, const struct record *r)
{
    struct ownrecord own;
    if (!ownrecord_read(r, &own))
        return;
    if (own.what == OWN_CODE)
        take_code(c, own.pid, &own.code, r->time);
    else if (own.what == OWN_INLINED || own.what == OWN_SRCLINES)
        take_detail(c, &own, r->time);
    else if (own.what == OWN_TRAMPOLINE)
        begin_own(c, own.pid);
}

void
codenames_init(struct codenames *c)
{
    *c = (struct codenames){.processes.size = sizeof(struct codenames_process),
                            .trampolines.processes.size = sizeof(struct trampoline)};
}

void
codenames_see(struct codenames *c, const struct record *r)
{
    switch (r->type) {
    case PERF_RECORD_FORK:
        fork_process(c, r);
        break;
    case PERF_RECORD_COMM:
        if ((r->misc & PERF_RECORD_MISC_COMM_EXEC) != 0)
            forget_process(c, r->comm.pid);
        break;
    case PERF_RECORD_EXIT:
        if (r->task.pid == r->task.tid)
            end_process(c, r->task.pid);
        break;
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
        take_map(c, r);
        break;
    case PERF_RECORD_TEXT_POKE:
        take_own(c, r);
        break;
    }
    trampolines_see(&c->trampolines, r);
}

const struct codenames_process *
codenames_of(const struct codenames *c, int64_t pid)
{
    const struct codenames_process *p = owner_of(c, find_process(c, (uint32_t)pid));
    return p != NULL && p->serial != 0 ? p : NULL;
}

static bool
find_in(const struct codenames *c, const struct codenames_process *p, const struct codemap *map,
        uint64_t addr, uint64_t time, struct codename *found)
{
    const struct codepiece *piece = codemap_find(map, addr);
    if (piece == NULL || c->entries[piece->line].since > time)
        return false;
    const struct codenames_entry *e = &c->entries[piece->line];
    *found = (struct codename){intern_text(&c->labels, e->label), e->label, (int32_t)p->pid,
                               e->start, e->serial};
    return true;
}

bool
codenames_find(const struct codenames *c, const struct codenames_process *p, uint64_t addr,
               uint64_t time, struct codename *found)
{
    return find_in(c, p, &p->map, addr, time, found);
}

bool
codenames_find_lines(const struct codenames *c, const struct codenames_process *p, uint64_t addr,
                     uint64_t time, struct codename *found)
{
    return find_in(c, p, &p->lines, addr, time, found);
}

bool
codenames_find_inlined(const struct codenames *c, const struct codenames_process *p, uint64_t addr,
                       uint64_t time, struct span *labels)
{
    const struct codepiece *piece = codemap_find(&p->inlined, addr);
    if (piece == NULL || c->entries[piece->line].since > time)
        return false;
    *labels = intern_text(&c->labels, c->entries[piece->line].label);
    return true;
}

uint64_t
codenames_interpreter(const struct codenames *c, int64_t pid)
{
    const struct trampoline *t = trampolines_of(&c->trampolines, (uint32_t)pid);
    return t != NULL ? trampoline_last(t) - 1 : 0;
}

void
codenames_free(struct codenames *c)
{
    for (size_t i = 0; i < threadtable_count(&c->processes); i++)
        free_map(c, threadtable_at(&c->processes, i));
    threadtable_free(&c->processes);
    trampolines_free(&c->trampolines);
    intern_free(&c->labels);
    free(c->entries);
    *c = (struct codenames){.limit = c->limit,
                            .processes.size = c->processes.size,
                            .trampolines.processes.size = sizeof(struct trampoline)};
}
