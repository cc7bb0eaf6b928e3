#define _GNU_SOURCE /* pipe2 */
#include "cmd/nodeprofile/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whoever kills the program by its group, terminal or name leaves the guard alive, and whoever waits
 * for the end of the program's output need not wait for the guard. */
static void
detach(int end, const int keep[GUARD_KEEPS])
{
    enum { MOST_OPEN = 256 };
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    setsid();
    prctl(PR_SET_NAME, "inspectorguard");
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < MOST_OPEN; fd++) {
        if (fd == end || fd == keep[0] || fd == keep[1])
            continue;
        if (fd <= STDERR_FILENO)
            dup2(null, fd);
        else
            close(fd);
    }
}

enum guard_started
guard_start(struct guard *g, const int keep[GUARD_KEEPS])
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return GUARD_FAILED;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[1]);
        detach(ends[0], keep);
        char none; /* the program writes nothing: this waits for its end */
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
