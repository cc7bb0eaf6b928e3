/* Address spaces over time: what lies at an address of a process, and what its threads are called.
 */
#include "tests/unit/space.h"

TEST("an address is known by its offset in the file")
{
    FREED(procmaps_free) struct procmaps p = {0};
    map_file(&p, 7, 0x1000, 0x100, 0x400, "/bin/a");
    CHECK_TEXT(at(&p, 7, 0xfff), "");
    CHECK_TEXT(at(&p, 7, 0x1000), "/bin/a+400");
    CHECK_TEXT(at(&p, 7, 0x10ff), "/bin/a+4ff");
    CHECK_TEXT(at(&p, 7, 0x1100), "");
    CHECK_TEXT(at(&p, 8, 0x1000), "");
}

TEST("a new map splits an older one, and both remainders live on")
{
    FREED(procmaps_free) struct procmaps p = {0};
    map_file(&p, 7, 0x1000, 0x300, 0, "/bin/a");
    map_file(&p, 7, 0x1100, 0x100, 0, "/bin/b");
    CHECK_TEXT(at(&p, 7, 0x10ff), "/bin/a+ff");
    CHECK_TEXT(at(&p, 7, 0x1100), "/bin/b+0");
    CHECK_TEXT(at(&p, 7, 0x1200), "/bin/a+200");
    CHECK_TEXT(at(&p, 7, 0x12ff), "/bin/a+2ff");
    map_file(&p, 7, 0x1080, 0x1000, 0x10, "/bin/c");
    CHECK_TEXT(at(&p, 7, 0x107f), "/bin/a+7f");
    CHECK_TEXT(at(&p, 7, 0x1080), "/bin/c+10");
    CHECK_TEXT(at(&p, 7, 0x1200), "/bin/c+190");
}

/* Maps executable memory without a file. */
static void
map_anon(struct procmaps *p, int32_t pid, uint64_t start, uint64_t end)
{
    struct procmap m = {
        .start = start, .len = end - start, .name = SPAN("//anon"), .executable = true};
    procmaps_map(p, pid, &m);
}

TEST("huge pages inside a file's code are the file still, if that is wanted")
{
    struct procmaps p = {.keeps_files = true}, perf = {0};
    map_file(&p, 7, 0xb72000, 0x1a8c000, 0x772000, "/bin/node");
    map_anon(&p, 7, 0xc00000, 0x2400000);
    CHECK_TEXT(at(&p, 7, 0xc00010), "/bin/node+800010");
    map_anon(&p, 7, 0xc01000, 0xc02000); /* not huge */
    CHECK_TEXT(at(&p, 7, 0xc01000), "/tmp/perf-7.map+c01000");
    map_anon(&p, 7, 0x2400000, 0x2800000); /* past the end */
    CHECK_TEXT(at(&p, 7, 0x2400000), "/tmp/perf-7.map+2400000");
    map_file(&perf, 7, 0xb72000, 0x1a8c000, 0x772000, "/bin/node");
    map_anon(&perf, 7, 0xc00000, 0x2400000);
    CHECK_TEXT(at(&perf, 7, 0xc00010), "/tmp/perf-7.map+c00010");
    procmaps_free(&p);
    procmaps_free(&perf);
}

TEST("huge pages that fill a gap in a file's code are that file")
{
    FREED(procmaps_free) struct procmaps p = {.keeps_files = true};
    for (int32_t pid = 7; pid < 10; pid++) {
        map_file(&p, pid, 0xb72000, 0x8e000, 0x772000, "/bin/node");
        map_anon(&p, pid, 0xc00000, 0x2400000);
    }
    map_file(&p, 7, 0x2400000, 0x1fe000, 0x2000000, "/bin/node");
    map_file(&p, 8, 0x2400000, 0x1fe000, 0x2001000, "/bin/node"); /* another place of it */
    map_file(&p, 9, 0x2400000, 0x1fe000, 0x2000000, "/bin/other");
    CHECK_TEXT(at(&p, 7, 0xc00010), "/bin/node+800010");
    CHECK_TEXT(at(&p, 7, 0x2400000), "/bin/node+2000000");
    CHECK_TEXT(at(&p, 8, 0xc00010), "/tmp/perf-8.map+c00010");
    CHECK_TEXT(at(&p, 9, 0xc00010), "/tmp/perf-9.map+c00010");
}

