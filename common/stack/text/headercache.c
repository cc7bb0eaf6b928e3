#include "common/stack/text/headercache.h"

#include "common/base/bytes.h"
#include "common/base/hash.h"

_Static_assert(sizeof(struct header_template) == 256, "a template is four cache lines");

/* Return true if two texts of the same length, at least sizeof(bytes), differ only in digits. */
static bool
differ_in_digits(const char *a, const char *b, size_t len)
{
    bytes bad = {0};
    for (size_t i = 0; i < len; i += sizeof bad) {
        size_t at = i + sizeof bad <= len ? i : len - sizeof bad;
        bytes x = bytes_load(a + at), y = bytes_load(b + at);
        bad |= (bytes)(x != y) & (bytes)((x - '0' > 9) | (y - '0' > 9));
    }
    return !bytes_any(bad);
}

/* Return the slot for a text of at least 16 bytes. Lines of the same thread have the same
 * prefix. */
static size_t
slot_of(const struct headercache *c, const char *text)
{
    return hash_mix(hash_load(text), hash_load(text + 8)) %
           (sizeof c->templates / sizeof *c->templates);
}

size_t
headercache_find(const struct headercache *c, struct span text, struct perf_header *h)
{
    if (text.len < sizeof(bytes))
        return 0;
    const char *p = text.ptr;
    const struct header_template *t = &c->templates[slot_of(c, p)];
    if (t->len == 0 || t->len >= text.len || p[t->len] != '\n' ||
        !differ_in_digits(t->text, p, t->len))
        return 0;
#pragma GCC unroll 9 /* saves a fifth of this function's instructions */
    for (int i = 0; i < PERF_FIELDS; i++)
        h->field[i] = span_of(p + t->field[i].at, t->field[i].len);
    h->event_width = t->event_width;
    h->no_callchain = t->no_callchain;
    return t->len;
}

void
headercache_add(struct headercache *c, struct span line, const struct perf_header *h)
{
    if (line.len < sizeof(bytes) || line.len > TEMPLATE_TEXT || h->event_width > UINT8_MAX)
        return;
    struct header_template *t = &c->templates[slot_of(c, line.ptr)];
    for (int i = 0; i < PERF_FIELDS; i++) {
        struct span field = h->field[i];
        t->field[i] = (struct field_place){0, (uint8_t)field.len};
        if (field.len > 0)
            t->field[i].at = (uint8_t)(field.ptr - line.ptr);
    }
    t->event_width = (uint8_t)h->event_width;
    t->no_callchain = h->no_callchain;
    t->len = (uint8_t)line.len;
    memcpy(t->text, line.ptr, line.len);
}
