/* Files as a process sees them: here this process, whose root and namespaces are our own. Those of
 * a container are in tests/live/stackrecord-jit.bats. */
#define _GNU_SOURCE /* CLOCK_BOOTTIME */
#include "common/symbolize/procroot.h"

#include <fcntl.h>
#include <time.h>

#include "tests/unit/tempfolder.h"

static int32_t
own_pid(void)
{
    return (int32_t)getpid();
}

/* Opens a file of the folder by its path in our root; closes it again. */
static bool
opens(const char *below)
{
    struct regular_file f;
    const char *problem = procroot_open(&f, own_pid(), tempfolder_path(below));
    CHECK((f.fd < 0) == (problem != NULL));
    regular_close(&f);
    return problem == NULL;
}

TEST("our own process has our root, and the number that we know it by")
{
    CHECK(procroot_is_ours(own_pid()));
    CHECK(procroot_inner_pid(own_pid()) > 0);
}

TEST("a process that is gone has no number")
{
    CHECK(procroot_inner_pid(INT32_MAX) == -1);
    CHECK(procroot_started(INT32_MAX) == 0);
    struct regular_file f;
    CHECK(procroot_open(&f, INT32_MAX, "/etc/passwd") != NULL);
}

TEST("a process began after the system, and before now")
{
    struct timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    uint64_t began = procroot_started(own_pid()) / 1000000000, now = (uint64_t)t.tv_sec;
    CHECK(began <= now + 1 && now < began + 3600);
    CHECK(procroot_started(own_pid()) >= procroot_started(1));
}

TEST("a process's files are found in its root")
{
    tempfolder_make();
    tempfolder_write("folder/file", "text");
    CHECK(opens("folder/file"));
    CHECK(!opens("folder/none"));
    CHECK(!opens("folder"));
    tempfolder_remove();
}

TEST("who may own a process's files: we, root, its user and the root of its user namespace")
{
    struct regular_owners owners;
    procroot_owners(own_pid(), &owners);
    CHECK(owners.count >= 3 && owners.uid[0] == geteuid() && owners.uid[1] == 0);
    CHECK(owners.uid[2] == geteuid());
    procroot_owners(INT32_MAX, &owners);
    CHECK(owners.count == 2 && owners.uid[0] == geteuid() && owners.uid[1] == 0);
}

TEST("a field of /proc/PID/stat is found after a name with blanks and parentheses")
{
    struct span stat = SPAN("42 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 777 20\n");
    CHECK_TEXT(procroot_stat_field(stat, PROCROOT_STATE), "S");
    CHECK_TEXT(procroot_stat_field(stat, PROCROOT_STARTTIME), "777");
    CHECK_TEXT(procroot_stat_field(stat, 40), "");
    CHECK_TEXT(procroot_stat_field(SPAN("42 (node"), PROCROOT_STATE), "");
}
