/* The rules were measured with perf 6.1; the records are described in perf_event_open(2). */
#include "common/sym/procmaps.h"

#include <stdio.h>
#include <stdlib.h>

/* The key of a DSO in the table of all DSOs: its pid, kind, and the length of its build-id,
 * followed by the build-id and the name. */
struct key_head {
    int32_t pid;
    uint8_t kind, id_len;
};

enum { BUILD_ID_MAX = 64 }; /* the kernel uses 20; longer ones are cut */

static int32_t
id_of(const struct procmaps *p, uint32_t number)
{
    int32_t id;
    memcpy(&id, intern_text(&p->ids, number).ptr, sizeof id);
    return id;
}

/* Return the task. Create it if it is unknown. */
static struct proctask *
task_of(struct procmaps *p, int32_t id)
{
    uint32_t n = intern_add(&p->ids, SPAN_BYTES(id));
    size_t old = p->cap;
    p->tasks = mem_grow(p->tasks, &p->cap, (size_t)n + 1, sizeof *p->tasks);
    if (p->cap > old)
        memset(p->tasks + old, 0, (p->cap - old) * sizeof *p->tasks);
    return &p->tasks[n];
}

/* Return the task, or NULL if it is unknown. */
static struct proctask *
find_task(const struct procmaps *p, int32_t id)
{
    uint32_t n = intern_find(&p->ids, SPAN_BYTES(id));
    return n != INTERN_NONE ? &p->tasks[n] : NULL;
}

static void
set_comm(struct procmaps *p, int32_t tid, uint32_t comm)
{
    struct proctask *t = task_of(p, tid);
    t->comm = comm;
    t->exit = 0;
}

/* Return the number of the thread's name plus 1, or 0 if it has none. Thread 0 has a name without a
 * record. */
static uint32_t
comm_number(struct procmaps *p, int32_t tid)
{
    struct proctask *t = task_of(p, tid);
    if (t->comm == 0 && tid == 0)
        t->comm = intern_add(&p->comms, SPAN("swapper")) + 1;
    return t->comm;
}

/* Like perf, treat "/memfd:..." as a file. */
bool
procmaps_is_anonymous(struct span name)
{
    static const struct span anonymous[] = {
        {"/dev/zero", 9}, {"/anon_hugepage", 14}, {"/SYSV", 5}, {"[stack", 6}};
    return span_eq(name, SPAN("//anon")) || span_eq(name, SPAN("[heap]")) ||
           span_starts_any(name, anonymous, sizeof anonymous / sizeof *anonymous);
}

/* Return the kind of memory that perf deduces from a map's name. */
static enum dso_kind
kind_of(int32_t pid, const struct procmap *map)
{
    if (pid == PROCMAPS_KERNEL)
        return DSO_KERNEL;
    if (span_eq(map->name, SPAN("[vdso]")))
        return DSO_VDSO;
    if (procmaps_is_anonymous(map->name))
        return map->executable ? DSO_JIT : DSO_MEMORY;
    return DSO_FILE;
}

static uint32_t
dso_number(struct procmaps *p, int32_t pid, const struct procmap *map, enum dso_kind kind)
{
    char jit_name[32];
    struct span name = map->name, id = map->build_id;
    struct key_head head;
    if (kind == DSO_JIT) {
        snprintf(jit_name, sizeof jit_name, "/tmp/perf-%d.map", (int)pid);
        name = span_cstr(jit_name);
    }
    /* The vdso of a 32-bit process on a 64-bit machine differs from ours. */
    if (kind == DSO_VDSO && sizeof(void *) == 8 && map->start <= UINT32_MAX)
        name = SPAN("[vdso32]");
    if (id.len > BUILD_ID_MAX)
        id.len = BUILD_ID_MAX;
    memset(&head, 0, sizeof head); /* the padding is part of the key */
    head.pid = kind == DSO_JIT ? pid : 0;
    head.kind = (uint8_t)kind;
    head.id_len = (uint8_t)id.len;
    p->key.len = 0;
    text_add(&p->key, SPAN_BYTES(head));
    text_add(&p->key, id);
    text_add(&p->key, name);
    return intern_add(&p->dsos, text_span(&p->key));
}

struct dso
procmaps_dso(const struct procmaps *p, uint32_t number)
{
    struct span key = intern_text(&p->dsos, number);
    struct key_head head;
    memcpy(&head, key.ptr, sizeof head);
    key = span_from(key, sizeof head);
    return (struct dso){.name = span_from(key, head.id_len),
                        .build_id = span_head(key, head.id_len),
                        .kind = (enum dso_kind)head.kind,
                        .pid = head.pid};
}

