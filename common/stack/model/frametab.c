#include "common/stack/model/frametab.h"

#include <stdlib.h>

#include "common/base/num.h"

void
frametab_init(struct frametab *t, frame_parser *parse)
{
    *t = (struct frametab){.parse = parse};
}

/* Return the slot for the parts of the frame that was just added. */
static struct frame *
new_frame(struct frametab *t, uint32_t number)
{
    t->frames = mem_grow(t->frames, &t->cap, (size_t)number + 1, sizeof *t->frames);
    t->bytes += intern_text(&t->texts, number).len;
    return &t->frames[number];
}

uint32_t
frametab_line(struct frametab *t, struct span text)
{
    uint32_t number;
    if (!intern_put(&t->texts, text, &number))
        return number;
    struct frame *f = new_frame(t, number);
    text = intern_text(&t->texts, number);
    if (!t->parse(text, f))
        *f = (struct frame){.sym = span_trim(text), .has_sym = true};
    return number;
}

static void
add_number(struct text *key, uint32_t n)
{
    text_add(key, SPAN_BYTES(n));
}

/* Append a part to the key: its length, which makes keys unique, and its bytes. */
static void
add_part(struct text *key, struct span part)
{
    add_number(key, (uint32_t)part.len);
    text_add(key, part);
}

/* Remove the next part from the key, and return it. */
static struct span
take_part(struct span *key)
{
    uint32_t len;
    memcpy(&len, key->ptr, sizeof len);
    struct span part = span_of(key->ptr + sizeof len, len);
    *key = span_from(*key, sizeof len + len);
    return part;
}

uint32_t
frametab_add(struct frametab *t, const struct frame *parts)
{
    bool has_ip = parts->has_ip && parts->addr.len == 0;
    const char first[] = {'\n', has_ip, parts->has_sym, parts->has_srcline, parts->doubtful};
    uint32_t number;
    t->key.len = 0; /* no line begins like a key */
    text_add(&t->key, span_of(first, sizeof first));
    if (has_ip)
        text_add(&t->key, SPAN_BYTES(parts->ip));
    add_part(&t->key, parts->addr);
    add_part(&t->key, parts->sym);
    add_part(&t->key, parts->offset);
    add_part(&t->key, parts->dso);
    add_part(&t->key, parts->srcline);
    add_number(&t->key, parts->sym_blanks);
    if (!intern_put(&t->texts, text_span(&t->key), &number))
        return number;
    struct span key =
        span_from(intern_text(&t->texts, number), sizeof first + (has_ip ? sizeof parts->ip : 0));
    struct frame *f = new_frame(t, number);
    *f = *parts;
    f->addr = take_part(&key);
    f->sym = take_part(&key);
    f->offset = take_part(&key);
    f->dso = take_part(&key);
    f->srcline = take_part(&key);
    f->has_ip = f->has_ip || num_hex(f->addr, &f->ip);
    return number;
}

size_t
frametab_size(const struct frametab *t)
{
    return intern_size(&t->texts) + t->cap * sizeof *t->frames;
}

void
frametab_empty(struct frametab *t)
{
    uint32_t generation = t->generation + 1;
    frametab_free(t);
    *t = (struct frametab){.parse = t->parse, .generation = generation};
}

void
frametab_free(struct frametab *t)
{
    intern_free(&t->texts);
    free(t->frames);
    free(t->key.ptr);
}
