#include "cmd/stackfilter/idlewaits.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/num.h"
#include "common/stack/frames/framekind.h"
#include "common/stack/frames/waitkind.h"

/* Functions that wait for work: of glibc, musl, the kernel, Rust and Go. */
static const char waits[] =
    "epoll_?p?wait|[eE]poll_?[wW]ait|(^|_)accept4?(@|$)|pthread_cond_(timed|clock)?wait|"
    "sem_(timed|clock)?wait|cnd_(timed)?wait|[cC]ondvar.*::wait|Parker.*::park|"
    "std::thread::.*::park|"
    "runtime\\.notet?sleep";

/* Functions that may use the former to wait for a lock, or for other threads. The word must be in
 * the name itself, not in that of its class. The purposes of Java's LockSupport and Object.wait()
 * are not recognized. */
static const char locks[] =
    "((^|[^bBcC])[lL]ock|[mM]utex|[mM]onitor::[eE]nter|_gil|gvl|[jJ]oin|[bB]arrier|[aA]cquire|"
    "contended|[lL]atch|Unsafe_Park|JVM_MonitorWait)[^:]*$";

enum frame_flags { KNOWN = 1, WAITS = 2, LOCKS = 4, NAMED = 8 };

static unsigned
flags_of(struct idlewaits *t, uint32_t frame)
{
    size_t old = t->cap;
    t->flags = mem_grow(t->flags, &t->cap, (size_t)frame + 1, sizeof *t->flags);
    memset(t->flags + old, 0, t->cap - old);
    struct span sym = frametab_frame(t->frames, frame)->sym;
    if (t->flags[frame] == 0)
        t->flags[frame] =
            (unsigned char)(KNOWN | (pattern_matches(&t->waits, sym) ? WAITS : 0) |
                            (pattern_matches(&t->locks, sym) ? LOCKS : 0) |
                            (sym.len > 0 && !span_starts(sym, SPAN("[")) ? NAMED : 0));
    return t->flags[frame];
}

/* Return the state of the thread, as the recorder reports it. */
static struct span
state_of(const struct perf_header *h)
{
    return span_trim(h->field[PERF_REST]);
}

static bool
is_wall(const struct perf_header *h)
{
    return span_eq(h->field[PERF_EVENT], SPAN("wall"));
}

/* Return true for a wait, except for a wait for a CPU: such a thread has work. */
static bool
is_wait(const struct perf_header *h)
{
    struct span state = state_of(h);
    return is_wall(h) ? span_eq(state, SPAN("waiting"))
                      : span_eq(h->field[PERF_EVENT], SPAN("off-cpu")) &&
                            !span_starts(state, SPAN("state R"));
}

/* Return true if the thread sleeps until a signal or an event wakes it, as far as is known: in
 * samples of perf's event context-switches the state is "?". */
static bool
sleeps(const struct perf_header *h, struct span leaf)
{
    return is_wall(h) ? !span_eq(leaf, SPAN("[wait: disk]"))
                      : span_starts(state_of(h), SPAN("state S")) ||
                            span_starts(state_of(h), SPAN("state ?"));
}

static struct span
leaf_of(const struct idlewaits *t, const struct sample *sample)
{
    return sample->nframes > 0 ? frametab_frame(t->frames, sample->frames[0])->sym : SPAN("");
}

/* Return true if no frame is a function, as in "[wait]" alone. */
static bool
has_no_stack(const struct idlewaits *t, const struct sample *sample)
{
    size_t i = 0;
    for (; i < sample->nframes; i++) {
        struct span sym = frametab_frame(t->frames, sample->frames[i])->sym;
        if (!waitkind_is(sym) && !frame_is_mark(sym))
            break;
    }
    return i == sample->nframes;
}

/* Return true if the wait is for work. A thread that has not run at all had no work. */
static bool
is_for_work(struct idlewaits *t, const struct sample *sample)
{
    size_t wait = SIZE_MAX;
    if (span_eq(leaf_of(t, sample), WAIT_UNSEEN))
        return true;
    for (size_t i = 0; i < sample->nframes; i++) {
        unsigned flags = flags_of(t, sample->frames[i]);
        if ((flags & LOCKS) != 0)
            return false;
        if ((flags & WAITS) != 0)
            wait = i;
    }
    return wait < sample->nframes - 1 && (flags_of(t, sample->frames[wait + 1]) & NAMED) != 0;
}

/* Return the sum to add the wait to, or NULL if the wait is kept. */
static struct idlewaits_part *
part_of(struct idlewaits *t, const struct sample *sample)
{
    struct span leaf = leaf_of(t, sample);
    const struct perf_header *h = &sample->header;
    if (!perf_header_has(h, PERF_PID) || h->pid == h->tid)
        return NULL; /* a sample without a thread is one of a process's first thread */
    if (!span_eq(leaf, WAIT_UNSEEN) && !sleeps(h, leaf))
        return NULL;
    if (is_for_work(t, sample))
        return &t->for_work;
    return has_no_stack(t, sample) ? &t->unknown : NULL;
}

void
idlewaits_init(struct idlewaits *t, const struct frametab *frames)
{
    char error[PATTERN_ERROR];
    *t = (struct idlewaits){.frames = frames};
    pattern_compile(&t->waits, waits, error);
    pattern_compile(&t->locks, locks, error);
}

bool
idlewaits_has(struct idlewaits *t, const struct sample *sample)
{
    const struct perf_header *h = &sample->header;
    uint64_t time = perf_header_has(h, PERF_PERIOD) ? h->period : 0;
    if (!is_wait(h))
        return false;
    t->waited = num_add(t->waited, time);
    t->has_pids |= perf_header_has(h, PERF_PID);
    struct idlewaits_part *part = part_of(t, sample);
    if (part == NULL)
        return false;
    part->time = num_add(part->time, time);
    const int64_t ids[] = {h->pid, h->tid}; /* if an id is missing, it is a first thread */
    intern_add(&part->ids, SPAN_BYTES(ids));
    return true;
}

/* Append "waits for work of 3 threads, 2.5 s (42.3 % of all waits)". */
static void
add_part(struct text *to, const struct idlewaits *t, const struct idlewaits_part *part,
         const char *before, const char *after)
{
    enum { SECOND = 1000000 };
    char text[256];
    snprintf(text, sizeof text, "%s%s of %zu thread%s%s, %.1f s (%.1f %% of all waits)",
             to->len > 0 ? "; " : "", before, part->ids.count, part->ids.count == 1 ? "" : "s",
             after, (double)part->time / SECOND, 100 * (double)part->time / (double)t->waited);
    text_add(to, span_cstr(text));
}

void
idlewaits_report(const struct idlewaits *t, struct diag *diag)
{
    struct text text = {0};
    if (t->waited == 0)
        diag_warn(diag, NULL, NOWHERE,
                  "no waits as stackrecord --wall and --off-cpu print them: none is left out");
    else if (!t->has_pids)
        diag_warn(diag, NULL, NOWHERE,
                  "no wait has a process id, so the main threads are not known: no wait is left "
                  "out; perf-script -F +pid prints the ids");
    if (t->for_work.ids.count > 0)
        add_part(&text, t, &t->for_work, "waits for work", "");
    if (t->unknown.ids.count > 0)
        add_part(&text, t, &t->unknown, "waits", " without stacks, which may be for work");
    if (text.len > 0 && t->waited > 0)
        diag_note(diag, "left out: %.*s", SPAN_ARG(text_span(&text)));
    free(text.ptr);
}
