#include "common/base/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/clock.h"

void
progress_start(struct progress *p, const char *program, int fd)
{
    struct stat st;
    *p = (struct progress){.program = program};
    if (isatty(STDERR_FILENO) && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
        p->total = (uint64_t)st.st_size;
    if (p->total > 0)
        p->shown = clock_now();
}

/* Return true at most once a second. */
static bool
is_due(struct progress *p)
{
    uint64_t now = clock_now();
    bool due = now - p->shown >= CLOCK_SECOND;
    p->shown = due ? now : p->shown;
    return due;
}

void
progress_add(struct progress *p, uint64_t bytes)
{
    p->done += bytes;
    if (p->total == 0 || !is_due(p))
        return;
    double percent = 100.0 * (double)p->done / (double)p->total;
    /* Move the cursor back, so that the next message overwrites the line; ESC [K clears the rest of
     * it. */
    fprintf(stderr, "%s: %.0f%% of %.0f MB\033[K\r", p->program, percent < 100 ? percent : 100,
            (double)p->total / 1e6);
}

void
progress_end(struct progress *p)
{
    if (p->total > 0)
        fputs("\033[K", stderr);
    p->total = 0;
}
