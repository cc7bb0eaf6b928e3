#define _GNU_SOURCE /* pipe2; process_vm_readv */
#include "cmd/stackrecord/laststack.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/stackrecord/attach.h"
#include "cmd/stackrecord/procfs.h"
#include "common/base/clock.h"
#include "common/base/num.h"
#include "common/event/append.h"
#include "common/unwind/arch.h"

enum { ABI_64 = 2 };

/* Where the thread is in user mode. */
struct position {
    uint64_t ip, sp;
};

/* Read the last two numbers of the line, which has more before them where the thread is in a system
 * call, or the word "running":
 *
 *     202 0x7f1f2c000b90 0x89 0x0 0x0 0x0 0xffffffff 0x7f1f31f2ec90 0x7f1f326a8117
 */
static bool
read_position(const struct laststack *t, struct text *buffer, struct position *p)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%u/task/%u/syscall", t->pid, t->tid);
    if (!procfs_read(buffer, path))
        return false;
    struct span line = text_span(buffer), ip = SPAN(""), sp;
    do {
        sp = ip;
        ip = span_take_word(&line);
    } while (span_trim(line).len > 0);
    return num_hex(sp, &p->sp) && num_hex(ip, &p->ip) && p->sp != 0;
}

/* Append what can be copied of the stack, from the stack pointer on. */
static size_t
append_stack(const struct laststack *t, uint64_t sp, struct text *record)
{
    record->ptr = mem_grow(record->ptr, &record->cap, record->len + ATTACH_STACK, 1);
    struct iovec to = {record->ptr + record->len, ATTACH_STACK};
    struct iovec from = {(void *)(uintptr_t)sp, ATTACH_STACK};
    ssize_t n = process_vm_readv((pid_t)t->pid, &to, 1, &from, 1, 0);
    n = n > 0 ? n & ~(ssize_t)7 : 0;
    record->len += (size_t)n;
    return (size_t)n;
}

/* Append the registers in the order of the event's mask; none of a 32-bit program, whose stack is
 * below 4 GB. */
static void
append_registers(const struct event *e, const struct position *p, struct text *record)
{
    const struct arch *arch = arch_of_host();
    bool is_known = arch != NULL && p->sp > UINT32_MAX;
    append_u64(record, is_known ? ABI_64 : 0);
    for (unsigned i = 0; is_known && i < 64; i++)
        if ((e->regs_user >> i & 1) != 0)
            append_u64(record, i == arch->perf[arch->ip]   ? p->ip
                               : i == arch->perf[arch->sp] ? p->sp
                                                           : 0);
}

/* Append the fields that stackrecord's events have, in their order (perf_event_open(2)). Return false if
 * the stack cannot be copied. */
static bool
append_fields(const struct laststacks *l, const struct laststack *t, const struct position *p,
              struct text *record)
{
    const uint64_t type = l->event->sample_type;
    size_t n;
    uint64_t *ids = eventset_ids(l->events, l->event, &n);
    append_u64(record, n > 0 ? ids[0] : 0);
    free(ids);
    append_u64(record, p->ip);
    append_u32(record, t->pid);
    append_u32(record, t->tid);
    append_u64(record, l->time);
    append_u64(record, 0); /* the CPU */
    append_u64(record, 1); /* the period */
    if ((type & PERF_SAMPLE_CALLCHAIN) != 0) {
        append_u64(record, 2);
        append_u64(record, PERF_CONTEXT_USER);
        append_u64(record, p->ip);
    }
    if ((type & PERF_SAMPLE_REGS_USER) != 0)
        append_registers(l->event, p, record);
    if ((type & PERF_SAMPLE_STACK_USER) != 0) {
        size_t at = record->len;
        append_u64(record, 0);
        size_t copied = append_stack(t, p->sp, record);
        store_u64(record->ptr + at, copied);
        append_u64(record, copied);
        return copied > 0;
    }
    return true;
}

/* Set *record to a sample of the thread; without one, to an empty record of no type. */
static void
make_record(const struct laststacks *l, const struct laststack *t, struct text *buffer,
            struct text *record)
{
    struct position before, after;
    record->len = 0;
    append_header(record, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER | RECORD_MISC_FROM_PROC, 0);
    /* It must not have run while the stack was copied. */
    bool found = read_position(t, buffer, &before) && append_fields(l, t, &before, record) &&
                 read_position(t, buffer, &after) && after.ip == before.ip && after.sp == before.sp;
    if (found) {
        store_u16(record->ptr + 6, (uint16_t)record->len);
    } else {
        record->len = 0;
        append_header(record, 0, 0, 0);
    }
}

