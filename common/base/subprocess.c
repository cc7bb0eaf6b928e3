#include "common/base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/base/interrupt.h"

extern char **environ;

pid_t
subprocess_run(const char *const *argv, int in, int out)
{
    pid_t pid;
    sigset_t blocked, before;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    int error = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    /* A confined program may not open a file to write to it (confine.h); messages to one that is
     * open for reading are dropped as well. */
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_RDONLY, 0);
    signal(SIGCHLD, SIG_DFL); /* ignored, as a parent may leave it, no status is kept to wait for */
    sigemptyset(&blocked);
    if (interrupt_is_held())
        sigaddset(&blocked, SIGINT);
    sigprocmask(SIG_BLOCK, &blocked, &before); /* which the program inherits */
    if (error == 0)
        error = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    sigprocmask(SIG_SETMASK, &before, NULL);
    posix_spawn_file_actions_destroy(&actions);
    errno = error;
    return error == 0 ? pid : 0;
}

int
subprocess_wait(pid_t pid)
{
    int status;
    pid_t ended;
    do
        ended = waitpid(pid, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        return 255;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Wait until something can be read. End the output if the time is over; also if processes that the
 * program has started hold the other end of the socket. */
static void
wait_for_output(void *subprocess, int fd)
{
    struct subprocess *p = subprocess;
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    int got;
    do {
        uint64_t at = clock_now(), left = p->deadline > at ? (p->deadline - at) / 1000000 : 0;
        got = poll(&ready, 1, left < INT_MAX ? (int)left : INT_MAX);
    } while (got < 0 && errno == EINTR);
    p->late |= got == 0 || clock_now() >= p->deadline;
    if (p->late)
        shutdown(fd, SHUT_RDWR);
}

/* Use a socket, and not two pipes, so that writing to a program that died is an error and no
 * SIGPIPE. Our end is closed in every program that is started, or none of them would see its input
 * end. */
bool
subprocess_start(struct subprocess *p, const char *const *argv, unsigned seconds)
{
    int ends[2];
    p->late = false;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    p->pid = subprocess_run(argv, ends[1], ends[1]);
    close(ends[1]);
    if (p->pid == 0) {
        close(ends[0]);
        return false;
    }
    lines_start(&p->lines, ends[0]);
    p->lines.before_read = wait_for_output;
    p->lines.ctx = p;
    subprocess_limit(p, seconds);
    return true;
}

void
subprocess_limit(struct subprocess *p, unsigned seconds)
{
    p->deadline = clock_now() + (uint64_t)seconds * CLOCK_SECOND;
}

bool
subprocess_write(struct subprocess *p, struct span text)
{
    while (text.len > 0) {
        ssize_t n = send(p->lines.fd, text.ptr, text.len, MSG_NOSIGNAL);
        if (n >= 0)
            text = span_from(text, (size_t)n);
        else if (errno != EINTR)
            return false;
    }
    return true;
}

bool
subprocess_end(struct subprocess *p)
{
    enum { SECONDS = 10 };
    struct span line;
    shutdown(p->lines.fd, SHUT_WR);
    subprocess_limit(p, p->late ? 0 : SECONDS);
    while (lines_next(&p->lines, &line)) /* until it exits */
        continue;
    if (p->late)
        kill(p->pid, SIGKILL);
    close(p->lines.fd);
    int status = subprocess_wait(p->pid);
    p->pid = 0;
    return status == 0;
}

void
subprocess_kill(struct subprocess *p)
{
    p->late = true;
    shutdown(p->lines.fd, SHUT_RDWR);
    subprocess_end(p);
}

void
subprocess_free(struct subprocess *p)
{
    lines_free(&p->lines);
}
