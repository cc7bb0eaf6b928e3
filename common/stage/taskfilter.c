#include "common/stage/taskfilter.h"

static bool
keeps(const struct taskfilter *f, uint32_t id)
{
    return intern_find(&f->kept, SPAN_BYTES(id)) != INTERN_NONE;
}

void
taskfilter_keep(struct taskfilter *f, uint32_t id)
{
    intern_add(&f->kept, SPAN_BYTES(id));
    if (f->notice != NULL)
        f->notice(f->ctx, id);
}

/* Keep what a kept task starts. Records come in the order of their times, so a process's start
 * comes before its samples. Records of tasks that ran before the recording have no time; the ids
 * of these tasks are kept already. */
static void
follow(struct taskfilter *f, const struct record *r)
{
    const struct record_task *t = &r->task;
    if (r->type == PERF_RECORD_FORK && !f->threads && t->pid != t->ppid && r->time != 0 &&
        keeps(f, t->ppid))
        taskfilter_keep(f, t->pid);
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
        f->sink.next->record(f->sink.next, r);
}

void
taskfilter_init(struct taskfilter *f, bool threads, struct recordsink *to)
{
    *f = (struct taskfilter){.sink = {take, NULL, NULL, to}, .threads = threads};
}
