#include "common/v8/string.h"

#include <stdlib.h>

#include "common/base/utf8.h"

enum {
    HEADER = 32,  /* bytes of a string object; a sequential one may be shorter */
    STEPS = 4096, /* maximal number of parts examined for one string */
};

/* A part of a string that was not yet decomposed. */
struct part {
    uint64_t word;
    uint32_t skip, take; /* characters */
    unsigned depth;
};

/* A stack of parts, with the first part of the text on top. Each part is replaced by at most two,
 * and the second waits, so their number is limited by the depth. */
struct parts {
    struct part at[STRING_DEPTH + 3];
    unsigned n;
};

static enum v8status
put(struct parts *parts, uint64_t word, uint64_t skip, uint32_t take, unsigned depth)
{
    if (depth > STRING_DEPTH || parts->n == sizeof parts->at / sizeof *parts->at ||
        skip > INT32_MAX)
        return V8_BAD;
    if (take > 0)
        parts->at[parts->n++] = (struct part){word, (uint32_t)skip, take, depth};
    return V8_OK;
}

static uint32_t
at_most(uint32_t n, uint32_t most)
{
    return n < most ? n : most;
}

/* Push the two parts of a cons string. The length of the first part must be looked up. */
static enum v8status
put_cons(struct heap *h, struct parts *parts, const struct part *p, uint64_t first, uint64_t second)
{
    char header[16];
    uint16_t type;
    enum v8status status = heap_object(h, first, sizeof header, header, &type);
    if (status != V8_OK)
        return status;
    uint32_t len = load_u32(header + h->layout->string_length);
    if (!string_is(h, type) || len > INT32_MAX)
        return V8_BAD;
    uint32_t skip = at_most(p->skip, len), take = at_most(p->take, len - skip);
    status = put(parts, second, p->skip - skip, p->take - take, p->depth + 1);
    return status == V8_OK ? put(parts, first, skip, take, p->depth + 1) : status;
}

static void
add_piece(struct string_pieces *to, uint64_t addr, const struct part *p, bool wide)
{
    uint64_t skip = wide ? (uint64_t)p->skip * 2 : p->skip;
    VEC_ADD(to->of, (struct string_piece){addr + skip, p->take, wide});
    to->count += p->take;
}

/* Read as much of a string object as is safe: unmapped memory may follow a short sequential
 * string. */
static enum v8status
read_header(struct heap *h, uint64_t word, char header[static HEADER], uint16_t *type)
{
    memset(header, 0, HEADER);
    enum v8status status = heap_object(h, word, 16, header, type);
    unsigned kind = status == V8_OK ? *type & h->layout->string_mask : 0;
    return status == V8_OK && string_is(h, *type) && kind != 0
               ? snapshot_get(&h->memory, heap_address(word), HEADER, header)
               : status;
}

/* Decompose one part. */
static enum v8status
take_apart(struct heap *h, struct parts *parts, struct part p, struct string_pieces *to)
{
    const struct v8layout *l = h->layout;
    char header[HEADER];
    uint16_t type;
    enum v8status status = read_header(h, p.word, header, &type);
    if (status != V8_OK)
        return status;
    uint32_t len = load_u32(header + l->string_length);
    if (!string_is(h, type) || len > INT32_MAX || p.skip > len)
        return V8_BAD;
    p.take = at_most(p.take, len - p.skip);
    unsigned kind = type & l->string_mask;
    bool wide = (type & l->string_one_byte) == 0;
    int32_t offset;
    if (kind == l->string_cons)
        return put_cons(h, parts, &p, load_u64(header + l->cons_first),
                        load_u64(header + l->cons_second));
    if (kind == l->string_thin)
        return put(parts, load_u64(header + l->thin_actual), p.skip, p.take, p.depth + 1);
    if (kind == l->string_sliced) {
        if (!heap_smi(load_u64(header + l->sliced_offset), &offset) || offset < 0)
            return V8_BAD;
        return put(parts, load_u64(header + l->sliced_parent), (uint64_t)offset + p.skip, p.take,
                   p.depth + 1);
    }
    if (kind == 0)
        add_piece(to, heap_address(p.word) + l->string_chars, &p, wide);
    else if (kind == l->string_external && (type & l->string_uncached) == 0)
        add_piece(to, load_u64(header + l->external_data), &p, wide);
    else
        return V8_BAD;
    return V8_OK;
}

