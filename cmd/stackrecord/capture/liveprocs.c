#define _GNU_SOURCE /* CLOCK_BOOTTIME */
#include "cmd/stackrecord/capture/liveprocs.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/stackrecord/capture/heldfiles.h"
#include "common/base/clock.h"
#include "common/stack/frames/dso.h"
#include "common/stack/frames/runtime.h"
#include "common/sym/jitdump.h"
#include "common/sym/perfmap.h"
#include "common/symbolize/findmap.h"
#include "common/symbolize/procroot.h"

enum {
    MAPS_MAX = 256,       /* maximum number of open maps */
    TURN_NS = 20000000,   /* time to read maps in one poll: ring buffers fill up meanwhile */
    LAST_NS = 200000000,  /* the same for the last poll */
    GROWS_NS = 100000000, /* a map that has not grown for that time is quiet */
};

/* Age of a process until which it is expected to open its map. */
static const uint64_t YOUNG = 2 * (uint64_t)CLOCK_SECOND;

/* A running process that has JIT-compiled code. */
struct liveproc {
    int32_t pid;
    char comm[32];
    enum runtime runtime;
    uint64_t since;       /* when it was first seen */
    uint64_t searched;    /* when its map was last searched; 0: not since its start or exec */
    uint64_t gone;        /* when it was found to have ended; 0: it may still run */
    bool given;           /* its map is named by --perf-map */
    bool refused;         /* its map was not opened, since MAPS_MAX were open */
    bool has_dump;        /* it writes a jitdump, which has the names of its code */
    struct text dump;     /* path of the jitdump as the process sees it, with a NUL */
    bool dump_waits;      /* the jitdump is to be opened */
    bool reported;        /* the lack of a map was reported */
    bool needs_no_map;    /* see liveprocs_needs_no_map() */
    uint64_t report_from; /* earliest time for that report, unless it ends */
    bool damaged;         /* the damage of its jitdump was reported */
    bool given_up;        /* the loss of names of its map was reported */
    bool changed;         /* it has new names, which its address space does not show yet */
    uint64_t missing;     /* number of lookups of addresses without a name */
    uint64_t named;       /* number of lookups of addresses with a name */
    uint32_t serial;      /* unique number of its map; 0: it has none */
    struct livemap map;
    struct regular_owners owners; /* possible owners of its map */
    struct findmap found;         /* result of the last search */
};

struct liveprocs {
    struct jitnames names; /* the first interface; the second is a member of `objects` */
    struct objects_of {
        struct objects objects;
        struct liveprocs *live;
    } objects;
    struct diag *diag;
    struct text dso;         /* DSO of the code that was last found */
    struct liveproc **procs; /* by pid, ascending */
    size_t count, cap;
    struct heldfiles files;
    size_t open;         /* number of open maps */
    size_t refused;      /* number of processes whose map was not opened */
    struct budget share; /* memory for the maps */
    size_t attended;     /* index of the process to attend to next */
    size_t turn;         /* index of the process whose map is read next */
    bool has_new;        /* some map was never read to its end */
    bool has_dump;       /* a running process writes a jitdump that is read */
    uint32_t serials;
    uint64_t polled;   /* when the maps were last read */
    uint64_t advanced; /* the time for which names are looked up; 0: there are no lookups */
    uint64_t due;      /* liveprocs_advance() has nothing to do before that time */
    uint64_t grew;     /* when some map was last found to have grown */
    bool expects;      /* some young process has no map yet */
    /* Set by liveprocs_keep(): */
    liveprocs_keeper *keeper;
    void *ctx;
    bool only_keeps; /* there are no lookups of names */
    uint64_t kept;   /* number of bytes passed to the keeper */
};

/* One process */

