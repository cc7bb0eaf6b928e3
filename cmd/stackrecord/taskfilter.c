#include "cmd/stackrecord/taskfilter.h"

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
    f->running++;
}

/* Records come in the order of their times: a process's start before its samples. Those of tasks
 * that ran before have no time; they are of the ids that are kept already. */
static void
follow(struct taskfilter *f, const struct record *r)
{
    const struct record_task *t = &r->task;
    bool leader = f->threads || t->tid == t->pid;
    if (r->type == RECORD_FORK && !f->threads && t->pid != t->ppid && r->time != 0 &&
        keeps(f, t->ppid))
        keep(f, t->pid);
    if (r->type == RECORD_EXIT && leader && keeps(f, f->threads ? t->tid : t->pid))
        f->ended = f->running <= 1 || --f->running == 0;
}

static void
take(struct recordsink *sink, const struct record *r)
{
    struct taskfilter *f = (struct taskfilter *)sink; /* its first member */
    follow(f, r);
    if (r->type != RECORD_SAMPLE || keeps(f, f->threads ? r->tid : r->pid))
        f->to->record(f->to, r);
}

static void
end_round(struct recordsink *sink)
{
    struct taskfilter *f = (struct taskfilter *)sink;
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

void
taskfilter_free(struct taskfilter *f)
{
    intern_free(&f->kept);
}
