#include "common/v8/inlined.h"

#include <stdlib.h>

#include "common/base/cursor.h"

/* Code.source_position_table is a byte array with an entry for each offset in the instructions at
 * which the position in the source changes (src/codegen/source-position-table.cc):
 *
 *     offset in the instructions
 *     SourcePosition
 *
 * Both are differences to the previous entry; the first offset counts from -1. If the position is
 * not that of a statement, a difference d of offsets is written as -d - 1. Numbers are
 * zigzag-encoded (1 -> 2, -1 -> 1), 7 bits a byte from the lowest on, with bit 7 set in all but the
 * last byte. The entry at an offset is the last one that is not above it.
 *
 * Bits 31 to 46 of a SourcePosition are an inlining id, 0 for the function's own source
 * (src/codegen/source-position.h). Id n is entry n - 1 of the InliningPositions in the
 * deoptimization data (src/objects/code.h):
 *
 *     u64 SourcePosition of the call    with the inlining id of the caller, which is lower
 *     i32 function                      index of its SharedFunctionInfo in the literals; -1: the
 *                                       code's own function
 *     u32 padding */
enum {
    TABLE_MAX = 1 << 15,  /* maximal size of a table of source positions, in bytes */
    DEPTH_MAX = 32,       /* calls; kMaxDepthForInlining in js-inlining-heuristic.h is 50 */
    LABELS_MAX = 1 << 15, /* bytes of names at one address */
    POSITION = 16,        /* size of an InliningPosition, in bytes */
    ID_SHIFT = 31,
    ID_MASK = 0xffff,
};

/* An array of bytes or words in the memory of the process. */
struct array {
    uint64_t addr; /* address of the first element */
    int32_t length;
};

static enum v8status
read_array(struct array *a, struct heap *h, uint64_t word, uint16_t *type)
{
    char header[16];
    enum v8status status = heap_object(h, word, sizeof header, header, type);
    if (status != V8_OK)
        return status;
    a->addr = heap_address(word) + h->layout->array_data;
    return heap_smi(load_u64(header + h->layout->array_length), &a->length) && a->length >= 0
               ? V8_OK
               : (enum v8status)V8_BAD;
}

static enum v8status
read_byte_array(struct array *a, struct heap *h, uint64_t word)
{
    uint16_t type;
    enum v8status status = read_array(a, h, word, &type);
    if (status == V8_OK && type != h->layout->type_bytes && type != h->layout->type_trusted_bytes)
        return V8_BAD;
    return status;
}

/* Read a number of the source position table. */
static int64_t
read_number(struct cursor *c)
{
    uint64_t n = 0;
    unsigned shift = 0, byte = 0x80;
    for (; (byte & 0x80) != 0 && shift < 64 && cursor_left(c) > 0; shift += 7) {
        byte = cursor_u8(c);
        n |= (uint64_t)(byte & 0x7f) << shift;
    }
    c->cut |= (byte & 0x80) != 0;
    return (int64_t)(n >> 1 ^ (0 - (n & 1)));
}

/* Set *id to the inlining id at an offset in the instructions. */
static enum v8status
read_id(uint32_t *id, struct heap *h, const struct v8code *code, uint64_t offset)
{
    char table[TABLE_MAX];
    struct array a;
    uint64_t at = UINT64_MAX /* -1 */, position = 0;
    enum v8status status = read_byte_array(&a, h, code->positions);
    if (status == V8_OK && a.length > TABLE_MAX)
        return V8_BAD;
    if (status == V8_OK)
        status = snapshot_get(&h->memory, a.addr, (size_t)a.length, table);
    if (status != V8_OK)
        return status;
    struct cursor c = cursor_of(span_of(table, (size_t)a.length));
    *id = 0;
    while (cursor_left(&c) > 0) {
        int64_t step = read_number(&c);
        at += (uint64_t)(step >= 0 ? step : -(step + 1));
        position += (uint64_t)read_number(&c);
        if (c.cut || at > code->size)
            return V8_BAD;
        if (at <= offset)
            *id = (uint32_t)(position >> ID_SHIFT) & ID_MASK;
    }
    return V8_OK;
}

/* The parts of the deoptimization data that give inlining ids their meaning. */
struct meanings {
    struct array positions, literals;
    int32_t functions; /* number of literals that are inlined functions; they come first */
};

static enum v8status
read_meanings(struct meanings *m, struct heap *h, const struct v8code *code)
{
    const struct v8layout *l = h->layout;
    uint64_t count, literals, positions;
    uint16_t type;
    enum v8status status = code_deopt_word(code, h, l->deopt_count, &count);
    if (status == V8_OK)
        status = code_deopt_word(code, h, l->deopt_literals, &literals);
    if (status == V8_OK)
        status = code_deopt_word(code, h, l->deopt_positions, &positions);
    if (status == V8_OK)
        status = read_byte_array(&m->positions, h, positions);
    if (status == V8_OK)
        status = read_array(&m->literals, h, literals, &type);
    if (status != V8_OK)
        return status;
    bool whole = type == l->type_literals && heap_smi(count, &m->functions) &&
                 m->functions <= m->literals.length && m->positions.length % POSITION == 0;
    return whole ? V8_OK : (enum v8status)V8_BAD;
}

