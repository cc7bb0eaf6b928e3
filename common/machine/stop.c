#define _GNU_SOURCE /* pipe2: Linux, and POSIX.1-2024 */
#include "common/machine/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "common/base/interrupt.h"
#include "common/machine/procfs.h"

/* Global, since a signal handler has no other way to pass on information. */
static volatile sig_atomic_t stopped, sent, asked;
static int wake = -1;

static void
handle(int signal_number, siginfo_t *info, void *context)
{
    int error = errno;
    (void)context;
    if (signal_number == SIGUSR1) {
        asked = 1;
    } else if (signal_number != SIGCHLD) {
        sent = info->si_code <= 0; /* sent by a process (SI_USER and the like), not by the kernel */
        stopped = signal_number;
        interrupt_count(signal_number);
    }
    ssize_t got = write(wake, "", 1);
    (void)got; /* if the pipe is full, we wake up anyway */
    errno = error;
}

static void
wait_for(int signal_number)
{
    struct sigaction new;
    memset(&new, 0, sizeof new);
    new.sa_sigaction = handle;
    new.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(signal_number, &new, NULL);
}

static bool
is_ignored(int signal_number)
{
    struct sigaction now;
    return sigaction(signal_number, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
           now.sa_handler == SIG_IGN;
}

int
stop_open(void)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return -1;
    wake = ends[1];
    wait_for(SIGCHLD);
    wait_for(SIGINT);
    wait_for(SIGTERM);
    if (!is_ignored(SIGHUP))
        wait_for(SIGHUP);
    return ends[0];
}

bool
stop_with_parent(pid_t pid)
{
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0)
        return false;
    pid_t above = getppid();
    while (above > 0 && above != pid)
        above = procfs_status(above, SPAN("PPid"));
    return above == pid;
}

int
stop_signal(void)
{
    return stopped;
}

bool
stop_was_sent(void)
{
    return sent != 0;
}

void
stop_await_request(void)
{
    wait_for(SIGUSR1);
}

bool
stop_take_request(void)
{
    bool was = asked != 0;
    asked = 0;
    return was;
}

void
stop_drain(int fd)
{
    char bytes[64];
    while (read(fd, bytes, sizeof bytes) > 0)
        continue;
}
