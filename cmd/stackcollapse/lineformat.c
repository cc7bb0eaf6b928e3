#include "cmd/stackcollapse/lineformat.h"

#include <stdlib.h>

/* Memory for lines that differ in addresses or numbers must not grow with the input. */
enum { CACHE_LINES = 64 * 1024, CACHE_PAIRS = 128 * 1024, CACHE_BYTES = 8 * 1024 * 1024 };

void *
lineformat_state(struct collapse *c, void **state, size_t size)
{
    if (*state == NULL) {
        *state = mem_alloc(size);
        memset(*state, 0, size);
        *(struct lineformat *)*state =
            (struct lineformat){.c = c,
                                .stack = {.profile = &c->profile},
                                .script = c->options->script,
                                .cache = {.last = INTERN_NONE, .open = INTERN_NONE}};
    }
    return *state;
}

static bool
is_full(const struct linecache *cache)
{
    return cache->lines.count >= CACHE_LINES || cache->pairs.count >= CACHE_PAIRS ||
           cache->bytes > CACHE_BYTES;
}

/* Empties the cache if it is full. */
static void
make_room(struct linecache *cache)
{
    if (!is_full(cache))
        return;
    intern_free(&cache->lines);
    intern_free(&cache->pairs);
    memset(cache->starts, 0, sizeof cache->starts);
    cache->bytes = 0;
    cache->last = cache->open = INTERN_NONE;
}

/* Notes that the line comes after the pair `before`, which may be INTERN_NONE. */
static void
follow(struct linecache *cache, uint32_t before, uint32_t line)
{
    uint32_t lines[2] = {before != INTERN_NONE ? cache->pair[before].line : INTERN_NONE, line};
    if (intern_put(&cache->pairs, span_of((const char *)lines, sizeof lines), &cache->last)) {
        size_t n = cache->pairs.count;
        cache->pair = mem_grow(cache->pair, &cache->pair_cap, n, sizeof *cache->pair);
        cache->pair[cache->last] = (struct linepair){line, INTERN_NONE};
    }
    if (before != INTERN_NONE)
        cache->pair[before].next = cache->last;
}

/* Takes the next lines as long as each is the one that followed the two before it the last time. */
static void
take_predicted(struct lineformat *f, struct lines *l)
{
    const struct linecache *cache = &f->cache;
    struct span rest = lines_buffered(l);
    uint32_t next, last = cache->last;
    size_t n = 0;
    for (; (next = cache->pair[last].next) != INTERN_NONE; n++) {
        uint32_t id = cache->pair[next].line;
        struct span line = intern_text(&cache->lines, id);
        if (!span_starts(rest, line))
            break;
        rest = span_from(rest, line.len);
        stackbuild_push_name(&f->stack, cache->frames[id]);
        last = next;
    }
    f->cache.last = last;
    lines_skip(l, (size_t)(rest.ptr - l->buf) - l->pos, n);
}

uint32_t
lineformat_find(const struct lineformat *f, struct span line)
{
    const struct linecache *cache = &f->cache;
    bool possible = cache->starts[(unsigned char)line.ptr[0]] && !is_full(cache);
    return possible ? intern_find(&cache->lines, span_of(line.ptr, line.len + 1)) : INTERN_NONE;
}

void
lineformat_frame_again(struct lineformat *f, uint32_t line)
{
    follow(&f->cache, f->cache.last, line);
    stackbuild_push_name(&f->stack, f->cache.frames[line]);
}

static bool
take_known(struct lineformat *f, struct span line)
{
    uint32_t known = lineformat_find(f, line);
    if (known != INTERN_NONE)
        lineformat_frame_again(f, known);
    return known != INTERN_NONE;
}

void
lineformat_fold(struct collapse *c, void **state, size_t size,
                void (*take)(void *state, struct span line))
{
    struct span line;
    struct lines *l = &c->input.lines;
    struct lineformat *f = lineformat_state(c, state, size);
    f->cache.last = INTERN_NONE;
    for (;;) {
        bool after_frame = f->cache.last != INTERN_NONE;
        if (after_frame)
            take_predicted(f, l);
        if (!lines_next(l, &line))
            break;
        if (after_frame && take_known(f, line))
            continue;
        f->cache.open = f->cache.last;
        f->cache.last = INTERN_NONE;
        take(f, line);
    }
    if (!c->options->script)
        input_warn_cut(&c->input);
}

void
lineformat_begin(struct lineformat *f)
{
    if (f->script)
        return;
    make_room(&f->cache);
    follow(&f->cache, INTERN_NONE, INTERN_NONE);
    f->cache.open = f->cache.last;
}

void
lineformat_frame(struct lineformat *f, struct span line, struct span name)
{
    struct linecache *cache = &f->cache;
    uint32_t id;
    lineformat_push_leaf_first(f, name);
    if (f->script)
        return;
    make_room(cache);
    if (intern_put(&cache->lines, span_of(line.ptr, line.len + 1), &id)) {
        size_t n = cache->lines.count;
        cache->frames = mem_grow(cache->frames, &cache->frames_cap, n, sizeof *cache->frames);
        cache->frames[id] = f->stack.frames[f->stack.n - 1];
        cache->bytes += line.len;
        cache->starts[(unsigned char)line.ptr[0]] = true;
    }
    follow(cache, cache->open, id);
}

void
lineformat_push(struct lineformat *f, struct span name)
{
    (f->script ? stackbuild_push_folded : stackbuild_push)(&f->stack, name);
}

void
lineformat_push_leaf_first(struct lineformat *f, struct span name)
{
    size_t from = f->stack.n;
    lineformat_push(f, name);
    stackbuild_reverse(&f->stack, from);
}

void
lineformat_prepend(struct lineformat *f, struct span name)
{
    if (name.len > 0 || f->stack.n > 0 || !f->script)
        lineformat_push_leaf_first(f, name);
}

void
lineformat_emit(struct lineformat *f, struct decimal count)
{
    if (f->stack.n == 0 && f->script)
        stackbuild_push(&f->stack, SPAN(""));
    f->c->samples += stackbuild_emit(&f->stack, count);
}

void
lineformat_emit_reversed(struct lineformat *f)
{
    stackbuild_reverse(&f->stack, 0);
    if (f->stack.n > 0)
        lineformat_emit(f, LINEFORMAT_ONCE);
}

void
lineformat_finish(void *state)
{
    lineformat_emit_reversed(state);
}

void
lineformat_print(struct lineformat *f, struct span count)
{
    for (size_t i = 0; i < f->stack.n; i++) {
        if (i > 0)
            out_char(f->c->out, ';');
        out_span(f->c->out, profile_name_text(f->stack.profile, f->stack.frames[i]));
    }
    out_char(f->c->out, ' ');
    out_span(f->c->out, count);
    out_char(f->c->out, '\n');
    f->c->samples++;
    stackbuild_clear(&f->stack);
}

void
lineformat_end(void *state)
{
    struct lineformat *f = state;
    stackbuild_free(&f->stack);
    intern_free(&f->cache.lines);
    intern_free(&f->cache.pairs);
    free(f->cache.frames);
    free(f->cache.pair);
    free(f->name.ptr);
    free(f);
}
