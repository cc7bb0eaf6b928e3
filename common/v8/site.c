#include "common/v8/site.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/base/utf8.h"
#include "common/v8/positions.h"

/* The table of source positions of code (positions.c) has an inlining id for each address: 0 for
 * the function's own source. Id n is entry n - 1 of the InliningPositions in the deoptimization
 * data (src/objects/code.h):
 *
 *     u64 SourcePosition of the call    with the inlining id of the caller, which is lower
 *     i32 function                      index of its SharedFunctionInfo in the literals; -1: the
 *                                       code's own function
 *     u32 padding */
enum {
    DEPTH_MAX = 32,       /* calls; kMaxDepthForInlining in js-inlining-heuristic.h is 50 */
    LABELS_MAX = 1 << 15, /* bytes of names at one address */
    POSITION = 16,        /* size of an InliningPosition, in bytes */
};

/* The parts of the deoptimization data that give inlining ids their meaning. */
struct meanings {
    struct v8array positions, literals;
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
        status = positions_bytes(&m->positions, h, positions);
    if (status == V8_OK)
        status = positions_array(&m->literals, h, literals, &type);
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
add_label(struct text *to, struct heap *h, struct functions *f, uint32_t function,
          enum function_tier tier)
{
    enum v8status status = functions_position(f, h, function);
    if (status != V8_OK)
        return status;
    text_add(to, to->len > 0 ? SPAN("\n") : SPAN(""));
    functions_label(f, h->layout, function, tier, false, false, to);
    return to->len <= LABELS_MAX ? V8_OK : (enum v8status)V8_BAD;
}

/* Append the line of a SourcePosition in a function; nothing if it is unknown. In a loop of which
 * Maglev copied the first turn, all positions of the other turns are those of the loop's first
 * word: so that is unknown in its code. */
static enum v8status
add_line(struct text *to, struct heap *h, struct functions *f, uint32_t function, uint64_t position,
         enum function_tier tier)
{
    int32_t line;
    bool is_loop = false;
    char digits[NUM_DIGITS];
    uint32_t offset = positions_offset(position);
    struct span url = f->of.at[function].url;
    if (offset == 0 || url.len == 0)
        return V8_OK;
    enum v8status status = functions_line(f, h, function, offset - 1, &line);
    if (status == V8_OK && tier == TIER_MAGLEV)
        status = functions_is_loop(f, h, function, offset - 1, &is_loop);
    if (status != V8_OK || is_loop || line <= 0)
        return status;
    size_t start = to->len;
    TEXT_ADD(to, span_from(url, span_starts(url, SPAN("file:///")) ? SPAN("file://").len : 0),
             SPAN(":"), num_decimal(digits, (uint32_t)line));
    utf8_mask(to->ptr + start, to->len - start);
    return to->len <= LABELS_MAX ? V8_OK : (enum v8status)V8_BAD;
}

/* Read an inlined call: the SourcePosition of the call, and the number of the called function. */
static enum v8status
read_call(uint64_t *position, uint32_t *function, struct heap *h, struct functions *f,
          const struct place *p, const struct meanings *m, uint32_t id)
{
    char call[POSITION];
    uint64_t shared;
    if (id > (uint32_t)m->positions.length / POSITION)
        return V8_BAD;
    enum v8status status = snapshot_get(
        &h->memory, m->positions.addr + (uint64_t)(id - 1) * POSITION, sizeof call, call);
    if (status == V8_OK)
        status = read_shared(&shared, h, &p->code, m, (int32_t)load_u32(call + 8));
    if (status == V8_OK)
        status = functions_at(f, h, shared, function);
    *position = load_u64(call);
    return status == V8_OK && positions_inlining(*position) >= id ? (enum v8status)V8_BAD : status;
}

/* Read what is inlined at a SourcePosition of optimized code, and all lines. */
static enum v8status
read_optimized(struct sites *t, struct heap *h, struct functions *f, const struct place *p,
               uint64_t position, const struct site_wish *w)
{
    struct meanings m;
    enum function_tier tier;
    uint32_t function, id = positions_inlining(position);
    enum v8status status = id > 0 ? read_meanings(&m, h, &p->code) : V8_OK;
    if (!code_tier(&p->code, h->layout, &tier))
        return V8_BAD;
    for (unsigned depth = 0; status == V8_OK && id > 0; depth++) {
        uint64_t caller;
        if (depth == DEPTH_MAX)
            return V8_BAD;
        status = read_call(&caller, &function, h, f, p, &m, id);
        if (status == V8_OK && w->inlined)
            status = add_label(&t->label, h, f, function, tier);
        if (status == V8_OK && w->inlined && w->lines) {
            status = add_line(&t->lines, h, f, function, position, tier);
            text_add(&t->lines, SPAN("\n"));
        }
        position = caller;
        id = positions_inlining(position);
    }
    return status == V8_OK && w->lines ? add_line(&t->lines, h, f, p->function, position, tier)
                                       : status;
}

/* Set *table to the table of source positions of the place's bytecode, tagged. */
static uint64_t
bytecode_positions(const struct place *p, const struct v8layout *l)
{
    return load_u64(p->header + l->bytecode_positions);
}

/* Read the line of an offset in the place's bytecode. */
static enum v8status
read_bytecode(struct sites *t, struct heap *h, struct functions *f, const struct place *p,
              uint64_t offset)
{
    uint64_t position;
    enum v8status status =
        positions_find(&position, h, bytecode_positions(p, h->layout), offset, UINT32_MAX);
    return status == V8_OK ? add_line(&t->lines, h, f, p->function, position, TIER_INTERPRETED)
                           : status;
}

enum site_kind { SITE_NONE, SITE_OPTIMIZED, SITE_BASELINE, SITE_BYTECODE };

static enum site_kind
kind_of(const struct place *p, const struct v8layout *l)
{
    enum function_tier tier;
    if (p->function == PLACE_NONE || p->wasm != WASM_NONE)
        return SITE_NONE;
    if (p->code.word == 0)
        return SITE_BYTECODE;
    if (code_may_interpret(&p->code, l) || !code_tier(&p->code, l, &tier))
        return SITE_NONE;
    return tier >= TIER_MAGLEV ? SITE_OPTIMIZED : SITE_BASELINE;
}

bool
sites_may_be(const struct place *p, const struct v8layout *l, const struct site_wish *w)
{
    enum site_kind kind = kind_of(p, l);
    return w->addr - p->start < p->size &&
           (kind == SITE_OPTIMIZED
                ? w->inlined || w->lines
                : w->lines &&
                      (kind == SITE_BYTECODE || (kind == SITE_BASELINE && l->bytecodes.count > 0)));
}

struct site *
sites_find(const struct sites *t, const struct place *p, uint64_t addr)
{
    uint32_t number = addresses_find(&t->places, addr);
    struct site *site = number != ADDRESSES_NONE ? &t->of.at[number] : NULL;
    return site != NULL && site->made == p->made ? site : NULL;
}

/* Read what is at the address into t->label and t->lines. */
static enum v8status
read(struct sites *t, struct heap *h, struct functions *f, const struct place *p,
     const struct site_wish *w)
{
    uint64_t offset = w->addr - p->start, found;
    enum v8status status;
    switch (kind_of(p, h->layout)) {
    case SITE_OPTIMIZED:
        status = positions_find(&found, h, p->code.positions, offset, p->size);
        return status == V8_OK ? read_optimized(t, h, f, p, found, w) : status;
    case SITE_BASELINE:
        status = positions_baseline(&found, h, p->code.positions, offset, p->bytecode);
        return status == V8_OK ? read_bytecode(t, h, f, p, found) : status;
    case SITE_BYTECODE:
        return offset >= h->layout->bytecode_data
                   ? read_bytecode(t, h, f, p, offset - h->layout->bytecode_data)
                   : (enum v8status)V8_BAD;
    case SITE_NONE:
        break;
    }
    return V8_BAD;
}

enum v8status
sites_read(struct sites *t, struct heap *h, struct functions *f, const struct place *p,
           const struct site_wish *w)
{
    struct site site = {.made = p->made, .reported = UINT64_MAX};
    uint32_t number;
    t->label.len = t->lines.len = 0;
    enum v8status status = read(t, h, f, p, w);
    if (status != V8_OK)
        return status;
    site.label = intern_add(&t->texts, text_span(&t->label));
    site.lines = intern_add(&t->texts, text_span(&t->lines));
    if (addresses_put(&t->places, w->addr, &number))
        VEC_ADD(t->of, site);
    t->of.at[number] = site;
    return V8_OK;
}

struct span
sites_labels(const struct sites *t, const struct site *site)
{
    return intern_text(&t->texts, site->label);
}

struct span
sites_lines(const struct sites *t, const struct site *site)
{
    return intern_text(&t->texts, site->lines);
}

size_t
sites_size(const struct sites *t)
{
    return addresses_size(&t->places) + t->of.cap * sizeof *t->of.at + intern_size(&t->texts) +
           t->label.cap + t->lines.cap;
}

void
sites_free(struct sites *t)
{
    addresses_free(&t->places);
    free(t->of.at);
    intern_free(&t->texts);
    free(t->label.ptr);
    free(t->lines.ptr);
    *t = (struct sites){0};
}
