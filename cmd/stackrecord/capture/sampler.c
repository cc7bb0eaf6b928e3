#include "cmd/stackrecord/capture/sampler.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/base/num.h"
#include "common/machine/stop.h"

enum {
    ROUND_MS = 250,  /* maximum time between rounds; a half full ring ends it earlier */
    JIT_MS = 50,     /* the same if a process may have a perf map */
    READING_MS = 10, /* the same while one is read for the first time, or grows */
    RELIEVE_NS = 5000000,
    APART_MAX = 256 << 10, /* bytes: see may_read_all() */
    PARTS = 32,            /* of a ring buffer: each is released when its records were passed on */
    STOP_KEY = -1, /* key of the stop descriptor in epoll; other keys are indexes of counters */
};

static bool
watch(const struct sampler *s, int fd, uint64_t key)
{
    struct epoll_event e = {.events = EPOLLIN, .data.u64 = key};
    return epoll_ctl(s->poll, EPOLL_CTL_ADD, fd, &e) == 0;
}

bool
sampler_init(struct sampler *s, struct rawsink *sink, struct counters *counters,
             struct command *command)
{
    *s = (struct sampler){.sink = sink,
                          .counters = counters,
                          .command = command,
                          .live = counters->count,
                          .shows_progress = isatty(STDERR_FILENO) != 0};
    s->stop = stop_open();
    s->poll = epoll_create1(EPOLL_CLOEXEC);
    if (s->stop < 0 || s->poll < 0 || !watch(s, s->stop, (uint64_t)STOP_KEY))
        return false;
    for (size_t i = 0; i < counters->count; i++)
        if ((counters->of_command || counters->list[i].ring < counters->sampled) &&
            !watch(s, counters->list[i].fd, i))
            return false;
    sampler_begin(s);
    return true;
}

void
sampler_begin(struct sampler *s)
{
    s->began = s->passed = clock_now();
}

/* Count what a record says about the recording itself. `apart`: its ring buffer has no samples. */
static void
count(struct sampler *s, struct span r, bool apart)
{
    uint64_t *lost = apart ? &s->lost_tasks : &s->lost;
    switch (load_u32(r.ptr)) {
    case PERF_RECORD_SAMPLE:
        s->samples++;
        break;
    case PERF_RECORD_LOST: /* u64 id, lost */
        *lost += r.len >= 24 ? load_u64(r.ptr + 16) : 0;
        break;
    case PERF_RECORD_THROTTLE:
        s->throttled++;
        break;
    case PERF_RECORD_FORK: /* u32 pid, parent's pid, tid */
        s->processes += r.len >= 20 && load_u32(r.ptr + 8) != load_u32(r.ptr + 12);
        break;
    case PERF_RECORD_EXIT:
        s->processes -=
            r.len >= 20 && load_u32(r.ptr + 8) == load_u32(r.ptr + 16) && s->processes > 0;
        break;
    }
}

static void
read_maps(struct sampler *s)
{
    if (s->live_processes != NULL)
        liveprocs_poll(s->live_processes, clock_now());
}

/* Records with names may fill the memory for sorting, which makes the sorter call
 * sampler_relieve(). Do not read the ring buffers then: that would add more records. */
bool
sampler_read_names(struct sampler *s)
{
    bool empties = s->empties;
    s->empties = true;
    bool done = s->names == NULL || jsnames_resolve(s->names);
    done &= s->details == NULL || calldetails_resolve(s->details);
    done &= s->strings == NULL || callstrings_resolve(s->strings);
    s->empties = empties;
    return done;
}

/* Empty the first n ring buffers once, those of mappings before those of samples: if there are more
 * records than can be sorted, some are passed on before all ring buffers are read. */
