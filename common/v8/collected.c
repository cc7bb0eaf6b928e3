#include "common/v8/collected.h"

#include <stdlib.h>

enum {
    KEPT_FRAMES = 1024,              /* frames whose memory is kept for the next time */
    FRAMES_MAX = 1 << 16,            /* further frames are dropped */
    NOTHING_FOR = 200 * 1000 * 1000, /* nanoseconds between searches at an address without code */
    WASM_FOR = 100 * 1000 * 1000,    /* nanoseconds: see is_still_wasm */
};

void
collected_add(struct collected *c, const struct v8frame *f)
{
    if (f->in_file && (f->leaf || !job_has_words(f)))
        return;
    c->earliest = f->time < c->earliest ? f->time : c->earliest;
    if (c->frames.n == FRAMES_MAX) {
        c->left++;
        c->overflow = true;
        return;
    }
    VEC_ADD(c->frames, (struct seen){.f = *f});
}

bool
collected_is_trampoline(const struct collected *c, uint64_t addr)
{
    for (unsigned i = 0; i < c->ntrampolines; i++)
        if (c->trampolines[i] == addr)
            return true;
    return false;
}

void
collected_trampoline(struct collected *c, struct reported *t, const struct v8frame *f)
{
    if (f->guessed || collected_is_trampoline(c, f->pc) || c->ntrampolines == COLLECTED_TRAMPOLINES)
        return;
    c->trampolines[c->ntrampolines++] = f->pc;
    t->sink->trampoline(t->sink->ctx, f->time, f->pc);
}

/* Return true if no code was found at the address a moment ago. */
static bool
is_nothing(const struct collected *c, uint64_t addr, uint64_t now)
{
    uint32_t number = addresses_find(&c->nothing, addr);
    return number != ADDRESSES_NONE && c->nothing_until.at[number] > now;
}

void
collected_nothing(struct collected *c, uint64_t addr, uint64_t now)
{
    uint32_t number;
    if (addresses_put(&c->nothing, addr, &number))
        VEC_ADD(c->nothing_until, 0);
    c->nothing_until.at[number] = now + NOTHING_FOR;
}

/* Return true if the offset, which counts from the tagged address, can be one in a
 * BytecodeArray. */
static bool
has_offset(const struct reported *t, const struct v8frame *f)
{
    int32_t offset;
    return heap_points(f->bytecode) && heap_smi(f->offset, &offset) &&
           offset >= t->layout->bytecode_data - 1;
}

/* Return true if the place is WebAssembly and the frame does not contradict that. A module's code
 * does not move as long as the module lives: it is enough if a frame just before had the type. */
static bool
is_still_wasm(const struct place *p, const struct v8frame *f)
{
    return p->wasm != WASM_NONE && wasm_may_be(f) && f->time <= p->valid + WASM_FOR;
}

void
collected_deny(const struct collected *c, struct reported *t, const struct seen *s)
{
    bool in_bytecode = s->bytecode || collected_is_trampoline(c, s->f.pc);
    uint64_t addr = in_bytecode ? s->f.bytecode + (s->f.offset >> 32) : job_address(&s->f);
    uint32_t place = places_at(&t->places, addr);
    const struct place *p = place != PLACE_NONE ? &t->places.of.at[place] : NULL;
    if (p != NULL && p->reported <= s->f.time && s->f.time > p->valid && !is_still_wasm(p, &s->f))
        reported_unsure(t, place);
}

/* Set the key of a frame. Return false if the frame is not in the code of a JavaScript function, or
 * if that cannot be determined. */
static bool
classify(struct collected *c, struct reported *t, struct seen *s, uint64_t now)
{
    const struct v8frame *f = &s->f;
    uint64_t addr = job_address(f);
    enum wasm wasm = wasm_of_frame(f, t->layout);
    if (wasm != WASM_NONE) {
        reported_wasm(t, addr, wasm, f->time);
        c->other++;
        return false;
    }
    bool trampoline = collected_is_trampoline(c, f->pc);
    uint32_t place = f->in_file || trampoline ? PLACE_NONE : places_code(&t->places, addr);
    bool nothing = f->in_file || (place == PLACE_NONE && is_nothing(c, addr, now));
    s->bytecode = job_has_words(f) && !f->leaf && has_offset(t, f) &&
                  (trampoline || (nothing && !f->guessed));
    /* Frames of other code have their type, a Smi, in the place of the context. */
    bool typed = f->has_words && !job_has_words(f) && !f->leaf && !f->guessed;
    if (typed || (!s->bytecode && (nothing || trampoline))) {
        c->other += !f->in_file;
        collected_deny(c, t, s);
        return false;
    }
    s->key = s->bytecode ? f->bytecode : place != PLACE_NONE ? t->places.of.at[place].start : addr;
    return true;
}

/* Order by job, then by time, then by all else that makes a difference: a total order. */
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

void
collected_sort(struct collected *c, struct reported *t, uint64_t now)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->frames.n; i++)
        if (classify(c, t, &c->frames.at[i], now))
            c->frames.at[kept++] = c->frames.at[i];
    if (kept > 0)
        qsort(c->frames.at, kept, sizeof *c->frames.at, compare);
    c->jobs.n = 0;
    for (size_t i = 0, end; i < kept; i = end) {
        struct seen *s = &c->frames.at[i];
        for (end = i + 1; end < kept && is_same_job(s, &c->frames.at[end]);)
            end++;
        uint32_t place = s->bytecode ? places_bytecode(&t->places, s->key)
                                     : places_code(&t->places, job_address(&s->f));
        VEC_ADD(c->jobs, job_of(s, end - i, place));
    }
}

void
collected_empty(struct collected *c)
{
    c->frames.n = c->jobs.n = 0;
    c->earliest = UINT64_MAX;
    if (c->frames.cap <= KEPT_FRAMES)
        return;
    free(c->frames.at);
    free(c->jobs.at);
    memset(&c->frames, 0, sizeof c->frames);
    memset(&c->jobs, 0, sizeof c->jobs);
}

void
collected_forget(struct collected *c)
{
    addresses_free(&c->nothing);
    free(c->nothing_until.at);
    c->nothing_until.at = NULL;
    c->nothing_until.n = c->nothing_until.cap = 0;
}

size_t
collected_frames_size(const struct collected *c)
{
    return c->frames.cap * sizeof *c->frames.at + c->jobs.cap * sizeof *c->jobs.at;
}

size_t
collected_size(const struct collected *c)
{
    return addresses_size(&c->nothing) + c->nothing_until.cap * sizeof *c->nothing_until.at +
           collected_frames_size(c);
}

void
collected_free(struct collected *c)
{
    collected_forget(c);
    free(c->frames.at);
    free(c->jobs.at);
}
