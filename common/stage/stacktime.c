#include "common/stage/stacktime.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/event/ownrecord.h"

/* The beginning of a key; the callchain follows. It has no padding, since keys are compared as
 * bytes. */
struct head {
    uint32_t pid, tid;
    uint32_t misc, what;
    uint32_t names;
};

struct stack_place
stacktime_place(struct stacktime *s, const struct record *r)
{
    enum { AT_LEAST = STACKTIME_SECOND / 10 };
    if (s->named && r->time - s->names_since >= AT_LEAST) {
        s->names++;
        s->names_since = r->time;
        s->named = false;
    }
    return (struct stack_place){r->sample.ip, r->sample.callchain, r->cpu, r->misc, r->time,
                                s->names};
}

/* Return the sum of a key; a new one is zero. */
static struct stacktime_sum *
sum_of(struct stacktime *s, struct span key, uint32_t pid)
{
    uint32_t number;
    if (intern_put(&s->keys, key, &number)) {
        s->sums = mem_grow(s->sums, &s->cap, (size_t)number + 1, sizeof *s->sums);
        s->sums[number] = (struct stacktime_sum){0};
        s->bytes += key.len + sizeof *s->sums + sizeof *s->keys.texts;
        intern_add(&s->pids, SPAN_BYTES(pid));
    }
    return &s->sums[number];
}

void
stacktime_add(struct stacktime *s, uint32_t pid, uint32_t tid, const struct stack_place *place,
              uint32_t what, uint64_t time, uint64_t until)
{
    struct head head = {pid, tid, place->misc, what, place->names};
    s->key.len = 0;
    text_add(&s->key, SPAN_BYTES(head));
    text_add(&s->key, span_of(place->chain.ptr, place->chain.count * sizeof(uint64_t)));
    struct stacktime_sum *sum = sum_of(s, text_span(&s->key), pid);
    sum->seen = sum->seen == 0 || place->time < sum->seen ? place->time : sum->seen;
    sum->time = num_add(sum->time, time);
    sum->parts++;
    sum->until = until;
    sum->ip = place->ip;
    sum->cpu = place->cpu;
}

/* Forget all sums. Keep the memory of a few for reuse. */
static void
forget(struct stacktime *s)
{
    enum { FEW = 64 << 10 };
    if (s->bytes > FEW) {
        intern_free(&s->keys);
        intern_free(&s->pids);
    } else {
        intern_empty(&s->keys);
        intern_empty(&s->pids);
    }
    s->bytes = 0;
}

void
stacktime_take(struct stacktime *s, struct stacktime *from)
{
    for (uint32_t i = 0; i < from->keys.count; i++) {
        const struct stacktime_sum *part = &from->sums[i];
        struct span key = intern_text(&from->keys, i);
        uint32_t pid;
        memcpy(&pid, key.ptr, sizeof pid); /* the first member of struct head */
        struct stacktime_sum *sum = sum_of(s, key, pid);
        sum->time = num_add(sum->time, part->time);
        sum->parts += part->parts;
        sum->until = part->until > sum->until ? part->until : sum->until;
        sum->seen = sum->seen == 0 || part->seen < sum->seen ? part->seen : sum->seen;
        sum->ip = part->ip;
        sum->cpu = part->cpu;
    }
    forget(from);
}

static struct span
decode_key(const struct stacktime *s, uint32_t number, struct head *head)
{
    struct span key = intern_text(&s->keys, number);
    memcpy(head, key.ptr, sizeof *head);
    return span_from(key, sizeof *head);
}

uint64_t
stacktime_of(const struct stacktime *s, uint32_t number, uint32_t *tid, uint32_t *what)
{
    struct head head;
    decode_key(s, number, &head);
    *tid = head.tid;
    *what = head.what;
    return s->sums[number].parts;
}