static void
empty_rings(struct sampler *s, size_t n)
{
    s->fill = 0;
    s->empties = true;
    for (size_t i = n; i-- > 0;) {
        struct ring *ring = &s->counters->rings[i];
        bool apart = i >= s->counters->sampled;
        uint64_t bytes = ring_begin(ring);
        unsigned fill = (unsigned)(bytes * 100 / ring->size);
        s->fill = s->fill > fill || apart ? s->fill : fill;
        s->apart += apart ? bytes : 0;
        for (struct span record; ring_next(ring, &record);) {
            count(s, record, apart);
            s->sink->record(s->sink, record);
            if (ring->at - ring->start >= ring->size / PARTS)
                ring_release(ring);
        }
        ring_end(ring);
    }
    sampler_read_names(s);
    s->empties = false;
    s->drained = clock_now();
}

/* Return true if the ring buffers without samples may be read now. When all processes are recorded,
 * such records may come faster than they can be read. So APART_MAX bytes of them are read in a
 * quarter of a second, and what waits at its end; further ones are lost. If there are fewer, each
 * is read as soon as possible: functions have no names while the mapping of their code is not
 * known. */
static bool
may_read_all(const struct sampler *s)
{
    const struct counters *c = s->counters;
    uint64_t bytes = s->apart;
    for (size_t i = c->sampled; i < c->nrings; i++)
        bytes += ring_begin(&c->rings[i]);
    return c->of_command || bytes <= APART_MAX;
}

/* End a round: empty all ring buffers, and pass on what is complete. */
static void
end_round(struct sampler *s)
{
    empty_rings(s, s->counters->nrings);
    s->sink->round(s->sink);
    if (s->running != NULL)
        running_check(s->running);
}

static void
drain(struct sampler *s)
{
    uint64_t now = clock_now();
    bool due = now - s->quarter >= (uint64_t)ROUND_MS * 1000000 * 9 / 10;
    if (due) {
        s->quarter = now;
        s->apart = 0;
    }
    if (due || may_read_all(s))
        end_round(s);
    else
        empty_rings(s, s->counters->sampled);
}

bool
sampler_relieve(struct sampler *s)
{
    if (s->counters != NULL && !s->empties && clock_now() - s->drained >= RELIEVE_NS)
        empty_rings(s, may_read_all(s) ? s->counters->nrings : s->counters->sampled);
    return stop_signal() != 0;
}

/* Return true if records must wait for another round. When a round ends, the symbols of large
 * binaries, such as node's, may be read, for up to a few tenths of a second. Meanwhile no names of
 * JavaScript are read, and a young process compiles most of its functions in that time, or has
 * ended after it. */
bool
sampler_wants_names(struct sampler *s)
{
    uint64_t now = clock_now();
    bool has_names = s->names != NULL || s->live_processes != NULL;
    bool begins = now - s->began < CLOCK_SECOND ||
                  (s->names != NULL && jsnames_begins(s->names, CLOCK_SECOND));
    bool waits = s->stopped == 0 && has_names && begins && now - s->passed < CLOCK_SECOND;
    if (!waits)
        s->passed = now;
    return waits;
}

/* Show a line on standard error, once a second:
 *
 *     stackrecord: 12 s, 198 samples/s, 0 lost, 3 processes, ring 4%
 *
 * The cursor returns to its start, so that a message overwrites it; ESC [K erases the rest of the
 * line. */
static void
show_progress(struct sampler *s)
{
    uint64_t time = clock_now() - s->began, elapsed = time - s->shown;
    if (!s->shows_progress || elapsed < CLOCK_SECOND)
        return;
    double samples = (double)(s->samples - s->samples_shown) * CLOCK_SECOND / (double)elapsed;
    fprintf(stderr, "stackrecord: %s s, %s samples/s, %s lost, %s process%s, ring %u%%\033[K\r",
            NUM_TEXT(time / CLOCK_SECOND), NUM_TEXT((uint64_t)(samples + 0.5)), NUM_TEXT(s->lost),
            NUM_TEXT(s->processes), s->processes == 1 ? "" : "es", s->fill);
    s->shown = time;
    s->samples_shown = s->samples;
}

/* Return the maximum time between two rounds in milliseconds. If code replaces other code, the time
 * of that is known no more exactly; most of that happens when a program starts. */