TEST("a fork copies the maps, and then parent and child change apart")
{
    FREED(procmaps_free) struct procmaps p = {0};
    map_file(&p, 7, 0x1000, 0x300, 0, "/bin/a");
    procmaps_fork(&p, 8, 7, 8, 7, false);
    CHECK(procmaps_space(&p, 8)->version == procmaps_space(&p, 7)->version);
    map_file(&p, 8, 0x1100, 0x100, 0, "/bin/b");
    map_file(&p, 7, 0x1200, 0x100, 0, "/bin/c");
    CHECK(procmaps_space(&p, 8)->version != procmaps_space(&p, 7)->version);
    CHECK_TEXT(at(&p, 7, 0x1100), "/bin/a+100");
    CHECK_TEXT(at(&p, 8, 0x1100), "/bin/b+0");
    CHECK_TEXT(at(&p, 7, 0x1200), "/bin/c+0");
    CHECK_TEXT(at(&p, 8, 0x1200), "/bin/a+200");
}

TEST("a new thread shares the maps of its process")
{
    FREED(procmaps_free) struct procmaps p = {0};
    map_file(&p, 7, 0x1000, 0x300, 0, "/bin/a");
    procmaps_fork(&p, 7, 7, 9, 7, false);
    CHECK_TEXT(at(&p, 7, 0x1000), "/bin/a+0");
}

TEST("a pid that is used again starts with its new parent's maps")
{
    FREED(procmaps_free) struct procmaps p = {0};
    map_file(&p, 7, 0x1000, 0x100, 0, "/bin/a");
    map_file(&p, 8, 0x2000, 0x100, 0, "/bin/b");
    procmaps_fork(&p, 8, 7, 8, 7, false);
    CHECK_TEXT(at(&p, 8, 0x2000), "");
    CHECK_TEXT(at(&p, 8, 0x1000), "/bin/a+0");
    procmaps_fork(&p, 8, 6, 8, 6, false);
    CHECK_TEXT(at(&p, 8, 0x1000), "");
}

TEST("the synthesized fork of a running task copies the name and no maps")
{
    FREED(procmaps_free) struct procmaps p = {0};
    map_file(&p, 7, 0x1000, 0x100, 0, "/bin/a");
    procmaps_comm(&p, 7, SPAN("sh"));
    procmaps_fork(&p, 8, 7, 8, 7, true);
    CHECK_TEXT(at(&p, 8, 0x1000), "");
    CHECK_TEXT(procmaps_thread(&p, 8), "sh");
}

TEST("a thread is called as its last record says, and before that as its parent was")
{
    FREED(procmaps_free) struct procmaps p = {0};
    CHECK_TEXT(procmaps_thread(&p, 5), ":5");
    CHECK_TEXT(procmaps_thread(&p, -1), ":-1");
    CHECK_TEXT(procmaps_thread(&p, 0), "swapper");
    procmaps_comm(&p, 5, SPAN("sh"));
    procmaps_fork(&p, 6, 5, 6, 5, false);
    procmaps_comm(&p, 5, SPAN("ls"));
    CHECK_TEXT(procmaps_thread(&p, 5), "ls");
    CHECK_TEXT(procmaps_thread(&p, 6), "sh");
    procmaps_fork(&p, 9, 0, 9, 0, false);
    CHECK_TEXT(procmaps_thread(&p, 9), "swapper");
    procmaps_fork(&p, 6, 4, 6, 4, false);
    CHECK_TEXT(procmaps_thread(&p, 6), ":6");
}

