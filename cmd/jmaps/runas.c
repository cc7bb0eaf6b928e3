#define _GNU_SOURCE /* pipe2, setgroups, setresuid */
#include "cmd/jmaps/runas.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/base/num.h"

enum { BLOCK = 4096 };
enum { KEYCTL_JOIN_SESSION_KEYRING = 1 }; /* keyctl(2) */

/* Close at exec what the caller of this program has left open: the user's program must not use
 * it. */
static void
close_on_exec(void)
{
    uint64_t fd;
    DIR *list = opendir("/proc/self/fd");
    for (struct dirent *e; list != NULL && (e = readdir(list)) != NULL;)
        if (num_u64(span_cstr(e->d_name), &fd) && fd > STDERR_FILENO)
            fcntl((int)fd, F_SETFD, FD_CLOEXEC);
    if (list != NULL)
        closedir(list);
}

/* Give up all rights but those of the process's user, for good. */
static bool
drop_rights(const struct javaprocess *p)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    if (p->uid == geteuid())
        return true;
    syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL); /* a new one: ours may hold keys */
    return setgroups(0, NULL) == 0 && setresgid(p->gid, p->gid, p->gid) == 0 &&
           setresuid(p->uid, p->uid, p->uid) == 0 && setuid(0) != 0;
}

/* Set standard input to nothing, and the others to `out`. In a session of its own the program has
 * no terminal, into whose input it could write commands. */
static bool
detach(int out)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return setsid() > 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
           dup2(out, STDERR_FILENO) >= 0;
}

/* The process executes the program. */
static _Noreturn void
execute(const struct javaprocess *p, const char *folder, const char *const *argv, int out)
{
    const char *path = getenv("PATH");
    char *copy = path != NULL ? strdup(path) : NULL;
    close_on_exec();
    if (detach(out) && chdir(folder) == 0 && clearenv() == 0 &&
        (copy == NULL || setenv("PATH", copy, 1) == 0) && drop_rights(p))
        execvp(argv[0], (char *const *)argv);
    dprintf(out, "%s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

/* Read what is there, and keep `most` bytes in all. Return false at the end. */
static bool
take_text(int fd, struct text *said, size_t most)
{
    char block[BLOCK];
    ssize_t n = read(fd, block, sizeof block);
    if (n <= 0)
        return n < 0 && (errno == EAGAIN || errno == EINTR);
    size_t left = most - said->len;
    text_add(said, span_of(block, (size_t)n < left ? (size_t)n : left));
    return true;
}

/* Read until the program has ended. Do not wait for the end of the pipe: processes that the program
 * has started may keep it open. Return false if the program takes too long. */
static bool
wait_for(pid_t pid, int fd, struct text *said, int *status)
{
    enum { PAUSE_MS = 20 };
    uint64_t end = clock_now() + (uint64_t)RUNAS_SECONDS * CLOCK_SECOND;
    size_t most = said->len + RUNAS_TEXT;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    while (waitpid(pid, status, WNOHANG) == 0) {
        if (clock_now() > end)
            return false;
        if (poll(&p, 1, PAUSE_MS) > 0 && !take_text(fd, said, most))
            p.fd = -1; /* which poll ignores, so that it only pauses */
    }
    for (int i = 0; i < RUNAS_TEXT / BLOCK && poll(&p, 1, 0) > 0; i++)
        if (!take_text(fd, said, most))
            break;
    return true;
}

bool
runas(const struct javaprocess *p, const char *folder, const char *const *argv, struct text *said)
{
    int ends[2], status = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    /* If our parent has left SIGCHLD ignored, the kernel keeps no exit status to wait for. */
    signal(SIGCHLD, SIG_DFL);
    pid_t pid = fork();
    if (pid == 0)
        execute(p, folder, argv, ends[1]);
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    bool ended = pid > 0 && wait_for(pid, ends[0], said, &status);
    close(ends[0]);
    if (pid > 0 && !ended) {
        kill(-pid, SIGKILL);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        text_add(said, SPAN("\nkilled, since it did not end\n"));
    }
    return ended && status == 0;
}
