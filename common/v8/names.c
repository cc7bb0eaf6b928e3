#include "common/v8/names.h"

#include <stdlib.h>

#include "common/v8/accept.h"
#include "common/v8/collected.h"

enum {
    READ_MAX = 2 << 20,          /* bytes read to find names; as many again to check new ones */
    ROUNDS_MAX = 256,            /* requests to get from addresses to names */
    SOURCES_MAX = 64 << 20,      /* bytes of scripts' sources per second */
    LABELS_MAX = 4 << 20,        /* bytes of reported names per second */
    ROOM_LEAST = 1 << 16,        /* bytes of memory for line ends, whatever the limit */
    SECOND = 1000 * 1000 * 1000, /* nanoseconds */
    NEW_FOR = SECOND / 10,
};

struct v8names {
    const struct v8memory *memory;
    size_t limit;
    struct reported reported;
    struct accept accept;
    struct collected collected;
    uint64_t last;        /* start of the last v8names_resolve */
    uint64_t last_new;    /* when a function was last found; at first, the start */
    uint64_t last_script; /* when a script was last found; at first, the start */
    uint64_t second_from; /* start of the second in which sources and labels are counted */
    struct v8names_counts counts;
};

static uint64_t
now_of(const struct v8names *n)
{
    return n->memory->now(n->memory->ctx);
}

struct v8names *
v8names_new(const struct v8layout *l, const struct v8memory *m, const struct v8names_sink *sink,
            size_t memory)
{
    struct v8names *n = mem_alloc(sizeof *n);
    *n = (struct v8names){.memory = m, .limit = memory, .collected = {.earliest = UINT64_MAX}};
    n->last_new = n->last_script = now_of(n); /* so that the first frames are resolved soon */
    reported_init(&n->reported, l, m, sink);
    return n;
}

void
v8names_free(struct v8names *n)
{
    collected_free(&n->collected);
    reported_free(&n->reported);
    accept_free(&n->accept);
    free(n);
}

size_t
v8names_size(const struct v8names *n)
{
    return sizeof *n + reported_size(&n->reported) + collected_size(&n->collected) +
           accept_size(&n->accept);
}

bool
v8names_are_new(const struct v8names *n)
{
    return now_of(n) - n->last_script < NEW_FOR;
}

void
v8names_add(struct v8names *n, const struct v8frame *f)
{
    collected_add(&n->collected, f);
}

/* Advance all jobs. Each round makes one request for all the memory that the jobs need next. */
static void
work(struct v8names *n)
{
    bool more = true;
    for (unsigned round = 0; more && round < ROUNDS_MAX; round++) {
        snapshot_fetch(&n->reported.heap.memory);
        more = false;
        for (size_t i = 0; i < n->collected.jobs.n; i++)
            more = job_work(&n->collected.jobs.at[i], &n->reported) || more;
    }
    for (size_t i = 0; i < n->collected.jobs.n; i++)
        job_give_up(&n->collected.jobs.at[i], &n->reported);
}

static void
begin_reading(struct v8names *n, uint64_t now)
{
    struct snapshot *s = &n->reported.heap.memory;
    struct lineends_budget *budget = &n->reported.functions.budget;
    size_t most = n->limit > 0 ? n->limit : SIZE_MAX,
           size = v8names_size(n) - collected_frames_size(&n->collected);
    snapshot_clear(s);
    s->left = READ_MAX;
    s->gone = false;
    budget->room = most > size && most - size > ROOM_LEAST ? most - size : ROOM_LEAST;
    budget->full = false;
    if (now - n->second_from >= SECOND) {
        n->second_from = now;
        budget->left = SOURCES_MAX;
        n->reported.labels = LABELS_MAX;
    }
}

/* Read again all memory from which new names were made. If it has changed, there is no name. If
 * not, it was the same at the time in between. */
static void
check_new(struct v8names *n)
{
    uint64_t between = now_of(n);
    bool any = false, any_new = false;
    snapshot_clear(&n->reported.heap.memory);
    n->reported.heap.memory.left = READ_MAX;
    for (size_t i = 0; i < n->collected.jobs.n; i++)
        if (job_must_check_again(&n->collected.jobs.at[i])) {
            any = true;
            any_new |= n->collected.jobs.at[i].is_new;
            job_check_again(&n->collected.jobs.at[i], &n->reported);
        }
    if (!any)
        return;
    work(n);
    n->last_new = any_new ? between : n->last_new;
    for (size_t i = 0; i < n->collected.jobs.n; i++) {
        const struct job *j = &n->collected.jobs.at[i];
        if (!j->is_new || !job_is_done(j))
            continue;
        struct place *p = &n->reported.places.of.at[j->place];
        p->first = between;
        for (size_t f = 0; f < j->n; f++)
            if (accept_note(&n->accept, j->frames[f].f.tid, between,
                            n->reported.functions.of.at[p->function].id))
                n->last_script = between;
    }
}