TEST("anonymous executable memory is named after the perf map of the process that mapped it")
{
    static char *const names[] = {
        "//anon",  "/dev/zero (deleted)",     "/SYSV00000000 (deleted)", "[heap]",
        "[stack]", "/anon_hugepage (deleted)"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct procmaps p = {0};
        map_file(&p, 7, 0x1000, 0x100, 0x30, names[i]);
        procmaps_fork(&p, 8, 7, 8, 7, false);
        CHECK_TEXT(at(&p, 7, 0x1010), "/tmp/perf-7.map+1010");
        CHECK_TEXT(at(&p, 8, 0x1010), "/tmp/perf-7.map+1010");
        struct dso dso = procmaps_dso(&p, 0);
        CHECK(dso.kind == DSO_JIT && dso.pid == 7);
        map_file(&p, 8, 0x1000, 0x100, 0x30, names[i]);
        CHECK_TEXT(at(&p, 8, 0x1010), "/tmp/perf-8.map+1010");
        procmaps_free(&p);
    }
}

TEST("memory that is not executable keeps its name, and a memfd is a file")
{
    FREED(procmaps_free) struct procmaps p = {0};
    procmaps_map(&p, 7, &(struct procmap){.start = 0x1000, .len = 16, .name = SPAN("[heap]")});
    map_file(&p, 7, 0x2000, 16, 0x40, "/memfd:doublemapper (deleted)");
    CHECK_TEXT(at(&p, 7, 0x1008), "[heap]+1008");
    CHECK(procmaps_dso(&p, 0).kind == DSO_MEMORY);
    CHECK_TEXT(at(&p, 7, 0x2008), "/memfd:doublemapper (deleted)+48");
    CHECK(procmaps_dso(&p, 1).kind == DSO_FILE);
}

TEST("the vdso is known by the offset in its image, kernel code by the address itself")
{
    FREED(procmaps_free) struct procmaps p = {0};
    map_file(&p, 7, 0x7ffc00001000, 0x100, 0x1000, "[vdso]");
    map_file(&p, PROCMAPS_KERNEL, 0xffffffff81000000, 0x1000, 0x81000000, "[kernel.kallsyms]");
    CHECK_TEXT(at(&p, 7, 0x7ffc00001010), "[vdso]+10");
    map_file(&p, 8, 0xf7fc1000, 0x100, 0x1000, "[vdso]");
    CHECK_TEXT(at(&p, 8, 0xf7fc1010), sizeof(void *) == 8 ? "[vdso32]+10" : "[vdso]+10");
    CHECK(procmaps_dso(&p, 0).kind == DSO_VDSO);
    CHECK_TEXT(at(&p, PROCMAPS_KERNEL, 0xffffffff81000010), "[kernel.kallsyms]+ffffffff81000010");
    CHECK(procmaps_dso(&p, 1).kind == DSO_KERNEL);
}

TEST("a file has one number, and another one with another build-id")
{
    FREED(procmaps_free) struct procmaps p = {0};
    struct procmap m = {.start = 0x1000, .len = 16, .executable = true, .name = SPAN("/bin/a")};
    procmaps_map(&p, 7, &m);
    procmaps_map(&p, 8, &m);
    CHECK(p.dsos.count == 1);
    m.build_id = SPAN("\1\2\3");
    procmaps_map(&p, 7, &m);
    CHECK(p.dsos.count == 2);
    CHECK(span_eq(procmaps_dso(&p, 1).build_id, SPAN("\1\2\3")));
    CHECK_TEXT(procmaps_dso(&p, 1).name, "/bin/a");
    CHECK(procmaps_dso(&p, 0).build_id.len == 0);
}

TEST("a map without length is ignored, and one is cut at the last address")
{
    FREED(procmaps_free) struct procmaps p = {0};
    map_file(&p, 7, 0x1000, 0, 0, "/bin/a");
    CHECK(procmaps_space(&p, 7) == NULL);
    map_file(&p, 7, 0xfffffffffffff000, UINT64_MAX, 0, "/bin/a");
    CHECK_TEXT(at(&p, 7, UINT64_MAX - 1), "/bin/a+ffe");
    CHECK_TEXT(at(&p, 7, 0), "");
}

