/* Names of running processes: this one has the perf map and the binaries. */
#include "cmd/stackrecord/capture/liveprocs.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/stackrecord/capture/heldfiles.h"
#include "common/sym/jitdump.h"
#include "tests/unit/child.h"
#include "tests/unit/makedump.h"
#include "tests/unit/tempfolder.h"

static const uint64_t SECOND = 1000000000;

static struct diag diag;
static char map_path[64];

static int32_t
own_pid(void)
{
    return (int32_t)getpid();
}

static struct liveprocs *
start(void)
{
    diag_init(&diag, "test");
    snprintf(map_path, sizeof map_path, "/tmp/perf-%d.map", (int)own_pid());
    unlink(map_path);
    return liveprocs_new(&diag, 0);
}

static void
append(const char *path, const char *text)
{
    FILE *f = fopen(path, "a");
    CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* A record of executable memory. */
static struct record
map_record(int32_t pid, uint64_t addr, uint64_t len, const char *file, uint64_t time)
{
    return (struct record){.type = PERF_RECORD_MMAP2,
                           .misc = PERF_RECORD_MISC_USER,
                           .time = time,
                           .mmap = {.pid = (uint32_t)pid,
                                    .tid = (uint32_t)pid,
                                    .addr = addr,
                                    .len = len,
                                    .file = span_cstr(file),
                                    .prot = 5}};
}

static void
see_code(struct liveprocs *l, int32_t pid, uint64_t time)
{
    struct record r = map_record(pid, 0x1000, 0x1000, "//anon", time);
    liveprocs_see(l, &r);
}

static bool
find_at(struct liveprocs *l, int32_t pid, uint64_t addr, struct jitname *found)
{
    struct jitnames *names = liveprocs_names(l);
    const struct jitplace place = {pid, pid, addr, SPAN("/tmp/perf.map")};
    return names->find(names, &place, found);
}

static struct span
name_at(struct liveprocs *l, int32_t pid, uint64_t addr)
{
    struct jitname found;
    return find_at(l, pid, addr, &found) ? found.text : SPAN("");
}

TEST("the map of a process with JIT-compiled code is found, and read as it grows")
{
    struct liveprocs *l = start();
    struct procmaps maps = {0};
    liveprocs_poll(l, 1 * SECOND);
    append(map_path, "1000 100 one\n");
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "");
    see_code(l, own_pid(), 1 * SECOND + 1);
    liveprocs_poll(l, 2 * SECOND);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "one");
    append(map_path, "1000 100 two\n3000 100 three\n");
    liveprocs_poll(l, 3 * SECOND);
    CHECK_TEXT(name_at(l, own_pid(), 0x3000), "three");
    liveprocs_advance(l, 2 * SECOND - 1, &maps);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "one");
    liveprocs_advance(l, 2 * SECOND, &maps);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "two");
    liveprocs_free(l);
    procmaps_free(&maps);
    unlink(map_path);
}

TEST("a map that appears later is found, and a file put in its place is not read before an exec")
{
    struct liveprocs *l = start();
    see_code(l, own_pid(), SECOND);
    liveprocs_poll(l, 2 * SECOND);
    append(map_path, "1000 100 one\n");
    liveprocs_poll(l, 2 * SECOND + 1); /* too soon to look again */
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "");
    liveprocs_poll(l, 3 * SECOND);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "one");
    unlink(map_path);
    append(map_path, "1000 100 other\n");
    liveprocs_poll(l, 9 * SECOND);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "one");
    struct record exec = {.type = PERF_RECORD_COMM, .misc = PERF_RECORD_MISC_COMM_EXEC};
    exec.comm.pid = exec.comm.tid = (uint32_t)own_pid();
    liveprocs_see(l, &exec);
    liveprocs_poll(l, 10 * SECOND);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "other");
    liveprocs_free(l);
    unlink(map_path);
}

TEST("a map that was written before the process began is that of another one")
{
    const struct timespec old[2] = {{1000000000, 0}, {1000000000, 0}};
    struct liveprocs *l = start();
    append(map_path, "1000 100 one\n");
    CHECK(utimensat(AT_FDCWD, map_path, old, 0) == 0);
    see_code(l, own_pid(), SECOND);
    liveprocs_poll(l, 2 * SECOND);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "");
    CHECK(utimensat(AT_FDCWD, map_path, NULL, 0) == 0);
    liveprocs_poll(l, 9 * SECOND);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "one");
    liveprocs_free(l);
    unlink(map_path);
}

