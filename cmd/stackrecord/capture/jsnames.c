#include "cmd/stackrecord/capture/jsnames.h"

#include <errno.h>
#include <stdlib.h>

#include "cmd/stackrecord/capture/heldfiles.h"
#include "cmd/stackrecord/capture/jsframes.h"
#include "cmd/stackrecord/capture/ownsink.h"
#include "cmd/stackrecord/capture/v8file.h"
#include "common/base/clock.h"
#include "common/base/helper.h"
#include "common/machine/procfs.h"
#include "common/stack/frames/dso.h"
#include "common/v8/names.h"

enum {
    USED_MAX = 200000000,       /* nanoseconds in each second, as counted by struct spent */
    USED_LITTLE = USED_MAX / 2, /* a process that used less may exceed USED_MAX, up to twice that */
    MEMORY_OF_ALL = 2,          /* limit for all processes, in multiples of that for one */
    LIBRARIES_MAX = 4,          /* maximum number of files called libnode to search in a process */
    MAPS_FOR_ANOTHER = 64, /* searched mappings for each change to skip until the next search */
};

/* A file that processes have mapped. */
struct v8program {
    unsigned users; /* processes, and the table of files */
    enum v8file_has has;
    struct v8layout layout;
    const char *problem;
};

/* A process with V8. */
struct jsproc {
    int32_t pid;
    struct v8program *program;
    size_t size;     /* bytes that its names take */
    uint64_t used;   /* time spent on its names recently: see struct spent */
    uint64_t second; /* the second that `used` is for */
    uint32_t dso;    /* file with V8, as a number of jsnames.maps */
    struct jsnames *owner;
    struct v8memory memory;
    struct v8names_sink sink;
    struct v8names
        *names;      /* NULL: not read, since it has a perf map, or its memory cannot be read */
    bool waits;      /* its frames were collected, and are not named yet */
    bool reported;   /* names were passed on */
    int error;       /* errno of reading its memory; 0: it could be read */
    uint64_t silent; /* when it last failed to answer in time; 0: never */
    uint64_t pause;  /* nanoseconds without reading its names, after it was silent twice */
    uint64_t again;  /* when reading goes on; 0: it is not paused */
};

struct known {
    uint64_t mapped;   /* time of the latest record of a mapping */
    uint64_t version;  /* of its mappings when last searched; 0: never */
    size_t skip;       /* number of changes of its mappings to ignore before the next search */
    struct jsproc *v8; /* NULL: its mappings show no V8 */
    bool ended;
    bool leaderless; /* its first thread has ended: any other may be its last */
};

/* What the names need */

static bool
read_memory(void *ctx, struct v8block *blocks, size_t n)
{
    enum { SOME = 256 };
    struct jsproc *p = ctx;
    struct helper_block some[SOME];
    for (size_t done = 0; done < n;) {
        size_t count = n - done < SOME ? n - done : SOME;
        for (size_t i = 0; i < count; i++)
            some[i] = (struct helper_block){.addr = blocks[done + i].addr,
                                            .to = blocks[done + i].to,
                                            .len = blocks[done + i].len};
        bool answered = helper_copy_blocks(p->pid, some, count);
        int error = errno;
        for (size_t i = 0; i < count; i++)
            blocks[done + i].ok = some[i].ok;
        if (!answered) {
            p->error = error;
            return false;
        }
        done += count;
    }
    return true;
}

static uint64_t
now(void *ctx)
{
    (void)ctx;
    return clock_now();
}

static void
add_own(struct jsnames *j, const struct ownrecord *own, uint64_t since)
{
    ownsink_pass(j->to, j->events, own, since, &j->record);
}

/* Pass on what is known of a range of addresses in code. */
static void
add_range(const struct jsproc *p, uint64_t what, uint64_t since, const struct owncode *code)
{
    const struct ownrecord own = {.what = what, .pid = (uint32_t)p->pid, .code = *code};
    add_own(p->owner, &own, since);
}

static void
add_code(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span label)
{
    struct jsproc *p = ctx;
    p->reported = true;
    add_range(p, OWN_CODE, since, &(struct owncode){start, size, label});
}

static void
add_trampoline(void *ctx, uint64_t since, uint64_t addr)
{
    const struct jsproc *p = ctx;
    const struct ownrecord own = {
        .what = OWN_TRAMPOLINE, .pid = (uint32_t)p->pid, .trampoline = addr};
    add_own(p->owner, &own, since);
}

