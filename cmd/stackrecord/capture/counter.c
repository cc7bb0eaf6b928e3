#define _GNU_SOURCE /* syscall(2) */
#include "cmd/stackrecord/capture/counter.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/base/mem.h"

/* PERF_EVENT_IOC_* of linux/perf_event.h. */
#define IOC_ENABLE     _IO('$', 0)
#define IOC_DISABLE    _IO('$', 1)
#define IOC_SET_OUTPUT _IO('$', 5)
#define IOC_SET_FILTER _IOW('$', 6, char *)
#define IOC_ID         _IOR('$', 7, uint64_t *)
enum { NO_RING = -1 };

/* Sizes of second ring buffers, as fractions of the first ones. For a command they have at least 64
 * KiB, which hold the mappings that 20 programs make at their start; if too little memory may be
 * locked for that, there are no second ring buffers. */
enum { SYSTEM_PART = 4, COMMAND_PART = 16, COMMAND_LEAST = 64 << 10 };

void
counters_init(struct counters *c, const struct session *session, const struct numbers *cpus)
{
    *c = (struct counters){
        .session = session, .cpus = cpus, .nrings = cpus->count, .sampled = cpus->count};
    c->rings = calloc(2 * cpus->count, sizeof *c->rings);
    if (c->rings == NULL)
        mem_exhausted();
}

bool
counters_leave_room(struct counters *c)
{
    /* Descriptors that are needed besides the counters: a pipe and an epoll instance; and a folder
     * and a file of /proc, or an ELF file and its debug file. */
    enum { BESIDE = 5 };
    int fds[BESIDE], n = 0;
    while (n < BESIDE && ((fds[n] = dup(c->list[0].fd)) >= 0 || perfopen_raise_limit()))
        n += fds[n] >= 0;
    bool all = n == BESIDE;
    while (n > 0)
        close(fds[--n]);
    return all;
}

static int
ring_owner(const struct counters *c, uint32_t ring)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->list[i].ring == ring)
            return c->list[i].fd;
    return NO_RING;
}

/* Attach the CPU's ring buffer to a counter. */
static bool
attach(struct counters *c, uint32_t ring, int fd)
{
    const uint64_t part = c->of_command ? COMMAND_PART : SYSTEM_PART;
    int owner = ring_owner(c, ring);
    uint64_t size = c->ring_size;
    if (ring >= c->sampled && size / part >= (uint64_t)sysconf(_SC_PAGESIZE))
        size /= part;
    return owner != NO_RING ? ioctl(fd, IOC_SET_OUTPUT, owner) == 0
                            : ring_map(&c->rings[ring], fd, size);
}

/* Open one counter. */
static struct refusal
open_one(struct counters *c, const struct event *e, int32_t task, uint32_t ring, unsigned flags)
{
    int32_t cpu = c->cpus->at[ring < c->sampled ? ring : ring - c->sampled];
    int fd = perfopen(e, task, cpu, flags);
    if (fd < 0 && errno == EMFILE && perfopen_raise_limit())
        fd = perfopen(e, task, cpu, flags);
    if (fd < 0)
        return (struct refusal){REFUSED_COUNTER, errno, e, task};
    const char *filter = e->filter != NULL ? e->filter : c->filter;
    bool filtered =
        filter == NULL || e->type != PERF_TYPE_TRACEPOINT || ioctl(fd, IOC_SET_FILTER, filter) == 0;
    if (!filtered || !attach(c, ring, fd)) {
        struct refusal r = {filtered ? REFUSED_RING : REFUSED_FILTER, errno, e, task};
        close(fd);
        return r;
    }
    uint64_t id = 0;
    syscall(SYS_ioctl, fd, IOC_ID, &id); /* ioctl() takes an int or a long, by the C library */
    MEM_ADD(c->list, c->count, c->cap, (struct counter){fd, id, e->number, ring});
    return (struct refusal){REFUSED_NOTHING, 0, NULL, 0};
}

