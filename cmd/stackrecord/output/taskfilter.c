#include "cmd/stackrecord/output/taskfilter.h"

#include <stdlib.h>

#include "cmd/stackrecord/capture/procfs.h"
#include "common/symbolize/procroot.h"

static struct span
key_of(const uint32_t *id)
{
    return span_of((const char *)id, sizeof *id);
}

static bool
keeps(const struct taskfilter *f, uint32_t id)
{
    return intern_find(&f->kept, key_of(&id)) != INTERN_NONE;
}

static void
keep(struct taskfilter *f, uint32_t id)
{
    intern_add(&f->kept, key_of(&id));
    numbers_add(&f->running, (int32_t)id);
}

/* Return true if the process has a thread that has not ended. Its state is that of the first one. */
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

/* Ask the kernel, since records of ends may be lost. None may run in two rounds: the record of a
 * process that the last one started comes in the second at the latest. */
static void
drop_ended(struct taskfilter *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->running.count; i++)
        if (runs(f->running.at[i]))
            f->running.at[n++] = f->running.at[i];
    f->ended = f->running.count == 0;
    f->running.count = n;
}

/* Records come in the order of their times: a process's start before its samples. Those of tasks
 * that ran before have no time; they are of the ids that are kept already. */
static void
follow(struct taskfilter *f, const struct record *r)
{
    const struct record_task *t = &r->task;
    if (r->type == PERF_RECORD_FORK && !f->threads && t->pid != t->ppid && r->time != 0 &&
        keeps(f, t->ppid))
        keep(f, t->pid);
}

static bool
is_filtered(const struct record *r)
{
    return r->type == PERF_RECORD_SAMPLE || r->type == PERF_RECORD_SWITCH ||
           r->type == PERF_RECORD_SWITCH_CPU_WIDE;
}

static void
take(struct recordsink *sink, const struct record *r)
{
    struct taskfilter *f = (struct taskfilter *)sink; /* its first member */
    follow(f, r);
    if (!is_filtered(r) || keeps(f, f->threads ? r->tid : r->pid))
        f->to->record(f->to, r);
}

static void
end_round(struct recordsink *sink)
{
    struct taskfilter *f = (struct taskfilter *)sink;
    drop_ended(f);
    f->to->round(f->to);
}

static void
finish(struct recordsink *sink)
{
    struct taskfilter *f = (struct taskfilter *)sink;
    f->to->finish(f->to);
}

void
taskfilter_init(struct taskfilter *f, const struct numbers *ids, bool threads,
                struct recordsink *to)
{
    *f = (struct taskfilter){.sink = {take, end_round, finish}, .threads = threads, .to = to};
    for (size_t i = 0; i < ids->count; i++)
        keep(f, (uint32_t)ids->at[i]);
}
