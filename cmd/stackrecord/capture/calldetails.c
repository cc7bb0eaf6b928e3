#include "cmd/stackrecord/capture/calldetails.h"

#include <errno.h>

#include "cmd/stackrecord/capture/ownsink.h"
#include "common/base/clock.h"
#include "common/base/helper.h"
#include "common/stage/syscallpayload.h"

enum {
    PROCESS = -1,         /* the descriptor of a process as a whole */
    KEYS_MAX = 1 << 14,   /* if there are more, all are forgotten */
    WAITING_MAX = 1 << 10 /* others are read when they are used again */
};

/* Times are those of records. */
struct descriptor {
    uint32_t pid;
    int32_t fd;
    uint64_t changed;     /* when a call last closed or replaced it */
    uint64_t first, last; /* times of the first and last use whose path was not read yet */
    bool waits;
    uint64_t since; /* the path that was last read is valid from this time on; 0: none was read */
    uint64_t read;  /* when it was read */
};

struct key {
    uint32_t pid;
    int32_t fd;
};

static uint64_t
later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Return the number of a descriptor, which is added if it is new. */
static uint32_t
number_of(struct calldetails *d, uint32_t pid, int32_t fd)
{
    const struct key key = {pid, fd};
    uint32_t number;
    if (d->of.n >= KEYS_MAX) {
        intern_empty(&d->keys);
        d->of.n = d->waiting.n = 0;
    }
    if (intern_put(&d->keys, SPAN_BYTES(key), &number))
        VEC_ADD(d->of, (struct descriptor){.pid = pid, .fd = fd});
    return number;
}

/* Return when the descriptor was last changed, as far as is known. */
static uint64_t
change_of(const struct calldetails *d, const struct descriptor *f)
{
    const struct key key = {f->pid, PROCESS};
    uint32_t process = intern_find(&d->keys, SPAN_BYTES(key));
    uint64_t of_all = process != INTERN_NONE ? d->of.at[process].changed : 0;
    return later(later(f->changed, of_all), d->lost);
}

/* Note that a call has used a descriptor. */
static void
use(struct calldetails *d, uint32_t pid, int32_t fd, uint64_t time)
{
    if (fd < 0)
        return;
    uint32_t number = number_of(d, pid, fd);
    struct descriptor *f = &d->of.at[number];
    uint64_t change = change_of(d, f);
    bool known = f->since > change && time < f->read + CLOCK_SECOND;
    if (known || time <= change)
        return;
    if (f->waits) {
        f->first = time < f->first ? time : f->first;
        f->last = later(f->last, time);
    } else if (d->waiting.n < WAITING_MAX) {
        f->waits = true;
        f->first = f->last = time;
        VEC_ADD(d->waiting, number);
    }
}

static void
pass(struct calldetails *d, const struct descriptor *f, struct span path)
{
    const struct ownrecord own = {
        .what = OWN_DESCRIPTOR, .pid = f->pid, .descriptor = f->fd, .path = path};
    ownsink_pass(d->to, d->events, &own, f->since, &d->record);
}

/* Note that a call has closed or replaced a descriptor, or all of a process (PROCESS). Withdraw its
 * path if it was read later. The calls since then still wait to be sorted (capture.h). */
static void
change(struct calldetails *d, uint32_t pid, int32_t fd, uint64_t time)
{
    uint32_t number = number_of(d, pid, fd);
    struct descriptor *f = &d->of.at[number];
    if (f->since > 0 && f->since < time && time <= f->read)
        pass(d, f, SPAN(""));
    f->changed = later(f->changed, time);
}

/* Records */

static void
take_enter(struct calldetails *d, const struct record *r)
{
    struct syscall_enter call;
    if (!syscallpayload_enter(r, &call))
        return;
    const struct syscall_kind *k = syscallkinds_of(d->kinds, call.number, call.compat);
    if (k->effect == EFFECT_CLOSES)
        change(d, r->pid, (int32_t)(uint32_t)call.arguments[0], r->time);
    else if (k->effect == EFFECT_CLOSES_MANY)
        change(d, r->pid, PROCESS, r->time);
    else
        for (size_t i = 0; k->wanted && i < k->count; i++)
            if (k->arguments[i].style == STYLE_FD)
                use(d, r->pid, (int32_t)(uint32_t)call.arguments[i], r->time);
}

