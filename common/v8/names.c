#include "common/v8/names.h"

#include <stdlib.h>

#include "common/v8/accept.h"
#include "common/v8/job.h"

enum {
    FRAMES_MAX = 1 << 16,        /* collected; more are left */
    READ_MAX = 2 << 20,          /* bytes of objects to find names, and as many to check new ones */
    ROUNDS_MAX = 256,            /* requests to get from addresses to names */
    TRAMPOLINES_MAX = 16,        /* node has one, and one more where it copies its builtins */
    SOURCES_MAX = 64 << 20,      /* bytes of scripts' sources in a second */
    SECOND = 1000 * 1000 * 1000, /* nanoseconds */
    NEW_FOR = SECOND / 10,
    NOTHING_FOR = SECOND / 5, /* before code is searched again where none was found */
};

struct v8names {
    const struct v8memory *memory;
    size_t limit;
    struct told told;
    struct accept accept;
    struct addresses nothing;    /* addresses in which no code was found */
    VEC(uint64_t) nothing_until; /* by number: when to look again */
    VEC(struct seen) frames;
    VEC(struct job) jobs;
    uint64_t trampolines[TRAMPOLINES_MAX];
    unsigned ntrampolines;
    bool overflow;         /* frames were left that the sink may have names for */
    uint64_t earliest;     /* of the frames, and of those that were left */
    uint64_t last;         /* when the last v8names_resolve began */
    uint64_t last_new;     /* when a function was found last; at first, when all began */
    uint64_t sources_from; /* when the second began in which sources are counted */
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
    *n = (struct v8names){.memory = m, .limit = memory, .earliest = UINT64_MAX};
    n->last_new = now_of(n); /* so that the first frames are resolved soon */
    told_init(&n->told, l, m, sink);
    return n;
}

static void
free_nothing(struct v8names *n)
{
    addresses_free(&n->nothing);
    free(n->nothing_until.at);
    n->nothing_until.at = NULL;
    n->nothing_until.n = n->nothing_until.cap = 0;
}

void
v8names_free(struct v8names *n)
{
    free_nothing(n);
    told_free(&n->told);
    accept_free(&n->accept);
    free(n->frames.at);
    free(n->jobs.at);
    free(n);
}

size_t
v8names_size(const struct v8names *n)
{
    return sizeof *n + told_size(&n->told) + addresses_size(&n->nothing) +
           n->nothing_until.cap * sizeof *n->nothing_until.at +
           n->frames.cap * sizeof *n->frames.at + n->jobs.cap * sizeof *n->jobs.at;
}

bool
v8names_are_new(const struct v8names *n)
{
    return now_of(n) - n->last_new < NEW_FOR;
}

void
v8names_add(struct v8names *n, const struct v8frame *f)
{
    if (f->in_file && (f->leaf || !job_has_words(f)))
        return;
    n->earliest = f->time < n->earliest ? f->time : n->earliest;
    if (n->frames.n == FRAMES_MAX) {
        n->counts.left++;
        n->overflow = true;
        return;
    }
    VEC_ADD(n->frames, (struct seen){.f = *f});
}

static bool
is_trampoline(const struct v8names *n, uint64_t addr)
{
    for (unsigned i = 0; i < n->ntrampolines; i++)
        if (n->trampolines[i] == addr)
            return true;
    return false;
}

/* A frame with this return address was an interpreted function's, beyond doubt. */
static void
learn_trampoline(struct v8names *n, const struct v8frame *f)
{
    const struct v8names_sink *sink = n->told.sink;
    if (f->guessed || is_trampoline(n, f->pc) || n->ntrampolines == TRAMPOLINES_MAX)
        return;
    n->trampolines[n->ntrampolines++] = f->pc;
    sink->trampoline(sink->ctx, f->time, f->pc);
}

/* Return true if no code was found at the address a moment ago. */
static bool
is_nothing(const struct v8names *n, uint64_t addr, uint64_t now)
{
    uint32_t number = addresses_find(&n->nothing, addr);
    return number != ADDRESSES_NONE && n->nothing_until.at[number] > now;
}

static void
add_nothing(struct v8names *n, uint64_t addr, uint64_t now)
{
    uint32_t number;
    if (addresses_put(&n->nothing, addr, &number))
        VEC_ADD(n->nothing_until, 0);
    n->nothing_until.at[number] = now + NOTHING_FOR;
}

/* Return true if the offset, which counts from the tagged address, can be one in a BytecodeArray. */
static bool
has_offset(const struct v8names *n, const struct v8frame *f)
{
    int32_t offset;
    return heap_points(f->bytecode) && heap_smi(f->offset, &offset) &&
           offset >= n->told.layout->bytecode_data - 1;
}

/* A frame was not found to be in any function: if the sink has a name for its address, that is not sure any
 * more. */