/* Set *shared to the SharedFunctionInfo of an inlined function. `index` is `function` above. */
static enum v8status
read_shared(uint64_t *shared, struct heap *h, const struct v8code *code, const struct meanings *m,
            int32_t index)
{
    enum { TAG = 3 }; /* a weak reference has all bits of the tag set */
    if (index == -1)
        return code_shared(code, h, shared);
    if (index < 0 || index >= m->functions)
        return V8_BAD;
    enum v8status status =
        snapshot_get(&h->memory, m->literals.addr + (uint64_t)index * 8, sizeof *shared, shared);
    *shared = (*shared & ~(uint64_t)TAG) | 1;
    return status == V8_OK ? code_unwrap(h, shared) : status;
}

/* Append the name of a function and its place in the source. */
static enum v8status
add_label(struct text *to, struct heap *h, struct functions *f, uint64_t shared,
          enum function_tier tier)
{
    uint32_t number;
    enum v8status status = functions_at(f, h, shared, &number);
    if (status == V8_OK)
        status = functions_position(f, h, number);
    if (status != V8_OK)
        return status;
    text_add(to, to->len > 0 ? SPAN("\n") : SPAN(""));
    functions_label(f, h->layout, number, tier, false, false, to);
    return to->len <= LABELS_MAX ? V8_OK : (enum v8status)V8_BAD;
}

/* Set `to` to the labels of the functions inlined at this inlining id, innermost first. */
static enum v8status
read_labels(struct text *to, struct heap *h, struct functions *f, const struct place *p,
            uint32_t id)
{
    struct meanings m;
    char position[POSITION];
    enum function_tier tier;
    uint64_t shared;
    enum v8status status = id > 0 ? read_meanings(&m, h, &p->code) : V8_OK;
    if (!code_tier(&p->code, h->layout, &tier))
        return V8_BAD;
    to->len = 0;
    for (unsigned depth = 0; status == V8_OK && id > 0; depth++) {
        uint32_t inner = id;
        if (depth == DEPTH_MAX || id > (uint32_t)m.positions.length / POSITION)
            return V8_BAD;
        status = snapshot_get(&h->memory, m.positions.addr + (uint64_t)(id - 1) * POSITION,
                              sizeof position, position);
        if (status == V8_OK)
            status = read_shared(&shared, h, &p->code, &m, (int32_t)load_u32(position + 8));
        if (status == V8_OK)
            status = add_label(to, h, f, shared, tier);
        id = (uint32_t)(load_u64(position) >> ID_SHIFT) & ID_MASK;
        if (status == V8_OK && id >= inner)
            return V8_BAD;
    }
    return status;
}

bool
inlined_may_be(const struct place *p, const struct v8layout *l)
{
    enum function_tier tier;
    return l->has_inlined && p->function != PLACE_NONE && p->code.word != 0 &&
           code_tier(&p->code, l, &tier) && tier >= TIER_MAGLEV;
}

struct inlined_site *
inlined_find(const struct inlined *t, const struct place *p, uint64_t pc)
{
    uint32_t number = addresses_find(&t->places, pc);
    struct inlined_site *site = number != ADDRESSES_NONE ? &t->of.at[number] : NULL;
    return site != NULL && site->made == p->made ? site : NULL;
}

enum v8status
inlined_read(struct inlined *t, struct heap *h, struct functions *f, const struct place *p,
             uint64_t pc)
{
    struct inlined_site site = {.made = p->made, .reported = UINT64_MAX};
    uint32_t id, number;
    enum v8status status = read_id(&id, h, &p->code, pc - 1 - p->start);
    if (status == V8_OK)
        status = read_labels(&t->text, h, f, p, id);
    if (status != V8_OK)
        return status;
    site.label = intern_add(&t->labels, text_span(&t->text));
    if (addresses_put(&t->places, pc, &number))
        VEC_ADD(t->of, site);
    t->of.at[number] = site;
    return V8_OK;
}

struct span
inlined_labels(const struct inlined *t, const struct inlined_site *site)
{
    return intern_text(&t->labels, site->label);
}

size_t
inlined_size(const struct inlined *t)
{
    return addresses_size(&t->places) + t->of.cap * sizeof *t->of.at + intern_size(&t->labels) +
           t->text.cap;
}

void
inlined_free(struct inlined *t)
{
    addresses_free(&t->places);
    free(t->of.at);
    intern_free(&t->labels);
    free(t->text.ptr);
    *t = (struct inlined){0};
}
