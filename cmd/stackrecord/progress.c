#include "cmd/stackrecord/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

void
progress_line_init(struct progress_line *p)
{
    *p = (struct progress_line){.wanted = isatty(STDERR_FILENO) != 0};
}

void
progress_line_show(struct progress_line *p, const struct progress_facts *now)
{
    uint64_t elapsed = now->nanoseconds - p->shown.nanoseconds;
    if (!p->wanted || elapsed < SECOND)
        return;
    double rate = (double)(now->samples - p->shown.samples) * SECOND / (double)elapsed;
    /* The cursor goes back, so that a message is written over it; ESC [K wipes the rest of the
     * line. */
    fprintf(stderr,
            "stackrecord: %" PRIu64 " s, %.0f samples/s, %" PRIu64 " lost, %" PRIu64
            " process%s, ring %u%%\033[K\r",
            now->nanoseconds / SECOND, rate, now->lost, now->processes,
            now->processes == 1 ? "" : "es", now->fill);
    p->shown = *now;
}

void
progress_line_end(struct progress_line *p)
{
    if (p->shown.nanoseconds > 0)
        fputs("\033[K", stderr);
    p->shown.nanoseconds = 0;
}