static void
take_exit(struct calldetails *d, const struct record *r)
{
    struct syscall_exit e;
    if (!syscallpayload_exit(r, &e))
        return;
    enum syscall_effect effect = syscallkinds_of(d->kinds, e.number, false)->effect;
    if (effect == EFFECT_CLOSES_MANY)
        change(d, r->pid, PROCESS, r->time);
    if (effect != EFFECT_OPENS || e.result < 0)
        return;
    change(d, r->pid, (int32_t)e.result, r->time);
    use(d, r->pid, (int32_t)e.result, r->time + 1);
}

static void
see(struct calldetails *d, const struct record *r)
{
    switch (r->type) {
    case PERF_RECORD_SAMPLE:
        if (r->event != NULL && r->event->number == 0)
            take_enter(d, r);
        else if (r->event != NULL)
            take_exit(d, r);
        break;
    case PERF_RECORD_COMM:
        if ((r->misc & PERF_RECORD_MISC_COMM_EXEC) != 0)
            change(d, r->comm.pid, PROCESS, r->time);
        break;
    case PERF_RECORD_FORK:
        if (r->task.pid != r->task.ppid)
            change(d, r->task.pid, PROCESS, r->time);
        break;
    case PERF_RECORD_LOST:
        d->lost = later(d->lost, r->time);
        break;
    }
}

static bool
is_wanted(uint32_t type)
{
    return type == PERF_RECORD_SAMPLE || type == PERF_RECORD_COMM || type == PERF_RECORD_FORK ||
           type == PERF_RECORD_LOST;
}

static void
take(struct rawsink *sink, struct span bytes)
{
    struct calldetails *d = (struct calldetails *)sink; /* its first member */
    struct record r;
    bool busy = d->busy;
    d->busy = true;
    if (is_wanted(load_u32(bytes.ptr)) && record_decode(d->events, bytes, &r) == NULL)
        see(d, &r);
    d->to->record(d->to, bytes);
    d->busy = busy;
}

static void
end_round(struct rawsink *sink)
{
    struct calldetails *d = (struct calldetails *)sink;
    d->to->round(d->to);
}

static void
finish(struct rawsink *sink)
{
    struct calldetails *d = (struct calldetails *)sink;
    d->to->finish(d->to);
}

struct rawsink *
calldetails_init(struct calldetails *d, const struct eventset *events,
                 const struct syscallkinds *kinds, struct rawsink *to)
{
    *d = (struct calldetails){
        .sink = {take, end_round, finish}, .to = to, .events = events, .kinds = kinds};
    return &d->sink;
}

/* Read the path of a descriptor, unless the descriptor was closed or replaced after its last use.
 * Return false if the process did not answer in time. */
static bool
read_descriptor(struct calldetails *d, uint32_t number)
{
    char path[OWNPATH_MAX];
    struct descriptor *f = &d->of.at[number];
    uint64_t change = change_of(d, f);
    f->waits = false;
    if (f->last <= change)
        return true;
    ssize_t n = helper_descriptor((int32_t)f->pid, f->fd, path, sizeof path);
    f->since = later(f->first, change + 1);
    f->read = clock_now();
    if (n > 0)
        pass(d, f, span_of(path, (size_t)n));
    return n >= 0 || errno != ETIMEDOUT;
}

bool
calldetails_resolve(struct calldetails *d)
{
    size_t done = 0;
    if (d->busy)
        return false;
    d->busy = true;
    for (bool answered = true; done < d->waiting.n && done < CALLDETAILS_MOST && answered; done++)
        answered = read_descriptor(d, d->waiting.at[done]);
    d->waiting.n -= done;
    if (done > 0)
        memmove(d->waiting.at, d->waiting.at + done, d->waiting.n * sizeof *d->waiting.at);
    d->busy = false;
    return true;
}

void
calldetails_free(struct calldetails *d)
{
    free(d->record.ptr);
    intern_free(&d->keys);
    free(d->of.at);
    free(d->waiting.at);
}