static void
add_inlined(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span labels)
{
    add_range(ctx, OWN_INLINED, since, &(struct owncode){start, size, labels});
}

static void
add_lines(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span lines)
{
    add_range(ctx, OWN_SRCLINES, since, &(struct owncode){start, size, lines});
}

/* Processes */

static void
forget_names(struct jsproc *p)
{
    if (p->names != NULL)
        v8names_free(p->names);
    p->names = NULL;
    p->owner->size -= p->size;
    p->size = 0;
}

static void
release(struct v8program *v8)
{
    if (v8 != NULL && --v8->users == 0)
        free(v8);
}

static void
free_process(struct jsproc *p)
{
    struct jsnames *j = p->owner;
    for (size_t i = 0; p->waits && i < j->waiting.n; i++)
        if (j->waiting.at[i] == p)
            j->waiting.at[i] = j->waiting.at[--j->waiting.n];
    forget_names(p);
    release(p->program);
    free(p);
}

static bool
is_alive(void *ctx, const void *known)
{
    (void)ctx;
    return !((const struct known *)known)->ended;
}

/* Forget a process that has executed another program, or has ended (`ends`). */
static void
reset_process(struct jsnames *j, uint32_t pid, bool ends)
{
    struct known *k = threadtable_find(&j->known, pid);
    if (k == NULL)
        return;
    if (k->v8 != NULL)
        free_process(k->v8);
    j->known.ended += ends;
    j->known.ended -= k->ended;
    *k = (struct known){.mapped = k->mapped, .ended = ends, .leaderless = ends};
    threadtable_sweep(&j->known, is_alive, NULL);
}

/* Forget the names, and report that none is valid for the samples collected since. */
static void
withdraw_names(struct jsproc *p)
{
    if (p->reported)
        v8names_forget(p->names);
    p->reported = false;
    forget_names(p);
}

/* Warn once for each process that its JavaScript has no names, and say why. */
static void
refuse(struct jsproc *p, const char *why, const char *advice)
{
    struct text comm = {0};
    withdraw_names(p);
    liveprocs_needs_no_map(p->owner->live, p->pid); /* the following warning says more */
    if (!procfs_read_of(&comm, p->pid, "comm"))
        text_add(&comm, SPAN("it has ended"));
    diag_warn(p->owner->diag, "processes whose JavaScript has no names", NOWHERE,
              "process %d (%.*s): its functions of JavaScript have no names: %s%s", (int)p->pid,
              SPAN_ARG(span_trim(text_span(&comm))), why, advice);
    free(comm.ptr);
}

/* Note that the process did not answer in time: its memory never does, or the machine is busy. If
 * that happens twice in ten seconds, do not read its names for ten seconds, then for twenty, and so
 * on, since others are delayed. Such processes are reported at the end (helper_next_silent). */
static void
note_silence(struct jsproc *p)
{
    const uint64_t first = 10 * (uint64_t)CLOCK_SECOND, longest = 640 * (uint64_t)CLOCK_SECOND;
    uint64_t now = clock_now();
    bool often = p->silent > 0 && now - p->silent < first + p->pause;
    p->silent = now;
    if (!often) {
        p->pause = 0;
        return;
    }
    p->pause = p->pause == 0 ? first : p->pause < longest ? 2 * p->pause : longest;
    p->again = now + p->pause;
    if (p->reported)
        v8names_skip(p->names);
}

/* Return true if the names of the process are not read now, because it did not answer. */
static bool
is_paused(struct jsproc *p)
{
    if (p->again > 0 && clock_now() >= p->again)
        p->again = 0;
    return p->again > 0;
}

/* React to a process whose memory could not be read. */
static void
refuse_memory(struct jsproc *p)
{
    bool yama = p->error == EPERM && procfs_setting("kernel/yama/ptrace_scope", 0) > 0;
    if (yama)
        refuse(p, "kernel.yama.ptrace_scope keeps us from reading its memory",
               ": record as root, or start it by stackrecord, or set that to 0 (sysctl)");
    else if (p->error == EPERM || p->error == EACCES)
        refuse(p, "its memory may not be read", ": record as root");
    else if (p->error == ETIMEDOUT)
        note_silence(p);
}

static const char unreadable[] = "its files may not be read";

/* Return true if the file has a name that node's files have. */
static bool
is_node(struct span name)
{
    struct span base = dso_base(name);
    return span_eq(base, SPAN("node")) || span_eq(base, SPAN("nodejs")) ||
           span_starts(base, SPAN("libnode"));
}

