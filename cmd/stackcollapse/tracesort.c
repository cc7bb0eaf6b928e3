#include "cmd/stackcollapse/tracesort.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/mem.h"
#include "common/base/temporary.h"

enum {
    LOG_BYTES = 40 * 1024 * 1024, /* of all logs; if they need more, the events go to runs */
    RUN_EVENTS = 256 * 1024,      /* sorted in two arrays, 24 bytes an event: 12 MiB */
    PIECE_EVENTS = 1024,          /* read back from a run at a time */
};

struct trace_run {
    uint64_t next, end; /* events in the file: the next one to read, and the end of the run */
    size_t at, n;       /* in the piece */
    struct trace_event piece[PIECE_EVENTS];
};

/* Puts the events into t->sorted by thread, keeping their order in each; starts[i] becomes where
 * the events of thread i start. */
static size_t *
group(struct tracesort *t, size_t threads)
{
    size_t *starts = mem_alloc((threads + 2) * sizeof *starts);
    memset(starts, 0, (threads + 2) * sizeof *starts);
    for (size_t i = 0; i < t->n; i++)
        starts[t->events[i].thread + 2]++;
    for (size_t i = 2; i < threads + 2; i++)
        starts[i] += starts[i - 1];
    for (size_t i = 0; i < t->n; i++)
        t->sorted[starts[t->events[i].thread + 1]++] = t->events[i];
    return starts;
}

/* Merges the sorted events[from, middle) and events[middle, to) into `into`. */
static void
merge(const struct trace_event *events, size_t from, size_t middle, size_t to,
      struct trace_event *into)
{
    size_t left = from, right = middle;
    for (size_t i = from; i < to; i++)
        if (right == to || (left < middle && !(events[right].start < events[left].start)))
            into[i] = events[left++];
        else
            into[i] = events[right++];
}

static bool
in_order(const struct trace_event *events, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (events[i].start < events[i - 1].start)
            return false;
    return true;
}

/* Sorts n events by start, keeping the order of equal ones. */
static void
sort_by_start(struct trace_event *events, size_t n, struct trace_event *spare)
{
    if (in_order(events, n))
        return;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t from = 0; from < n; from += 2 * width) {
            size_t middle = n - from < width ? n : from + width;
            size_t to = n - middle < width ? n : middle + width;
            merge(events, from, middle, to, spare);
        }
        memcpy(events, spare, n * sizeof *events);
    }
}

static void
sort_run(struct tracesort *t)
{
    size_t threads = 0;
    for (size_t i = 0; i < t->n; i++)
        if (t->events[i].thread >= threads)
            threads = (size_t)t->events[i].thread + 1;
    t->sorted = t->sorted != NULL ? t->sorted : mem_alloc(RUN_EVENTS * sizeof *t->sorted);
    size_t *starts = group(t, threads);
    for (size_t i = 0; i < threads; i++)
        sort_by_start(t->sorted + starts[i], starts[i + 1] - starts[i], t->events);
    free(starts);
}

/* Reads or writes n events at the place of an event in the file; false, with t->error, if that
 * fails. */
static bool
transfer(struct tracesort *t, struct trace_event *events, size_t n, uint64_t place, bool is_write)
{
    char *p = (char *)events;
    size_t left = n * sizeof *events;
    off_t at = (off_t)(place * sizeof *events);
    while (left > 0 && t->error == 0) {
        ssize_t done = is_write ? pwrite(t->fd, p, left, at) : pread(t->fd, p, left, at);
        if (done > 0) {
            p += done;
            at += done;
            left -= (size_t)done;
        } else if (done == 0 || errno != EINTR) {
            t->error = done == 0 ? EIO : errno;
        }
    }
    return t->error == 0;
}

/* Writes the events that were added since the last run. */
static void
write_run(struct tracesort *t)
{
    uint64_t place = t->nruns > 0 ? t->runs[t->nruns - 1].end : 0;
    sort_run(t);
    if (t->nruns == 0 && t->error == 0) {
        t->fd = temporary_open();
        t->error = t->fd < 0 ? errno : 0;
    }
    if (t->error == 0 && transfer(t, t->sorted, t->n, place, true)) {
        t->runs = mem_grow(t->runs, &t->runs_cap, t->nruns + 1, sizeof *t->runs);
        struct trace_run *run = &t->runs[t->nruns++];
        run->next = place;
        run->end = place + t->n;
        run->at = run->n = 0;
    }
    t->n = 0;
}

static void
add_to_run(struct tracesort *t, const struct trace_event *e)
{
    if (t->n == RUN_EVENTS)
        write_run(t);
    t->events = mem_grow(t->events, &t->cap, t->n + 1, sizeof *t->events);
    t->events[t->n++] = *e;
}

/* Moves what was logged to runs, to which all that follows is added. */
static void
use_runs(struct tracesort *t)
{
    t->in_runs = true;
    for (size_t i = 0; i < t->nlogs; i++) {
        struct trace_event e = {.thread = (uint32_t)i};
        for (tracelog_start(&t->logs[i]); t->logs[i].n > 0;) {
            tracelog_next(&t->logs[i], &e);
            add_to_run(t, &e);
        }
        tracelog_free(&t->logs[i]);
    }
}