/* Return true if the map is not news. V8 often makes its code pages writable and executable again,
 * each time with a record. */
static bool
is_known_jit(const struct procspace *space, const struct map *new, enum dso_kind kind)
{
    const struct map *old = maptree_find(space->tree, new->start);
    return kind == DSO_JIT && old != NULL && old->dso == new->dso && old->end >= new->end;
}

/* Return true if the memory can be huge pages. They have 2 MiB on all machines with
 * --use-largepages. */
static bool
is_huge(const struct map *m)
{
    const uint64_t mask = (2 << 20) - 1;
    return (m->start & mask) == 0 && (m->end & mask) == 0;
}

static enum dso_kind
dso_kind(const struct procmaps *p, const struct map *m)
{
    return procmaps_dso(p, m->dso).kind;
}

/* Return true if the new map has code, or covers code. Other maps do not invalidate cached results
 * about code addresses. Programs map memory all the time: a C++ program 2,255 times in 8,800
 * samples, which would take a tenth of the time to print them. */
static bool
changes_code(const struct procmaps *p, const struct procspace *space, const struct map *new)
{
    const struct map *old = maptree_from(space->tree, new->start);
    if (dso_kind(p, new) != DSO_MEMORY || space->tree == NULL)
        return true;
    for (; old != NULL && old->start < new->end; old = maptree_from(space->tree, old->end))
        if (dso_kind(p, old) != DSO_MEMORY)
            return true;
    return false;
}

/* Return the map of the file around new anonymous memory, or NULL if there is none. The program
 * copied a part of the file there; the file's map continues after the new memory. */
static const struct map *
file_around(const struct procmaps *p, const struct procspace *space, const struct map *new)
{
    const struct map *old = maptree_find(space->tree, new->start);
    bool inside = old != NULL && is_huge(new) && old->start < new->start && old->end > new->end;
    return inside && dso_kind(p, old) == DSO_FILE ? old : NULL;
}

/* Map anonymous memory in a gap of a file to the file. If a process ran before the recording, its
 * maps are listed in this order:
 *
 *     00b72000-00c00000 r-xp 00772000 /usr/bin/node
 *     00c00000-02400000 r-xp 00000000                  fills just the gap in the file
 *     02400000-025fe000 r-xp 02000000 /usr/bin/node    `new`
 */
static void
close_gap(struct procmaps *p, struct procspace *space, const struct map *new)
{
    const struct map *gap = maptree_find(space->tree, new->start - 1);
    if (gap == NULL || !is_huge(gap) || dso_kind(p, gap) != DSO_JIT)
        return;
    const struct map *file = maptree_find(space->tree, gap->start - 1);
    if (file == NULL || file->dso != new->dso || map_address(file, new->start) != new->offset)
        return;
    struct map part = *gap;
    part.dso = new->dso;
    part.offset = map_address(file, gap->start);
    maptree_insert(&p->nodes, &space->tree, &part);
}

/* Forget the names that no thread has any more, if most names are such. */
static void
remove_old_comms(struct procmaps *p)
{
    enum { FEW = 1024 };
    if (p->comms.count <= 2 * p->ids.count + FEW)
        return;
    struct intern all = p->comms;
    p->comms = (struct intern){0};
    for (uint32_t i = 0; i < p->ids.count; i++)
        if (p->tasks[i].comm != 0)
            p->tasks[i].comm = intern_add(&p->comms, intern_text(&all, p->tasks[i].comm - 1)) + 1;
    intern_free(&all);
}

/* The new numbers of DSOs. */
struct renumbering {
    const struct intern *old;
    struct intern new;
    uint32_t *numbers;
};

static void
renumber(void *ctx, struct map *map)
{
    struct renumbering *r = ctx;
    uint32_t *number = &r->numbers[map->dso];
    if (*number == INTERN_NONE)
        *number = intern_add(&r->new, intern_text(r->old, map->dso));
    map->dso = *number;
}

/* Forget the DSOs without maps. */
static void
remove_old_dsos(struct procmaps *p)
{
    struct intern all = p->dsos;
    struct renumbering r = {&all, {0}, mem_alloc(all.count * sizeof *r.numbers)};
    for (size_t i = 0; i < all.count; i++)
        r.numbers[i] = INTERN_NONE;
    mapnodes_each(&p->nodes, renumber, &r);
    p->dsos = r.new;
    if (p->renumbered != NULL)
        p->renumbered(p->ctx, r.numbers, all.count);
    intern_free(&all);
    free(r.numbers);
}