/* Set the command name, the owners and the runtime of a process, if it still runs. */
static void
identify(struct liveproc *p)
{
    char path[32], exe[4096];
    procroot_owners(p->pid, &p->owners);
    snprintf(path, sizeof path, "/proc/%d/comm", (int)p->pid);
    FILE *f = fopen(path, "re");
    if (f != NULL) {
        if (fgets(p->comm, sizeof p->comm, f) != NULL)
            p->comm[strcspn(p->comm, "\n")] = '\0';
        fclose(f);
    }
    snprintf(path, sizeof path, "/proc/%d/exe", (int)p->pid);
    ssize_t n = readlink(path, exe, sizeof exe);
    struct span name = dso_base(span_of(exe, n > 0 ? (size_t)n : 0));
    p->runtime = runtime_of_dso(name);
    if (p->runtime == RUNTIME_UNKNOWN)
        p->runtime = runtime_of_comm(name);
}

/* Return how long the process is known, in nanoseconds. */
static uint64_t
age_of(const struct liveproc *p, uint64_t now)
{
    return now > p->since ? now - p->since : 0;
}

/* Return true if the map of the process must be searched now: compilers open it at their start, or
 * when they are told to. */
static bool
is_search_due(const struct liveproc *p, uint64_t now)
{
    uint64_t age = age_of(p, now);
    uint64_t pause = age < YOUNG               ? CLOCK_SECOND / 100
                     : age < 10 * CLOCK_SECOND ? CLOCK_SECOND / 4
                                               : CLOCK_SECOND;
    if (p->given || p->searched == 0 || p->dump_waits)
        return !p->given;
    return p->serial == 0 && now - p->searched >= pause;
}

/* Return true if the process has no map, which neither was reported nor will be by the helper, and
 * if a map would have given names. `later`: names are not looked up now, but will be after the
 * recording. */
static bool
lacks_map(const struct liveproc *p, bool later)
{
    bool unused = later && runtime_compiles(p->runtime) && !p->has_dump;
    return p->serial == 0 && !p->reported && !p->needs_no_map && !p->refused && !p->found.silent &&
           (p->missing > 0 || unused);
}

/* Warn that the process has no map, and say what to do. */
static void
report_no_map(struct liveproc *p, struct diag *diag)
{
    const char *comm = p->comm[0] != '\0' ? p->comm : "it has ended";
    p->reported = true;
    if (p->found.problem != NULL)
        diag_warn(diag, "perf maps that are not read", (struct place){p->found.path, 0},
                  "%s; so the JIT-compiled code of process %d (%s) has no names", p->found.problem,
                  (int)p->pid, comm);
    else
        diag_warn(diag, "processes without a perf map", NOWHERE,
                  "process %d (%s) has no perf map, so that its JIT-compiled code has no names: "
                  "%s",
                  (int)p->pid, comm, runtime_advice(p->runtime));
}

/* Warn if most names of a jitdump came after the samples. V8 and Python write two megabytes at a
 * time. */
static void
report_late(const struct liveproc *p, struct diag *diag)
{
    enum { FEW = 20 }; /* these may be in code that no compiler made */
    if (!p->map.is_dump || p->map.problem != NULL || p->missing < FEW || p->missing <= p->named)
        return;
    diag_warn(diag, "jitdumps that are written late", NOWHERE,
              "process %d (%s) writes its jitdump in large blocks, too late for the names of its "
              "JIT-compiled code: record to a file (-o) and run perf-script on that, or %s",
              (int)p->pid, p->comm, runtime_advice(p->runtime));
}

/* Warn once if names of a map are not known. `ends`: the map will not be read any more. */
static void
report_given_up(struct liveproc *p, bool ends, struct diag *diag)
{
    static const char kind[] = "perf maps of which names are not known";
    const char *what = p->map.is_dump ? "jitdump" : "perf map";
    bool given_up = p->map.given_up > 0 || p->map.too_long;
    if (p->given_up || !(given_up || (ends && p->map.behind)))
        return;
    p->given_up = true;
    if (p->map.too_long)
        diag_warn(diag, kind, NOWHERE,
                  "the %s of process %d (%s) is larger than a gigabyte: its newest names are not "
                  "known",
                  what, (int)p->pid, p->comm);
    else if (given_up)
        diag_warn(diag, kind, NOWHERE,
                  "the %s of process %d (%s) is larger than its share of --memory (%zu MB): its "
                  "newest names are not known",
                  what, (int)p->pid, p->comm, p->map.share->limit / 2 >> 20);
    else
        diag_warn(diag, kind, NOWHERE,
                  "the %s of process %d (%s) was not read to its end: its newest names are not "
                  "known",
                  what, (int)p->pid, p->comm);
}

