#include "common/stage/unwinding.h"

#include <stdlib.h>

#include "common/event/append.h"

enum {
    COPIED = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
    WORD = sizeof(uint64_t),
};

/* Append the part of the kernel's callchain that is not user code. Return its number of
 * addresses. */
static size_t
add_kernel_part(struct text *chain, const struct record *r)
{
    bool user = (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
    const struct words kernel = r->sample.callchain;
    size_t n = 0;
    for (size_t i = 0; i < kernel.count; i++) {
        uint64_t addr = words_at(kernel, i);
        if (addr == PERF_CONTEXT_USER || addr == PERF_CONTEXT_KERNEL || addr == PERF_CONTEXT_HV)
            user = addr == PERF_CONTEXT_USER;
        if (user)
            continue;
        append_u64(chain, addr);
        n += addr < PERF_CONTEXT_MAX;
    }
    return n;
}

/* The process whose stack was unwound, and the copy of that stack. */
struct copy {
    uint32_t pid;
    struct span stack;
};

/* Read the word of the stack at the address. Return false if it is not in the copy. */
static bool
load_word(const struct copy *copy, const struct walk_result *walked, uint64_t addr, uint64_t *word)
{
    uint64_t at = addr - walked->sp;
    if (at > copy->stack.len || copy->stack.len - at < WORD)
        return false;
    *word = load_u64(copy->stack.ptr + at);
    return true;
}

/* Set *addr to the address of the bytecode that a frame of V8's interpreter runs: see
 * OWN_TRAMPOLINE in ownrecord.h. Return false if the frame's slots are not in the copy, or do not
 * hold a pointer to bytecode and an offset in it. */
static bool
find_bytecode(const struct copy *copy, const struct walk_result *walked, uint64_t fp,
              uint64_t *addr)
{
    enum { ARRAY = 32, OFFSET = 40, TAG = 3, POINTER = 1 };
    uint64_t array, offset;
    if (fp == 0 || !load_word(copy, walked, fp - ARRAY, &array) ||
        !load_word(copy, walked, fp - OFFSET, &offset))
        return false;
    *addr = array + (offset >> 32);
    bool small = array >> 63 == 0 && offset >> 63 == 0; /* else a kernel address, or negative */
    return small && (array & TAG) == POINTER && (uint32_t)offset == 0 && offset != 0;
}

/* Return the address that the callchain gets for an unwound frame. For a caller it is the address
 * of the call, as in stacks that perf unwinds: the return address may be in the next function. */
static uint64_t
chain_address(const struct trampoline *t, const struct copy *copy, const struct walk_result *walked,
              size_t i)
{
    uint64_t bytecode;
    if (walked->exact[i])
        return walked->addrs[i];
    if (t != NULL && trampoline_is(t, walked->addrs[i]) &&
        find_bytecode(copy, walked, walked->fps[i], &bytecode))
        return bytecode;
    return walked->addrs[i] - 1;
}

/* Set u->chain to the whole callchain. Return false if it was cut at max_depth addresses. */
static bool
set_chain(struct unwinding *u, const struct record *r, const struct copy *copy,
          const struct walk_result *walked)
{
    size_t depth = 0, i = 0;
    const struct trampoline *t = NULL;
    u->chain.len = 0;
    if (u->keeps_callchains) {
        text_add(&u->chain, span_of(r->sample.callchain.ptr, r->sample.callchain.count * WORD));
    } else {
        t = trampolines_of(&u->trampolines, copy->pid);
        depth = add_kernel_part(&u->chain, r);
        append_u64(&u->chain, PERF_CONTEXT_USER);
    }
    for (; i < walked->count && (u->max_depth == 0 || depth < u->max_depth); i++, depth++)
        append_u64(&u->chain, chain_address(t, copy, walked, i));
    return i == walked->count;
}

/* Return the bits of `misc` for the way in which the walk ended. */
static uint16_t
misc_of(enum walk_end end)
{
    return end == WALK_ROOT ? 0 : end == WALK_CUT ? RECORD_MISC_CUT : RECORD_MISC_LOST;
}

/* Set u->bytes to the bytes of the sample with the new callchain, without registers and stack. The
 * fields before the callchain and the payload after it stay: registers and stack come last. */
static void
set_bytes(struct unwinding *u, const struct record *r)
{
    const struct words old = r->sample.callchain;
    struct words chain = u->passed.sample.callchain;
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
    append_header(&u->bytes, r->type, u->passed.misc, size);
    text_add(&u->bytes, head);
    append_u64(&u->bytes, chain.count);
    text_add(&u->bytes, span_of(chain.ptr, chain.count * WORD));
    text_add(&u->bytes, span_of(old.ptr + old.count * WORD, payload));
    u->passed.bytes = text_span(&u->bytes);
}

/* Set u->passed to the sample without registers and stack; with the unwound chain, if any. */
static void
complete_sample(struct unwinding *u, const struct record *r)
{
    struct walk_result walked;
    u->passed = *r;
    u->passed.sample.regs_user = (struct record_regs){0};
    u->passed.sample.stack = SPAN("");
    if (u->walker.walk(u->walker.ctx, r, &walked)) {
        const struct copy copy = {r->pid, r->sample.stack};
        bool whole = set_chain(u, r, &copy, &walked);
        u->passed.sample.callchain = (struct words){u->chain.ptr, u->chain.len / WORD};
        u->passed.sample.unwound = u->keeps_callchains ? walked.count : 0;
        u->passed.misc |= RECORD_MISC_UNWOUND | (whole ? misc_of(walked.end) : 0);
    } else if (r->sample.regs_user.abi != 0) { /* 32-bit code, or an unknown machine */
        u->passed.misc |= RECORD_MISC_LOST;
    }
    if (u->makes_bytes)
        set_bytes(u, r);
}

/* Set u->passed to the OWN_STACK record with the unwound chain, without the stack. */
static void
complete_own(struct unwinding *u, const struct record *r, struct ownrecord *own)
{
    struct walk_result walked;
    uint16_t misc = 0;
    if (u->walker.walk(u->walker.ctx, r, &walked)) {
        const struct copy copy = {own->pid, own->stack};
        struct record nothing = {.misc = PERF_RECORD_MISC_USER};
        bool whole = set_chain(u, &nothing, &copy, &walked);
        own->chain = (struct words){u->chain.ptr, u->chain.len / WORD};
        misc = RECORD_MISC_UNWOUND | (whole ? misc_of(walked.end) : 0);
    }
    own->sp = 0;
    own->stack = SPAN("");
    ownrecord_write(own, u->events, r->time, misc, &u->bytes);
    record_decode(u->events, text_span(&u->bytes), &u->passed);
}

void
unwinding_restart(struct unwinding *u)
{
    trampolines_free(&u->trampolines);
}

void
unwinding_see(struct unwinding *u, const struct record *r)
{
    trampolines_see(&u->trampolines, r);
}

const struct record *
unwinding_complete(struct unwinding *u, const struct record *r)
{
    struct ownrecord own;
    unwinding_see(u, r);
    if (r->type == PERF_RECORD_SAMPLE && r->event != NULL &&
        (r->event->sample_type & COPIED) == COPIED)
        complete_sample(u, r);
    else if (ownrecord_read(r, &own) && own.what == OWN_STACK && own.sp != 0)
        complete_own(u, r, &own);
    else
        return r;
    return &u->passed;
}

static void
take(struct recordsink *sink, const struct record *r)
{
    struct unwinding *u = (struct unwinding *)sink; /* its first member */
    u->sink.next->record(u->sink.next, unwinding_complete(u, r));
}

static void
finish(struct recordsink *sink)
{
    struct unwinding *u = (struct unwinding *)sink;
    sink_finish(u->sink.next);
    unwinding_free(u);
}

void
unwinding_init(struct unwinding *u, const struct eventset *events, struct stackwalker walker)
{
    *u = (struct unwinding){.sink = {take, NULL, finish, NULL},
                            .events = events,
                            .walker = walker,
                            .trampolines.processes.size = sizeof(struct trampoline)};
}

struct recordsink *
unwinding_sink(struct unwinding *u, struct recordsink *to)
{
    u->sink.next = to;
    return &u->sink;
}

void
unwinding_describe(const struct eventset *events, struct session *to)
{
    for (size_t i = 0; i < events->count; i++) {
        struct event e = events->events[i];
        size_t n;
        uint64_t *ids = eventset_ids(events, &events->events[i], &n);
        if ((e.sample_type & COPIED) == COPIED) {
            e.sample_type &= ~(uint64_t)COPIED;
            e.regs_user = 0;
            e.stack_user = 0;
        }
        eventset_add(&to->events, &e, &to->names);
        while (n-- > 0)
            eventset_add_id(&to->events, ids[n], &to->events.events[i]);
        free(ids);
    }
}

/* The last fields of the sample are u64 size, the stack, and u64 dyn_size: the bytes in use. */
struct span
unwinding_shorten(void *ctx, struct span bytes)
{
    struct unwinding *u = ctx;
    struct record r;
    if (load_u32(bytes.ptr) != PERF_RECORD_SAMPLE || record_decode(u->events, bytes, &r) != NULL ||
        r.event == NULL || (r.event->sample_type & COPIED) != COPIED || r.sample.stack.len == 0)
        return bytes;
    size_t needs = (u->walker.needs(u->walker.ctx, &r) + WORD - 1) & ~(size_t)(WORD - 1);
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

void
unwinding_free(struct unwinding *u)
{
    trampolines_free(&u->trampolines);
    free(u->chain.ptr);
    free(u->bytes.ptr);
    free(u->shortened.ptr);
}
