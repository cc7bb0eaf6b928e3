/* The payloads on 64-bit machines are struct syscall_trace_enter and struct syscall_trace_exit of
 * kernel/trace/trace.h. On a 32-bit kernel words have four bytes: there io_uring_enter counts as
 * not waiting, and inner loops are not recognized.
 *
 *     u16 type, u8 flags, u8 preempt_count, s32 pid
 *     s32 nr, 4 bytes
 *     u64 arguments[] or s64 result */
#include "common/stage/boundary.h"

static const struct {
    struct span name;
    enum boundary kind;
} names[] = {
    {SPAN("syscalls:sys_enter_epoll_wait"), BOUNDARY_CALL},
    {SPAN("syscalls:sys_exit_epoll_wait"), BOUNDARY_RETURN},
    {SPAN("syscalls:sys_enter_epoll_pwait"), BOUNDARY_CALL},
    {SPAN("syscalls:sys_exit_epoll_pwait"), BOUNDARY_RETURN},
    {SPAN("syscalls:sys_enter_epoll_pwait2"), BOUNDARY_CALL},
    {SPAN("syscalls:sys_exit_epoll_pwait2"), BOUNDARY_RETURN},
    {SPAN("syscalls:sys_enter_io_uring_enter"), BOUNDARY_RING_CALL},
    {SPAN("syscalls:sys_exit_io_uring_enter"), BOUNDARY_RING_RETURN},
    {SPAN("syscalls:sys_exit_epoll_create1"), BOUNDARY_NEW_LOOP},
};

enum boundary
boundary_of(const struct event *e)
{
    size_t i = 0, count = sizeof names / sizeof *names;
    while (i < count && !span_eq(names[i].name, e->name))
        i++;
    return e->type == PERF_TYPE_TRACEPOINT && i < count ? names[i].kind : BOUNDARY_NONE;
}

/* Read argument n of a call, counted from 0; for a return, n = 0 is the result. */
static bool
read_word(const struct record *r, size_t n, uint64_t *word)
{
    enum { WORDS = 16 };
    size_t at = WORDS + n * sizeof *word;
    if (r->sample.raw.len < at + sizeof *word)
        return false;
    *word = load_u64(r->sample.raw.ptr + at);
    return true;
}

static int32_t
descriptor(const struct record *r)
{
    uint64_t fd;
    return read_word(r, 0, &fd) ? (int32_t)fd : BOUNDARY_NO_LOOP;
}

/* Return true if io_uring_enter(fd, to_submit, min_complete, flags, ...) waits for completions:
 * min_complete is not 0, and flags contain IORING_ENTER_GETEVENTS. */
static bool
ring_waits(const struct record *r)
{
    enum { MIN_COMPLETE = 2, FLAGS = 3, GETEVENTS = 1 };
    uint64_t least, flags;
    return read_word(r, FLAGS, &flags) && (flags & GETEVENTS) != 0 &&
           read_word(r, MIN_COMPLETE, &least) && (uint32_t)least > 0;
}

static enum boundary_change
take_call(struct boundary_calls *c, const struct record *r, bool in_turn)
{
    int32_t fd = descriptor(r);
    c->inner = in_turn && fd != BOUNDARY_NO_LOOP && fd == c->made && fd > c->loop;
    if (c->inner)
        return TURN_STAYS;
    c->loop = fd;
    c->made = BOUNDARY_NO_LOOP;
    return in_turn ? TURN_ENDS : TURN_STAYS;
}

static enum boundary_change
take_return(struct boundary_calls *c)
{
    bool inner = c->inner;
    c->inner = false;
    return inner ? TURN_STAYS : TURN_BEGINS;
}

enum boundary_change
boundary_take(struct boundary_calls *c, enum boundary b, const struct record *r, bool in_turn)
{
    bool waited = c->ring;
    switch (b) {
    case BOUNDARY_CALL:
        c->epoll = true;
        return take_call(c, r, in_turn);
    case BOUNDARY_RETURN:
        c->epoll = true;
        return take_return(c);
    case BOUNDARY_RING_CALL:
        c->ring = !c->epoll && ring_waits(r);
        return c->ring ? take_call(c, r, in_turn) : TURN_STAYS;
    case BOUNDARY_RING_RETURN:
        c->ring = false;
        return waited ? take_return(c) : TURN_STAYS;
    case BOUNDARY_NEW_LOOP:
        c->made = in_turn ? descriptor(r) : BOUNDARY_NO_LOOP;
        return TURN_STAYS;
    case BOUNDARY_NONE:
        break;
    }
    return TURN_STAYS;
}