static struct v8program *
new_program(enum v8file_has has, const char *problem)
{
    struct v8program *v8 = mem_alloc(sizeof *v8);
    *v8 = (struct v8program){.has = has, .problem = problem};
    return v8;
}

/* Return what the mapped file has of V8. If it cannot be opened, do not remember that, since
 * another process with the same file may permit it; return NULL then, unless the file is named like
 * node's. */
static struct v8program *
program_at(struct jsnames *j, int32_t pid, const struct map *map)
{
    VEC_REACH(j->of_dso, map->dso + 1);
    struct v8program **place = &j->of_dso.at[map->dso];
    if (*place != NULL)
        return *place;
    char path[HELDFILES_PATH];
    struct regular_file file;
    const struct record_mmap m = {.pid = (uint32_t)pid,
                                  .addr = map->start,
                                  .len = map->end - map->start,
                                  .file = procmaps_dso(&j->maps, map->dso).name};
    if (!heldfiles_open(&m, &file, path))
        return is_node(m.file) ? new_program(V8FILE_UNKNOWN, unreadable) : NULL;
    *place = new_program(V8FILE_NONE, NULL);
    (*place)->users = 1;
    (*place)->has = v8file_read(path, &(*place)->layout, &(*place)->problem);
    regular_close(&file);
    return *place;
}

/* Return true if the process has memory for JIT-compiled code. Add the number of searched mappings
 * to *looks. */
static bool
has_jit_code(const struct jsnames *j, const struct procspace *space, size_t *looks)
{
    const struct map *map;
    for (uint64_t at = 0; (map = maptree_from(space->tree, at)) != NULL; at = map->end, ++*looks)
        if (procmaps_dso(&j->maps, map->dso).kind == DSO_JIT)
            return true;
    return false;
}

/* Find V8 in the mapped files of a process: its program, which is the lowest one, or libnode. Set
 * *dso to its number. Return NULL if there is none. */
static struct v8program *
find_v8(struct jsnames *j, int32_t pid, const struct procspace *space, uint32_t *dso, size_t *looks)
{
    const struct map *map;
    unsigned files = 0;
    *dso = INTERN_NONE;
    for (uint64_t at = 0; (map = maptree_from(space->tree, at)) != NULL && files <= LIBRARIES_MAX;
         at = map->end, ++*looks) {
        const struct dso file = procmaps_dso(&j->maps, map->dso);
        if (file.kind != DSO_FILE || map->dso == *dso ||
            !(files == 0 || span_starts(dso_base(file.name), SPAN("libnode"))))
            continue;
        files++;
        struct v8program *v8 = program_at(j, pid, map);
        *dso = map->dso;
        if (v8 != NULL && v8->has != V8FILE_NONE)
            return v8;
    }
    return NULL;
}

/* Search V8 in a process. Return NULL if it has none. */
static struct jsproc *
look_at(struct jsnames *j, int32_t pid, const struct procspace *space, size_t *looks)
{
    uint32_t dso;
    struct v8program *v8 =
        has_jit_code(j, space, looks) ? find_v8(j, pid, space, &dso, looks) : NULL;
    if (v8 == NULL)
        return NULL;
    v8->users++;
    struct jsproc *p = mem_alloc(sizeof *p);
    /* Let it come after processes that have used little time so far: processes that are started all
     * the time must not use it up. */
    *p = (struct jsproc){.pid = pid,
                         .program = v8,
                         .dso = dso,
                         .used = USED_LITTLE,
                         .second = j->second,
                         .owner = j};
    p->memory = (struct v8memory){read_memory, now, p};
    p->sink = (struct v8names_sink){add_code, add_trampoline, j->inlined ? add_inlined : NULL,
                                    j->lines ? add_lines : NULL, p};
    if (v8->has == V8FILE_UNKNOWN && !liveprocs_has_names(j->live, pid))
        refuse(p, v8->problem,
               v8->problem == unreadable
                   ? ": record as root"
                   : ": start node with --perf-basic-prof, whose names are taken");
    if (v8->has == V8FILE_KNOWN) {
        p->names = v8names_new(&v8->layout, &p->memory, &p->sink, j->memory);
        j->found = clock_now();
    }
    return p;
}

/* The cost of names in nanoseconds: the CPU time that they took, in this program and in the helper.
 * On a busy machine more time passes. If half of that is more, it counts instead, since a process
 * can delay the replies. */
struct spent {
    uint64_t began, used;
};

static struct spent
begin_spending(void)
{
    return (struct spent){clock_now(), clock_used() + helper_used()};
}

