#include "common/event/deferred.h"

#include <stdlib.h>

static struct deferred_sample *
sample_at(struct deferred *d, size_t i)
{
    return &d->samples[(d->first + i) % DEFERRED_MAX];
}

/* Find the marker in the chain that announces the rest for later. */
static bool
find_marker(struct words chain, size_t *at)
{
    for (*at = 0; *at + 1 < chain.count; ++*at)
        if (words_at(chain, *at) == PERF_CONTEXT_USER_DEFERRED)
            return true;
    return false;
}

static void
add_words(struct text *t, struct words words)
{
    text_add(t, span_of(words.ptr, words.count * sizeof(uint64_t)));
}

static void
release(struct deferred *d, struct deferred_sample *s)
{
    d->ready += !s->ready;
    s->ready = true;
}

bool
deferred_hold(struct deferred *d, const struct record *sample, uint64_t offset)
{
    size_t at;
    struct words chain = sample->sample.callchain;
    if (!find_marker(chain, &at))
        return false;
    struct deferred_sample *s = sample_at(d, d->count++);
    s->cookie = words_at(chain, at + 1);
    s->tid = sample->tid;
    s->offset = offset;
    s->ready = false;
    text_set(&s->bytes, sample->bytes);
    s->chain.len = 0;
    add_words(&s->chain, (struct words){chain.ptr, at});
    if (d->count == DEFERRED_MAX)
        release(d, sample_at(d, 0));
    return true;
}

void
deferred_complete(struct deferred *d, const struct record *r)
{
    const uint64_t user = PERF_CONTEXT_USER;
    for (size_t i = 0; i < d->count; i++) {
        struct deferred_sample *s = sample_at(d, i);
        if (s->tid != r->tid || s->ready)
            continue;
        release(d, s);
        if (s->cookie != r->deferred.cookie)
            continue;
        text_add(&s->chain, SPAN_BYTES(user));
        add_words(&s->chain, r->deferred.chain);
    }
}

void
deferred_end(struct deferred *d)
{
    for (size_t i = 0; i < d->count; i++)
        release(d, sample_at(d, i));
}

bool
deferred_next(struct deferred *d, struct deferred_given *given)
{
    size_t i = 0;
    if (d->ready == 0)
        return false;
    while (!sample_at(d, i)->ready)
        i++;
    /* The earlier ones still wait. Move each of them up by one, and this one to the front. */
    struct deferred_sample found = *sample_at(d, i);
    for (; i > 0; i--)
        *sample_at(d, i) = *sample_at(d, i - 1);
    *sample_at(d, 0) = found;
    d->first = (d->first + 1) % DEFERRED_MAX;
    d->count--;
    d->ready--;
    given->bytes = text_span(&found.bytes);
    given->chain = (struct words){found.chain.ptr, found.chain.len / sizeof(uint64_t)};
    given->offset = found.offset;
    return true;
}

void
deferred_free(struct deferred *d)
{
    for (size_t i = 0; i < DEFERRED_MAX; i++) {
        free(d->samples[i].bytes.ptr);
        free(d->samples[i].chain.ptr);
    }
    memset(d, 0, sizeof *d);
}
