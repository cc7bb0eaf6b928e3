#include "cmd/stackrecord/capture/laststack.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/stackrecord/capture/attach.h"
#include "common/base/helper.h"
#include "common/base/num.h"
#include "common/event/ownrecord.h"
#include "common/machine/procfs.h"
#include "common/unwind/arch.h"

/* The position of a thread in user mode. */
struct position {
    uint64_t ip, sp;
};

/* Read the position from the last two numbers of the line. A thread in a system call has more
 * numbers before them; for a running thread the line is "running":
 *
 *     202 0x7f1f2c000b90 0x89 0x0 0x0 0x0 0xffffffff 0x7f1f31f2ec90 0x7f1f326a8117
 * */
static bool
read_position(struct laststack *l, uint32_t pid, uint32_t tid, struct position *p)
{
    char file[64];
    snprintf(file, sizeof file, "task/%u/syscall", tid);
    if (!procfs_ask(&l->file, (int32_t)pid, file))
        return false;
    struct span line = text_span(&l->file), ip = SPAN(""), sp;
    do {
        sp = ip;
        ip = span_take_word(&line);
    } while (span_trim(line).len > 0);
    return num_hex(sp, &p->sp) && num_hex(ip, &p->ip) && p->sp != 0;
}

/* Copy as much of the stack as can be read, from the stack pointer on. */
static bool
copy_stack(struct laststack *l, uint32_t pid, uint64_t sp)
{
    l->stack.ptr = mem_grow(l->stack.ptr, &l->stack.cap, ATTACH_STACK, 1);
    ssize_t n = helper_copy((int32_t)pid, sp, l->stack.ptr, ATTACH_STACK);
    l->stack.len = n > 0 ? (size_t)n & ~(size_t)7 : 0;
    return l->stack.len > 0;
}

/* Return true if the stack can be unwound. That of a 32-bit program, below 4 GB, cannot. */
static bool
is_unwound(const struct event *e, const struct position *p)
{
    return (e->sample_type & PERF_SAMPLE_STACK_USER) != 0 && arch_of_host() != NULL &&
           p->sp > UINT32_MAX;
}

bool
laststack_read(struct laststack *l, uint32_t pid, uint32_t tid, struct text *record)
{
    const struct event *e = &l->events->events[0];
    struct position before, after;
    if (!read_position(l, pid, tid, &before))
        return false;
    bool unwound = is_unwound(e, &before);
    l->stack.len = 0;
    /* Reject the copy if the thread has run meanwhile. */
    if ((unwound && !copy_stack(l, pid, before.sp)) || !read_position(l, pid, tid, &after) ||
        after.ip != before.ip || after.sp != before.sp)
        return false;
    const uint64_t chain[] = {PERF_CONTEXT_USER, before.ip};
    bool has_chain = (e->sample_type & PERF_SAMPLE_CALLCHAIN) != 0;
    const struct ownrecord own = {.what = OWN_STACK,
                                  .pid = pid,
                                  .tid = tid,
                                  .ip = before.ip,
                                  .sp = unwound ? before.sp : 0,
                                  .chain = {(const char *)chain, has_chain ? 2 : 0},
                                  .stack = text_span(&l->stack)};
    ownrecord_write(&own, l->events, l->time, 0, record);
    return true;
}

void
laststack_free(struct laststack *l)
{
    free(l->file.ptr);
    free(l->stack.ptr);
}
