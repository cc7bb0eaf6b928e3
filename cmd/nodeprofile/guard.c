#define _GNU_SOURCE /* pipe2 */
#include "cmd/nodeprofile/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/subprocess.h"

enum guard_started
guard_start(struct guard *g, const int keep[GUARD_KEEPS])
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return GUARD_FAILED;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[1]);
        subprocess_detach((const int[]){ends[0], keep[0], keep[1]}, 1 + GUARD_KEEPS);
        prctl(PR_SET_NAME,
              "inspectorguard"); /* so that killing the program by its name leaves it alive */
        char none;               /* nothing is written: this waits for the program's end */
        while (read(ends[0], &none, 1) < 0 && errno == EINTR)
            ;
        close(ends[0]);
        return GUARD_WAKES;
    }
    int error = errno;
    close(ends[0]);
    if (pid > 0) {
        *g = (struct guard){pid, ends[1]};
        return GUARD_WATCHES;
    }
    close(ends[1]);
    errno = error;
    return GUARD_FAILED;
}

void
guard_end(struct guard *g)
{
    if (g->pid == 0)
        return;
    kill(g->pid, SIGKILL);
    while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    close(g->end);
    *g = (struct guard){0};
}
