/* Files as a process sees them: here this process, whose root and namespaces are our own. Those of
 * a container are in tests/stackrecord-jit.bats. */
#define _GNU_SOURCE /* CLOCK_BOOTTIME */
#include "common/symbolize/procroot.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>

#include "common/symbolize/findmap.h"
#include "tests/unit/tempfolder.h"

static int32_t
own_pid(void)
{
    return (int32_t)getpid();
}

/* Opens a file of the folder by its path in our root; closes it again. 0, or errno. */
static int
open_error(const char *below)
{
    int fd = procroot_open(own_pid(), span_cstr(tempfolder_path(below)));
    if (fd < 0)
        return errno;
    close(fd);
    return 0;
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
    CHECK(procroot_open(INT32_MAX, SPAN("/etc/passwd")) == -1);
}

TEST("a process began after the system, and before now")
{
    struct timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    uint64_t began = procroot_started(own_pid()) / 1000000000, now = (uint64_t)t.tv_sec;
    CHECK(began <= now + 1 && now < began + 3600);
    CHECK(procroot_started(own_pid()) >= procroot_started(1));
}

TEST("only regular files are opened, and no symbolic link is followed on the way")
{
    tempfolder_make();
    tempfolder_write("folder/file", "text");
    CHECK(symlink("file", tempfolder_path("folder/link")) == 0);
    CHECK(symlink("folder", tempfolder_path("folders")) == 0);
    CHECK(mkfifo(tempfolder_path("fifo"), 0600) == 0);
    CHECK(open_error("folder/file") == 0);
    CHECK(open_error("folder/none") == ENOENT);
    CHECK(open_error("folder/link") != 0);
    CHECK(open_error("folders/file") != 0);
    CHECK(open_error("folder/../folder/file") != 0);
    CHECK(open_error("folder") != 0);
    CHECK(open_error("fifo") != 0);
    unlink(tempfolder_path("fifo"));
    unlink(tempfolder_path("folders"));
    unlink(tempfolder_path("folder/link"));
    tempfolder_remove();
}

/* True if our perf map is found when its file was last written at that time; -1: now. */
static bool
is_map_found(const char *path, time_t written)
{
    const struct timespec times[2] = {{written, 0}, {written, 0}};
    CHECK(written < 0 || utimensat(AT_FDCWD, path, times, 0) == 0);
    int fd = findmap_open(own_pid(), 0);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

TEST("a perf map is that of the process, unless it was written before the process began")
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)own_pid());
    unlink(path);
    CHECK(!is_map_found(path, -1));
    FILE *f = fopen(path, "w");
    CHECK(f != NULL && fputs("1000 100 one\n", f) >= 0 && fclose(f) == 0);
    CHECK(is_map_found(path, -1));
    CHECK(!is_map_found(path, time(NULL) - 3600));
    CHECK(unlink(path) == 0);
}