TEST("JIT memory that is mapped again as it was does not change the version, a file's does")
{
    FREED(procmaps_free) struct procmaps p = {0};
    map_file(&p, 7, 0x1000, 0x1000, 0, "//anon");
    uint64_t version = procmaps_space(&p, 7)->version;
    map_file(&p, 7, 0x1400, 0x100, 0, "//anon");
    CHECK(procmaps_space(&p, 7)->version == version);
    map_file(&p, 7, 0x1f00, 0x200, 0, "//anon");
    CHECK(procmaps_space(&p, 7)->version != version);
    CHECK_TEXT(at(&p, 7, 0x20ff), "/tmp/perf-7.map+20ff");
}

static uint64_t
version_after(struct procmaps *p, uint64_t start, uint64_t end, bool executable)
{
    struct procmap m = {
        .start = start, .len = end - start, .name = SPAN("//anon"), .executable = executable};
    procmaps_map(p, 7, &m);
    return procmaps_space(p, 7)->version;
}

TEST("a space has a new version when code is mapped or covered, not for memory without code")
{
    FREED(procmaps_free) struct procmaps p = {0};
    uint64_t first = version_after(&p, 0x9000, 0xa000, false);
    CHECK(first != 0);
    map_file(&p, 7, 0x1000, 0x1000, 0, "/bin/a");
    uint64_t version = procmaps_space(&p, 7)->version;
    CHECK(version != first);
    CHECK(version_after(&p, 0x2000, 0x3000, false) == version); /* after it */
    CHECK(version_after(&p, 0x0, 0x1000, false) == version);    /* before it */
    CHECK(version_after(&p, 0x2800, 0xb000, false) == version); /* over other memory */
    CHECK(version_after(&p, 0x1fff, 0xb000, false) != version); /* over its last byte */
    CHECK_TEXT(at(&p, 7, 0x1ffe), "/bin/a+ffe");
    CHECK_TEXT(at(&p, 7, 0x1fff), "//anon+1fff");
    version = procmaps_space(&p, 7)->version;
    CHECK(version_after(&p, 0x5000, 0x6000, true) != version);
    version = procmaps_space(&p, 7)->version;
    CHECK(version_after(&p, 0x4000, 0x7000, false) != version); /* over all of it */
}

enum { PIDS = 4, SPACE = 512, STEPS = 20000 };

TEST("random maps and forks answer as an array of all addresses does")
{
    static uint32_t wanted[PIDS][SPACE]; /* the offset in the file, plus 1 */
    FREED(procmaps_free) struct procmaps p = {0};
    uint32_t seed = 1;
    for (uint32_t step = 1; step <= STEPS; step++) {
        seed = seed * 1103515245u + 12345u;
        uint32_t pid = seed >> 8 & (PIDS - 1), parent = seed >> 10 & (PIDS - 1);
        uint32_t start = seed >> 12 & (SPACE - 1), len = 1 + (seed >> 21 & 63);
        if (step % 16 == 0) {
            if (pid != parent)
                memcpy(wanted[pid], wanted[parent], sizeof wanted[pid]);
            procmaps_fork(&p, (int32_t)pid, (int32_t)parent, (int32_t)pid, (int32_t)parent, false);
        } else {
            map_file(&p, (int32_t)pid, start, len, step * 1024, "/bin/a");
            for (uint32_t i = start; i < start + len && i < SPACE; i++)
                wanted[pid][i] = step * 1024 + i - start + 1;
        }
        const struct procspace *space = procmaps_space(&p, (int32_t)pid);
        for (uint32_t i = step % 7; i < SPACE; i += 7) {
            const struct map *m = procmaps_find(space, i);
            CHECK((m != NULL ? map_address(m, i) + 1 : 0) == wanted[pid][i]);
        }
    }
    CHECK(p.dsos.count == 1);
}

TEST("many maps and a fork after each take memory for the maps only")
{
    enum { MAPS = 20000 };
    FREED(procmaps_free) struct procmaps p = {0};
    for (uint32_t i = 0; i < MAPS; i++) {
        map_file(&p, 1, (uint64_t)i * 32, 16, 0, "/bin/a");
        procmaps_fork(&p, (int32_t)i + 2, 1, (int32_t)i + 2, 1, false);
    }
    CHECK_TEXT(at(&p, MAPS / 2, (MAPS / 2 - 2) * 32), "/bin/a+0");
    CHECK_TEXT(at(&p, MAPS / 2, (MAPS / 2 - 1) * 32), "");
    CHECK_TEXT(at(&p, 1, (MAPS - 1) * 32), "/bin/a+0");
}

