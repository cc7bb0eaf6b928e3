/* The payloads of raw_syscalls:sys_enter and sys_exit, as in TRACE_EVENT(sys_enter) and (sys_exit)
 * of include/trace/events/syscalls.h, on 64-bit machines:
 *
 *     u16 type, u8 flags, u8 preempt_count, s32 pid
 *     s64 number
 *     u64 arguments[6] or s64 result
 *
 * A program is taken for a 32-bit one if the sample of sys_enter has 32-bit registers; if samples
 * have no registers, all programs are taken for 64-bit ones. */
#ifndef STAGE_SYSCALLPAYLOAD_H
#define STAGE_SYSCALLPAYLOAD_H

#include "common/base/cursor.h"
#include "common/event/record.h"
#include "common/tracepoint/syscallkinds.h"

struct syscall_enter {
    int64_t number;
    bool compat; /* of a 32-bit program */
    uint64_t arguments[SYSCALL_ARGUMENTS];
};

struct syscall_exit {
    int64_t number; /* SYSCALL_RESTORED for rt_sigreturn, which restores all registers */
    int64_t result;
};

enum { SYSCALL_RESTORED = -1 };

/* Decode a sample of sys_enter. Return false if it is too short. */
static inline bool
syscallpayload_enter(const struct record *r, struct syscall_enter *e)
{
    enum { ABI_32 = 1 }; /* PERF_SAMPLE_REGS_ABI_32 of linux/perf_event.h */
    struct cursor c = cursor_of(r->sample.raw);
    cursor_u64(&c);
    e->number = (int64_t)cursor_u64(&c);
    e->compat = r->sample.regs_user.abi == ABI_32;
    for (size_t i = 0; i < SYSCALL_ARGUMENTS; i++)
        e->arguments[i] = cursor_u64(&c);
    return !c.cut;
}

/* Decode a sample of sys_exit. Return false if it is too short. */
static inline bool
syscallpayload_exit(const struct record *r, struct syscall_exit *e)
{
    struct cursor c = cursor_of(r->sample.raw);
    cursor_u64(&c);
    e->number = (int64_t)cursor_u64(&c);
    e->result = (int64_t)cursor_u64(&c);
    return !c.cut;
}

#endif
