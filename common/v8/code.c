#include "common/v8/code.h"

enum {
    OBJECT = 72,           /* bytes read of a Code object */
    ALIGNMENT = 32,        /* minimal alignment of instructions: kCodeAlignment */
    SEARCH_FIRST = 4096,   /* bytes searched at first; then twice as many each time */
    SEARCH_STEP = 1 << 16, /* maximum of bytes searched at once */
};

static enum v8status
read_code(struct v8code *c, struct heap *h, uint64_t word)
{
    const struct v8layout *l = h->layout;
    char bytes[OBJECT];
    enum v8status status = heap_typed(h, word, l->type_code, sizeof bytes, bytes);
    if (status != V8_OK)
        return status;
    *c = (struct v8code){
        .word = word,
        .start =
            l->code_start > 0 ? load_u64(bytes + l->code_start) : heap_address(word) + l->code_body,
        .size = load_u32(bytes + l->code_size),
        .flags = load_u32(bytes + l->code_flags),
        .deopt = load_u64(bytes + l->code_deopt),
        .positions = load_u64(bytes + l->code_positions),
        .osr = l->code_osr > 0 ? (int32_t)load_u32(bytes + l->code_osr) : -1,
    };
    return c->size > 0 && c->size <= INT32_MAX ? V8_OK : V8_BAD;
}

/* Read the Code object of instructions that begin at `start`. */
static enum v8status
code_before(struct v8code *c, struct heap *h, uint64_t start)
{
    const struct v8layout *l = h->layout;
    char header[16];
    uint64_t object = start - l->stream_header, word = object + 1;
    if (l->type_stream > 0) {
        enum v8status status = heap_typed(h, word, l->type_stream, sizeof header, header);
        if (status != V8_OK)
            return status;
        word = load_u64(header + l->stream_code);
    }
    enum v8status status = read_code(c, h, word);
    return status == V8_OK && c->start != start ? V8_BAD : status;
}

/* Return true if the word could be the address of a map. The maps of objects before instructions
 * are read-only, and lie in pages of their own. This rejects most words of instructions without a
 * read. */
static bool
could_be_map(uint64_t word)
{
    return heap_points(word) && word % 8 == 1 && word >> 47 == 0 && word > 0xffff;
}

/* Search [from, end) backwards for the start of code. Set *unread if a part cannot be read: no code
 * spans it. Instructions contain constants that look like a map. All targets of such constants are
 * noted before any is examined; otherwise each would need a request. */
static enum v8status
look_back(struct v8code *c, struct heap *h, uint64_t from, uint64_t end, bool *unread)
{
    uint64_t map;
    bool waits = false;
    for (uint64_t at = end; at > from;) {
        at -= ALIGNMENT;
        enum v8status status =
            snapshot_get(&h->memory, at - h->layout->stream_header, sizeof map, &map);
        *unread = status == V8_BAD;
        if (status == V8_WAIT || *unread)
            return waits ? V8_WAIT : status;
        if (!could_be_map(map))
            continue;
        status = code_before(c, h, at);
        if (status == V8_OK)
            return waits ? V8_WAIT : V8_OK;
        waits |= status == V8_WAIT;
    }
    return waits ? V8_WAIT : V8_BAD;
}

enum v8status
code_find(struct v8code *c, struct heap *h, uint64_t addr, uint32_t most, struct code_search *s)
{
    uint32_t header = h->layout->stream_header;
    bool unread = false;
    if (s->from == 0)
        s->from = addr / ALIGNMENT * ALIGNMENT + ALIGNMENT;
    while (s->looked < most && s->from > SEARCH_STEP + header) {
        uint32_t step = s->looked < SEARCH_FIRST  ? SEARCH_FIRST
                        : s->looked < SEARCH_STEP ? s->looked
                                                  : SEARCH_STEP;
        uint64_t from = s->from - step;
        enum v8status status = look_back(c, h, from, s->from, &unread);
        if (status == V8_OK)
            return addr - c->start < c->size ? V8_OK : V8_BAD;
        if (status == V8_WAIT) {
            snapshot_want(&h->memory, from - header, step);
            return V8_WAIT;
        }
        if (unread)
            return V8_BAD;
        s->from = from;
        s->looked += step;
    }
    return V8_BAD;
}