static void
start_process(struct procmaps *p, int32_t pid)
{
    procmaps_fork(p, pid, 1, pid, 1, false);
    procmaps_comm(p, pid, SPAN("short"));
    map_file(p, pid, 0x1000, 0x100, 0, "/bin/short");
}

/* Lets so many processes come and go, from a pid on. */
static void
pass(struct procmaps *p, int32_t first, int32_t n)
{
    for (int32_t pid = first; pid < first + n; pid++) {
        start_process(p, pid);
        procmaps_exit(p, pid, pid);
    }
}

TEST("what is known of a process outlives its exit, but not PROCMAPS_EXITED others")
{
    FREED(procmaps_free) struct procmaps p = {0};
    start_process(&p, 7);
    procmaps_exit(&p, 7, 7);
    CHECK_TEXT(at(&p, 7, 0x1000), "/bin/short+0");
    CHECK_TEXT(procmaps_thread(&p, 7), "short");
    pass(&p, 100, PROCMAPS_EXITED - 1);
    CHECK_TEXT(at(&p, 7, 0x1000), "/bin/short+0");
    pass(&p, 90000, 1);
    CHECK_TEXT(at(&p, 7, 0x1000), "");
    CHECK_TEXT(procmaps_thread(&p, 7), ":7");
}

TEST("a process whose first thread has exited is known as long as another runs")
{
    FREED(procmaps_free) struct procmaps p = {0};
    start_process(&p, 7);
    procmaps_fork(&p, 7, 7, 8, 7, false);
    procmaps_exit(&p, 7, 7);
    pass(&p, 100, PROCMAPS_EXITED);
    CHECK_TEXT(at(&p, 7, 0x1000), "/bin/short+0");
    CHECK_TEXT(procmaps_thread(&p, 8), "short");
    procmaps_exit(&p, 7, 8);
    pass(&p, 100, PROCMAPS_EXITED);
    CHECK_TEXT(at(&p, 7, 0x1000), "");
}

TEST("a pid that is used again belongs to the new process")
{
    FREED(procmaps_free) struct procmaps p = {0};
    pass(&p, 7, 1);
    start_process(&p, 7);
    map_file(&p, 7, 0x1000, 0x100, 0, "/bin/again");
    pass(&p, 100, PROCMAPS_EXITED);
    CHECK_TEXT(at(&p, 7, 0x1000), "/bin/again+0");
    CHECK_TEXT(procmaps_thread(&p, 7), "short");
}

TEST("any number of processes that come and go takes memory for some thousands")
{
    FREED(procmaps_free) struct procmaps p = {0};
    start_process(&p, 1);
    for (int32_t i = 0; i < 30; i++)
        pass(&p, 100 + i * 10000, 10000);
    CHECK(p.ids.count <= 4 * PROCMAPS_EXITED);
    CHECK(p.cap <= 8 * PROCMAPS_EXITED);
    CHECK_TEXT(at(&p, 1, 0x1000), "/bin/short+0");
    CHECK_TEXT(procmaps_thread(&p, 1), "short");
}

static bool
runs_if_even(int32_t id)
{
    return id % 2 == 0;
}

TEST("tasks that do not run any more are forgotten also where their exit was not recorded")
{
    FREED(procmaps_free) struct procmaps p = {.runs = runs_if_even};
    map_file(&p, 2, 0x1000, 0x100, 0, "/bin/a");
    for (int32_t pid = 1001; pid < 401001; pid += 2)
        procmaps_fork(&p, pid, 2, pid, 2, false);
    CHECK(p.ids.count < 4 * PROCMAPS_EXITED);
    CHECK_TEXT(at(&p, 2, 0x1000), "/bin/a+0");
    CHECK_TEXT(at(&p, 400999, 0x1000), "/bin/a+0");
}
