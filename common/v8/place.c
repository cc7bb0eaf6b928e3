#include "common/v8/place.h"

#include <stdlib.h>

uint32_t
places_at(const struct places *t, uint64_t addr)
{
    const struct codepiece *p = codemap_find(&t->at, addr);
    return p != NULL ? p->line : PLACE_NONE;
}

uint32_t
places_code(const struct places *t, uint64_t addr)
{
    uint32_t number = places_at(t, addr);
    return number != PLACE_NONE && t->of.at[number].code.word != 0 ? number : PLACE_NONE;
}

uint32_t
places_in(const struct places *t, uint64_t start, uint64_t end)
{
    const struct codepiece *p = codemap_from(&t->at, start);
    return p != NULL && p->start < end ? p->line : PLACE_NONE;
}

/* Return a unique key. The address of code is even, that of a BytecodeArray is tagged. WebAssembly
 * can have any address: it is inverted, which makes it larger than both. */
static uint64_t
key_of(const struct place *p)
{
    if (p->wasm != WASM_NONE)
        return ~p->start;
    return p->code.word != 0 ? p->start : p->bytecode;
}

uint32_t
places_same(const struct places *t, const struct place *p)
{
    uint32_t number = addresses_find(&t->by_start, key_of(p));
    return number != ADDRESSES_NONE && t->of.at[number].alive ? number : PLACE_NONE;
}

uint32_t
places_bytecode(const struct places *t, uint64_t word)
{
    return places_same(t, &(struct place){.bytecode = word});
}

uint64_t
places_floor(const struct places *t, const struct place *p)
{
    uint32_t number = addresses_find(&t->by_start, key_of(p));
    return number != ADDRESSES_NONE ? t->of.at[number].floor : 0;
}

uint32_t
places_add(struct places *t, const struct place *p)
{
    uint32_t number;
    if (addresses_put(&t->by_start, key_of(p), &number))
        VEC_ADD(t->of, *p);
    t->of.at[number] = *p;
    t->of.at[number].alive = true;
    codemap_put(&t->at, p->start, p->start + p->size, number);
    return number;
}

void
places_kill(struct places *t, uint32_t number)
{
    struct place *p = &t->of.at[number];
    p->alive = false;
    codemap_clear(&t->at, p->start, p->start + p->size);
}

/* Read the header and the first bytecodes of a BytecodeArray. */
static enum v8status
read_header(struct heap *h, uint64_t word, char header[static PLACE_HEADER])
{
    const struct v8layout *l = h->layout;
    enum { FIRST = 8 };
    memset(header, 0, PLACE_HEADER);
    enum v8status status = heap_typed(h, word, l->type_bytecode, l->bytecode_header, header);
    return status == V8_OK ? snapshot_get(&h->memory, heap_address(word) + l->bytecode_data, FIRST,
                                          header + l->bytecode_header)
                           : status;
}

enum v8status
place_of_bytecode(struct place *p, struct heap *h, uint64_t word)
{
    int32_t length;
    *p = (struct place){.start = heap_address(word), .bytecode = word, .function = PLACE_NONE};
    enum v8status status = read_header(h, word, p->header);
    if (status != V8_OK)
        return status;
    if (!heap_smi(load_u64(p->header + h->layout->bytecode_length), &length) || length <= 0)
        return V8_BAD;
    p->size = (uint64_t)length + h->layout->bytecode_data;
    return V8_OK;
}

enum v8status
place_of_code(struct place *p, struct heap *h, const struct v8code *c)
{
    enum function_tier tier;
    *p = (struct place){.start = c->start, .size = c->size, .code = *c, .function = PLACE_NONE};
    if (!code_tier(c, h->layout, &tier) || tier != TIER_BASELINE)
        return V8_OK;
    enum v8status status = functions_bytecode(h, c->deopt, &p->bytecode, NULL);
    return status == V8_OK ? read_header(h, p->bytecode, p->header) : status;
}

/* Return true if the function can belong to a place with bytecode. A copy of the interpreter's
 * entry looks like any other, so the function must lead to this one. */
static bool
is_possible(const struct place *p, const struct v8layout *l, const struct function *f)
{
    bool copy = p->code.word != 0 && code_may_interpret(&p->code, l);
    return f->bytecode == p->bytecode && (!copy || f->entry == p->code.word);
}

enum v8status
place_check(const struct place *p, struct heap *h, struct functions *f)
{
    char header[PLACE_HEADER];
    enum v8status status =
        p->code.word != 0 ? code_check(&p->code, h) : read_header(h, p->bytecode, header);
    if (status == V8_OK && p->code.word == 0 && memcmp(header, p->header, sizeof header) != 0)
        return V8_BAD;
    if (status != V8_OK || p->function == PLACE_NONE)
        return status;
    const struct function *known = &f->of.at[p->function];
    status = known->serial == p->serial ? functions_check(f, h, p->function) : V8_BAD;
    if (status == V8_OK && p->bytecode != 0 && !is_possible(p, h->layout, known))
        return V8_BAD;
    return status;
}

enum v8status
place_check_code(const struct place *p, struct heap *h, const struct functions *f)
{
    uint64_t shared;
    if (p->code.word == 0 || p->bytecode != 0 || p->function == PLACE_NONE)
        return V8_OK;
    enum v8status status = code_shared(&p->code, h, &shared);
    return status == V8_OK && shared != f->of.at[p->function].word ? V8_BAD : status;
}

void
place_want(const struct place *p, struct heap *h, struct functions *f)
{
    if (p->code.word != 0)
        code_want(&p->code, h);
    else
        snapshot_want(&h->memory, heap_address(p->bytecode), (size_t)h->layout->bytecode_data + 8);
    if (p->function != PLACE_NONE)
        functions_want(f, h, p->function);
}

enum v8status
place_set_bytecode(struct place *p, struct heap *h, uint64_t word)
{
    enum v8status status = read_header(h, word, p->header);
    p->bytecode = status == V8_OK ? word : 0;
    return status;
}

bool
place_tier(const struct place *p, const struct v8layout *l, enum function_tier *tier)
{
    *tier = TIER_INTERPRETED;
    return p->code.word == 0 || code_may_interpret(&p->code, l) || code_tier(&p->code, l, tier);
}

enum v8status
place_identify(struct place *p, struct heap *h, struct functions *f, uint64_t closure)
{
    uint64_t shared;
    uint32_t number;
    enum v8status status = p->bytecode == 0 ? code_shared(&p->code, h, &shared)
                                            : functions_shared(h, closure, &shared);
    if (status == V8_OK)
        status = functions_at(f, h, shared, &number);
    if (status != V8_OK)
        return status;
    if (p->bytecode != 0 && !is_possible(p, h->layout, &f->of.at[number]))
        return V8_BAD;
    p->function = number;
    p->serial = f->of.at[number].serial;
    return V8_OK;
}

size_t
places_size(const struct places *t)
{
    return t->of.cap * sizeof *t->of.at + addresses_size(&t->by_start) + codemap_size(&t->at);
}

void
places_free(struct places *t)
{
    free(t->of.at);
    addresses_free(&t->by_start);
    codemap_free(&t->at);
    *t = (struct places){0};
}