/* Return true if maps or names take more than this number of quarters of their shares, each half of
 * the limit. */
static bool
is_over(const struct procmaps *p, size_t quarters)
{
    size_t most = p->limit / 8 * quarters;
    return mapnodes_size(&p->nodes) > most || intern_size(&p->dsos) > most;
}

struct growth {
    size_t added;
    uint32_t number; /* number of the task */
};

static int
most_first(const void *a, const void *b)
{
    const struct growth *x = a, *y = b;
    if (x->added != y->added)
        return (x->added < y->added) - (x->added > y->added);
    return (x->number > y->number) - (x->number < y->number);
}

static void
forget_maps(struct procmaps *p, uint32_t number)
{
    struct procspace *space = &p->tasks[number].space;
    int32_t pid = id_of(p, number);
    if (pid == PROCMAPS_KERNEL || space->tree == NULL)
        return;
    maptree_drop(&p->nodes, space->tree);
    space->tree = NULL;
    space->added = 0;
    if (p->forgotten++ == 0)
        p->forgotten_pid = pid;
}

/* If maps or the names of their files take more than half of the limit, forget the DSOs without
 * maps. If that is not enough, forget the maps of the processes that added the most: of one
 * process, then of two more, of four more, until a quarter is free. */
static void
make_room(struct procmaps *p)
{
    if (p->limit == 0 || !is_over(p, 4))
        return;
    remove_old_dsos(p);
    size_t count = p->ids.count, at = 0;
    struct growth *order = mem_alloc(count * sizeof *order);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = (struct growth){p->tasks[i].space.added, i};
        p->tasks[i].space.added /= 2;
    }
    qsort(order, count, sizeof *order, most_first);
    for (size_t n = 1; at < count && is_over(p, 3); n *= 2) {
        for (size_t end = n < count - at ? at + n : count; at < end; at++)
            forget_maps(p, order[at].number);
        remove_old_dsos(p);
    }
    free(order);
}

uint32_t
procmaps_map(struct procmaps *p, int32_t pid, const struct procmap *map)
{
    if (map->len == 0 || map->start == UINT64_MAX)
        return INTERN_NONE;
    make_room(p);
    enum dso_kind kind = kind_of(pid, map);
    struct procspace *space = &task_of(p, pid)->space;
    space->exit = 0;
    space->pid = pid;
    struct map new = {.start = map->start,
                      .end =
                          map->len > UINT64_MAX - map->start ? UINT64_MAX : map->start + map->len,
                      .offset = map->start,
                      .time = map->time,
                      .dso = dso_number(p, pid, map, kind)};
    if (kind == DSO_FILE)
        new.offset = map->pgoff;
    else if (kind == DSO_VDSO)
        new.offset = 0;
    const struct map *file = p->keeps_files && kind == DSO_JIT ? file_around(p, space, &new) : NULL;
    if (file != NULL)
        return file->dso;
    if (p->keeps_files && kind == DSO_FILE)
        close_gap(p, space, &new);
    if (!is_known_jit(space, &new, kind)) {
        if (changes_code(p, space, &new))
            space->version = ++p->versions;
        maptree_insert(&p->nodes, &space->tree, &new);
        space->added += sizeof new + map->name.len;
    }
    return new.dso;
}

void
procmaps_touch(struct procmaps *p, int32_t pid)
{
    struct proctask *t = find_task(p, pid);
    if (t != NULL && t->space.tree != NULL)
        t->space.version = ++p->versions;
}

static bool
is_forgotten(const struct proctask *t)
{
    return t->comm == 0 && t->space.version == 0 && t->space.threads == 0;
}

static void
forget_space(struct procmaps *p, struct procspace *space)
{
    maptree_drop(&p->nodes, space->tree);
    *space = (struct procspace){0};
}

/* Renumber the known tasks from 0. */
static void
renumber_tasks(struct procmaps *p)
{
    struct intern all = p->ids;
    uint32_t n;
    p->ids = (struct intern){0};
    for (uint32_t i = 0; i < all.count; i++)
        if (!is_forgotten(&p->tasks[i])) {
            intern_put(&p->ids, intern_text(&all, i), &n);
            p->tasks[n] = p->tasks[i];
        }
    memset(p->tasks + p->ids.count, 0, (p->cap - p->ids.count) * sizeof *p->tasks);
    p->old = 0;
    intern_free(&all);
}