TEST("the version of an address space changes with the names of its code")
{
    struct liveprocs *l = start();
    struct procmaps maps = {0};
    struct procmap map = {.start = 0x1000, .len = 0x1000, .name = SPAN("//anon")};
    procmaps_map(&maps, own_pid(), &map);
    uint64_t before = procmaps_space(&maps, own_pid())->version;
    append(map_path, "1000 100 one\n");
    see_code(l, own_pid(), SECOND);
    liveprocs_advance(l, 2 * SECOND, &maps);
    CHECK(procmaps_space(&maps, own_pid())->version == before);
    liveprocs_poll(l, 3 * SECOND);
    liveprocs_advance(l, 3 * SECOND, &maps);
    CHECK(procmaps_space(&maps, own_pid())->version != before);
    before = procmaps_space(&maps, own_pid())->version;
    liveprocs_poll(l, 4 * SECOND);
    liveprocs_advance(l, 4 * SECOND, &maps);
    CHECK(procmaps_space(&maps, own_pid())->version == before);
    liveprocs_free(l);
    procmaps_free(&maps);
    unlink(map_path);
}

/* A process that writes its perf map and ends. */
static int32_t
run_child(struct liveprocs *l, uint64_t time)
{
    char path[64];
    int wait[2];
    CHECK(pipe(wait) == 0);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        char c;
        close(wait[1]);
        _exit(read(wait[0], &c, 1) == 0 ? 0 : 1);
    }
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)pid);
    append(path, "1000 100 one\n");
    see_code(l, (int32_t)pid, time);
    liveprocs_poll(l, time + 1);
    unlink(path);
    close(wait[0]);
    close(wait[1]);
    CHECK(waitpid(pid, NULL, 0) == pid);
    return (int32_t)pid;
}

TEST("a process that has ended keeps its names until all samples of its time were looked up")
{
    struct liveprocs *l = start();
    struct procmaps maps = {0};
    int32_t pid = run_child(l, SECOND);
    liveprocs_poll(l, 2 * SECOND);
    liveprocs_advance(l, 2 * SECOND, &maps);
    CHECK_TEXT(name_at(l, pid, 0x1000), "one");
    liveprocs_advance(l, 2 * SECOND + 1, &maps);
    CHECK_TEXT(name_at(l, pid, 0x1000), "");
    liveprocs_free(l);
    procmaps_free(&maps);
}

TEST("a process with the number of one that has ended gets none of its names")
{
    struct liveprocs *l = start();
    int32_t pid = run_child(l, SECOND);
    liveprocs_poll(l, 2 * SECOND);
    CHECK_TEXT(name_at(l, pid, 0x1000), "one");
    see_code(l, pid, 3 * SECOND);
    CHECK_TEXT(name_at(l, pid, 0x1000), "");
    liveprocs_free(l);
}

TEST("--perf-map names the file of a process, which is not looked for then")
{
    tempfolder_make();
    tempfolder_write("given", "1000 100 given\n");
    struct liveprocs *l = start();
    append(map_path, "1000 100 own\n");
    CHECK(liveprocs_give_map(l, own_pid(), tempfolder_path("given")) == NULL);
    see_code(l, own_pid(), SECOND);
    liveprocs_poll(l, SECOND);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "given");
    CHECK(liveprocs_give_map(l, 1, tempfolder_path("none")) != NULL);
    liveprocs_free(l);
    tempfolder_remove();
    unlink(map_path);
}

/* Prints what is reported of this process, which has code and no map. */
static void
report(void *arg)
{
    const char *also = arg;
    struct procmaps maps = {0};
    struct liveprocs *l = start();
    see_code(l, own_pid(), SECOND);
    if (also[0] != '\0') {
        struct record r = map_record(own_pid(), 0x9000, 0x1000, also, SECOND);
        liveprocs_see(l, &r);
    }
    liveprocs_advance(l, SECOND, &maps);
    for (uint64_t time = 2; time < 6; time++) {
        if (also[0] != 'u')
            name_at(l, own_pid(), 0x1000);
        liveprocs_poll(l, time * SECOND);
    }
    liveprocs_explain(l);
    liveprocs_free(l);
    _exit(0);
}

