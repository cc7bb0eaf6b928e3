#include "common/machine/running.h"

#include <stdlib.h>

#include "common/machine/procfs.h"
#include "common/symbolize/procroot.h"

void
running_add(void *running, uint32_t id)
{
    struct running *r = running;
    numbers_add(&r->ids, (int32_t)id);
}

/* Return true if the process has a thread that has not ended. The state of a process is that of its
 * first thread. */
static bool
runs(int32_t pid)
{
    struct text stat = {0};
    bool found = procfs_read_of(&stat, pid, "stat");
    struct span state = procroot_stat_field(text_span(&stat), PROCROOT_STATE);
    bool ended = !found || span_eq(state, SPAN("Z")) || span_eq(state, SPAN("X"));
    free(stat.ptr);
    return !ended || procfs_status(pid, SPAN("Threads")) > 1;
}

void
running_check(struct running *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->ids.count; i++)
        if (runs(r->ids.at[i]))
            r->ids.at[n++] = r->ids.at[i];
    r->ended = r->ids.count == 0;
    r->ids.count = n;
}
