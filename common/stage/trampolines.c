#include "common/stage/trampolines.h"

#include "common/event/ownrecord.h"

static bool
still_runs(void *ctx, const void *element)
{
    const struct trampoline *t = element;
    (void)ctx;
    return !t->ended;
}

/* Forget a process's addresses: the pid now has another process, or the process another program. */
static void
forget(struct trampolines *t, uint32_t pid)
{
    struct trampoline *process = threadtable_find(&t->processes, pid);
    if (process == NULL || process->ended)
        return;
    *process = (struct trampoline){.pid = pid, .ended = true};
    t->processes.ended++;
    threadtable_sweep(&t->processes, still_runs, NULL);
}

/* Return the process's element, for adding addresses. */
static struct trampoline *
begin(struct trampolines *t, uint32_t pid)
{
    struct trampoline *process = threadtable_add(&t->processes, pid);
    t->processes.ended -= process->ended;
    process->ended = false;
    process->pid = pid;
    return process;
}

static void
add(struct trampolines *t, uint32_t pid, uint64_t addr)
{
    struct trampoline *process = begin(t, pid);
    if (!trampoline_is(process, addr))
        process->returns[process->count++ % TRAMPOLINES_MAX] = addr;
}

/* Copy the parent's addresses. A process that ran before the recording is listed by the recorder as
 * if it were forked, and may then have addresses of its own already. */
static void
fork_process(struct trampolines *t, const struct record *r)
{
    uint32_t pid = r->task.pid;
    if (pid == r->task.ppid || (r->misc & PERF_RECORD_MISC_FORK_EXEC) != 0)
        return;
    forget(t, pid);
    const struct trampoline *found = trampolines_of(t, r->task.ppid);
    if (found == NULL)
        return;
    struct trampoline parent = *found, *child = begin(t, pid);
    *child = parent;
    child->pid = pid;
}

void
trampolines_see(struct trampolines *t, const struct record *r)
{
    struct ownrecord own;
    switch (r->type) {
    case PERF_RECORD_FORK:
        fork_process(t, r);
        break;
    case PERF_RECORD_COMM:
        if ((r->misc & PERF_RECORD_MISC_COMM_EXEC) != 0)
            forget(t, r->comm.pid);
        break;
    case PERF_RECORD_EXIT:
        if (r->task.pid == r->task.tid)
            forget(t, r->task.pid);
        break;
    case PERF_RECORD_TEXT_POKE:
        if (ownrecord_read(r, &own) && own.what == OWN_TRAMPOLINE)
            add(t, own.pid, own.trampoline);
        break;
    }
}

const struct trampoline *
trampolines_of(const struct trampolines *t, uint32_t pid)
{
    const struct trampoline *process =
        threadtable_count(&t->processes) > 0 ? threadtable_find(&t->processes, pid) : NULL;
    return process != NULL && process->count > 0 ? process : NULL;
}

bool
trampoline_is(const struct trampoline *t, uint64_t addr)
{
    for (unsigned i = 0; i < t->count && i < TRAMPOLINES_MAX; i++)
        if (t->returns[i] == addr)
            return true;
    return false;
}

void
trampolines_free(struct trampolines *t)
{
    threadtable_free(&t->processes);
}