/* Return true if the frame's JSFunction leads to the place's function, and both were the same at
 * the time of the sample. */
static bool
prove(const struct v8names *n, const struct seen *s, const struct place *p)
{
    const struct function *f = &n->reported.functions.of.at[p->function];
    return s->closure == f->word &&
           (p->first < s->f.time ||
            (s->f.time > p->floor &&
             accept_first(&n->accept, s->f.tid, s->f.time, n->last_new, f->id)));
}

/* Mark the frames that are proven, and update the times of the place and the script. */
static void
prove_frames(struct v8names *n, struct job *j)
{
    struct place *p = &n->reported.places.of.at[j->place];
    struct script *script = &n->reported.functions.scripts.of
                                 .at[n->reported.functions.of.at[p->function].script_number];
    for (size_t i = 0; i < j->n; i++) {
        struct seen *s = &j->frames[i];
        s->proven = prove(n, s, p);
        if (!s->proven)
            continue;
        p->first = s->f.time < p->first ? s->f.time : p->first;
        p->valid = s->f.time > p->valid ? s->f.time : p->valid;
        p->proven = s->f.time > p->proven ? s->f.time : p->proven;
        script->alive = s->f.time > script->alive ? s->f.time : script->alive;
    }
}

/* Return true if optimized code belonged to the function when an unproven frame ran there. Its
 * header is not enough: dead code looks unchanged until the header is overwritten, and other code
 * may have been in the rest of its memory for a moment. So a proven frame must have run there just
 * before. A frame beyond the copied part of the stack is still active now: its code would have been
 * found. */
static bool
believe_code(const struct seen *s, const struct place *p)
{
    enum { JUST_BEFORE = SECOND / 10 };
    bool other = !s->f.leaf && !s->f.guessed && s->closure != 0;
    return !s->f.has_words || (!other && s->f.time <= p->proven + JUST_BEFORE);
}

/* Return true if the place belonged to its function at the time of the sample. A frame without
 * proof, as in a prologue or beyond the copied part of the stack, is accepted in code with bytecode
 * if it lies between two proven frames, or if the function's script was alive. */
static bool
believe(const struct v8names *n, const struct seen *s, const struct place *p)
{
    const struct functions *f = &n->reported.functions;
    uint64_t alive = f->scripts.of.at[f->of.at[p->function].script_number].alive;
    if (s->bytecode && s->f.offset >> 32 >= p->size)
        return false; /* the offset is not in this bytecode */
    if (!s->bytecode && job_address(&s->f) - p->start >= p->size)
        return false; /* the address is in other code than the job's first frame */
    if (s->proven)
        return true;
    if (p->first >= s->f.time || (s->bytecode && !collected_is_trampoline(&n->collected, s->f.pc)))
        return false;
    if (p->bytecode == 0)
        return believe_code(s, p);
    return s->f.time <= p->valid || s->f.time <= alive;
}

/* Report a place to the sink, for its frames in the order of time. */
static void
report(struct v8names *n, struct job *j)
{
    struct place *p = &n->reported.places.of.at[j->place];
    uint64_t site;
    bool ok = true; /* false: the line cannot be found now; do not try again for each frame */
    for (size_t i = 0; i < j->n; i++) {
        const struct seen *s = &j->frames[i];
        if (!believe(n, s, p)) {
            n->counts.doubtful++;
            collected_deny(&n->collected, &n->reported, s);
            continue;
        }
        p->valid = s->f.time > p->valid ? s->f.time : p->valid;
        ok = p->reported <= s->f.time || (ok && reported_name(&n->reported, j->place, s->f.time));
        if (ok && job_site(s, &site))
            reported_site(&n->reported, j->place, site, s->f.time);
        n->counts.named += ok;
        n->counts.unread += !ok;
        if (s->bytecode && s->proven)
            collected_trampoline(&n->collected, &n->reported, &s->f);
    }
}

/* Return true if the job found a function, and the function has not changed since it was
 * reported. */
