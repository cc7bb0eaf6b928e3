/* What is forgotten of processes, so that their maps and names take no endless memory. */
#include "tests/unit/space.h"

TEST("names that a thread had take no memory for ever")
{
    FREED(procmaps_free) struct procmaps p = {0};
    char name[16];
    for (int i = 0; i < 100000; i++) {
        snprintf(name, sizeof name, "name%d", i);
        procmaps_comm(&p, 7, span_cstr(name));
    }
    CHECK(p.comms.count <= 2048);
    CHECK_TEXT(procmaps_thread(&p, 7), "name99999");
}

static uint32_t dsos_called;

static void
note_renumbering(void *ctx, const uint32_t *numbers, size_t count)
{
    CHECK(ctx == &dsos_called && count > 0 && numbers[0] < count);
    dsos_called++;
}

TEST("names of files that no process has mapped any more take no memory, and others move")
{
    FREED(procmaps_free)
    struct procmaps p = {.limit = 1 << 20, .renumbered = note_renumbering, .ctx = &dsos_called};
    char name[32];
    map_file(&p, 6, 0x1000, 0x100, 0, "/bin/stays");
    for (int i = 0; i < 100000; i++) {
        snprintf(name, sizeof name, "/tmp/file%d", i);
        map_file(&p, 7, 0x1000, 0x100, 0, name);
    }
    CHECK(dsos_called > 0 && dsos_called < 100 && intern_size(&p.dsos) <= p.limit);
    CHECK_TEXT(at(&p, 7, 0x1000), "/tmp/file99999+0");
    CHECK_TEXT(at(&p, 6, 0x1000), "/bin/stays+0");
    CHECK(p.forgotten == 0);
}

TEST("where maps take more than the limit, those of the process that added the most are forgotten")
{
    FREED(procmaps_free) struct procmaps p = {.limit = 1 << 20};
    char name[600];
    for (int32_t pid = 100; pid < 150; pid++) {
        map_file(&p, pid, 0x1000, 0x100, 0, "/bin/a");
        map_file(&p, pid, 0x2000, 0x100, 0, "/bin/b");
    }
    for (int i = 0; i < 100000; i++)
        map_file(&p, 7, (uint64_t)i * 4096, 4096, 0, "/tmp/x");
    memset(name, 'x', sizeof name);
    for (int i = 0; i < 10000; i++) {
        snprintf(name + sizeof name - 12, 12, "%d", i);
        map_file(&p, 8, (uint64_t)i * 4096, 4096, 0, name);
    }
    CHECK(mapnodes_size(&p.nodes) <= p.limit && intern_size(&p.dsos) <= p.limit);
    CHECK(p.forgotten > 2 && p.forgotten_pid == 7);
    for (int32_t pid = 100; pid < 150; pid++) {
        CHECK_TEXT(at(&p, pid, 0x1000), "/bin/a+0");
        CHECK_TEXT(at(&p, pid, 0x2000), "/bin/b+0");
    }
}