TEST("a process without a map whose code was sampled is reported once, with what to do")
{
    struct child c;
    child_run(&c, report, "");
    CHECK(c.status == 0);
    CHECK(span_search(c.err, SPAN("(liveprocs) has no perf map, so that its JIT-compiled code has "
                                  "no names: let the program write a perf map")) != SPAN_NONE);
    CHECK(span_find(c.err, '\n') == c.err.len - 1);
}

/* The same, but its names come from elsewhere; with "exec", only until it begins another
 * program. */
static void
report_excused(void *arg)
{
    const char *also = arg;
    struct liveprocs *l = start();
    struct record exec = {.type = PERF_RECORD_COMM,
                          .misc = PERF_RECORD_MISC_COMM_EXEC,
                          .comm = {(uint32_t)own_pid(), (uint32_t)own_pid(), SPAN("sh")}};
    liveprocs_needs_no_map(l, own_pid()); /* it was not seen yet */
    see_code(l, own_pid(), SECOND);
    liveprocs_needs_no_map(l, own_pid());
    if (also[0] != '\0')
        liveprocs_see(l, &exec);
    for (uint64_t time = 2; time < 6; time++) {
        name_at(l, own_pid(), 0x1000);
        liveprocs_poll(l, time * SECOND);
    }
    liveprocs_explain(l);
    liveprocs_free(l);
    _exit(0);
}

/* A process that runs for long is seen when the recording begins. That its names come from elsewhere
 * is known half a second later. */
static void
report_old(void *arg)
{
    (void)arg;
    struct liveprocs *l = start();
    see_code(l, own_pid(), 0);
    name_at(l, own_pid(), 0x1000);
    liveprocs_poll(l, 100 * SECOND);
    liveprocs_poll(l, 100 * SECOND + SECOND / 2);
    liveprocs_needs_no_map(l, own_pid());
    for (uint64_t time = 101; time < 105; time++)
        liveprocs_poll(l, time * SECOND);
    liveprocs_explain(l);
    liveprocs_free(l);
    _exit(0);
}

TEST("that a process has no map is not reported within the first second")
{
    struct child c;
    child_run(&c, report_old, "");
    CHECK(c.status == 0 && c.err.len == 0);
}

/* The report is delayed until the fifth second. */
static void
report_delayed(void *arg)
{
    (void)arg;
    struct liveprocs *l = start();
    see_code(l, own_pid(), SECOND);
    for (uint64_t half = 2; half < 16; half++) {
        name_at(l, own_pid(), 0x1000);
        liveprocs_poll(l, half * SECOND / 2);
        if (half < 10)
            liveprocs_delay_report(l, own_pid());
        if (half == 10)
            fputs("five\n", stderr);
    }
    liveprocs_free(l);
    _exit(0);
}

TEST("that a process has no map is reported once it is known whether it needs one")
{
    struct child c;
    child_run(&c, report_delayed, "");
    CHECK(c.status == 0);
    CHECK(span_starts(c.err, SPAN("five\n")));
    CHECK(span_search(c.err, SPAN("has no perf map")) != SPAN_NONE);
}

TEST("a process without a map whose names come from elsewhere is not reported")
{
    struct child c;
    child_run(&c, report_excused, "");
    CHECK(c.status == 0 && c.err.len == 0);
    child_run(&c, report_excused, "exec");
    CHECK(span_search(c.err, SPAN("has no perf map")) != SPAN_NONE);
}

TEST("a process has a map once that was opened")
{
    struct liveprocs *l = start();
    struct jitnames *n = liveprocs_names(l);
    see_code(l, own_pid(), SECOND);
    liveprocs_poll(l, SECOND + 1);
    CHECK(!n->has_map(n, own_pid()) && !n->has_map(n, own_pid() + 1));
    append(map_path, "1000 100 mapped\n");
    liveprocs_poll(l, 3 * SECOND);
    CHECK(n->has_map(n, own_pid()));
    liveprocs_free(l);
    unlink(map_path);
}

/* Writes a jitdump with that number in its name, and returns its path. */
static const char *
write_dump(int number)
{
    static char path[TEMPFOLDER_PATH];
    char name[64];
    snprintf(name, sizeof name, "jit-%d.dump", number);
    put_head(0x4a695444, 0);
    put_load(SECOND, 0x1000, 0x100, 0, "dumped");
    tempfolder_write_bytes(name, text_span(&dumped));
    snprintf(path, sizeof path, "%s", tempfolder_path(name));
    return path;
}

