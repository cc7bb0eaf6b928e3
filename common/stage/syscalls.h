/* --syscalls: the system calls of threads. A sink of records that joins the samples of the
 * tracepoints raw_syscalls:sys_enter and raw_syscalls:sys_exit, thread by thread, and passes on a
 * sample of an event of its own, "syscall", when a call returns. Its period is the call's duration
 * in nanoseconds, its callchain is that of the sample of sys_exit with the call as a leaf,
 * "[syscall: read]", and its payload is text:
 *
 *     read(fd: 3</etc/passwd>, buf: 0x7ffd7ad1c010, count: 4096) = 512
 *     openat(dfd: AT_FDCWD, filename: 0x4c1010, flags: 0x80000, mode: 0) = -ENOENT
 *     read() = -ENOSYS                  without the formats
 *
 * The names of arguments are those of syscallkinds.h. For a call without a format, and for all
 * calls of 32-bit programs, the six words that a call may take are printed in hexadecimal. What
 * a descriptor stands for comes from OWN_DESCRIPTOR records (ownrecord.h), and is forgotten when a
 * call closes or replaces the descriptor. If an OWN_STRING record has the text at an address, the
 * text is printed in its place, in double quotes: a backslash precedes each quote and backslash in
 * it, and "…" follows the closing quote if the text goes on. All records but samples are passed on
 * unchanged. */
#ifndef STAGE_SYSCALLS_H
#define STAGE_SYSCALLS_H

#include "common/base/text.h"
#include "common/stage/fdpaths.h"
#include "common/stage/sink.h"
#include "common/stage/threadtable.h"
#include "common/tracepoint/syscallkinds.h"

struct syscalls {
    struct recordsink sink;
    struct session session; /* its event is "syscall": for the consumer of the records */
    bool refused;           /* one tracepoint, or both, have no samples */

    /* Calls that were left out: */
    uint64_t unknown; /* their beginning was not recorded, or records may have been lost in them */
    uint64_t unended; /* their thread or the recording ended in them */

    /* private from here */
    uint32_t enter, exit; /* numbers of the events */
    uint64_t losses;      /* records that say that others were lost */
    struct syscallkinds kinds;
    struct threadtable threads; /* of struct syscall_thread */
    struct fdpaths paths;
    struct intern strings; /* as they are printed */
    uint32_t emptied;      /* how often `strings` was emptied */
    struct text text;
};

/* Set up the sink for the records of `session`, to pass on to `next`. `wanted`: names of the calls
 * to pass on, with commas between them; empty: all calls. Borrow all. Return NULL, or what is wrong
 * with the formats; the sink works even then. */
const char *syscalls_init(struct syscalls *s, const struct session *session,
                          struct recordsink *next, struct span wanted);

/* Return true if the record is a sample of one of the two tracepoints. */
bool syscalls_takes(const struct syscalls *s, const struct record *r);

void syscalls_free(struct syscalls *s);

#endif
