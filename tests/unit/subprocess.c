/* Programs that run beside this one. */
#include "common/base/subprocess.h"

#include <errno.h>
#include <unistd.h>

#include "tests/unit/test.h"

static int
status_of(const char *command)
{
    const char *const argv[] = {"sh", "-c", command, NULL};
    pid_t pid = subprocess_run(argv, STDIN_FILENO, STDERR_FILENO);
    return pid > 0 ? subprocess_wait(pid) : -1;
}

TEST("a program's exit status is returned, or 128 and the signal that ended it")
{
    CHECK(status_of("exit 0") == 0);
    CHECK(status_of("exit 7") == 7);
    CHECK(status_of("kill -9 $$") == 128 + 9);
}

TEST("a program's output goes where it is told")
{
    static const char *const argv[] = {"echo", "one", NULL};
    char text[8] = "";
    int ends[2];
    CHECK(pipe(ends) == 0);
    pid_t pid = subprocess_run(argv, STDIN_FILENO, ends[1]);
    CHECK(pid > 0 && subprocess_wait(pid) == 0);
    CHECK(read(ends[0], text, sizeof text) == 4 && memcmp(text, "one\n", 4) == 0);
    close(ends[0]);
    close(ends[1]);
}

TEST("a program that is not there cannot be started")
{
    static const char *const argv[] = {"/nonexistent/program", NULL};
    CHECK(subprocess_run(argv, STDIN_FILENO, STDERR_FILENO) == 0 && errno == ENOENT);
}