static void
deny(struct v8names *n, const struct seen *s)
{
    bool in_bytecode = s->bytecode || is_trampoline(n, s->f.pc);
    uint64_t addr =
        in_bytecode ? heap_address(s->f.bytecode) + (s->f.offset >> 32) : job_address(&s->f);
    uint32_t place = places_at(&n->told.places, addr);
    const struct place *p = place != PLACE_NONE ? &n->told.places.of.at[place] : NULL;
    if (p != NULL && p->said <= s->f.time && s->f.time > p->valid)
        told_unsure(&n->told, place);
}

/* Set the key of a frame; false: it is in no JavaScript function's code, or that cannot be told. */
static bool
classify(struct v8names *n, struct seen *s, uint64_t now)
{
    const struct v8frame *f = &s->f;
    uint64_t addr = job_address(f);
    bool trampoline = is_trampoline(n, f->pc);
    uint32_t place = f->in_file || trampoline ? PLACE_NONE : places_code(&n->told.places, addr);
    bool nothing = f->in_file || (place == PLACE_NONE && is_nothing(n, addr, now));
    s->bytecode = job_has_words(f) && !f->leaf && has_offset(n, f) &&
                  (trampoline || (nothing && !f->guessed));
    /* Frames that are not JavaScript's have their type, a Smi, in the place of the context. */
    bool typed = f->has_words && !job_has_words(f) && !f->leaf && !f->guessed;
    if (typed || (!s->bytecode && (nothing || trampoline))) {
        n->counts.other += !f->in_file;
        deny(n, s);
        return false;
    }
    s->key = s->bytecode           ? f->bytecode
             : place != PLACE_NONE ? n->told.places.of.at[place].start
                                   : addr;
    return true;
}

/* By job, then by time; then by what else makes a difference, so that the order is total. */
static int
compare(const void *left, const void *right)
{
    const struct seen *a = left, *b = right;
    const uint64_t keys[][2] = {{a->bytecode, b->bytecode}, {a->key, b->key},
                                {a->f.time, b->f.time},     {a->f.tid, b->f.tid},
                                {a->f.pc, b->f.pc},         {a->f.function, b->f.function},
                                {a->f.leaf, b->f.leaf},     {a->f.offset, b->f.offset}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] > keys[i][1] ? 1 : -1;
    return 0;
}

static bool
is_same_job(const struct seen *a, const struct seen *b)
{
    return a->key == b->key && a->bytecode == b->bytecode;
}

static void
make_jobs(struct v8names *n, uint64_t now)
{
    size_t kept = 0;
    for (size_t i = 0; i < n->frames.n; i++)
        if (classify(n, &n->frames.at[i], now))
            n->frames.at[kept++] = n->frames.at[i];
    if (kept > 0)
        qsort(n->frames.at, kept, sizeof *n->frames.at, compare);
    n->jobs.n = 0;
    for (size_t i = 0, end; i < kept; i = end) {
        struct seen *s = &n->frames.at[i];
        for (end = i + 1; end < kept && is_same_job(s, &n->frames.at[end]);)
            end++;
        uint32_t place = s->bytecode ? places_bytecode(&n->told.places, s->key)
                                     : places_code(&n->told.places, job_address(&s->f));
        VEC_ADD(n->jobs, job_of(s, end - i, place));
    }
}

/* Work on all jobs, with one request for each step that some of them need. */
static void
work(struct v8names *n)
{
    bool more = true;
    for (unsigned round = 0; more && round < ROUNDS_MAX; round++) {
        snapshot_fetch(&n->told.heap.memory);
        more = false;
        for (size_t i = 0; i < n->jobs.n; i++)
            more = job_work(&n->jobs.at[i], &n->told) || more;
    }
    for (size_t i = 0; i < n->jobs.n; i++)
        job_give_up(&n->jobs.at[i], &n->told);
}

static void
begin_reading(struct v8names *n, uint64_t now)
{
    struct snapshot *s = &n->told.heap.memory;
    snapshot_clear(s);
    s->left = READ_MAX;
    s->gone = false;
    if (now - n->sources_from >= SECOND) {
        n->sources_from = now;
        n->told.functions.budget.left = SOURCES_MAX;
    }
}

/* Read once more what new names were made of: what has changed meanwhile gets none. What has not was the
 * same at the time in between. */
static void
check_new(struct v8names *n)
{
    uint64_t between = now_of(n);
    bool any = false;
    snapshot_clear(&n->told.heap.memory);
    n->told.heap.memory.left = READ_MAX;
    for (size_t i = 0; i < n->jobs.n; i++)
        if (n->jobs.at[i].is_new && n->jobs.at[i].place != PLACE_NONE) {
            job_check_again(&n->jobs.at[i], &n->told);
            any = true;
        }
    if (!any)
        return;
    work(n);
    n->last_new = between;
    for (size_t i = 0; i < n->jobs.n; i++) {
        const struct job *j = &n->jobs.at[i];
        if (!j->is_new || !job_is_done(j))
            continue;
        struct place *p = &n->told.places.of.at[j->place];
        p->first = between;
        for (size_t f = 0; f < j->n; f++)
            accept_note(&n->accept, j->frames[f].f.tid, between,
                        n->told.functions.of.at[p->function].id);
    }
}

/* Return true if the frame's JSFunction leads to the function of the place, and both are the same as at the
 * time of the sample. */
