#include "cmd/stackrecord/output/unwinding.h"

#include <stdlib.h>

#include "common/event/append.h"

enum {
    COPIED = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
    WORD = sizeof(uint64_t),
};

/* Append what the kernel's callchain has of the kernel, which is all up to the user part. Return how
 * many addresses that is. */
static size_t
add_kernel_part(struct text *chain, struct words kernel)
{
    size_t n = 0;
    for (size_t i = 0; i < kernel.count && words_at(kernel, i) != PERF_CONTEXT_USER; i++) {
        append_u64(chain, words_at(kernel, i));
        n += words_at(kernel, i) < PERF_CONTEXT_MAX;
    }
    return n;
}

/* Set u->chain to the whole callchain. A caller's address is that of its call, as perf has it of
 * stacks that it unwinds: the return address may be that of the next function. Return false if it
 * is cut after max_depth addresses. */
static bool
set_chain(struct unwinding *u, struct words kernel, const struct walk_result *walked)
{
    u->chain.len = 0;
    size_t depth = add_kernel_part(&u->chain, kernel), i = 0;
    append_u64(&u->chain, PERF_CONTEXT_USER);
    for (; i < walked->count && (u->max_depth == 0 || depth < u->max_depth); i++, depth++)
        append_u64(&u->chain, walked->addrs[i] - !walked->exact[i]);
    return i == walked->count;
}

/* Set u->bytes to those of the sample with the callchain, and without what was copied. The fields
 * before the callchain and the payload after it stay: the registers and the stack are the last. */
static void
set_bytes(struct unwinding *u, const struct record *r, uint16_t misc, struct words chain)
{
    const struct words old = r->sample.callchain;
    size_t before = (size_t)(old.ptr - r->bytes.ptr) - WORD; /* the number of entries precedes */
    bool has_payload = (r->event->sample_type & PERF_SAMPLE_RAW) != 0;
    size_t payload = has_payload ? sizeof(uint32_t) + r->sample.raw.len : 0;
    struct span head = span_head(span_from(r->bytes, RECORD_HEADER), before - RECORD_HEADER);
    size_t size = head.len + WORD + chain.count * WORD + payload;
    if (size > RECORD_MAX - RECORD_HEADER) {
        chain.count -= (size - (RECORD_MAX - RECORD_HEADER)) / WORD + 1;
        size = head.len + WORD + chain.count * WORD + payload;
    }
    u->bytes.len = 0;
    append_header(&u->bytes, r->type, misc, size);
    text_add(&u->bytes, head);
    append_u64(&u->bytes, chain.count);
    text_add(&u->bytes, span_of(chain.ptr, chain.count * WORD));
    text_add(&u->bytes, span_of(old.ptr + old.count * WORD, payload));
}

/* Pass a sample on without its copies; with the chain that was unwound, if any was. */
static void
pass_sample(struct unwinding *u, const struct record *r)
{
    struct walk_result walked;
    struct record passed = *r;
    passed.event = &u->session.events.events[r->event->number];
    passed.has = passed.event->sample_type;
    passed.sample.regs_user = (struct record_regs){0};
    passed.sample.stack = SPAN("");
    if (unwinder_walk(&u->unwinder, r, &walked)) {
        bool whole = set_chain(u, r->sample.callchain, &walked);
        passed.sample.callchain = (struct words){u->chain.ptr, u->chain.len / WORD};
        if (whole && walked.end != WALK_ROOT)
            passed.misc |= walked.end == WALK_CUT ? RECORD_MISC_CUT : RECORD_MISC_LOST;
    }
    set_bytes(u, r, passed.misc, passed.sample.callchain);
    passed.bytes = text_span(&u->bytes);
    u->to->record(u->to, &passed);
}

static void
take(struct recordsink *sink, const struct record *r)
{
    struct unwinding *u = (struct unwinding *)sink; /* its first member */
    if (r->type == PERF_RECORD_SAMPLE && r->event != NULL &&
        (r->event->sample_type & COPIED) == COPIED) {
        pass_sample(u, r);
        return;
    }
    if (u->held != NULL && r->type != PERF_RECORD_SAMPLE) {
        heldfiles_see(u->held, r);
        recordsource_take(u->source, r);
    }
    u->to->record(u->to, r);
}

static void
end_round(struct recordsink *sink)
{
    struct unwinding *u = (struct unwinding *)sink;
    u->to->round(u->to);
}

static void
finish(struct recordsink *sink)
{
    struct unwinding *u = (struct unwinding *)sink;
    u->to->finish(u->to);
    unwinder_free(&u->unwinder);
    free(u->chain.ptr);
    free(u->bytes.ptr);
    free(u->shortened.ptr);
}

/* Give the events to the next sink, with their ids, as they are without copies. */
static void
add_events(struct session *to, const struct eventset *from)
{
    for (size_t i = 0; i < from->count; i++) {
        struct event e = from->events[i];
        size_t n;
        uint64_t *ids = eventset_ids(from, &from->events[i], &n);
        e.sample_type &= ~(uint64_t)COPIED;
        e.regs_user = 0;
        e.stack_user = 0;
        eventset_add(&to->events, &e, &to->names);
        while (n-- > 0)
            eventset_add_id(&to->events, ids[n], &to->events.events[i]);
        free(ids);
    }
}

void
unwinding_init(struct unwinding *u, const struct session *session, struct recordsource *source,
               struct heldfiles *held)
{
    *u = (struct unwinding){.sink = {take, end_round, finish},
                            .session.tracing = session->tracing,
                            .events = &session->events,
                            .source = source,
                            .held = held,
                            .unwinder.symbolizer = &source->symbolizer};
    add_events(&u->session, &session->events);
    unwinder_begin(&u->unwinder, SPAN(""));
}

struct recordsink *
unwinding_sink(struct unwinding *u, struct recordsink *to)
{
    u->to = to;
    return &u->sink;
}

/* The sample's last fields are u64 size, the stack, and u64 how many bytes of that were in use. */
struct span
unwinding_shorten(void *ctx, struct span bytes)
{
    struct unwinding *u = ctx;
    struct record r;
    if (load_u32(bytes.ptr) != PERF_RECORD_SAMPLE || record_decode(u->events, bytes, &r) != NULL ||
        r.event == NULL || (r.event->sample_type & COPIED) != COPIED || r.sample.stack.len == 0)
        return bytes;
    size_t needs = (unwinder_needs(&u->unwinder, &r) + WORD - 1) & ~(size_t)(WORD - 1);
    size_t at = (size_t)(r.sample.stack.ptr - bytes.ptr) - WORD;
    if (needs >= r.sample.stack.len)
        return bytes;
    u->shortened.len = 0;
    append_header(&u->shortened, r.type, r.misc, at + WORD + needs + WORD - RECORD_HEADER);
    text_add(&u->shortened, span_of(bytes.ptr + RECORD_HEADER, at - RECORD_HEADER));
    append_u64(&u->shortened, needs);
    text_add(&u->shortened, span_of(r.sample.stack.ptr, needs));
    append_u64(&u->shortened, needs);
    return text_span(&u->shortened);
}