static uint64_t
spent_since(const struct spent *s)
{
    uint64_t passed = (clock_now() - s->began) / 2;
    uint64_t used = clock_used() + helper_used() - s->used;
    return used > passed ? used : passed;
}

static void
begin_second(struct jsnames *j)
{
    uint64_t now = clock_now();
    if (now - j->second < CLOCK_SECOND)
        return;
    j->second = now;
    j->used = 0;
}

/* Return true if there is time left for names in this second. `used`: what the process has used. */
static bool
has_time(const struct jsnames *j, uint64_t used)
{
    return j->used < USED_MAX || (used < USED_LITTLE && j->used < 2 * (uint64_t)USED_MAX);
}

/* Search V8 in a process, unless its mappings were searched already. A process may have many
 * mappings and change them all the time: then skip changes. */
static void
look_once(struct jsnames *j, int32_t pid, const struct procspace *space, struct known *k)
{
    begin_second(j);
    if (k->v8 != NULL || k->version == space->version)
        return;
    if (!has_time(j, USED_LITTLE)) {
        liveprocs_delay_report(j->live, pid);
        return;
    }
    if (k->skip > 0) {
        k->skip--;
        return;
    }
    const struct spent spent = begin_spending();
    size_t looks = 0;
    k->version = space->version;
    k->v8 = look_at(j, pid, space, &looks);
    k->skip = looks / MAPS_FOR_ANOTHER;
    j->used += spent_since(&spent);
}

/* Return the process if its names are to be read from its memory, else NULL. */
static struct jsproc *
process_of(struct jsnames *j, int32_t pid, const struct procspace *space)
{
    struct known *k = threadtable_find(&j->known, (uint32_t)pid);
    k = k != NULL ? k : threadtable_add(&j->known, (uint32_t)pid);
    j->known.ended -= k->ended; /* a thread other than its first still runs */
    k->ended = false;
    look_once(j, pid, space, k);
    struct jsproc *p = k->v8;
    if (p == NULL || p->names == NULL)
        return NULL;
    if (!liveprocs_has_names(j->live, pid)) {
        liveprocs_needs_no_map(j->live, pid);
        return !is_paused(p) ? p : NULL;
    }
    withdraw_names(p);
    return NULL;
}

/* Samples */

static void
add_frame(void *ctx, const struct v8frame *f)
{
    struct jsproc *p = ctx;
    v8names_add(p->names, f);
    if (!p->waits)
        VEC_ADD(p->owner->waiting, p);
    p->waits = true;
}

static void
add_stack(struct jsnames *j, uint32_t pid, struct jsstack *s)
{
    s->maps = &j->maps;
    s->space = procmaps_space(&j->maps, (int32_t)pid);
    struct jsproc *p = s->space != NULL ? process_of(j, (int32_t)pid, s->space) : NULL;
    if (p == NULL)
        return;
    s->dso = p->dso;
    jsframes_each(s, add_frame, p);
}

static void
take_sample(struct jsnames *j, const struct record *r)
{
    struct jsstack s = {.time = r->time, .tid = r->tid};
    if (r->event == NULL || (r->has & PERF_SAMPLE_IP) == 0) /* a call, recorded for --turns */
        return;
    jsframes_take(&s, r);
    add_stack(j, r->pid, &s);
}

static void
take_own(struct jsnames *j, const struct record *r)
{
    struct ownrecord own;
    if (!ownrecord_read(r, &own) || own.what != OWN_STACK)
        return;
    struct jsstack s = {.time = r->time,
                        .tid = own.tid,
                        .ip = own.ip,
                        .sp = own.sp,
                        .stack = own.stack,
                        .chain = own.chain};
    add_stack(j, own.pid, &s);
}

/* Records */

