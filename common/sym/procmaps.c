/* The rules are measured on perf 6.1; the records are in perf_event_open(2). */
#include "common/sym/procmaps.h"

#include <stdio.h>
#include <stdlib.h>

/* A DSO's key in the table of all: its pid, its kind and the length of its build-id, then the
 * build-id and the name. */
struct key_head {
    int32_t pid;
    uint8_t kind, id_len;
};

enum { BUILD_ID_MAX = 64 }; /* the kernel's has 20; more is cut */

static int32_t
id_of(const struct procmaps *p, uint32_t number)
{
    int32_t id;
    memcpy(&id, intern_text(&p->ids, number).ptr, sizeof id);
    return id;
}

/* The task, which is made if it was not known. */
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

/* The task, or NULL. */
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

/* The number of the thread's name plus 1; 0: it has none. Thread 0 has one without a record. */
static uint32_t
comm_number(struct procmaps *p, int32_t tid)
{
    struct proctask *t = task_of(p, tid);
    if (t->comm == 0 && tid == 0)
        t->comm = intern_add(&p->comms, SPAN("swapper")) + 1;
    return t->comm;
}

/* As perf has it: "/memfd:..." is a file to it. */
bool
procmaps_is_anonymous(struct span name)
{
    static const struct span anonymous[] = {
        {"/dev/zero", 9}, {"/anon_hugepage", 14}, {"/SYSV", 5}, {"[stack", 6}};
    return span_eq(name, SPAN("//anon")) || span_eq(name, SPAN("[heap]")) ||
           span_starts_any(name, anonymous, sizeof anonymous / sizeof *anonymous);
}

/* What kind of memory perf takes a map's name for. */
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
    /* That of a 32-bit process on a 64-bit machine is another one than ours. */
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

/* True if the map says nothing new: V8 makes its code pages writable and executable again all the
 * time, each time with a record. */
static bool
is_known_jit(const struct procspace *space, const struct map *new, enum dso_kind kind)
{
    const struct map *old = maptree_find(space->tree, new->start);
    return kind == DSO_JIT && old != NULL && old->dso == new->dso && old->end >= new->end;
}

/* True if the memory can be huge pages, of 2 MiB on all machines that have --use-largepages. */
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

/* Return true if the new map has code, or covers some. Other maps leave cached answers about code
 * addresses valid, and programs map memory all the time (2,255 times in 8,800 samples of one in
 * C++: a tenth of the time to print them). */
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

/* The file's map that new anonymous memory lies in; NULL: none. The program copied a part of
 * the file there: the file's map continues after the new memory. */
static const struct map *
file_around(const struct procmaps *p, const struct procspace *space, const struct map *new)
{
    const struct map *old = maptree_find(space->tree, new->start);
    bool inside = old != NULL && is_huge(new) && old->start < new->start && old->end > new->end;
    return inside && dso_kind(p, old) == DSO_FILE ? old : NULL;
}

/* Where a process ran before the recording, the list of its maps has this order:
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

/* Forgets the names that no thread has any more, once they are most. */
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

/* Where DSOs get new numbers. */
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

/* Forgets the DSOs that no map has. */
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

/* True if maps or names take more than this part of the limit, each of its half. */
static bool
is_over(const struct procmaps *p, size_t quarters)
{
    size_t most = p->limit / 8 * quarters;
    return mapnodes_size(&p->nodes) > most || intern_size(&p->dsos) > most;
}

struct growth {
    size_t added;
    uint32_t number; /* of the task */
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

/* Where maps or the names of their files take more than half of the limit: forgets the DSOs that no
 * map has, and if that is not enough the maps of the processes that added the most, first of one,
 * then of two more, of four more, until a quarter is free. */
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

/* Numbers the tasks that are still known from 0 again. */
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

/* Forgets the tasks that have ended, where records of that were lost, once there are twice as many
 * tasks as there were. */
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

/* Forgets a thread that exited, and its process if it was the last, unless later records were of
 * them: then another has this number now. */
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
    /* What is counted are tasks, so there are some; clang's analyzer does not know that. */
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