/* Close all descriptors but `to`, which becomes standard input: the readers of stackrecord's output see
 * its end even if this process cannot be ended. */
static void
keep_only(int to)
{
    enum { CLOSE_RANGE = 436 }; /* SYS_close_range: since Linux 5.9 */
    if (to != STDIN_FILENO)
        dup2(to, STDIN_FILENO);
    if (syscall(CLOSE_RANGE, (unsigned)STDOUT_FILENO, ~0U, 0U) != 0) {
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
    }
}

/* Be the process that reads: write a record for each of the threads, and end with stackrecord. */
static _Noreturn void
write_records(const struct laststacks *l, size_t from, int to, pid_t parent)
{
    struct text buffer = {0}, record = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    keep_only(to);
    for (size_t i = from; i < l->count && getppid() == parent; i++) {
        make_record(l, &l->threads[i], &buffer, &record);
        for (size_t done = 0; done < record.len;) {
            ssize_t n = write(STDIN_FILENO, record.ptr + done, record.len - done);
            if (n < 0)
                _exit(1);
            done += (size_t)n;
        }
    }
    _exit(0);
}

/* Read `len` bytes. Return false at the end of the pipe, and after the deadline, which is in nanoseconds
 * of CLOCK_MONOTONIC. */
static bool
read_bytes(int from, char *to, size_t len, uint64_t deadline)
{
    struct pollfd ready = {.fd = from, .events = POLLIN};
    while (len > 0) {
        uint64_t now = clock_now();
        if (now >= deadline)
            return false;
        int found = poll(&ready, 1, (int)((deadline - now) / 1000000) + 1);
        ssize_t n = found > 0 ? read(from, to, len) : 0;
        if (n < 0 || (found > 0 && n == 0))
            return false;
        to += n;
        len -= (size_t)n;
    }
    return true;
}

/* Pass what the process writes to the sink, until the next record takes too long. Return for how many
 * threads it has written. */
static size_t
pass_records(int from, uint64_t deadline, struct rawsink *sink)
{
    enum { EACH = 100000000 /* nanoseconds */ };
    char *record = mem_alloc(RECORD_MAX + 1);
    size_t n = 0;
    for (;; n++) {
        uint64_t until = clock_now() + EACH < deadline ? clock_now() + EACH : deadline;
        if (!read_bytes(from, record, RECORD_HEADER, until))
            break;
        size_t len = load_u16(record + 6);
        if (!read_bytes(from, record + RECORD_HEADER, len - RECORD_HEADER, until))
            break;
        if (load_u32(record) == PERF_RECORD_SAMPLE)
            sink->record(sink, span_of(record, len));
    }
    free(record);
    return n;
}

/* Read the threads from that one on in a process of its own. Return for how many that has succeeded. */
static size_t
read_from(const struct laststacks *l, size_t from, uint64_t deadline, struct rawsink *sink)
{
    int ends[2];
    size_t n = 0;
    pid_t parent = getpid();
    if (from == l->count || pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    pid_t reader = fork();
    if (reader == 0)
        write_records(l, from, ends[1], parent);
    close(ends[1]);
    if (reader > 0)
        n = pass_records(ends[0], deadline, sink);
    close(ends[0]);
    if (reader > 0 && kill(reader, SIGKILL) == 0)
        waitpid(reader, NULL, WNOHANG); /* it may end later than we do */
    return n;
}

void
laststacks_add(void *ctx, uint32_t pid, uint32_t tid)
{
    struct laststacks *l = ctx;
    l->threads = mem_grow(l->threads, &l->cap, l->count + 1, sizeof *l->threads);
    l->threads[l->count++] = (struct laststack){pid, tid};
}

size_t
laststacks_read(struct laststacks *l, struct rawsink *sink)
{
    enum { HALF_SECOND = 500000000 };
    const uint64_t deadline = clock_now() + HALF_SECOND;
    size_t missing = 0;
    for (size_t next = 0; (next += read_from(l, next, deadline, sink)) < l->count;) {
        size_t skipped = clock_now() < deadline ? 1 : l->count - next;
        missing += skipped;
        next += skipped;
    }
    free(l->threads);
    return missing;
}