static void
see_dump(struct liveprocs *l, const char *path)
{
    struct record r = map_record(own_pid(), 0x9000, 0x1000, path, SECOND);
    liveprocs_see(l, &r);
}

TEST("the jitdump that a process maps names its code, rather than its perf map")
{
    tempfolder_make();
    struct liveprocs *l = start();
    append(map_path, "1000 100 mapped\n");
    see_code(l, own_pid(), SECOND);
    liveprocs_poll(l, SECOND + 1);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "mapped");
    CHECK(!liveprocs_has_dump(l));
    see_dump(l, write_dump(own_pid()));
    liveprocs_poll(l, SECOND + 2);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "dumped");
    CHECK(liveprocs_has_dump(l));
    liveprocs_poll(l, 9 * SECOND);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "dumped");
    liveprocs_free(l);
    tempfolder_remove();
    unlink(map_path);
}

TEST("code of a jitdump lies in the DSO that perf inject makes of it, under the dump's folder")
{
    struct jitname found = {.start = 0};
    tempfolder_make();
    struct liveprocs *l = start();
    see_dump(l, write_dump(own_pid()));
    liveprocs_poll(l, SECOND);
    CHECK(find_at(l, own_pid(), 0x1010, &found));
    CHECK(found.start == 0x1000 && found.in_dso == JITDUMP_TEXT);
    CHECK_TEXT(found.dso, tempfolder_path("jitted-7-0.so"));
    liveprocs_free(l);
    tempfolder_remove();
}

TEST("a jitdump with the number of another process is not this one's")
{
    tempfolder_make();
    struct liveprocs *l = start();
    see_dump(l, write_dump(1));
    liveprocs_poll(l, SECOND);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "");
    liveprocs_free(l);
    tempfolder_remove();
}

TEST("a perf map that was given goes before a jitdump")
{
    tempfolder_make();
    tempfolder_write("given", "1000 100 given\n");
    struct liveprocs *l = start();
    CHECK(liveprocs_give_map(l, own_pid(), tempfolder_path("given")) == NULL);
    see_dump(l, write_dump(own_pid()));
    liveprocs_poll(l, SECOND);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "given");
    liveprocs_free(l);
    tempfolder_remove();
}

/* Prints what is reported of a jitdump that is spoilt in some way. */
static void
report_dump(void *arg)
{
    const char *how = arg;
    struct liveprocs *l = start();
    append(map_path, "1000 100 mapped\n");
    tempfolder_make();
    const char *path = write_dump(own_pid());
    if (how[0] == 'l')
        CHECK(link(path, tempfolder_path("other")) == 0);
    else if (how[0] == 'n')
        unlink(path);
    else
        tempfolder_write(strrchr(path, '/') + 1, "These are forty bytes, but not a jitdump");
    see_dump(l, path);
    for (uint64_t time = 2; time < 6; time++)
        liveprocs_poll(l, time * SECOND);
    CHECK_TEXT(name_at(l, own_pid(), 0x1000), "mapped");
    liveprocs_explain(l);
    liveprocs_free(l);
    unlink(tempfolder_path("other"));
    tempfolder_remove();
    unlink(map_path);
    _exit(0);
}

TEST("a jitdump that cannot be read is reported once, and the perf map is read")
{
    struct child c;
    child_run(&c, report_dump, "link");
    CHECK(c.status == 0 &&
          span_search(c.err, SPAN(".dump: has another name (a hard link)")) != SPAN_NONE);
    CHECK(span_find(c.err, '\n') == c.err.len - 1);
    child_run(&c, report_dump, "none");
    CHECK(c.status == 0 && span_search(c.err, SPAN(".dump: No such file")) != SPAN_NONE);
    child_run(&c, report_dump, "other text");
    CHECK(c.status == 0 && span_search(c.err, SPAN("(liveprocs) is not a jitdump")) != SPAN_NONE);
    CHECK(span_find(c.err, '\n') == c.err.len - 1);
}

/* Prints what is reported of a jitdump that has no names yet when they are looked up. */
static void
report_late(void *arg)
{
    (void)arg;
    struct liveprocs *l = start();
    tempfolder_make();
    see_dump(l, write_dump(own_pid()));
    liveprocs_poll(l, SECOND);
    name_at(l, own_pid(), 0x1000);
    for (uint64_t i = 0; i < 20; i++)
        name_at(l, own_pid(), 0x2000 + i);
    liveprocs_explain(l);
    liveprocs_free(l);
    tempfolder_remove();
    _exit(0);
}