void
stacktime_move(struct stacktime *s, uint32_t number, uint32_t what, uint64_t time)
{
    const struct stacktime_sum from = s->sums[number];
    uint64_t moved = time < from.time ? time : from.time;
    struct head head;
    struct span chain = decode_key(s, number, &head);
    struct text kept = {0}; /* the keys may move */
    text_add(&kept, chain);
    struct stack_place place = {from.ip,   {kept.ptr, kept.len / sizeof(uint64_t)},
                                from.cpu,  (uint16_t)head.misc,
                                from.seen, head.names};
    if (moved > 0)
        stacktime_add(s, head.pid, head.tid, &place, what, moved, from.until);
    s->sums[number].time -= moved;
    s->sums[number].parts = 0;
    free(kept.ptr);
}

bool
stacktime_see(struct stacktime *s, const struct record *r)
{
    struct ownrecord own;
    uint32_t pid;
    switch (r->type) {
    case PERF_RECORD_TEXT_POKE:
        s->named |= ownrecord_read(r, &own) && own.what == OWN_CODE;
        return false;
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
        pid = r->mmap.pid;
        break;
    case PERF_RECORD_COMM:
        pid = r->comm.pid;
        break;
    case PERF_RECORD_EXIT:
        pid = r->task.pid;
        break;
    default:
        return false;
    }
    return s->keys.count > 0 && intern_find(&s->pids, SPAN_BYTES(pid)) != INTERN_NONE;
}

void
stacktime_add_event(struct session *to, struct event like, struct span name)
{
    like.name = name;
    like.type = PERF_TYPE_SOFTWARE;
    like.config = PERF_COUNT_SW_DUMMY;
    like.raw_is_text = true;
    eventset_add(&to->events, &like, &to->names);
}

static void
pass(struct stacktime *s, uint32_t number, const struct event *e, struct recordsink *to)
{
    const struct stacktime_sum *sum = &s->sums[number];
    struct head head;
    struct span chain = decode_key(s, number, &head);
    uint64_t period = sum->time / STACKTIME_MICROSECOND +
                      (sum->time % STACKTIME_MICROSECOND >= STACKTIME_MICROSECOND / 2);
    struct record r = {
        .type = PERF_RECORD_SAMPLE,
        .misc = (uint16_t)head.misc,
        .event = e,
        .bytes = SPAN(""),
        .has = e->sample_type,
        .time = sum->until,
        .pid = head.pid,
        .tid = head.tid,
        .cpu = sum->cpu,
        .sample =
            {
                .ip = sum->ip,
                .seen = sum->seen,
                .period = period > 0 ? period : 1,
                .callchain = {chain.ptr, chain.len / sizeof(uint64_t)},
            },
    };
    s->key.len = 0;
    s->describe(head.what, &s->key, &r);
    to->record(to, &r);
}

struct place_in_time {
    uint64_t until;
    uint32_t number; /* of the key */
};

static int
earlier_first(const void *a, const void *b)
{
    const struct place_in_time *x = a, *y = b;
    if (x->until != y->until)
        return (x->until > y->until) - (x->until < y->until);
    return (x->number > y->number) - (x->number < y->number);
}

void
stacktime_pass(struct stacktime *s, const struct event *e, struct recordsink *to)
{
    size_t n = s->keys.count;
    if (n == 0)
        return;
    struct place_in_time *places = mem_alloc(n * sizeof *places);
    for (uint32_t i = 0; i < n; i++)
        places[i] = (struct place_in_time){s->sums[i].until, i};
    qsort(places, n, sizeof *places, earlier_first);
    for (size_t i = 0; i < n; i++)
        if (s->sums[places[i].number].time > 0) /* not all of it was moved */
            pass(s, places[i].number, e, to);
    free(places);
    intern_free(&s->keys);
    intern_free(&s->pids);
    s->bytes = 0;
}

void
stacktime_pass_at(struct stacktime *s, const struct event *e, uint64_t time, struct recordsink *to)
{
    for (uint32_t i = 0; i < s->keys.count; i++)
        s->sums[i].until = time;
    stacktime_pass(s, e, to);
}

void
stacktime_free(struct stacktime *s)
{
    intern_free(&s->keys);
    intern_free(&s->pids);
    free(s->sums);
    free(s->key.ptr);
    *s = (struct stacktime){0};
}