/* The table of processes */

struct liveprocs *
liveprocs_new(struct diag *diag, size_t memory)
{
    struct liveprocs *l = mem_alloc(sizeof *l);
    *l = (struct liveprocs){.diag = diag, .share = {memory, MAPS_MAX, 0}, .due = UINT64_MAX};
    return l;
}

/* Return the index of the process in the table, or the one to insert it at. */
static size_t
place_of(const struct liveprocs *l, int32_t pid)
{
    size_t low = 0, high = l->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->procs[middle]->pid < pid)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct liveproc *
find(const struct liveprocs *l, int32_t pid)
{
    size_t at = place_of(l, pid);
    return at < l->count && l->procs[at]->pid == pid ? l->procs[at] : NULL;
}

/* Close the map of a process, and forget its names. */
static void
free_map(struct liveprocs *l, struct liveproc *p)
{
    l->open -= p->map.file.fd >= 0;
    livemap_free(&p->map);
}

static void
free_proc(struct liveprocs *l, struct liveproc *p)
{
    free_map(l, p);
    free(p->dump.ptr);
    free(p);
}

static bool
keeps_all(const struct liveprocs *l)
{
    return l->kept < LIVEPROCS_KEPT;
}

/* Pass lines of a map to the keeper, in records of limited length. Drop longer lines. */
static void
keep(void *table, const struct livemap *map, bool begins, struct span lines)
{
    struct liveprocs *l = table;
    const struct liveproc *p =
        (const void *)((const char *)map - offsetof(struct liveproc, map)); /* it has the map */
    while (lines.len > 0 && keeps_all(l)) {
        struct span part = span_head(lines, lines.len < MAPLINES_MAX ? lines.len : MAPLINES_MAX);
        size_t end = span_rfind(part, '\n');
        if (end == SPAN_NONE) {
            size_t next = span_find(lines, '\n');
            lines = span_from(lines, next != SPAN_NONE ? next + 1 : lines.len);
            continue;
        }
        struct maplines m = {p->pid, begins, span_head(lines, end + 1)};
        l->keeper(l->ctx, &m, map->read);
        l->kept += m.lines.len;
        lines = span_from(lines, end + 1);
        begins = false;
    }
}

static void
use_map(struct liveprocs *l, struct liveproc *p, const struct regular_file *file, bool is_dump)
{
    free_map(l, p);
    p->map = (struct livemap){.file = *file,
                              .is_dump = is_dump,
                              .since = is_dump ? p->since : 0,
                              .keep = l->keeper != NULL ? keep : NULL,
                              .keeper = l,
                              .only_keeps = l->only_keeps,
                              .share = &l->share};
    p->serial = ++l->serials;
    l->open++;
}

static struct liveproc *
add(struct liveprocs *l, int32_t pid, uint64_t since)
{
    size_t at = place_of(l, pid);
    struct liveproc *p = mem_alloc(sizeof *p);
    *p = (struct liveproc){.pid = pid, .since = since, .map.file.fd = -1};
    identify(p);
    l->procs = mem_grow(l->procs, &l->cap, l->count + 1, sizeof(struct liveproc *));
    memmove(l->procs + at + 1, l->procs + at, (l->count - at) * sizeof(struct liveproc *));
    l->procs[at] = p;
    l->count++;
    return p;
}

static void
drop(struct liveprocs *l, struct liveproc *p)
{
    size_t at = place_of(l, p->pid);
    if (lacks_map(p, l->only_keeps))
        report_no_map(p, l->diag);
    report_given_up(p, true, l->diag);
    report_late(p, l->diag);
    free_proc(l, p);
    l->count--;
    memmove(l->procs + at, l->procs + at + 1, (l->count - at) * sizeof(struct liveproc *));
}