TEST("a jitdump whose names come too late is reported, with what to do")
{
    struct child c;
    child_run(&c, report_late, NULL);
    CHECK(c.status == 0);
    CHECK(span_search(c.err,
                      SPAN("(liveprocs) writes its jitdump in large blocks, too late for the "
                           "names of its JIT-compiled code: record to a file (-o) ")) != SPAN_NONE);
}

TEST("a process whose code was not sampled is not reported")
{
    struct child c;
    child_run(&c, report, "unused");
    CHECK_TEXT(c.err, "");
}

/* Maps the binary of this process, which is then deleted. */
static const char *
map_deleted(uint64_t *addr, size_t *len)
{
    static char name[TEMPFOLDER_PATH + 16];
    char block[4096];
    const char *path = tempfolder_path("binary");
    int from = open("/proc/self/exe", O_RDONLY), to = open(path, O_RDWR | O_CREAT, 0700);
    for (ssize_t n; (n = read(from, block, sizeof block)) > 0;)
        CHECK(write(to, block, (size_t)n) == n);
    *len = 4096;
    *addr = (uint64_t)(uintptr_t)mmap(NULL, *len, PROT_READ | PROT_EXEC, MAP_PRIVATE, to, 0);
    CHECK(*addr != (uint64_t)(uintptr_t)MAP_FAILED);
    close(from);
    close(to);
    CHECK(unlink(path) == 0);
    snprintf(name, sizeof name, "%s (deleted)", path);
    return name;
}

TEST("a deleted binary is opened when it is mapped, and closed when its names were read")
{
    char path[32];
    uint64_t addr;
    size_t len;
    if (geteuid() != 0) /* the kernel lets nobody else open it */
        return;
    tempfolder_make();
    struct liveprocs *l = start();
    const char *name = map_deleted(&addr, &len);
    struct record r = map_record(own_pid(), addr, len, name, SECOND);
    liveprocs_see(l, &r);
    munmap((void *)(uintptr_t)addr, len);
    struct objects *o = liveprocs_objects(l);
    struct span id = o->build_id(o, &r.mmap);
    CHECK(o->path(o, span_cstr(name), id, path) != NULL);
    CHECK(access(path, R_OK) == 0);
    o->release(o, span_cstr(name), id);
    CHECK(o->path(o, span_cstr(name), id, path) == NULL);
    CHECK(span_eq(o->build_id(o, &r.mmap), id));
    liveprocs_free(l);
    tempfolder_remove();
}

TEST("a binary that its path leads to is not held")
{
    char path[32];
    struct liveprocs *l = start();
    struct record r = map_record(own_pid(), 0x1000, 0x1000, "/bin/sh", SECOND);
    liveprocs_see(l, &r);
    struct objects *o = liveprocs_objects(l);
    CHECK(o->path(o, SPAN("/bin/sh"), SPAN(""), path) == NULL);
    CHECK(o->build_id(o, &r.mmap).len == 0);
    liveprocs_free(l);
}

TEST("files that processes map without end take no endless memory, and one that is held stays")
{
    char path[32], other[256];
    uint64_t addr;
    size_t len;
    if (geteuid() != 0)
        return;
    tempfolder_make();
    struct heldfiles held = {0};
    const char *name = map_deleted(&addr, &len);
    struct record r = map_record(own_pid(), addr, len, name, SECOND);
    heldfiles_see(&held, &r);
    memset(other, 'x', sizeof other);
    for (int i = 0; i < 20000; i++) {
        snprintf(other, sizeof other, "/%0200d", i);
        struct record o = map_record(own_pid(), 0x1000, 0x1000, other, SECOND);
        heldfiles_see(&held, &o);
    }
    CHECK(intern_size(&held.maps) < 2 * (size_t)HELDFILES_BYTES);
    struct span id = heldfiles_build_id(&held, &r.mmap);
    CHECK(heldfiles_path(&held, span_cstr(name), id, path) !=
          NULL); /* musl-gcc makes no build-id */
    munmap((void *)(uintptr_t)addr, len);
    heldfiles_free(&held);
    tempfolder_remove();
}