/* As string_pieces, without the first `skip` characters. */
static enum v8status
pieces_from(struct heap *h, uint64_t word, uint32_t skip, uint32_t most, struct string_pieces *p)
{
    struct parts parts = {.n = 0};
    enum v8status status = put(&parts, word, skip, most, 0);
    p->of.n = 0;
    p->count = 0;
    for (unsigned steps = 0; status == V8_OK && parts.n > 0; steps++)
        status =
            steps < STEPS ? take_apart(h, &parts, parts.at[--parts.n], p) : (enum v8status)V8_BAD;
    return status;
}

enum v8status
string_pieces(struct heap *h, uint64_t word, uint32_t most, struct string_pieces *p)
{
    return pieces_from(h, word, 0, most, p);
}

void
string_pieces_free(struct string_pieces *p)
{
    free(p->of.at);
    *p = (struct string_pieces){0};
}

static void
add_character(struct text *to, uint32_t c)
{
    char bytes[4];
    text_add(to, span_of(bytes, utf8_encode(bytes, c != 0 ? c : ' ')));
}

/* Append UTF-16 as UTF-8. *high is the first half of a surrogate pair whose second half comes next,
 * or 0. */
static void
add_unit(struct text *to, uint32_t unit, uint32_t *high)
{
    enum { REPLACEMENT = 0xfffd };
    bool second = unit >= 0xdc00 && unit < 0xe000;
    if (*high != 0 && second) {
        add_character(to, 0x10000 + ((*high - 0xd800) << 10) + (unit - 0xdc00));
        *high = 0;
        return;
    }
    if (*high != 0)
        add_character(to, REPLACEMENT);
    *high = unit >= 0xd800 && unit < 0xdc00 ? unit : 0;
    if (*high == 0)
        add_character(to, second ? REPLACEMENT : unit);
}

static enum v8status
add_piece_text(struct heap *h, const struct string_piece *p, size_t end, struct text *to,
               uint32_t *high)
{
    char bytes[SNAPSHOT_LINE];
    uint32_t width = p->wide ? 2 : 1;
    enum v8status status = V8_OK;
    for (uint32_t i = 0, n; i < p->count && to->len < end && status == V8_OK; i += n) {
        n = at_most(p->count - i, sizeof bytes / width);
        status = snapshot_get(&h->memory, p->addr + (uint64_t)i * width, (size_t)n * width, bytes);
        for (uint32_t j = 0; j < n && to->len < end && status == V8_OK; j++)
            add_unit(to, p->wide ? load_u16(bytes + (size_t)j * 2) : (unsigned char)bytes[j], high);
    }
    return status;
}

enum v8status
string_text(struct heap *h, uint64_t word, uint32_t most, struct text *to)
{
    struct string_pieces pieces = {0};
    size_t end = to->len + most;
    uint32_t high = 0;
    enum v8status status = string_pieces(h, word, most, &pieces);
    for (size_t i = 0; i < pieces.of.n && status == V8_OK; i++)
        snapshot_want(&h->memory, pieces.of.at[i].addr,
                      (size_t)pieces.of.at[i].count * (pieces.of.at[i].wide ? 2 : 1));
    for (size_t i = 0; i < pieces.of.n && status == V8_OK; i++)
        status = add_piece_text(h, &pieces.of.at[i], end, to, &high);
    if (high != 0 && status == V8_OK)
        add_character(to, 0xfffd);
    string_pieces_free(&pieces);
    return status;
}

enum v8status
string_characters(struct heap *h, uint64_t word, uint32_t offset, char *to, size_t most, size_t *n)
{
    struct string_pieces pieces = {0};
    enum v8status status = pieces_from(h, word, offset, (uint32_t)most, &pieces);
    *n = 0;
    for (size_t i = 0; i < pieces.of.n && status == V8_OK; i++) {
        const struct string_piece *p = &pieces.of.at[i];
        uint32_t width = p->wide ? 2 : 1;
        for (uint32_t j = 0; j < p->count && *n < most && status == V8_OK; j++) {
            char unit[2] = {0, 0};
            status = snapshot_get(&h->memory, p->addr + (uint64_t)j * width, width, unit);
            to[(*n)++] = (char)(load_u16(unit) < 0x80 ? unit[0] : 0);
        }
    }
    string_pieces_free(&pieces);
    return status;
}
