#include "common/v8/inlined.h"

#include <stdlib.h>

#include "common/v8/positions.h"

/* The table of source positions of code (positions.c) has an inlining id for each address: 0 for
 * the function's own source. Id n is entry n - 1 of the InliningPositions in the deoptimization data
 * (src/objects/code.h):
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
        id = positions_inlining(load_u64(position));
        if (status == V8_OK && id >= inner)
            return V8_BAD;
    }
    return status;
}

bool
inlined_may_be(const struct place *p, const struct v8layout *l)
{
    enum function_tier tier;
    return p->function != PLACE_NONE && p->code.word != 0 && code_tier(&p->code, l, &tier) &&
           tier >= TIER_MAGLEV;
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
    uint64_t position;
    uint32_t number;
    enum v8status status =
        positions_find(&position, h, p->code.positions, pc - 1 - p->start, p->size);
    if (status == V8_OK)
        status = read_labels(&t->text, h, f, p, positions_inlining(position));
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
