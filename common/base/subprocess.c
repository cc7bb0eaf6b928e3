#include "common/base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts it with `end` as its standard input and output. Returns its id; 0 if it cannot be run. */
static pid_t
spawn(const char *const *argv, int end)
{
    pid_t pid;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int status = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return status == 0 ? pid : 0;
}

/* A socket, and not two pipes, so that writing to a program that died is an error and no SIGPIPE.
 * Our end is closed in every program that is started, or none of them would see its input end. */
bool
subprocess_start(struct subprocess *p, const char *const *argv)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    p->pid = spawn(argv, ends[1]);
    close(ends[1]);
    if (p->pid == 0)
        close(ends[0]);
    else
        lines_start(&p->lines, ends[0]);
    return p->pid != 0;
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
    int status = 0;
    pid_t ended;
    close(p->lines.fd);
    do
        ended = waitpid(p->pid, &status, 0);
    while (ended < 0 && errno == EINTR);
    p->pid = 0;
    return ended > 0 && status == 0;
}

void
subprocess_free(struct subprocess *p)
{
    lines_free(&p->lines);
}
