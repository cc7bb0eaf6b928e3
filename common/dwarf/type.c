#include "common/dwarf/type.h"

#include "common/dwarf/dw.h"

enum { HOPS = 32 }; /* a type may refer to itself */

static bool
is_skipped(uint16_t tag)
{
    return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
           tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

static enum type_kind
kind_of_base(const struct die *die)
{
    switch (die->values[DIE_ENCODING].v.number) {
    case DW_ATE_signed:
    case DW_ATE_signed_char:
        return TYPE_SIGNED;
    case DW_ATE_boolean:
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
        return TYPE_UNSIGNED;
    case DW_ATE_float:
        return TYPE_FLOAT;
    default:
        return TYPE_OTHER;
    }
}

static enum type_kind
kind_of(struct dwarf *d, const struct die *die)
{
    struct type underlying;
    switch (die->tag) {
    case DW_TAG_base_type:
        return kind_of_base(die);
    case DW_TAG_pointer_type:
        return TYPE_POINTER;
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        return TYPE_REFERENCE;
    case DW_TAG_array_type:
        return TYPE_ARRAY;
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        return TYPE_STRUCT;
    case DW_TAG_enumeration_type:
        if (!die_follow(&underlying.die, d, &die->values[DIE_TYPE]))
            return TYPE_UNSIGNED;
        return underlying.die.tag == DW_TAG_base_type ? kind_of_base(&underlying.die)
                                                      : TYPE_UNSIGNED;
    default:
        return TYPE_OTHER;
    }
}

void
type_find(struct type *t, struct dwarf *d, const struct die_value *reference)
{
    struct die_value next = *reference;
    *t = (struct type){.kind = TYPE_NONE};
    for (int hop = 0; hop < HOPS; hop++) {
        if (!die_follow(&t->die, d, &next))
            return;
        if (!is_skipped(t->die.tag)) {
            t->kind = kind_of(d, &t->die);
            bool pointer = t->kind == TYPE_POINTER || t->kind == TYPE_REFERENCE;
            t->size =
                pointer ? t->die.at.unit->format.address_size : t->die.values[DIE_SIZE].v.number;
            return;
        }
        next = t->die.values[DIE_TYPE];
    }
}

void
type_target(struct type *t, struct dwarf *d, const struct type *of)
{
    const struct die_value reference = of->die.values[DIE_TYPE];
    type_find(t, d, &reference);
}

/* Members */

/* Structs that remain to be searched: the struct itself, its base classes, and its members without
 * a name. */
enum { OPEN_MAX = 32 };

struct search {
    struct {
        struct die die;
        uint64_t offset;
    } open[OPEN_MAX];
    size_t count;
};

static void
add_open(struct search *s, struct dwarf *d, const struct die *member, uint64_t offset)
{
    struct type t;
    type_find(&t, d, &member->values[DIE_TYPE]);
    if (t.kind != TYPE_STRUCT || s->count == OPEN_MAX)
        return;
    s->open[s->count].die = t.die;
    s->open[s->count++].offset = offset;
}

/* Set the place of a member in the struct at an offset. */
static void
set_member(struct type_member *m, struct dwarf *d, const struct die *die, uint64_t offset)
{
    struct type t;
    uint64_t bits = die->values[DIE_BITS].v.number;
    *m = (struct type_member){.type = die->values[DIE_TYPE],
                              .offset = offset + die->values[DIE_MEMBER].v.number};
    type_find(&t, d, &m->type);
    if (bits == 0 || t.size == 0 || t.size > 8 || bits > 8 * t.size)
        return;
    m->bits = bits;
    m->container = t.size;
    if (die_has(die, DIE_BIT)) {
        uint64_t first = die->values[DIE_BIT].v.number;
        m->offset = offset + first / 8 / t.size * t.size;
        m->bit = first - first / 8 / t.size * t.size * 8;
    } else {
        m->bit = 8 * t.size - bits - die->values[DIE_BIT_FROM_LEFT].v.number;
    }
    if (m->bit > 8 * t.size - bits) { /* it lies in two numbers */
        m->bits = m->bit = m->container = 0;
        m->type = (struct die_value){.v.form = 0};
    }
}

bool
type_member(struct type_member *m, struct dwarf *d, const struct type *t, struct span name)
{
    struct search s;
    struct die_walk w;
    s.open[0].die = t->die;
    s.open[0].offset = 0;
    s.count = 1;
    for (size_t i = 0; i < s.count; i++) {
        uint64_t offset = s.open[i].offset;
        die_walk(&w, &s.open[i].die);
        while (die_walk_next(&w)) {
            if (w.depth > 0 || (w.die.tag != DW_TAG_member && w.die.tag != DW_TAG_inheritance))
                continue;
            if (!die_has(&w.die, DIE_NAME))
                add_open(&s, d, &w.die, offset + w.die.values[DIE_MEMBER].v.number);
            else if (span_eq(die_text(&w.die, d, DIE_NAME), name)) {
                set_member(m, d, &w.die, offset);
                return true;
            }
        }
    }
    return false;
}

void
type_each_member(struct dwarf *d, const struct type *t, void (*f)(void *ctx, struct span name),
                 void *ctx)
{
    struct search s;
    struct die_walk w;
    s.open[0].die = t->die;
    s.count = 1;
    for (size_t i = 0; i < s.count; i++) {
        die_walk(&w, &s.open[i].die);
        while (die_walk_next(&w)) {
            if (w.depth > 0 || (w.die.tag != DW_TAG_member && w.die.tag != DW_TAG_inheritance))
                continue;
            if (!die_has(&w.die, DIE_NAME))
                add_open(&s, d, &w.die, 0);
            else
                f(ctx, die_text(&w.die, d, DIE_NAME));
        }
    }
}

/* Names */

void
type_name(struct text *out, struct dwarf *d, const struct die_value *reference)
{
    enum { SUFFIX_MAX = HOPS * 2 + 1 };
    struct die_value next = *reference;
    char suffix[SUFFIX_MAX]; /* written from its end */
    size_t at = SUFFIX_MAX;
    struct die die;
    for (int hop = 0; hop < HOPS; hop++) {
        struct span end = SPAN(""), tag = SPAN("");
        if (!die_follow(&die, d, &next)) {
            text_add(out, SPAN("void"));
            break;
        }
        if (die.tag == DW_TAG_pointer_type && !die_has(&die, DIE_NAME))
            end = SPAN("*");
        else if (die.tag == DW_TAG_reference_type)
            end = SPAN("&");
        else if (die.tag == DW_TAG_rvalue_reference_type)
            end = SPAN("&&");
        else if (die.tag == DW_TAG_array_type)
            end = SPAN("[]");
        else if (die.tag == DW_TAG_structure_type)
            tag = SPAN("struct ");
        else if (die.tag == DW_TAG_union_type)
            tag = SPAN("union ");
        else if (die.tag == DW_TAG_enumeration_type)
            tag = SPAN("enum ");
        bool named = die_has(&die, DIE_NAME);
        if (named || (end.len == 0 && !is_skipped(die.tag))) {
            TEXT_ADD(out, tag, named ? die_text(&die, d, DIE_NAME) : SPAN("?"));
            break;
        }
        at -= end.len;
        memcpy(suffix + at, end.ptr, end.len);
        next = die.values[DIE_TYPE];
    }
    text_add(out, span_of(suffix + at, SUFFIX_MAX - at));
}