static void
close_from(struct counters *c, size_t from)
{
    while (c->count > from)
        close(c->list[--c->count].fd);
    for (uint32_t i = 0; i < c->nrings; i++)
        if (ring_owner(c, i) == NO_RING)
            ring_unmap(&c->rings[i]);
}

/* Return the event that reports exec, fork, mmap and exit records, and has no samples. */
static struct event
tracking_event(const struct event *first)
{
    struct event e = *first;
    e.type = PERF_TYPE_SOFTWARE;
    e.config = PERF_COUNT_SW_DUMMY;
    e.period = 0;
    event_clear(&e, FLAG_FREQ);
    event_clear(&e, FLAG_PRECISE_IP);
    event_clear(&e, FLAG_PRECISE_IP + 1);
    event_clear(&e, FLAG_CONTEXT_SWITCH);
    return e;
}

/* Return the first event without those records. */
static struct event
sampling_event(const struct event *first)
{
    static const enum event_flag tracking[] = {FLAG_MMAP,      FLAG_MMAP2, FLAG_COMM,
                                               FLAG_COMM_EXEC, FLAG_TASK,  FLAG_KSYMBOL};
    struct event e = *first;
    for (size_t i = 0; i < sizeof tracking / sizeof *tracking; i++)
        event_clear(&e, tracking[i]);
    return e;
}

/* Open the counters of a CPU's first ring buffer, or of its second. */
static struct refusal
open_ring(struct counters *c, int32_t task, uint32_t ring, unsigned flags)
{
    const struct eventset *events = &c->session->events;
    struct event tracking = tracking_event(&events->events[0]);
    struct event sampling = sampling_event(&events->events[0]);
    bool apart = c->nrings > c->sampled;
    if (ring >= c->sampled)
        return open_one(c, &tracking, task, ring, flags);
    struct refusal r = {REFUSED_NOTHING, 0, NULL, 0};
    for (size_t i = 0; i < events->count && r.what == REFUSED_NOTHING; i++)
        r = open_one(c, i == 0 && apart ? &sampling : &events->events[i], task, ring, flags);
    return r;
}

struct refusal
counters_open(struct counters *c, int32_t task, unsigned flags)
{
    size_t from = c->count;
    struct refusal r = {REFUSED_NOTHING, 0, NULL, 0};
    bool apart = c->of_command ? c->ring_size / COMMAND_PART >= COMMAND_LEAST : task == EVERY_TASK;
    c->nrings = apart ? 2 * c->sampled : c->sampled;
    for (uint32_t ring = 0; ring < c->nrings && r.what == REFUSED_NOTHING; ring++)
        r = open_ring(c, task, ring, flags);
    if (r.what != REFUSED_NOTHING) {
        r.event = r.event != NULL ? &c->session->events.events[r.event->number] : NULL;
        close_from(c, from);
    }
    return r;
}

void
counters_enable(struct counters *c, size_t from)
{
    for (size_t i = from; i < c->count; i++)
        ioctl(c->list[i].fd, IOC_ENABLE, 0);
}

void
counters_enable_tasks(struct counters *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->list[i].ring >= c->sampled)
            ioctl(c->list[i].fd, IOC_ENABLE, 0);
}

void
counters_disable(struct counters *c)
{
    for (size_t i = 0; i < c->count; i++)
        ioctl(c->list[i].fd, IOC_DISABLE, 0);
}

/* With only PERF_FORMAT_LOST, read(2) returns the value and the number of lost samples. */
uint64_t
counters_lost(const struct counters *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->count; i++) {
        uint64_t got[2] = {0, 0};
        const struct event *e = &c->session->events.events[c->list[i].event];
        if (c->list[i].ring < c->sampled && (e->read_format & PERF_FORMAT_LOST) != 0 &&
            read(c->list[i].fd, got, sizeof got) == (ssize_t)sizeof got)
            sum += got[1];
    }
    return sum;
}

void
counters_close(struct counters *c)
{
    close_from(c, 0);
}

void
counters_free(struct counters *c)
{
    counters_close(c);
    free(c->rings);
    free(c->list);
}