/* Records */

/* Return the process of a record with that time. If a process with the same pid ended earlier,
 * replace it. */
static struct liveproc *
process_of(struct liveprocs *l, int32_t pid, uint64_t time)
{
    struct liveproc *p = find(l, pid);
    if (p != NULL && p->gone != 0 && time > p->gone && !p->given) {
        drop(l, p);
        p = NULL;
    }
    return p != NULL ? p : add(l, pid, time != 0 ? time : l->polled);
}

/* Note that a process maps a jitdump. A child inherits its parent's mapping, with the parent's pid
 * in the file's name: ignore that. */
static void
see_dump(const struct liveprocs *l, struct liveproc *p, struct span path, int32_t number)
{
    int32_t inner = procroot_inner_pid(p->pid);
    p->has_dump = true;
    if (l->only_keeps || p->given || p->map.is_dump || (inner >= 0 && inner != number))
        return;
    text_set(&p->dump, path);
    text_add(&p->dump, span_of("", 1));
    p->dump_waits = true;
}

static void
see_map(struct liveprocs *l, const struct record *r)
{
    enum { PROT_X = 4 }; /* PROT_EXEC of mmap(2), on Linux */
    int32_t pid = (int32_t)r->mmap.pid, inner;
    if ((r->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER ||
        (r->mmap.prot & PROT_X) == 0)
        return;
    if (jitdump_names_pid(r->mmap.file, &inner))
        see_dump(l, process_of(l, pid, r->time), r->mmap.file, inner);
    else if (procmaps_is_anonymous(r->mmap.file))
        process_of(l, pid, r->time);
    else if (!l->only_keeps)
        heldfiles_see(&l->files, r);
}

void
liveprocs_see(struct liveprocs *l, const struct record *r)
{
    if (r->type == PERF_RECORD_MMAP2)
        see_map(l, r);
    if (r->type != PERF_RECORD_COMM || (r->misc & PERF_RECORD_MISC_COMM_EXEC) == 0)
        return;
    struct liveproc *p = find(l, (int32_t)r->comm.pid);
    if (p == NULL || p->given)
        return;
    p->searched = 0;
    p->has_dump = p->dump_waits = p->reported = p->needs_no_map = false;
    identify(p);
}

void
liveprocs_delay_report(struct liveprocs *l, int32_t pid)
{
    struct liveproc *p = find(l, pid);
    if (p != NULL && l->polled != 0)
        p->report_from = l->polled + CLOCK_SECOND;
}

void
liveprocs_needs_no_map(struct liveprocs *l, int32_t pid)
{
    struct liveproc *p = find(l, pid);
    if (p != NULL)
        p->needs_no_map = true;
}

/* Polls */

static bool
runs(int32_t id)
{
    return kill(id, 0) == 0 || errno != ESRCH;
}

static bool
is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Use the opened map or jitdump. Close it instead if the process has that file already, or if too
 * many are open. */
static void
take(struct liveprocs *l, struct liveproc *p, struct regular_file *file, bool is_dump)
{
    bool has_map = p->map.file.fd >= 0;
    if (has_map ? !is_same_file(&file->st, &p->map.file.st) : l->open < MAPS_MAX) {
        use_map(l, p, file, is_dump);
        return;
    }
    l->refused += !has_map && !p->refused;
    p->refused |= !has_map;
    regular_close(file);
}

/* Open the jitdump that the process has mapped. Return false if it cannot be read. */
static bool
open_dump(struct liveprocs *l, struct liveproc *p)
{
    struct regular_file file;
    const char *problem = findmap_open_dump(p->pid, &p->owners, p->dump.ptr, &file);
    if (problem == NULL)
        take(l, p, &file, true);
    else
        diag_warn(l->diag, "jitdumps that are not read", (struct place){p->dump.ptr, 0}, "%s",
                  problem);
    p->dump_waits = false;
    return problem == NULL;
}

static uint64_t
nanoseconds(struct timespec t)
{
    return t.tv_sec > 0 ? (uint64_t)t.tv_sec * CLOCK_SECOND + (uint64_t)t.tv_nsec : 0;
}

static uint64_t
time_since(clockid_t clock, uint64_t then)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return nanoseconds(now) > then ? nanoseconds(now) - then : 0;
}

