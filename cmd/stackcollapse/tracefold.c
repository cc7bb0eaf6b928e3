#include "cmd/stackcollapse/tracefold.h"

#include <stdlib.h>

/* Times of this program are nanoseconds. */
enum { NS = 1000 };

struct open_event {
    int64_t start, end; /* end: OPEN_END for one that a later event ends */
    int64_t self;
};

#define OPEN_END INT64_MAX

struct folder {
    struct profile *profile;
    struct open_event *open; /* the thread's open events, the outermost first */
    uint32_t *names;         /* of them */
    size_t n, open_cap, names_cap;
    int64_t now; /* the time up to which is counted */
    struct trace_lone lone;
};

static int64_t
nanoseconds(double us)
{
    static const double most = 4e15; /* 126 years */
    double ns = (us > most ? most : us < -most ? -most : us) * NS;
    return (int64_t)(ns < 0 ? ns - 0.5 : ns + 0.5);
}

/* Counts the time up to `to` for the innermost open event. */
static void
count(struct folder *f, int64_t to)
{
    if (to <= f->now)
        return;
    if (f->n > 0)
        f->open[f->n - 1].self += to - f->now;
    f->now = to;
}

/* Ends the innermost open event. */
static void
pop(struct folder *f)
{
    uint64_t self = (uint64_t)f->open[f->n - 1].self;
    struct decimal us = {self / NS, self % NS * 1000000000000000};
    profile_add(f->profile, f->names, f->n, us, NULL);
    f->n--;
}

/* Ends the events that are over at this time. */
static void
end_until(struct folder *f, int64_t time)
{
    while (f->n > 0 && f->open[f->n - 1].end <= time) {
        count(f, f->open[f->n - 1].end);
        pop(f);
    }
    count(f, time);
}

/* Opens an event inside the open ones; but outside of those that start at the same time and end
 * earlier, since some writers put the inner event first. */
static void
push(struct folder *f, struct open_event e, uint32_t name)
{
    size_t at = f->n;
    while (at > 0 && f->open[at - 1].start == e.start && f->open[at - 1].end < e.end &&
           e.end != OPEN_END)
        at--;
    f->open = mem_grow(f->open, &f->open_cap, f->n + 1, sizeof *f->open);
    f->names = mem_grow(f->names, &f->names_cap, f->n + 1, sizeof *f->names);
    memmove(f->open + at + 1, f->open + at, (f->n - at) * sizeof *f->open);
    memmove(f->names + at + 1, f->names + at, (f->n - at) * sizeof *f->names);
    f->open[at] = e;
    f->names[at] = name;
    f->n++;
}

/* Ends the innermost event that waits for this, and what is open in it. */
static void
end_begun(struct folder *f)
{
    size_t i = f->n;
    while (i > 0 && f->open[i - 1].end != OPEN_END)
        i--;
    if (i == 0) {
        f->lone.ends++;
        return;
    }
    while (f->n >= i)
        pop(f);
}

static void
end_thread(struct folder *f)
{
    int64_t last = f->now;
    for (size_t i = 0; i < f->n; i++) {
        f->lone.begins += f->open[i].end == OPEN_END;
        if (f->open[i].end != OPEN_END && f->open[i].end > last)
            last = f->open[i].end;
    }
    while (f->n > 0) {
        end_until(f, last);
        if (f->n > 0)
            pop(f);
    }
}

struct trace_lone
tracefold_profile(struct tracesort *events, struct profile *profile)
{
    struct folder f = {.profile = profile};
    struct trace_event e;
    uint32_t thread = UINT32_MAX;
    while (tracesort_next(events, &e)) {
        int64_t start = nanoseconds(e.start);
        if (e.thread != thread) {
            end_thread(&f);
            f.now = start;
            thread = e.thread;
        }
        end_until(&f, start);
        if (e.duration == TRACE_END)
            end_begun(&f);
        else if (e.duration == TRACE_BEGIN)
            push(&f, (struct open_event){start, OPEN_END, 0}, e.name);
        else
            push(&f, (struct open_event){start, start + nanoseconds(e.duration), 0}, e.name);
    }
    end_thread(&f);
    free(f.open);
    free(f.names);
    return f.lone;
}
