#include "common/base/interrupt.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/clock.h"

/* Global, since a signal handler can keep its state nowhere else. */
static uint64_t first[32]; /* indexed by signal number: clock_now() of the first one; 0: none yet */
static volatile sig_atomic_t counted, held;

void
interrupt_count(int signal_number)
{
    counted = 1;
    if (first[signal_number] == 0)
        first[signal_number] = clock_now();
    else if (clock_now() - first[signal_number] >= CLOCK_SECOND) {
        signal(signal_number, SIG_DFL);
        raise(signal_number); /* delivered when the handler returns */
    }
}

void
interrupt_hold(int fd)
{
    struct stat st;
    struct sigaction action;
    if (fstat(fd, &st) != 0 || !(S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) ||
        sigaction(SIGINT, NULL, &action) != 0 || action.sa_handler != SIG_DFL)
        return;
    memset(&action, 0, sizeof action);
    action.sa_handler = interrupt_count;
    action.sa_flags = SA_RESTART;
    held = sigaction(SIGINT, &action, NULL) == 0;
}

void
interrupt_release(void)
{
    if (held && !counted) {
        signal(SIGINT, SIG_DFL);
        held = 0;
    }
}

bool
interrupt_is_held(void)
{
    return held != 0;
}
