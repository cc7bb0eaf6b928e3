#define _GNU_SOURCE /* unshare */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "tests/unit/child.h"
#include "tests/unit/test.h"

#include "common/base/confine.h"
#include "common/base/subprocess.h"
#include "common/base/temporary.h"

/* What a child exits with: all is as it should be; it is not; the kernel cannot confine. */
enum { GOOD, BAD, UNABLE };

struct confined {
    unsigned rights;
    bool (*test)(void);
};

static void
run(void *arg)
{
    struct confined *c = arg;
    _exit(!confine(c->rights) ? UNABLE : c->test() ? GOOD : BAD);
}

/* Whether the test holds in a process that is confined. */
static bool
holds(unsigned rights, bool (*test)(void))
{
    struct child child;
    child_run(&child, run, &(struct confined){rights, test});
    if (child.status == UNABLE)
        printf("# this kernel or processor cannot confine a process\n");
    return child.status == GOOD || child.status == UNABLE;
}

static bool
allocates(void)
{
    char *p = malloc(10000000);
    bool allocated = p != NULL;
    free(p);
    return allocated;
}

static bool
reads_and_writes(void)
{
    char byte = 'x';
    int fd = open("/proc/self/status", O_RDONLY), copy = temporary_open();
    return read(fd, &byte, 1) == 1 && write(copy, &byte, 1) == 1 && pread(copy, &byte, 1, 0) == 1 &&
           write(STDOUT_FILENO, &byte, 1) == 1 && close(fd) == 0 && allocates();
}

TEST("files are read, and temporary ones written")
{
    CHECK(holds(CONFINE_READING, reads_and_writes));
    CHECK(holds(CONFINE_WRITING, reads_and_writes));
}

static bool
runs_a_program(void)
{
    const char *const argv[] = {"cat", NULL};
    int in[2], out[2];
    char text[5];
    if (pipe(in) != 0 || pipe(out) != 0 || write(in[1], "text", 4) != 4)
        return false;
    close(in[1]);
    pid_t pid = subprocess_run(argv, in[0], out[1]);
    return pid != 0 && read(out[0], text, sizeof text) == 4 && subprocess_wait(pid) == 0;
}

TEST("a program such as one that unpacks a file is run")
{
    CHECK(holds(CONFINE_READING, runs_a_program));
}

static bool
is_refused(long result)
{
    return result < 0 && (errno == ENOSYS || errno == EACCES);
}

static bool
changes_no_file(void)
{
    return is_refused(open("/dev/null", O_WRONLY)) && is_refused(open("/dev/null", O_RDWR)) &&
           is_refused(open("confine-made", O_RDONLY | O_CREAT, 0600)) &&
           is_refused(open("/dev/null", O_RDONLY | O_TRUNC)) &&
           is_refused(rename("confine-a", "confine-b")) && is_refused(unlink("confine-a")) &&
           is_refused(link("confine-a", "confine-b")) &&
           is_refused(symlink("confine-a", "confine-b")) && is_refused(chmod("confine-a", 0777));
}

TEST("no file is made, changed or removed")
{
    CHECK(holds(CONFINE_READING, changes_no_file));
}

static bool
reaches_nobody(void)
{
    char byte = '\n';
    return is_refused(socket(AF_INET, SOCK_STREAM, 0)) &&
           is_refused(socket(AF_UNIX, SOCK_STREAM, 0)) &&
           is_refused(ptrace(PTRACE_TRACEME, 0, NULL, NULL)) && is_refused(setuid(0)) &&
           is_refused(unshare(CLONE_NEWUSER)) && is_refused(ioctl(0, TIOCSTI, &byte));
}

TEST("there is no network, no other process's memory, no other user, no input for the terminal")
{
    CHECK(holds(CONFINE_READING, reaches_nobody));
    CHECK(holds(CONFINE_WRITING, reaches_nobody));
}

static bool
binds_a_shell(void)
{
    execl("/bin/sh", "sh", "-c", "if echo > confine-made; then exit 1; else exit 0; fi",
          (char *)NULL);
    return false;
}

TEST("a shell that is started is bound as well")
{
    CHECK(holds(CONFINE_READING, binds_a_shell));
}