static bool
has_function(const struct v8names *n, const struct job *j)
{
    const struct place *p = j->place != PLACE_NONE ? &n->reported.places.of.at[j->place] : NULL;
    return job_is_done(j) && p != NULL && p->alive && p->function != PLACE_NONE &&
           n->reported.functions.of.at[p->function].serial == p->serial;
}

/* Report code that is named by its kind (code_label). The sample was in this code if the code was
 * seen before the sample, and has not changed since. */
static void
report_kind(struct v8names *n, struct job *j, uint64_t now)
{
    struct place *p = &n->reported.places.of.at[j->place];
    for (size_t i = 0; i < j->n; i++) {
        const struct seen *s = &j->frames[i];
        if (p->first >= s->f.time)
            collected_deny(&n->collected, &n->reported, s);
        else if (p->reported > s->f.time)
            reported_kind(&n->reported, j->place, s->f.time);
    }
    p->valid = now;
    p->first = p->first == UINT64_MAX ? now_of(n) : p->first;
}

static bool
has_kind(const struct v8names *n, const struct job *j)
{
    const struct place *p = j->place != PLACE_NONE ? &n->reported.places.of.at[j->place] : NULL;
    return job_is_done(j) && p != NULL && p->alive &&
           code_label(&p->code, n->reported.layout).len > 0;
}

static void
report_all(struct v8names *n, uint64_t now)
{
    for (size_t i = 0; i < n->collected.jobs.n; i++)
        if (has_function(n, &n->collected.jobs.at[i]))
            prove_frames(n, &n->collected.jobs.at[i]);
    for (size_t i = 0; i < n->collected.jobs.n; i++) {
        struct job *j = &n->collected.jobs.at[i];
        if (has_function(n, j)) {
            report(n, j);
            continue;
        }
        if (has_kind(n, j)) {
            report_kind(n, j, now);
            continue;
        }
        *(job_is_done(j) ? &n->collected.other : &n->counts.unread) += j->n;
        for (size_t f = 0; f < j->n; f++)
            collected_deny(&n->collected, &n->reported, &j->frames[f]);
        if (job_found_nothing(j, &n->reported))
            collected_nothing(&n->collected, job_address(&j->frames[0].f), now);
    }
}

static void
forget(struct v8names *n)
{
    reported_forget(&n->reported);
    collected_forget(&n->collected);
    n->counts.forgotten++;
    n->collected.overflow = false;
}

/* Forget everything if it takes too much memory, or if names that the sink has were not checked. */
static void
forget_if_must(struct v8names *n)
{
    bool full = n->limit > 0 && v8names_size(n) - collected_frames_size(&n->collected) > n->limit;
    if (full || n->collected.overflow || n->reported.functions.budget.full)
        forget(n);
}

static void
end_reading(struct v8names *n)
{
    collected_empty(&n->collected);
    snapshot_trim(&n->reported.heap.memory);
}

/* Set the time from which names that the sink has may change: the start of the last call, or the
 * first frame since then if that is earlier. */
static void
begin(struct v8names *n)
{
    n->reported.recent = n->last + 1 < n->collected.earliest ? n->last + 1 : n->collected.earliest;
}

void
v8names_forget(struct v8names *n)
{
    begin(n);
    forget(n);
    end_reading(n);
}

void
v8names_skip(struct v8names *n)
{
    begin(n);
    reported_nothing(&n->reported);
    n->collected.overflow = false;
    end_reading(n);
}

static void
count_reading(struct v8names *n)
{
    const struct snapshot *s = &n->reported.heap.memory;
    n->counts.other = n->collected.other;
    n->counts.left = n->collected.left;
    n->counts.functions = n->reported.functions.read;
    n->counts.requests = s->requests;
    n->counts.reads = s->reads;
    n->counts.bytes = s->bytes;
}

void
v8names_resolve(struct v8names *n)
{
    if (n->collected.frames.n == 0)
        return;
    uint64_t now = now_of(n);
    begin(n);
    forget_if_must(n);
    begin_reading(n, now);
    collected_sort(&n->collected, &n->reported, now);
    for (size_t i = 0; i < n->collected.jobs.n; i++)
        job_want(&n->collected.jobs.at[i], &n->reported);
    work(n);
    check_new(n);
    report_all(n, now);
    count_reading(n);
    end_reading(n);
    n->last = now;
}

const struct v8names_counts *
v8names_counts(const struct v8names *n)
{
    return &n->counts;
}