static bool
prove(const struct v8names *n, const struct seen *s, const struct place *p)
{
    const struct function *f = &n->told.functions.of.at[p->function];
    return s->closure == f->word &&
           (p->first < s->f.time ||
            (s->f.time > p->floor &&
             accept_first(&n->accept, s->f.tid, s->f.time, n->last_new, f->id)));
}

/* Note which frames are proven, and what follows for the place and the script. */
static void
prove_frames(struct v8names *n, struct job *j)
{
    struct place *p = &n->told.places.of.at[j->place];
    struct script *script =
        &n->told.functions.scripts.of.at[n->told.functions.of.at[p->function].script_number];
    for (size_t i = 0; i < j->n; i++) {
        struct seen *s = &j->frames[i];
        s->proven = prove(n, s, p);
        if (!s->proven)
            continue;
        p->first = s->f.time < p->first ? s->f.time : p->first;
        p->valid = s->f.time > p->valid ? s->f.time : p->valid;
        script->alive = s->f.time > script->alive ? s->f.time : script->alive;
    }
}

/* Return true if the place was its function's at the time of the sample. Without proof for the frame itself,
 * as in a prologue or beyond the copy of the stack, that is so between two frames with proof, for optimized
 * code, which itself leads to its function, or if the function's script was alive. */
static bool
believe(const struct v8names *n, const struct seen *s, const struct place *p)
{
    const struct functions *f = &n->told.functions;
    uint64_t alive = f->scripts.of.at[f->of.at[p->function].script_number].alive;
    if (s->proven)
        return true;
    if (p->first >= s->f.time || (s->bytecode && !is_trampoline(n, s->f.pc)))
        return false;
    return p->bytecode == 0 || s->f.time <= p->valid || s->f.time <= alive;
}

/* Tell the sink of a place, for frames that are in the order of time. */
static void
tell(struct v8names *n, struct job *j)
{
    struct place *p = &n->told.places.of.at[j->place];
    for (size_t i = 0; i < j->n; i++) {
        const struct seen *s = &j->frames[i];
        if (!believe(n, s, p)) {
            n->counts.doubtful++;
            if (p->said <= s->f.time)
                told_unsure(&n->told, j->place);
            continue;
        }
        p->valid = s->f.time > p->valid ? s->f.time : p->valid;
        bool told = p->said <= s->f.time || told_name(&n->told, j->place, s->f.time);
        n->counts.named += told;
        n->counts.unread += !told;
        if (s->bytecode && s->proven)
            learn_trampoline(n, &s->f);
    }
}

/* Return true if the job found a function, and told is what it says. */
static bool
has_function(const struct v8names *n, const struct job *j)
{
    const struct place *p = j->place != PLACE_NONE ? &n->told.places.of.at[j->place] : NULL;
    return job_is_done(j) && p != NULL && p->alive && p->function != PLACE_NONE &&
           n->told.functions.of.at[p->function].serial == p->serial;
}

static void
tell_all(struct v8names *n, uint64_t now)
{
    for (size_t i = 0; i < n->jobs.n; i++)
        if (has_function(n, &n->jobs.at[i]))
            prove_frames(n, &n->jobs.at[i]);
    for (size_t i = 0; i < n->jobs.n; i++) {
        struct job *j = &n->jobs.at[i];
        if (has_function(n, j)) {
            tell(n, j);
            continue;
        }
        *(job_is_done(j) ? &n->counts.other : &n->counts.unread) += j->n;
        for (size_t f = 0; f < j->n; f++)
            deny(n, &j->frames[f]);
        if (job_found_nothing(j, &n->told))
            add_nothing(n, job_address(&j->frames[0].f), now);
    }
}

/* Begin anew if too much memory is taken, or if names that the sink has were not checked. */
static void
forget_if_must(struct v8names *n)
{
    bool full = n->limit > 0 && v8names_size(n) > n->limit;
    if (!full && !n->overflow)
        return;
    told_forget(&n->told);
    free_nothing(n);
    n->counts.forgotten++;
    n->overflow = false;
}

static void
count_reading(struct v8names *n)
{
    const struct snapshot *s = &n->told.heap.memory;
    n->counts.functions = n->told.functions.read;
    n->counts.requests = s->requests;
    n->counts.reads = s->reads;
    n->counts.bytes = s->bytes;
}

void
v8names_resolve(struct v8names *n)
{
    if (n->frames.n == 0)
        return;
    uint64_t now = now_of(n);
    n->told.recent = n->last + 1 < n->earliest ? n->last + 1 : n->earliest;
    forget_if_must(n);
    begin_reading(n, now);
    make_jobs(n, now);
    for (size_t i = 0; i < n->jobs.n; i++)
        job_want(&n->jobs.at[i], &n->told);
    work(n);
    check_new(n);
    tell_all(n, now);
    count_reading(n);
    n->frames.n = n->jobs.n = 0;
    n->last = now;
    n->earliest = UINT64_MAX;
}

const struct v8names_counts *
v8names_counts(const struct v8names *n)
{
    return &n->counts;
}
