#include "cmd/stackcollapse/stacks.h"

#include <stdlib.h>

#include "common/base/sort.h"

uint32_t
stacks_name(struct stacks *s, struct span name)
{
    char small[256];
    char *text = name.len < sizeof small ? small : mem_alloc(name.len + 1);
    memcpy(text, name.ptr, name.len);
    text[name.len] = ';';
    uint32_t id = intern_add(&s->names, span_of(text, name.len + 1));
    if (text != small)
        free(text);
    return id;
}

/* Adds the counts to those of a stack, which is new where it has none. */
static void
add_counts(struct stacks *s, uint32_t id, struct decimal count, const struct decimal *second)
{
    size_t had = s->counts_cap;
    s->counts = mem_grow(s->counts, &s->counts_cap, (size_t)id + 1, sizeof *s->counts);
    if (s->counts_cap > had)
        memset(s->counts + had, 0, (s->counts_cap - had) * sizeof *s->counts);
    s->counts[id] = decimal_add(s->counts[id], count);
    if (second == NULL && !s->two)
        return;
    had = s->seconds_cap;
    s->seconds = mem_grow(s->seconds, &s->seconds_cap, s->counts_cap, sizeof *s->seconds);
    if (s->seconds_cap > had)
        memset(s->seconds + had, 0, (s->seconds_cap - had) * sizeof *s->seconds);
    s->two = true;
    if (second != NULL)
        s->seconds[id] = decimal_add(s->seconds[id], *second);
}

static struct span
as_bytes(const uint32_t *frames, size_t n)
{
    return span_of((const char *)frames, n * sizeof *frames);
}

void
stacks_add(struct stacks *s, const uint32_t *frames, size_t n, struct decimal count,
           const struct decimal *second)
{
    s->unsorted = true;
    add_counts(s, intern_add(&s->keys, as_bytes(frames, n)), count, second);
}

void
stacks_add_behind(struct stacks *s, const uint32_t *frames, size_t n, struct decimal count,
                  const struct decimal *second)
{
    if (s->unsorted)
        stacks_add(s, frames, n, count, second);
    else
        add_counts(s, intern_append(&s->keys, as_bytes(frames, n)), count, second);
}

/* Names by rank. A name ranks in two forms, with the ";" that stands behind it inside a stack and
 * without it as the leaf. No form begins another but by a whole name, so arrays of ranks compare as
 * the lines' bytes do. */
struct ranks {
    uint32_t *rank;     /* of name `id`: 2 * id with the semicolon, 2 * id + 1 without */
    struct span *forms; /* by rank */
};

static struct ranks
rank_names(const struct intern *names)
{
    size_t n = 2 * names->count;
    struct ranks r = {mem_alloc(n * sizeof *r.rank), mem_alloc(n * sizeof *r.forms)};
    uint32_t *places = mem_alloc(n * sizeof *places);
    for (size_t i = 0; i < names->count; i++) {
        r.forms[2 * i] = names->texts[i];
        r.forms[2 * i + 1] = span_head(names->texts[i], names->texts[i].len - 1);
    }
    sort_spans(r.forms, n, places);
    for (size_t i = 0; i < n; i++)
        r.rank[places[i]] = (uint32_t)i;
    free(places);
    return r;
}

/* Turns a stack's name numbers into ranks, in place, most significant byte first, so that memcmp
 * orders stacks. The arena that holds them is ours. */
static void
to_ranks(struct span key, const uint32_t *rank)
{
    unsigned char *p = (unsigned char *)key.ptr;
    for (unsigned char *end = p + key.len; p < end; p += 4) {
        uint32_t id;
        memcpy(&id, p, sizeof id);
        uint32_t r = rank[2 * (size_t)id + (p + 4 == end)];
        p[0] = (unsigned char)(r >> 24);
        p[1] = (unsigned char)(r >> 16);
        p[2] = (unsigned char)(r >> 8);
        p[3] = (unsigned char)r;
    }
}

/* A stack as text. The one before begins alike as a rule, so only the rest is put together anew. */
struct line {
    struct span key;
    char *text;
    size_t cap;
    size_t *ends; /* where the text of each frame ends */
    size_t ends_cap;
};

/* Makes the line that of the stack and returns its length. */
static size_t
set_line(struct line *l, struct span key, const struct ranks *r)
{
    size_t i = span_common(l->key, key) / 4, n = key.len / 4;
    l->ends = mem_grow(l->ends, &l->ends_cap, n, sizeof *l->ends);
    size_t len = i > 0 ? l->ends[i - 1] : 0;
    for (; i < n; i++) {
        const unsigned char *p = (const unsigned char *)key.ptr + 4 * i;
        struct span form =
            r->forms[(uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]];
        l->text = mem_grow(l->text, &l->cap, len + form.len, 1);
        memcpy(l->text + len, form.ptr, form.len);
        l->ends[i] = len += form.len;
    }
    l->key = key;
    return len;
}

static void
print_count(struct out *out, struct decimal count)
{
    char text[DECIMAL_TEXT];
    out_char(out, ' ');
    out_span(out, decimal_text(text, count));
}

/* In byte order stacks lie anywhere in memory: the one to be printed some turns later is asked for.
 */
static void
prefetch(const struct stacks *s, size_t i, const uint32_t *places)
{
    enum { AHEAD = 8, LINE = 64 /* bytes that memory gives at once */ };
    if (i + AHEAD >= s->keys.count)
        return;
    __builtin_prefetch(&s->counts[places[i + AHEAD]]);
    struct span key = s->keys.texts[i + AHEAD];
    for (size_t at = 0; at < key.len; at += LINE)
        __builtin_prefetch(key.ptr + at);
}

/* Puts the stacks into the order in which to print them, their keys as ranks. The result, to be
 * given to free(), is where each one's counts stand. */
static uint32_t *
put_in_order(struct stacks *s, const struct ranks *r)
{
    size_t n = s->keys.count;
    uint32_t *places = mem_alloc(n * sizeof *places);
    for (size_t i = 0; i < n; i++) {
        to_ranks(s->keys.texts[i], r->rank);
        places[i] = (uint32_t)i;
    }
    if (s->unsorted)
        sort_spans(s->keys.texts, n, places);
    return places;
}

void
stacks_print(struct stacks *s, struct out *out)
{
    size_t n = s->keys.count;
    if (n == 0)
        return;
    struct ranks r = rank_names(&s->names);
    struct line line = {.key = SPAN("")};
    uint32_t *places = put_in_order(s, &r);
    for (size_t i = 0; i < n; i++) {
        prefetch(s, i, places);
        size_t len = set_line(&line, s->keys.texts[i], &r);
        out_span(out, span_of(line.text, len));
        print_count(out, s->counts[places[i]]);
        if (s->two)
            print_count(out, s->seconds[places[i]]);
        out_char(out, '\n');
    }
    free(places);
    free(line.text);
    free(line.ends);
    free(r.forms);
    free(r.rank);
}
