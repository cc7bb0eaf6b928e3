#include "cmd/stackcollapse/lineformat.h"

#include <stdlib.h>

void *
lineformat_state(struct collapse *c, void **state, size_t size)
{
    if (*state == NULL) {
        *state = mem_alloc(size);
        memset(*state, 0, size);
        *(struct lineformat *)*state = (struct lineformat){
            .c = c,
            .stack = {.profile = &c->profile},
            .script = c->options->script,
            .cache = {.last = INTERN_NONE, .open = INTERN_NONE, .begin = INTERN_NONE}};
    }
    return *state;
}

/* Memory for lines that differ in addresses or numbers must not grow with the input. */
enum { CACHE_LINES = 64 * 1024, CACHE_BYTES = 8 * 1024 * 1024 };

static void
forget_lines(struct linecache *cache)
{
    intern_free(&cache->lines);
    cache->lines = (struct intern){0};
    memset(cache->starts, 0, sizeof cache->starts);
    cache->bytes = 0;
    cache->last = cache->open = cache->begin = INTERN_NONE;
}

/* Pushes the frame of a line of the cache, which follows the line `before`. */
static void
push_line(struct lineformat *f, uint32_t before, uint32_t line)
{
    f->cache.next[before] = line;
    f->cache.last = line;
    stackbuild_push_name(&f->stack, f->cache.frames[line]);
}

/* Takes the next lines as long as each is the one that followed the line before the last time. */
static void
take_predicted(struct lineformat *f, struct lines *l)
{
    const struct linecache *cache = &f->cache;
    struct span rest = lines_buffered(l);
    uint32_t next, last = cache->last;
    size_t n = 0;
    while ((next = cache->next[last]) != INTERN_NONE) {
        struct span line = intern_text(&cache->lines, next);
        if (!span_starts(rest, line))
            break;
        rest = span_from(rest, line.len);
        stackbuild_push_name(&f->stack, cache->frames[next]);
        last = next;
        n++;
    }
    f->cache.last = last;
    lines_skip(l, (size_t)(rest.ptr - l->buf) - l->pos, n);
}

static bool
take_known(struct lineformat *f, struct span line)
{
    if (!f->cache.starts[(unsigned char)line.ptr[0]])
        return false;
    uint32_t id = intern_find(&f->cache.lines, span_of(line.ptr, line.len + 1));
    if (id != INTERN_NONE)
        push_line(f, f->cache.last, id);
    return id != INTERN_NONE;
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

/* The number of the line in the cache; its name is set if the line is new. */
static uint32_t
keep_line(struct lineformat *f, struct span line, uint32_t name)
{
    struct linecache *cache = &f->cache;
    size_t had = cache->cap;
    uint32_t id;
    if (cache->lines.count == CACHE_LINES || cache->bytes > CACHE_BYTES)
        forget_lines(cache);
    if (intern_put(&cache->lines, line, &id)) {
        cache->frames = mem_grow(cache->frames, &cache->cap, (size_t)id + 1, sizeof *cache->frames);
        cache->next = mem_grow(cache->next, &had, (size_t)id + 1, sizeof *cache->next);
        cache->frames[id] = name;
        cache->next[id] = INTERN_NONE;
        cache->bytes += line.len;
        if (line.len > 0)
            cache->starts[(unsigned char)line.ptr[0]] = true;
    }
    return id;
}

void
lineformat_begin(struct lineformat *f)
{
    if (f->script)
        return;
    if (f->cache.begin == INTERN_NONE)
        f->cache.begin = keep_line(f, SPAN(""), INTERN_NONE);
    f->cache.last = f->cache.begin;
}

void
lineformat_frame(struct lineformat *f, struct span line, struct span name)
{
    struct linecache *cache = &f->cache;
    lineformat_push_leaf_first(f, name);
    if (f->script)
        return;
    uint32_t id = keep_line(f, span_of(line.ptr, line.len + 1), f->stack.frames[f->stack.n - 1]);
    if (cache->open != INTERN_NONE)
        cache->next[cache->open] = id;
    cache->last = id;
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
    free(f->cache.frames);
    free(f->cache.next);
    free(f->name.ptr);
    free(f);
}
