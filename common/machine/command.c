#define _GNU_SOURCE /* pipe2: Linux, and POSIX.1-2024 */
#include "common/machine/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The command's process: wait for a byte, then execute the command. If the socket is closed without
 * one, this program has ended. */
static _Noreturn void
run(const struct command *c, char **argv)
{
    char byte;
    ssize_t got;
    while ((got = read(c->start, &byte, 1)) < 0 && errno == EINTR)
        continue;
    if (got == 0)
        _exit(1);
    if (got == 1) {
        /* If the Yama module lets only a process's ancestors read its memory, allow our helper to
         * do so as well. This survives the exec. Without Yama, it fails. */
        prctl(PR_SET_PTRACER, (unsigned long)getppid(), 0, 0, 0);
        execvp(argv[0], argv);
    }
    int error = errno;
    while (write(c->error, &error, sizeof error) < 0 && errno == EINTR)
        continue;
    _exit(error == ENOENT ? 127 : 126); /* like a shell */
}

bool
command_prepare(struct command *c, char **argv, bool to_stderr)
{
    int start[2], error[2];
    /* Use no pipe: writing to a process that has died must fail with an error, not with SIGPIPE. */
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, start) != 0)
        return false;
    if (pipe2(error, O_CLOEXEC) != 0) {
        close(start[0]);
        close(start[1]);
        return false;
    }
    pid_t pid = fork();
    if (pid == 0) {
        close(start[1]);
        close(error[0]);
        if (to_stderr && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
            close(STDOUT_FILENO);
        run(&(struct command){.start = start[0], .error = error[1]}, argv);
    }
    close(start[0]);
    close(error[1]);
    *c = (struct command){.pid = pid > 0 ? pid : 0, .start = start[1], .error = error[0]};
    return pid > 0;
}

/* Return true if the process runs a file that its user may not read, or has more rights than its
 * user: see ptrace(2), "Ptrace access mode checking". */
static bool
is_protected(pid_t pid)
{
    char path[32], byte;
    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    return readlink(path, &byte, sizeof byte) < 0 && errno == EACCES;
}

int
command_start(struct command *c)
{
    ssize_t got;
    while ((got = send(c->start, "", 1, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        continue;
    int reason, error = got < 0 ? errno : 0;
    close(c->start);
    while ((got = read(c->error, &reason, sizeof reason)) < 0 && errno == EINTR)
        continue;
    if (got != 0)
        error = got < 0 ? errno : reason;
    close(c->error);
    if (error != 0)
        command_has_ended(c, true);
    else
        c->is_protected = is_protected(c->pid);
    return error;
}

bool
command_has_ended(struct command *c, bool wait)
{
    int status;
    if (c->pid == 0 || c->ended)
        return c->ended;
    pid_t got;
    while ((got = waitpid(c->pid, &status, wait ? 0 : WNOHANG)) < 0 && errno == EINTR)
        continue;
    if (got == c->pid) {
        c->ended = true;
        c->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    return c->ended;
}