static int
round_ms(const struct sampler *s)
{
    const struct liveprocs *live = s->live_processes;
    bool begins = s->command != NULL && clock_now() - s->began < CLOCK_SECOND;
    int names_ms = s->names != NULL ? jsnames_round_ms(s->names) : 0;
    int most = names_ms > 0 ? names_ms : ROUND_MS;
    most = s->round_ms > 0 && s->round_ms < most ? s->round_ms : most;
    if (live == NULL || most <= READING_MS)
        return most;
    if (begins || liveprocs_are_busy(live))
        return READING_MS;
    return liveprocs_any(live) && most > JIT_MS ? JIT_MS : most;
}

/* Return the time until the next round or the end of the duration, in milliseconds. */
static int
pause_ms(const struct sampler *s)
{
    double left = s->duration * 1e3 - (double)(clock_now() - s->began) / 1e6;
    int most = round_ms(s);
    if (s->duration <= 0 || left >= most)
        return most;
    return left > 0 ? (int)left + 1 : 0;
}

/* Wait for records or a signal. If all tasks of a counter have ended, epoll would report that each
 * time: stop watching the counter. Return false with errno on failure. */
static bool
wait_for_records(struct sampler *s)
{
    struct epoll_event events[64];
    int n = epoll_wait(s->poll, events, sizeof events / sizeof *events, pause_ms(s));
    if (n < 0)
        return errno == EINTR;
    for (int i = 0; i < n; i++) {
        if (events[i].data.u64 == (uint64_t)STOP_KEY) {
            stop_drain(s->stop);
        } else if ((events[i].events & (EPOLLHUP | EPOLLERR)) != 0) {
            int fd = s->counters->list[events[i].data.u64].fd;
            s->live -= epoll_ctl(s->poll, EPOLL_CTL_DEL, fd, NULL) == 0;
        }
    }
    return true;
}

static bool
is_over(const struct sampler *s, enum sampler_end *end)
{
    if (stop_signal() != 0)
        *end = END_SIGNAL;
    else if (s->duration > 0 && pause_ms(s) == 0)
        *end = END_DURATION;
    else if (s->live == 0 || (s->running != NULL && s->running->ended) ||
             (s->command != NULL && command_has_ended(s->command, false)))
        *end = END_TARGET;
    else
        return false;
    return true;
}

void
sampler_set_beat(struct sampler *s, void (*beat)(void *ctx, uint64_t now, bool asked), void *ctx)
{
    s->beat = beat;
    s->ctx = ctx;
    stop_await_request();
}

/* Call the beat. If it was requested by a signal, end two rounds before: records of a round may
 * wait to be sorted with those of the next. */
static void
beat(struct sampler *s)
{
    bool asked = s->beat != NULL && stop_take_request();
    for (int i = 0; asked && i < 2; i++)
        end_round(s);
    if (s->beat != NULL)
        s->beat(s->ctx, clock_now(), asked);
}

bool
sampler_is_over(const struct sampler *s)
{
    enum sampler_end end;
    return s->stopped != 0 || is_over(s, &end);
}

enum sampler_end
sampler_run(struct sampler *s)
{
    enum sampler_end end = END_FAILED;
    read_maps(s); /* their state when the recording begins */
    while (!is_over(s, &end)) {
        if (!wait_for_records(s))
            break;
        read_maps(s); /* code has its name before it runs: read names before samples */
        drain(s);
        beat(s);
        show_progress(s);
    }
    s->stopped = clock_now();
    counters_disable(s->counters);
    empty_rings(s, s->counters->nrings); /* shows which processes' maps to read */
    if (s->live_processes != NULL)
        liveprocs_poll_last(s->live_processes, s->stopped);
    end_round(s);
    return end;
}

bool
sampler_await_command(const struct sampler *s, int milliseconds)
{
    struct pollfd wake = {.fd = s->stop, .events = POLLIN}; /* SIGCHLD also makes it readable */
    while (!command_has_ended(s->command, false) && poll(&wake, 1, milliseconds) != 0)
        stop_drain(s->stop);
    return command_has_ended(s->command, false);
}

void
sampler_finish(struct sampler *s)
{
    if (s->shown > 0)
        fputs("\033[K", stderr);
    s->sink->finish(s->sink);
    close(s->poll);
}