/* Forget the tasks that have ended although no record says so, which happens if records were lost.
 * Do so whenever the number of tasks has doubled. */
static void
forget_ended(struct procmaps *p)
{
    if (p->runs == NULL || p->ids.count <= 2 * p->checked + 2 * PROCMAPS_EXITED)
        return;
    for (uint32_t i = 0; i < p->ids.count; i++) {
        struct proctask *t = &p->tasks[i];
        int32_t id = id_of(p, i);
        if (id <= 0 || p->runs(id))
            continue;
        if (t->exit == 0)
            t->comm = 0;
        if (t->space.exit == 0)
            forget_space(p, &t->space);
    }
    renumber_tasks(p);
    p->checked = p->ids.count;
}

void
procmaps_fork(struct procmaps *p, int32_t pid, int32_t ppid, int32_t tid, int32_t ptid,
              bool synthesized)
{
    forget_ended(p);
    set_comm(p, tid, comm_number(p, ptid));
    if (pid == ppid) {
        task_of(p, pid)->space.threads++;
        return;
    }
    task_of(p, ppid);
    struct procspace *child = &task_of(p, pid)->space, *parent = &task_of(p, ppid)->space;
    maptree_drop(&p->nodes, child->tree);
    *child = (struct procspace){.version = ++p->versions, .pid = pid, .threads = 1};
    if (!synthesized && parent->tree != NULL) {
        child->version = parent->version;
        child->added = parent->added;
        child->tree = maptree_share(parent->tree);
    }
}

/* Forget a thread that exited, and its process if this was the last thread. If there are later
 * records of them, another task has this number now: do not forget that. */
static void
forget(struct procmaps *p, const struct procexit *e)
{
    struct proctask *thread = find_task(p, e->tid), *process = find_task(p, e->pid);
    if (e->number == 0)
        return;
    if (thread != NULL && thread->exit == e->number) {
        thread->comm = 0;
        thread->exit = 0;
        p->old += is_forgotten(thread);
    }
    if (process != NULL && process->space.exit == e->number) {
        forget_space(p, &process->space);
        p->old += is_forgotten(process);
    }
    /* The counted tasks exist, so p->tasks is not NULL; clang's analyzer does not know that. */
    if (p->tasks != NULL && p->old >= PROCMAPS_EXITED && p->old >= p->ids.count / 2)
        renumber_tasks(p);
}

void
procmaps_exit(struct procmaps *p, int32_t pid, int32_t tid)
{
    if (p->exited == NULL) {
        p->exited = mem_alloc(PROCMAPS_EXITED * sizeof *p->exited);
        memset(p->exited, 0, PROCMAPS_EXITED * sizeof *p->exited);
    }
    struct procexit e = {++p->exits, pid, tid}, *slot = &p->exited[e.number % PROCMAPS_EXITED];
    forget(p, slot);
    *slot = e;
    task_of(p, tid)->exit = e.number;
    struct procspace *space = &task_of(p, pid)->space;
    space->threads -= space->threads > 0;
    space->leaderless |= pid == tid;
    if (space->leaderless && space->threads == 0)
        space->exit = e.number;
}

void
procmaps_comm(struct procmaps *p, int32_t tid, struct span name)
{
    forget_ended(p);
    remove_old_comms(p);
    set_comm(p, tid, intern_add(&p->comms, name) + 1);
}

struct span
procmaps_thread(struct procmaps *p, int32_t tid)
{
    uint32_t comm = comm_number(p, tid);
    if (comm != 0)
        return intern_text(&p->comms, comm - 1);
    char text[16];
    snprintf(text, sizeof text, ":%d", (int)tid);
    return intern_text(&p->comms, intern_add(&p->comms, span_cstr(text)));
}

const struct procspace *
procmaps_space(const struct procmaps *p, int32_t pid)
{
    const struct proctask *t = find_task(p, pid);
    return t != NULL && t->space.tree != NULL ? &t->space : NULL;
}

const struct map *
procmaps_find(const struct procspace *space, uint64_t addr)
{
    return space != NULL ? maptree_find(space->tree, addr) : NULL;
}

void
procmaps_free(struct procmaps *p)
{
    intern_free(&p->dsos);
    intern_free(&p->comms);
    intern_free(&p->ids);
    free(p->tasks);
    free(p->exited);
    free(p->key.ptr);
    mapnodes_free(&p->nodes);
    *p = (struct procmaps){0};
}