/* Return true if the map was written after the process started, or within one second before, since
 * clocks are coarse. For a process that has ended, use the time at which it was first seen. */
static bool
is_fresh(const struct liveproc *p, const struct stat *map, uint64_t now)
{
    uint64_t started = procroot_started(p->pid);
    uint64_t age = started > 0 ? time_since(CLOCK_BOOTTIME, started) : age_of(p, now);
    return time_since(CLOCK_REALTIME, nanoseconds(map->st_mtim)) <= age + CLOCK_SECOND;
}

static void
search(struct liveprocs *l, struct liveproc *p, uint64_t now)
{
    struct regular_file *file = &p->found.file;
    p->searched = now;
    if (p->dump_waits && open_dump(l, p))
        return;
    if (!findmap_open(p->pid, &p->owners, &p->found))
        return;
    if (is_fresh(p, &file->st, now))
        take(l, p, file, false);
    else
        regular_close(file);
}

static void
attend(struct liveprocs *l, struct liveproc *p, uint64_t now)
{
    if (p->gone != 0)
        return;
    bool ended = !runs(p->pid);
    if (p->report_from == 0) /* until then, samples show whether it needs a map */
        p->report_from = now + CLOCK_SECOND;
    if (is_search_due(p, now) || (ended && p->serial == 0))
        search(l, p, now);
    if (ended) {
        p->gone = now;
    } else if (age_of(p, now) >= CLOCK_SECOND && now >= p->report_from &&
               lacks_map(p, l->only_keeps)) {
        report_no_map(p, l->diag);
    }
}

/* Attend to each process in turn, until all are done or the time is over, since some may answer
 * slowly. The next poll continues from there. */
static void
attend_all(struct liveprocs *l, uint64_t now, uint64_t most)
{
    uint64_t begun = clock_now();
    for (size_t rest = l->count; rest > 0 && clock_now() - begun < most; rest--)
        attend(l, l->procs[l->attended++ % l->count], now);
}

/* Return the time from which liveprocs_advance() has something to do. */
static uint64_t
due(const struct liveprocs *l)
{
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < l->count; i++) {
        const struct liveproc *p = l->procs[i];
        uint64_t next = p->changed ? 0 : livemap_due(&p->map);
        next = p->gone != 0 && p->gone < next ? p->gone : next;
        first = next < first ? next : first;
    }
    return first;
}

/* Warn once about a damaged jitdump. If nothing of it could be read, forget it: the process may
 * have a perf map. */
static void
report_damaged(struct liveprocs *l, struct liveproc *p)
{
    if (!p->damaged)
        diag_warn(l->diag, "jitdumps that are not read", NOWHERE,
                  "the jitdump of process %d (%s) %s", (int)p->pid, p->comm, p->map.problem);
    p->damaged = true;
    if (p->map.records > 0)
        return;
    free_map(l, p);
    p->serial = 0;
}

static void
read_map(struct liveprocs *l, struct liveproc *p, uint64_t now)
{
    bool grew = livemap_read(&p->map, now);
    p->changed |= grew;
    l->grew = grew ? now : l->grew;
    if (p->map.truncated)
        p->serial = ++l->serials;
    p->map.truncated = false;
    if (p->map.problem != NULL)
        report_damaged(l, p);
    report_given_up(p, false, l->diag);
}

/* Read a block of each map in turn, until all are read or the time is over. Each map waits
 * for at most one block of every other map, however much those grow. */