void
tracesort_add(struct tracesort *t, struct trace_event e)
{
    if (t->in_runs) {
        add_to_run(t, &e);
        return;
    }
    t->logs = mem_grow(t->logs, &t->logs_cap, (size_t)e.thread + 1, sizeof *t->logs);
    while (t->nlogs <= e.thread)
        t->logs[t->nlogs++] = (struct tracelog){0};
    struct tracelog *log = &t->logs[e.thread];
    size_t before = log->bytes.len;
    tracelog_add(log, &e);
    t->log_bytes += log->bytes.len - before;
    if (t->log_bytes > LOG_BYTES)
        use_runs(t);
}

/* True if the run has a next event, which is then run->piece[run->at]. */
static bool
run_has_event(struct tracesort *t, struct trace_run *run)
{
    if (run->at == run->n) {
        uint64_t left = run->end - run->next;
        run->n = left < PIECE_EVENTS ? (size_t)left : PIECE_EVENTS;
        run->at = 0;
        if (!transfer(t, run->piece, run->n, run->next, false))
            run->n = 0;
        run->next += run->n;
    }
    return run->at < run->n;
}

/* Whether run a's event comes before run b's. Of equal ones the earlier run's does. */
static bool
run_before(const struct tracesort *t, size_t a, size_t b)
{
    const struct trace_event *left = &t->runs[a].piece[t->runs[a].at];
    const struct trace_event *right = &t->runs[b].piece[t->runs[b].at];
    if (left->thread != right->thread)
        return left->thread < right->thread;
    return left->start != right->start ? left->start < right->start : a < b;
}

/* Moves the run at the heap's place down to where it belongs. */
static void
sift_down(struct tracesort *t, size_t place)
{
    for (;;) {
        size_t first = place;
        for (size_t child = 2 * place + 1; child <= 2 * place + 2 && child < t->nheap; child++)
            if (run_before(t, t->heap[child], t->heap[first]))
                first = child;
        if (first == place)
            return;
        size_t run = t->heap[place];
        t->heap[place] = t->heap[first];
        t->heap[first] = run;
        place = first;
    }
}

/* Starts to merge the runs. */
static void
start_runs(struct tracesort *t)
{
    write_run(t);
    free(t->events);
    free(t->sorted);
    t->events = t->sorted = NULL;
    t->cap = 0;
    t->heap = mem_alloc(t->nruns * sizeof *t->heap);
    for (size_t i = 0; i < t->nruns; i++)
        if (run_has_event(t, &t->runs[i]))
            t->heap[t->nheap++] = i;
    for (size_t i = t->nheap; i > 0; i--)
        sift_down(t, i - 1);
}

static bool
next_of_runs(struct tracesort *t, struct trace_event *e)
{
    if (t->nheap == 0)
        return false;
    struct trace_run *run = &t->runs[t->heap[0]];
    *e = run->piece[run->at++];
    if (!run_has_event(t, run))
        t->heap[0] = t->heap[--t->nheap];
    sift_down(t, 0);
    return true;
}

/* Reads the rest of a log into t->events, and sorts it. */
static void
sort_log(struct tracesort *t, struct tracelog *log)
{
    t->at = t->n = 0;
    t->events = mem_grow(t->events, &t->cap, log->n, sizeof *t->events);
    while (log->n > 0)
        tracelog_next(log, &t->events[t->n++]);
    struct trace_event *spare = mem_alloc(t->n * sizeof *spare);
    sort_by_start(t->events, t->n, spare);
    free(spare);
}

static bool
next_of_logs(struct tracesort *t, struct trace_event *e)
{
    for (; t->log < t->nlogs; t->log++) {
        struct tracelog *log = &t->logs[t->log];
        if (log->n > 0 && log->unsorted)
            sort_log(t, log);
        bool more = t->at < t->n;
        if (more)
            *e = t->events[t->at++];
        else if ((more = log->n > 0))
            tracelog_next(log, e);
        e->thread = (uint32_t)t->log;
        if (more)
            return true;
    }
    return false;
}

void
tracesort_start(struct tracesort *t)
{
    for (size_t i = 0; i < t->nlogs && !t->in_runs; i++)
        if (t->logs[i].unsorted && t->logs[i].n > RUN_EVENTS)
            use_runs(t);
    for (size_t i = 0; i < t->nlogs; i++)
        tracelog_start(&t->logs[i]);
    if (t->in_runs)
        start_runs(t);
}

bool
tracesort_next(struct tracesort *t, struct trace_event *e)
{
    return t->in_runs ? next_of_runs(t, e) : next_of_logs(t, e);
}

void
tracesort_free(struct tracesort *t)
{
    for (size_t i = 0; i < t->nlogs; i++)
        tracelog_free(&t->logs[i]);
    free(t->logs);
    if (t->nruns > 0)
        close(t->fd);
    free(t->events);
    free(t->sorted);
    free(t->runs);
    free(t->heap);
    *t = (struct tracesort){0};
}
