#include "common/base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

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
    /* A confined program may not open a file for writing (confine.h). A descriptor that is open for
     * reading discards messages as well. */
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_RDONLY, 0);
    signal(SIGCHLD, SIG_DFL); /* if the parent left it ignored, no exit status is kept for wait */
    sigemptyset(&blocked);
    if (interrupt_is_held())
        sigaddset(&blocked, SIGINT);
    sigprocmask(SIG_BLOCK, &blocked, &before); /* the program inherits it */
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

void
subprocess_detach(const int *keep, size_t n)
{
    enum { MOST_OPEN = 256 };
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    setsid();
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < MOST_OPEN; fd++) {
        bool kept = false;
        for (size_t i = 0; i < n; i++)
            kept |= keep[i] == fd;
        if (!kept && fd <= STDERR_FILENO)
            dup2(null, fd);
        else if (!kept)
            close(fd);
    }
    if (chdir("/") != 0)
        return; /* otherwise, a folder stays in use a little longer */
}