bool
code_same(const struct v8code *a, const struct v8code *b)
{
    return a->word == b->word && a->start == b->start && a->size == b->size &&
           a->flags == b->flags && a->deopt == b->deopt && a->positions == b->positions &&
           a->osr == b->osr;
}

enum v8status
code_check(const struct v8code *c, struct heap *h)
{
    struct v8code now;
    enum v8status status = code_before(&now, h, c->start);
    return status == V8_OK && !code_same(c, &now) ? V8_BAD : status;
}

/* Return the size of the deoptimization data up to and including the function, in bytes. */
static size_t
deopt_size(const struct v8layout *l)
{
    return l->array_data + (size_t)l->deopt_shared * 8 + 8;
}

void
code_want_before(const struct v8code *c, struct heap *h, uint64_t addr)
{
    uint64_t from = c->start - h->layout->stream_header;
    if (addr - c->start < SEARCH_STEP)
        snapshot_want(&h->memory, from, (size_t)(addr / ALIGNMENT * ALIGNMENT + ALIGNMENT - from));
    heap_want(h, c->deopt, deopt_size(h->layout));
}

void
code_want(const struct v8code *c, struct heap *h)
{
    if (h->layout->type_stream > 0)
        snapshot_want(&h->memory, c->start - h->layout->stream_header, 16);
    snapshot_want(&h->memory, heap_address(c->word), OBJECT);
}

bool
code_tier(const struct v8code *c, const struct v8layout *l, enum function_tier *tier)
{
    uint32_t kind = c->flags & l->kind_mask;
    if (kind < l->kind_baseline || kind > l->kind_baseline + 2u)
        return false;
    *tier = (enum function_tier)(TIER_BASELINE + (kind - l->kind_baseline));
    return true;
}

/* The kinds of compiled functions are the last ones of the enumeration (src/objects/code-kind.h). A
 * copy of the interpreter's entry has the kind of the original, BUILTIN, or in older versions
 * INTERPRETED_FUNCTION. */
bool
code_may_interpret(const struct v8code *c, const struct v8layout *l)
{
    return (c->flags & l->kind_mask) < l->kind_baseline;
}

struct span
code_label(const struct v8code *c, const struct v8layout *l)
{
    uint32_t kind = c->flags & l->kind_mask;
    if (c->word != 0 && kind == l->kind_regexp)
        return SPAN("RegExp:(pattern not known)");
    if (c->word != 0 && kind == l->kind_js_to_wasm)
        return SPAN("Stub:js-to-wasm"); /* V8 appends the types of the parameters */
    return SPAN("");
}

bool
code_is_specialized(const struct v8code *c, const struct v8layout *l)
{
    return (c->flags & l->code_specialized) != 0;
}

bool
code_is_osr(const struct v8code *c, const struct v8layout *l)
{
    return l->code_osr > 0 && c->osr >= 0;
}

enum v8status
code_deopt_word(const struct v8code *c, struct heap *h, uint32_t index, uint64_t *word)
{
    const struct v8layout *l = h->layout;
    char array[16];
    int32_t n;
    heap_want(h, c->deopt, deopt_size(l));
    enum v8status status = heap_typed(h, c->deopt, l->type_deopt, sizeof array, array);
    if (status != V8_OK)
        return status;
    /* Code that was deoptimized has an empty array. */
    if (!heap_smi(load_u64(array + l->array_length), &n) || n < 0 || (uint32_t)n <= index)
        return V8_BAD;
    return heap_word(h, c->deopt, l->array_data + (size_t)index * 8, word);
}

enum v8status
code_unwrap(struct heap *h, uint64_t *shared)
{
    const struct v8layout *l = h->layout;
    char wrapper[16];
    uint16_t type;
    if (l->type_wrapper == 0)
        return V8_OK;
    enum v8status status = heap_object(h, *shared, sizeof wrapper, wrapper, &type);
    if (status == V8_OK && type == l->type_wrapper)
        *shared = load_u64(wrapper + l->wrapper_shared);
    return status;
}

enum v8status
code_shared(const struct v8code *c, struct heap *h, uint64_t *shared)
{
    enum v8status status = code_deopt_word(c, h, h->layout->deopt_shared, shared);
    return status == V8_OK ? code_unwrap(h, shared) : status;
}
