#include "cmd/stackcollapse/build/tracefold.h"

#include <stdlib.h>

#include "common/stack/profile.h"

/* Times of this program are nanoseconds. */
enum { NS = 1000 };

struct open_event {
    int64_t start, end; /* end: OPEN_END for one that a later event ends */
    int64_t self;
    uint32_t name;
    uint32_t stack; /* with the events outside of it, in the tree */
};

#define OPEN_END INT64_MAX

struct folder {
    struct stacktree tree;
    struct open_event *open; /* the thread's open events, the outermost first */
    size_t n, cap;
    uint64_t deep; /* events that wait for their end and are not in `open`, which is full */
    size_t known;  /* of so many, the outermost, the stack is set */
    int64_t now;   /* the time up to which is counted */
    struct trace_odd odd;
};

static int64_t
nanoseconds(double us)
{
    double ns = us * NS;
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
    for (; f->known < f->n; f->known++) {
        uint32_t parent = f->known > 0 ? f->open[f->known - 1].stack : STACKTREE_ROOT;
        f->open[f->known].stack = stacktree_child(&f->tree, parent, f->open[f->known].name);
    }
    const struct open_event *e = &f->open[--f->n];
    uint64_t self = (uint64_t)e->self;
    stacktree_count(&f->tree, e->stack, (struct decimal){self / NS, self % NS * 1000000000000000});
    f->known = f->n;
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
push(struct folder *f, struct open_event e)
{
    size_t at = f->n;
    if (at == TRACE_DEEPEST) {
        f->odd.deep++;
        f->deep += e.end == OPEN_END;
        return;
    }
    while (at > 0 && f->open[at - 1].start == e.start && f->open[at - 1].end < e.end &&
           e.end != OPEN_END)
        at--;
    f->open = mem_grow(f->open, &f->cap, f->n + 1, sizeof *f->open);
    if (at < f->n)
        memmove(f->open + at + 1, f->open + at, (f->n - at) * sizeof *f->open);
    if (at < f->known)
        f->known = at;
    f->open[at] = e;
    f->n++;
}

/* Ends the innermost event that waits for this, and what is open in it. */
static void
end_begun(struct folder *f)
{
    size_t i = f->n;
    if (f->deep > 0) {
        f->deep--;
        return;
    }
    while (i > 0 && f->open[i - 1].end != OPEN_END)
        i--;
    if (i == 0) {
        f->odd.ends++;
        return;
    }
    while (f->n >= i)
        pop(f);
}

static void
end_thread(struct folder *f)
{
    int64_t last = f->now;
    f->deep = 0;
    for (size_t i = 0; i < f->n; i++) {
        f->odd.begins += f->open[i].end == OPEN_END;
        if (f->open[i].end != OPEN_END && f->open[i].end > last)
            last = f->open[i].end;
    }
    while (f->n > 0) {
        end_until(f, last);
        if (f->n > 0)
            pop(f);
    }
}

struct trace_odd
tracefold_profile(const struct traceevents *events, struct profile *profile)
{
    struct folder f = {0};
    uint32_t thread = UINT32_MAX;
    for (size_t i = 0; i < events->n; i++) {
        const struct trace_event *e = &events->events[i];
        int64_t start = nanoseconds(e->start);
        if (e->thread != thread) {
            end_thread(&f);
            f.now = start;
            thread = e->thread;
        }
        end_until(&f, start);
        if (e->duration == TRACE_END)
            end_begun(&f);
        else
            push(&f, (struct open_event){.start = start,
                                         .end = e->duration == TRACE_BEGIN
                                                    ? OPEN_END
                                                    : start + nanoseconds(e->duration),
                                         .name = e->name});
    }
    end_thread(&f);
    profile_add_tree(profile, &f.tree);
    free(f.open);
    return f.odd;
}
