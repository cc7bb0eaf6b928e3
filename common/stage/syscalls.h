/* --syscalls: the system calls of threads. A sink of records that joins the samples of the
 * tracepoints raw_syscalls:sys_enter and raw_syscalls:sys_exit, thread by thread, and passes on a
 * sample of an event of its own, "syscall", when a call returns. Its period is the call's duration
 * in nanoseconds, its callchain is that of the sample of sys_exit with the call as a leaf,
 * "[syscall: read]", and its payload is text:
 *
 *     read(fd: 3, buf: 0x7ffd7ad1c010, count: 4096) = 512
 *     openat(dfd: AT_FDCWD, filename: 0x4c1010, flags: 0x80000, mode: 0) = -ENOENT
 *     read() = -ENOSYS                  without the formats
 *
 * The names of arguments are those of the formats of syscalls:sys_enter_*, in the session's tracing
 * data: these tracepoints need not be recorded. Without a format, and of 32-bit programs, the six
 * words that a call may take are printed in hexadecimal. Whether a program has 32 bits is known by
 * the registers of sys_enter's sample, if there are any. All records but samples pass. */
#ifndef STAGE_SYSCALLS_H
#define STAGE_SYSCALLS_H

#include "common/base/text.h"
#include "common/stage/sink.h"
#include "common/stage/threadtable.h"
#include "common/tracepoint/tracing.h"

struct syscalls {
    struct recordsink sink;
    struct session session; /* its event is "syscall": for who takes the records */
    bool refused;           /* there are no samples of both tracepoints */

    /* Calls that were left out: */
    uint64_t unknown; /* their beginning was not recorded, or records may have been lost in them */
    uint64_t unended; /* their thread or the recording ended in them */

    /* private from here */
    uint32_t enter, exit;       /* numbers of the events */
    uint64_t losses;            /* records that say that others were lost */
    struct syscall_kind *kinds; /* by number; then those of 32-bit programs */
    struct tracing tracing;
    struct arena names;
    struct threadtable threads; /* of struct syscall_thread */
    struct text text;
};

/* Set up the sink to pass the calls in `session` to `next`: those in `wanted`, names with commas
 * between them, or all if it is empty. Borrow all. Return NULL, or what is wrong with the formats;
 * the sink can be used nevertheless. */
const char *syscalls_init(struct syscalls *s, const struct session *session,
                          struct recordsink *next, struct span wanted);

/* Return true if the record is a sample that is taken. */
bool syscalls_takes(const struct syscalls *s, const struct record *r);

void syscalls_free(struct syscalls *s);

#endif
