#include "stacks.h"

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

void
stacks_add(struct stacks *s, const uint32_t *frames, size_t n, struct decimal count,
           const struct decimal *second)
{
    size_t known = s->keys.count;
    uint32_t id = intern_add(&s->keys, span_of((const char *)frames, n * sizeof *frames));
    if (id == known) {
        s->counts = mem_grow(s->counts, &s->counts_cap, known + 1, sizeof *s->counts);
        s->counts[id] = (struct decimal){0, 0};
    }
    s->counts[id] = decimal_add(s->counts[id], count);
    if (second == NULL && !s->two)
        return;
    size_t had = s->seconds_cap;
    s->seconds = mem_grow(s->seconds, &s->seconds_cap, s->counts_cap, sizeof *s->seconds);
    if (s->seconds_cap > had)
        memset(s->seconds + had, 0, (s->seconds_cap - had) * sizeof *s->seconds);
    s->two = true;
    if (second != NULL)
        s->seconds[id] = decimal_add(s->seconds[id], *second);
}

/* Names by rank. A name ranks in two forms, with the ";" that stands behind it inside a stack and
 * without it as the leaf. No form begins another but by a whole name, so arrays of ranks compare as
 * the lines' bytes do. */
struct ranks {
    struct span *forms; /* 2 * id: with the semicolon, 2 * id + 1: without */
    uint32_t *order;    /* rank -> form */
    uint32_t *rank;     /* form -> rank */
};

static struct ranks
rank_names(const struct intern *names)
{
    size_t n = 2 * names->count;
    struct ranks r = {mem_alloc(n * sizeof *r.forms), mem_alloc(n * sizeof *r.order),
                      mem_alloc(n * sizeof *r.rank)};
    for (size_t i = 0; i < names->count; i++) {
        r.forms[2 * i] = names->texts[i];
        r.forms[2 * i + 1] = span_head(names->texts[i], names->texts[i].len - 1);
    }
    sort_order(r.forms, n, r.order);
    for (size_t i = 0; i < n; i++)
        r.rank[r.order[i]] = (uint32_t)i;
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

static void
print_stack(struct out *out, struct span key, const struct ranks *r)
{
    const unsigned char *p = (const unsigned char *)key.ptr;
    for (const unsigned char *end = p + key.len; p < end; p += 4) {
        uint32_t rank = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
        out_span(out, r->forms[r->order[rank]]);
    }
}

static void
print_count(struct out *out, struct decimal count)
{
    char text[DECIMAL_TEXT];
    out_char(out, ' ');
    out_span(out, decimal_text(text, count));
}

void
stacks_print(struct stacks *s, struct out *out)
{
    size_t n = s->keys.count;
    if (n == 0)
        return;
    struct ranks r = rank_names(&s->names);
    for (size_t i = 0; i < n; i++)
        to_ranks(s->keys.texts[i], r.rank);
    uint32_t *order = mem_alloc(n * sizeof *order);
    sort_order(s->keys.texts, n, order);
    for (size_t i = 0; i < n; i++) {
        print_stack(out, s->keys.texts[order[i]], &r);
        print_count(out, s->counts[order[i]]);
        if (s->two)
            print_count(out, s->seconds[order[i]]);
        out_char(out, '\n');
    }
    free(order);
    free(r.forms);
    free(r.order);
    free(r.rank);
}