static void
read_maps(struct liveprocs *l, uint64_t now, uint64_t most)
{
    uint64_t begun = clock_now();
    for (size_t i = 0; i < l->count; i++)
        l->procs[i]->map.behind = l->procs[i]->map.file.fd >= 0;
    for (size_t rest = l->count; rest > 0 && clock_now() - begun < most; rest--) {
        struct liveproc *p = l->procs[l->turn++ % l->count];
        if (!p->map.behind)
            continue;
        read_map(l, p, now);
        if (p->map.behind)
            rest = l->count + 1;
    }
    l->has_new = l->has_dump = false;
    for (size_t i = 0; i < l->count; i++) {
        const struct liveproc *p = l->procs[i];
        l->has_new |= livemap_is_new(&p->map);
        l->has_dump |= p->map.is_dump && p->gone == 0;
    }
}

static void
poll(struct liveprocs *l, uint64_t now, uint64_t most)
{
    l->polled = now;
    attend_all(l, now, most);
    l->expects = false;
    for (size_t i = 0; i < l->count; i++)
        l->expects |= l->procs[i]->serial == 0 && !l->procs[i]->needs_no_map &&
                      age_of(l->procs[i], now) < YOUNG;
    read_maps(l, now, most);
    for (size_t i = l->count; i-- > 0;) {
        struct liveproc *p = l->procs[i];
        if (l->advanced == 0 && p->gone != 0 && now - p->gone > CLOCK_SECOND)
            drop(l, p);
    }
    l->due = due(l);
}

void
liveprocs_poll(struct liveprocs *l, uint64_t now)
{
    poll(l, now, TURN_NS);
}

void
liveprocs_poll_last(struct liveprocs *l, uint64_t now)
{
    poll(l, now, LAST_NS);
}

bool
liveprocs_has_new_map(const struct liveprocs *l)
{
    return l->has_new;
}

bool
liveprocs_has_dump(const struct liveprocs *l)
{
    return l->has_dump;
}

bool
liveprocs_has_names(const struct liveprocs *l, int32_t pid)
{
    const struct liveproc *p = find(l, pid);
    return p != NULL && (p->serial != 0 || p->has_dump);
}

bool
liveprocs_any(const struct liveprocs *l)
{
    for (size_t i = 0; i < l->count; i++)
        if (!l->procs[i]->needs_no_map)
            return true;
    return false;
}

bool
liveprocs_are_busy(const struct liveprocs *l)
{
    return l->has_new || l->expects || (l->grew != 0 && l->polled - l->grew < GROWS_NS);
}

void
liveprocs_keep(struct liveprocs *l, liveprocs_keeper *keeper, void *ctx, bool looks_up)
{
    l->keeper = keeper;
    l->ctx = ctx;
    l->only_keeps = !looks_up;
    for (size_t i = 0; i < l->count; i++) { /* maps of --perf-map */
        l->procs[i]->map.keep = keep;
        l->procs[i]->map.keeper = l;
        l->procs[i]->map.only_keeps = l->only_keeps;
    }
}

/* Names */

const char *
liveprocs_give_map(struct liveprocs *l, int32_t pid, const char *path)
{
    struct regular_file file;
    const char *problem = perfmap_open(&file, path, NULL);
    if (problem != NULL)
        return problem;
    struct liveproc *p = find(l, pid);
    p = p != NULL ? p : add(l, pid, 0);
    p->given = true;
    use_map(l, p, &file, false);
    return NULL;
}

void
liveprocs_advance(struct liveprocs *l, uint64_t time, struct procmaps *maps)
{
    l->advanced = time > l->advanced ? time : l->advanced;
    if (time < l->due)
        return;
    for (size_t i = l->count; i-- > 0;) {
        struct liveproc *p = l->procs[i];
        if (p->changed || livemap_due(&p->map) <= time) {
            livemap_advance(&p->map, time);
            procmaps_touch(maps, p->pid);
            p->changed = false;
        }
        if (p->gone != 0 && time > p->gone)
            drop(l, p);
    }
    l->due = due(l);
}

/* Return the process whose map names an address, and set *number to the number of the record; NULL
 * if there is none. Count lookups, except of code in files, which maps seldom name. */
