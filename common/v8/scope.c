#include "common/v8/scope.h"

enum {
    INLINE_NAMES = 75,   /* kScopeInfoMaxInlinedLocalNamesSize: more are in a hash table */
    MAX_LOCALS = 100000, /* far more than any function has */
    HEAD = 5,            /* words read of the head */
    TAIL = 5,            /* words after the locals, at most */
};

/* ScopeFlags: bits of scope-info.tq. */
enum { TYPE = 0xf, CLASS_VARIABLE = 1 << 10, FUNCTION_VARIABLE = 3 << 12, INFERRED = 1 << 14 };

/* Set *flags and the number of locals from the head. */
static bool
take_head(const struct v8layout *l, const char *head, uint32_t *flags, int32_t *locals)
{
    int32_t smi;
    uint64_t word = load_u64(head);
    bool good = l->scope_raw_flags || heap_smi(word, &smi);
    *flags = l->scope_raw_flags ? (uint32_t)word : (uint32_t)(word >> 32);
    return good && heap_smi(load_u64(head + (size_t)l->scope_locals * 8), locals) && *locals >= 0 &&
           *locals <= MAX_LOCALS;
}

/* Return the index of the word after the locals and the class variable. */
static size_t
after_locals(const struct v8layout *l, uint32_t flags, size_t locals)
{
    size_t names = locals < INLINE_NAMES ? locals : 1;
    size_t module = (flags & TYPE) == l->scope_module ? 1 : 0;
    size_t class_variable = (flags & CLASS_VARIABLE) != 0 ? 1 : 0;
    return l->scope_first + module + names + locals + class_variable;
}

enum v8status
scope_read(struct scope *s, struct heap *h, uint64_t word)
{
    const struct v8layout *l = h->layout;
    char object[8 + HEAD * 8], tail[TAIL * 8] = {0}, *head = object + 8;
    uint32_t flags;
    int32_t locals;
    enum v8status status = heap_typed(h, word, l->type_scope, sizeof object, object);
    if (status != V8_OK)
        return status;
    if (!take_head(l, head, &flags, &locals))
        return V8_BAD;
    bool has_name = (flags & FUNCTION_VARIABLE) != 0, has_inferred = (flags & INFERRED) != 0,
         has_position = l->scope_position == 0;
    size_t at = after_locals(l, flags, (size_t)locals);
    size_t words = (has_name ? 2u : 0u) + (has_inferred ? 1u : 0u) + (has_position ? 2u : 0u);
    if (words > 0)
        status = snapshot_get(&h->memory, heap_address(word) + 8 + at * 8, words * 8, tail);
    if (status != V8_OK)
        return status;
    const char *inferred = tail + (has_name ? 16 : 0);
    const char *position =
        has_position ? inferred + (has_inferred ? 8 : 0) : head + (size_t)l->scope_position * 8;
    s->type = flags & TYPE;
    s->name = has_name ? load_u64(tail) : 0;
    s->inferred = has_inferred ? load_u64(inferred) : 0;
    heap_want(h, s->name, 16);
    heap_want(h, s->inferred, 16);
    bool good = heap_smi(load_u64(position), &s->start) &&
                heap_smi(load_u64(position + 8), &s->end) && s->start >= 0 && s->start <= s->end;
    return good ? V8_OK : V8_BAD;
}
