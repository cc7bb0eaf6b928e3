#include "cmd/stackrecord/capture/callstrings.h"

#include <errno.h>
#include <stdlib.h>

#include "cmd/stackrecord/capture/ownsink.h"
#include "common/base/helper.h"
#include "common/stage/syscallpayload.h"

struct string_place {
    uint32_t pid, tid;
    uint64_t time; /* when the call began */
    uint64_t addr;
};

/* A text is read in two blocks, since the page after its first one need not exist. One byte more
 * than is passed on shows if the text goes on. */
enum { BLOCKS = 2, SIZE = OWNSTRING_MAX + 1, PAGE = 4096, TOGETHER = 100 };

static void
take_enter(struct callstrings *c, const struct record *r)
{
    struct syscall_enter call;
    if (!syscallpayload_enter(r, &call))
        return;
    const struct syscall_kind *k = syscallkinds_of(c->kinds, call.number, call.compat);
    for (size_t i = 0; k->wanted && i < k->count; i++) {
        if (k->arguments[i].style != STYLE_STRING || call.arguments[i] == 0)
            continue;
        if (c->waiting.n < CALLSTRINGS_MOST)
            VEC_ADD(c->waiting, (struct string_place){r->pid, r->tid, r->time, call.arguments[i]});
        else
            c->unread++;
    }
}

static void
take(struct rawsink *sink, struct span bytes)
{
    struct callstrings *c = (struct callstrings *)sink; /* its first member */
    uint32_t type = load_u32(bytes.ptr);
    struct record r;
    if ((type == PERF_RECORD_SAMPLE || type == PERF_RECORD_COMM) &&
        record_decode(c->events, bytes, &r) == NULL) {
        if (type == PERF_RECORD_SAMPLE && r.event != NULL && r.event->number == 0)
            take_enter(c, &r);
        if (type == PERF_RECORD_COMM && (r.misc & PERF_RECORD_MISC_COMM_EXEC) != 0)
            *(uint64_t *)threadtable_add(&c->execs, r.comm.pid) = r.time;
    }
    c->to->record(c->to, bytes);
}

static void
end_round(struct rawsink *sink)
{
    struct callstrings *c = (struct callstrings *)sink;
    c->to->round(c->to);
}

static void
finish(struct rawsink *sink)
{
    struct callstrings *c = (struct callstrings *)sink;
    c->to->finish(c->to);
}

struct rawsink *
callstrings_init(struct callstrings *c, const struct eventset *events,
                 const struct syscallkinds *kinds, struct rawsink *to)
{
    *c = (struct callstrings){.sink = {take, end_round, finish},
                              .to = to,
                              .events = events,
                              .kinds = kinds,
                              .execs.size = sizeof(uint64_t)};
    return &c->sink;
}

/* Pass a text on, if the NUL at its end was read, or as many bytes as are wanted. */
static void
pass(struct callstrings *c, const struct string_place *p, const char *text,
     const struct helper_block *blocks)
{
    const uint64_t *exec = threadtable_find(&c->execs, p->pid);
    size_t read = !blocks[0].ok ? 0 : blocks[1].ok || blocks[1].len == 0 ? SIZE : blocks[0].len;
    const char *end = memchr(text, '\0', read);
    if ((exec != NULL && *exec > p->time) || (end == NULL && read < SIZE))
        return;
    size_t len = end != NULL ? (size_t)(end - text) : OWNSTRING_MAX;
    for (int i = 0; end == NULL && i < 3 && (text[len] & 0xc0) == 0x80; i++)
        len--; /* do not cut a character of UTF-8 */
    const struct ownrecord own = {
        .what = OWN_STRING,
        .pid = p->pid,
        .tid = p->tid,
        .string = {.addr = p->addr, .text = span_of(text, len), .goes_on = end == NULL}};
    ownsink_pass(c->to, c->events, &own, p->time + 1, &c->record);
}

/* Read n texts of a process, at most TOGETHER. Return false if it did not answer in time. */
static bool
read_texts(struct callstrings *c, const struct string_place *places, size_t n)
{
    char texts[TOGETHER][SIZE];
    struct helper_block blocks[BLOCKS * TOGETHER];
    for (size_t i = 0; i < n; i++) {
        uint32_t left = PAGE - places[i].addr % PAGE, first = left < SIZE ? left : SIZE;
        blocks[BLOCKS * i] =
            (struct helper_block){.addr = places[i].addr, .to = texts[i], .len = first};
        blocks[BLOCKS * i + 1] = (struct helper_block){
            .addr = places[i].addr + first, .to = texts[i] + first, .len = SIZE - first};
    }
    bool answered = helper_copy_blocks((int32_t)places[0].pid, blocks, BLOCKS * n);
    int error = errno;
    for (size_t i = 0; answered && i < n; i++)
        pass(c, &places[i], texts[i], &blocks[BLOCKS * i]);
    return answered || error != ETIMEDOUT;
}

bool
callstrings_resolve(struct callstrings *c)
{
    size_t n = 0;
    bool answered = true;
    if (c->busy)
        return false;
    c->busy = true;
    for (size_t i = 0; i < c->waiting.n && answered; i += n) {
        const struct string_place *first = &c->waiting.at[i];
        for (n = 1; n < TOGETHER && i + n < c->waiting.n && first[n].pid == first->pid;)
            n++;
        answered = read_texts(c, first, n);
    }
    c->waiting.n = 0;
    threadtable_free(&c->execs);
    c->busy = false;
    return true;
}

void
callstrings_free(struct callstrings *c)
{
    free(c->waiting.at);
    free(c->record.ptr);
    threadtable_free(&c->execs);
}