static struct liveproc *
record_at(struct liveprocs *l, const struct jitplace *place, uint32_t *number)
{
    bool jit = place->map_pid >= 0;
    struct liveproc *p = find(l, (int32_t)(jit ? place->map_pid : place->pid));
    bool named = p != NULL && p->serial != 0 && livemap_find(&p->map, place->addr, number);
    if (p != NULL && jit) {
        p->named += named;
        p->missing += !named;
    }
    return named ? p : NULL;
}

/* Return the key of a name; 0: there is no name. */
static uint64_t
key_of(struct jitnames *names, const struct jitplace *place)
{
    uint32_t number;
    const struct liveproc *p = record_at((struct liveprocs *)names, place, &number);
    return p != NULL ? (uint64_t)p->serial << 32 | number : 0;
}

static bool
find_name(struct jitnames *names, const struct jitplace *place, struct jitname *found)
{
    uint32_t number;
    struct livemap_name name;
    struct liveprocs *l = (struct liveprocs *)names;
    struct liveproc *p = record_at(l, place, &number);
    if (p == NULL || !livemap_name(&p->map, number, place->addr, &name))
        return false;
    *found = (struct jitname){.text = name.text, .start = name.start};
    if (p->map.is_dump) {
        found->dso = jitdump_dso(&l->dso, text_span(&p->dump), name.pid, name.index);
        found->in_dso = JITDUMP_TEXT;
    }
    return true;
}

static bool
advance(struct jitnames *names, uint64_t time, struct procmaps *maps)
{
    liveprocs_advance((struct liveprocs *)names, time, maps);
    return false;
}

static bool
has_map(struct jitnames *names, int64_t pid)
{
    const struct liveproc *p = find((const struct liveprocs *)names, (int32_t)pid);
    return p != NULL && p->serial != 0;
}

struct jitnames *
liveprocs_names(struct liveprocs *l)
{
    l->names = (struct jitnames){key_of, find_name, advance, has_map, .in_files = true};
    return &l->names;
}

static void
see_file(struct objects *o, const struct record *r)
{
    heldfiles_see(&((struct objects_of *)o)->live->files, r);
}

static const char *
path_of(struct objects *o, struct span name, struct span build_id, char path[static OBJECTS_PATH])
{
    return heldfiles_path(&((struct objects_of *)o)->live->files, name, build_id, path);
}

static void
release(struct objects *o, struct span name, struct span build_id)
{
    heldfiles_release(&((struct objects_of *)o)->live->files, name, build_id);
}

static struct span
build_id_of(struct objects *o, const struct record_mmap *m)
{
    return heldfiles_build_id(&((struct objects_of *)o)->live->files, m);
}

struct objects *
liveprocs_objects(struct liveprocs *l)
{
    l->objects = (struct objects_of){{see_file, path_of, release, build_id_of, runs}, l};
    return &l->objects.objects;
}

void
liveprocs_explain(struct liveprocs *l)
{
    for (size_t i = 0; i < l->count; i++) {
        if (lacks_map(l->procs[i], l->only_keeps))
            report_no_map(l->procs[i], l->diag);
        report_given_up(l->procs[i], true, l->diag);
        report_late(l->procs[i], l->diag);
    }
    if (!keeps_all(l))
        diag_warn(l->diag, NULL, NOWHERE,
                  "the perf maps of all processes have more than %u MB, of which the rest was not "
                  "written: the newest functions have no names",
                  (unsigned)(LIVEPROCS_KEPT >> 20));
    if (l->refused > 0)
        diag_note(l->diag,
                  "%zu processes have JIT-compiled code without names: more than %d perf maps "
                  "were open; record fewer processes",
                  l->refused, MAPS_MAX);
    if (l->files.refused > 0)
        diag_note(l->diag,
                  "%zu binaries of containers or deleted ones have no names: too many files were "
                  "open; raise ulimit -n or record fewer processes",
                  l->files.refused);
}

void
liveprocs_free(struct liveprocs *l)
{
    for (size_t i = 0; i < l->count; i++)
        free_proc(l, l->procs[i]);
    free(l->procs);
    heldfiles_free(&l->files);
    free(l->dso.ptr);
    free(l);
}