static void
take_map(struct jsnames *j, const struct record *r)
{
    enum { PROT_X = 4 }; /* PROT_EXEC of mmap(2), on Linux */
    if ((r->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER)
        return;
    const struct procmap map = {.start = r->mmap.addr,
                                .len = r->mmap.len,
                                .pgoff = r->mmap.pgoff,
                                .name = r->mmap.file,
                                .executable = (r->mmap.prot & PROT_X) != 0};
    procmaps_map(&j->maps, (int32_t)r->mmap.pid, &map);
    struct known *k = threadtable_find(&j->known, r->mmap.pid);
    k = k != NULL ? k : threadtable_add(&j->known, r->mmap.pid);
    k->mapped = r->time > k->mapped ? r->time : k->mapped;
    const struct procspace *space = procmaps_space(&j->maps, (int32_t)r->mmap.pid);
    if (map.executable && procmaps_is_anonymous(map.name) && space != NULL)
        process_of(j, (int32_t)r->mmap.pid,
                   space); /* the message that it has no names may be due */
}

/* Records are read from one ring buffer after another. So the fork record may come after records of
 * the child's mappings on another CPU. */
static void
take_fork(struct jsnames *j, const struct record *r)
{
    const struct known *k = threadtable_find(&j->known, r->task.pid);
    if (k != NULL && r->time < k->mapped && r->task.pid != r->task.ppid)
        return;
    procmaps_fork(&j->maps, (int32_t)r->task.pid, (int32_t)r->task.ppid, (int32_t)r->task.tid,
                  (int32_t)r->task.ptid, (r->misc & PERF_RECORD_MISC_FORK_EXEC) != 0);
    if (r->task.pid != r->task.ppid)
        reset_process(j, r->task.pid, false);
}

static void
take_exit(struct jsnames *j, const struct record *r)
{
    const struct known *k = threadtable_find(&j->known, r->task.pid);
    procmaps_exit(&j->maps, (int32_t)r->task.pid, (int32_t)r->task.tid);
    if (k != NULL && (r->task.pid == r->task.tid || k->leaderless))
        reset_process(j, r->task.pid, true);
}

static void
see(struct jsnames *j, const struct record *r)
{
    switch (r->type) {
    case PERF_RECORD_SAMPLE:
        take_sample(j, r);
        break;
    case PERF_RECORD_TEXT_POKE:
        take_own(j, r);
        break;
    case PERF_RECORD_MMAP2:
        take_map(j, r);
        break;
    case PERF_RECORD_FORK:
        take_fork(j, r);
        break;
    case PERF_RECORD_COMM:
        if ((r->misc & PERF_RECORD_MISC_COMM_EXEC) != 0)
            reset_process(j, r->comm.pid, false);
        break;
    case PERF_RECORD_EXIT:
        take_exit(j, r);
        break;
    }
}

/* Return true if a record of this type can matter to a process that runs JavaScript. */
static bool
is_wanted(uint32_t type)
{
    return type == PERF_RECORD_SAMPLE || type == PERF_RECORD_TEXT_POKE ||
           type == PERF_RECORD_MMAP2 || type == PERF_RECORD_FORK || type == PERF_RECORD_COMM ||
           type == PERF_RECORD_EXIT;
}

static void
take(struct rawsink *sink, struct span bytes)
{
    struct jsnames *j = (struct jsnames *)sink; /* its first member */
    struct record r;
    if (is_wanted(load_u32(bytes.ptr)) && record_decode(j->events, bytes, &r) == NULL) {
        j->busy = true;
        see(j, &r);
        j->busy = false;
    }
    j->to->record(j->to, bytes);
}

static void
end_round(struct rawsink *sink)
{
    struct jsnames *j = (struct jsnames *)sink;
    j->to->round(j->to);
}

static void
finish(struct rawsink *sink)
{
    struct jsnames *j = (struct jsnames *)sink;
    j->to->finish(j->to);
}

/* Adapt to new numbers of files. */
static void
renumber(void *ctx, const uint32_t *numbers, size_t count)
{
    struct jsnames *j = ctx;
    struct v8program **old = j->of_dso.at;
    size_t nold = j->of_dso.n, n = nold < count ? nold : count;
    memset(&j->of_dso, 0, sizeof j->of_dso);
    for (size_t i = 0; i < n; i++) {
        if (numbers[i] == INTERN_NONE) {
            release(old[i]);
            continue;
        }
        VEC_REACH(j->of_dso, numbers[i] + 1);
        j->of_dso.at[numbers[i]] = old[i];
    }
    for (size_t i = n; i < nold; i++)
        release(old[i]);
    free(old);
    for (size_t i = 0; i < threadtable_count(&j->known); i++) {
        struct known *k = threadtable_at(&j->known, i);
        if (k->v8 != NULL)
            k->v8->dso = k->v8->dso < count ? numbers[k->v8->dso] : INTERN_NONE;
    }
}

struct rawsink *
jsnames_init(struct jsnames *j, const struct eventset *events, struct liveprocs *live,
             struct diag *diag, size_t memory, bool inlined, bool lines, struct rawsink *to)
{
    *j = (struct jsnames){.sink = {take, end_round, finish},
                          .to = to,
                          .events = events,
                          .live = live,
                          .diag = diag,
                          .memory = memory,
                          .inlined = inlined,
                          .lines = lines,
                          .known = {.size = sizeof(struct known)}};
    j->maps = (struct procmaps){
        .keeps_files = true, .limit = memory / 4, .renumbered = renumber, .ctx = j};
    return &j->sink;
}

static int
least_used_first(const void *left, const void *right)
{
    const struct jsproc *a = *(struct jsproc *const *)left, *b = *(struct jsproc *const *)right;
    if (a->used != b->used)
        return (a->used > b->used) - (a->used < b->used);
    return (a->pid > b->pid) - (a->pid < b->pid);
}

/* Halve the time that a process has used, for each second that has passed, so that quiet processes
 * come first again. */
static void
age(struct jsproc *p, uint64_t second)
{
    p->used = p->second != second ? p->used / 2 : p->used;
    p->second = second;
}

/* Update the memory that the names of the process take. */
static void
measure(struct jsproc *p)
{
    size_t size = p->names != NULL ? v8names_size(p->names) : 0;
    p->owner->size += size - p->size;
    p->size = size;
}

/* Forget the names of the processes that take most memory. */
static void
make_room(struct jsnames *j)
{
    while (j->size > MEMORY_OF_ALL * j->memory) {
        struct jsproc *most = NULL;
        for (size_t i = 0; i < threadtable_count(&j->known); i++) {
            struct jsproc *p = ((struct known *)threadtable_at(&j->known, i))->v8;
            if (p != NULL && (most == NULL || p->size > most->size))
                most = p;
        }
        size_t before = j->size;
        if (most == NULL || most->names == NULL)
            return;
        v8names_forget(most->names);
        measure(most);
        if (j->size >= before)
            return;
    }
}

/* Read the names of the collected frames. Return false if the process did not answer in time. */
static bool
resolve(struct jsproc *p)
{
    p->error = 0;
    v8names_resolve(p->names);
    p->owner->resolved = clock_now();
    p->owner->has_new |= v8names_are_new(p->names);
    if (p->error != 0 && p->error != ESRCH) /* ESRCH: it has ended */
        refuse_memory(p);
    return p->error != ETIMEDOUT;
}

bool
jsnames_resolve(struct jsnames *j)
{
    if (j->busy)
        return false;
    j->busy = true;
    j->has_new = false;
    begin_second(j);
    for (size_t i = 0; i < j->waiting.n; i++)
        age(j->waiting.at[i], j->second);
    if (j->waiting.n > 1)
        qsort(j->waiting.at, j->waiting.n, sizeof *j->waiting.at, least_used_first);
    size_t done = 0;
    for (bool answered = true; done < j->waiting.n && answered; done++) {
        struct jsproc *p = j->waiting.at[done];
        const struct spent spent = begin_spending();
        p->waits = false;
        if (p->names != NULL && has_time(j, p->used))
            answered = resolve(p);
        else if (p->names != NULL)
            v8names_skip(p->names);
        uint64_t used = spent_since(&spent);
        p->used += used;
        j->used += used;
        measure(p);
    }
    j->waiting.n -= done;
    if (j->waiting.n > 0)
        memmove(j->waiting.at, j->waiting.at + done, j->waiting.n * sizeof *j->waiting.at);
    make_room(j);
    j->busy = false;
    return true;
}

bool
jsnames_begins(const struct jsnames *j, uint64_t age)
{
    return j->found > 0 && clock_now() - j->found < age;
}

int
jsnames_round_ms(const struct jsnames *j)
{
    enum { NEW_MS = 10, RUNS_MS = 100 };
    bool unread = j->found > j->resolved; /* no names of the newest process were read yet */
    if (j->has_new || jsnames_begins(j, unread ? CLOCK_SECOND : RUNS_MS * CLOCK_MILLISECOND))
        return NEW_MS;
    return j->resolved > 0 && clock_now() - j->resolved < CLOCK_SECOND ? RUNS_MS : 0;
}

void
jsnames_free(struct jsnames *j)
{
    for (size_t i = 0; i < threadtable_count(&j->known); i++) {
        struct known *k = threadtable_at(&j->known, i);
        if (k->v8 != NULL)
            free_process(k->v8);
    }
    threadtable_free(&j->known);
    for (size_t i = 0; i < j->of_dso.n; i++)
        release(j->of_dso.at[i]);
    free(j->of_dso.at);
    free(j->waiting.at);
    procmaps_free(&j->maps);
    free(j->record.ptr);
}
