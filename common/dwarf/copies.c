/* A function has an entry without code. Its copies refer to that entry:
 *
 *     DW_TAG_compile_unit
 *         DW_TAG_subprogram                    DW_AT_name "skip", DW_AT_inline
 *         DW_TAG_subprogram                    DW_AT_name "parse", DW_AT_low_pc
 *             DW_TAG_lexical_block
 *                 DW_TAG_inlined_subroutine    DW_AT_abstract_origin "skip", DW_AT_entry_pc,
 *                                              DW_AT_ranges
 *
 * In C++, gcc writes no linkage name for a function that other files cannot call. Its name is then
 * that of its declaration, together with the names of the scopes around it:
 *
 *         DW_TAG_namespace                     DW_AT_name "shop"
 *             DW_TAG_subprogram                DW_AT_name "area", DW_AT_declaration
 *         DW_TAG_subprogram                    DW_AT_specification "area", DW_AT_inline
 */
#include "common/dwarf/copies.h"

#include <stdlib.h>

#include "common/base/intern.h"
#include "common/dwarf/die.h"
#include "common/dwarf/dw.h"

/* An entry or a unit. It has no padding, since its bytes are compared. */
struct key {
    uint64_t units, offset;
};

struct copies_walk {
    struct copies *copies;
    struct dwarf *dwarf;
    const struct copies_name *name;
    size_t unit, most;
    struct intern origins; /* entries of functions, each a struct key */
    bool *verdicts;        /* of each origin: its name is wanted */
    size_t verdicts_cap;
    struct intern searched;     /* units that were searched for declarations */
    struct intern declarations; /* entries with a wanted name, but no linkage name */
    struct intern addresses;
    /* The functions around the entry that is being read. */
    struct {
        size_t depth;
        uint64_t entry;
    } * around;
    size_t count, cap;
};

/* Return true if a copy without code has an address all the same: that of the code after it. If the
 * linker removed the copy, that is 0 or 1 or, with lld, one of the two largest numbers. */
static bool
is_empty(const struct die *die)
{
    const uint64_t most = die->at.unit->format.address_size == 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t low;
    return value_address(die->at.units, die->at.unit, &die->values[DIE_LOW_PC].v, &low) &&
           low > 1 && low < most - 1;
}

/* Find the address of the first instruction: DW_AT_entry_pc, or else the first address of the first
 * range (DWARF 5, 2.17 and 2.18). Return false if the entry has no code. */
static bool
first_instruction(const struct die *die, uint64_t *address)
{
    const struct die_value *entry = &die->values[DIE_ENTRY];
    struct ranges ranges = {0};
    uint64_t at;
    die_ranges(die, &ranges);
    bool found = ranges.count > 0;
    if (found)
        *address = ranges.list[0].low;
    ranges_free(&ranges);
    if (!found)
        return false;
    bool known = value_address(die->at.units, die->at.unit, &entry->v, &at);
    if (!known && value_is_constant(&entry->v)) {
        at = *address + entry->v.number;
        known = true;
    }
    if (known && die_code_end(die, at) > 0)
        *address = at;
    return true;
}

static bool
put_key(struct intern *t, const struct units *units, uint64_t offset, uint32_t *number)
{
    const struct key key = {(uintptr_t)units, offset};
    return intern_put(t, span_of((const char *)&key, sizeof key), number);
}

/* The namespaces and classes around an entry. Names are only read if one may be wanted. */
struct scopes {
    struct {
        size_t depth;
        uint16_t tag;
        struct die_value name;
    } * list;
    size_t count, cap;
};

static bool
is_scope(uint16_t tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
           tag == DW_TAG_union_type;
}

/* Remove a name from the end. Return false if it is not there. */
static bool
cut_name(struct span *rest, struct span name)
{
    if (!span_ends(*rest, name))
        return false;
    *rest = span_head(*rest, rest->len - name.len);
    return true;
}

/* Return true if the declaration, with the names of its scopes, has the wanted name. */
static bool
is_declaration(struct copies_walk *w, const struct scopes *s, const struct die *die)
{
    struct span rest = w->name->source;
    if (!cut_name(&rest, die_text(die, w->dwarf, DIE_NAME)))
        return false;
    for (size_t i = s->count; i > 0; i--) {
        struct span name = die_value_text(&s->list[i - 1].name, w->dwarf);
        if (name.len == 0 && s->list[i - 1].tag == DW_TAG_namespace)
            name = SPAN("(anonymous namespace)");
        if (!cut_name(&rest, SPAN("::")) || !cut_name(&rest, name))
            return false;
    }
    return rest.len == 0;
}

/* Search a unit for declarations with the wanted name. */
static void
search_declarations(struct copies_walk *w, const struct dwarf_entry *in)
{
    struct dwarf_entry at = *in;
    struct die root;
    struct die_walk walk;
    struct scopes s = {0};
    uint32_t number;
    at.offset = in->unit->offset + in->unit->header_size;
    if (!put_key(&w->searched, in->units, at.offset, &number) || !die_read(&root, &at))
        return;
    die_walk(&walk, &root);
    while (die_walk_next(&walk)) {
        const struct die *die = &walk.die;
        while (s.count > 0 && s.list[s.count - 1].depth >= walk.depth)
            s.count--;
        if (die->tag == DW_TAG_subprogram && is_declaration(w, &s, die))
            put_key(&w->declarations, die->at.units, die->at.offset, &number);
        if (!is_scope(die->tag) || !die->children)
            continue;
        s.list = mem_grow(s.list, &s.cap, s.count + 1, sizeof *s.list);
        s.list[s.count].depth = walk.depth;
        s.list[s.count].tag = die->tag;
        s.list[s.count++].name = die->values[DIE_NAME];
    }
    free(s.list);
}

/* Return true if a function, which is given by its entry, has the wanted name. */
static bool
has_wanted_name(struct copies_walk *w, struct dwarf_entry at)
{
    bool linkage;
    struct span name = dwarf_function_name(w->dwarf, &at, &linkage);
    if (linkage)
        return w->name->is_linkage_name(w->name->ctx, name);
    if (name.len == 0 || !span_ends(w->name->source, name))
        return false;
    search_declarations(w, &at);
    const struct key key = {(uintptr_t)at.units, at.offset};
    return intern_find(&w->declarations, span_of((const char *)&key, sizeof key)) != INTERN_NONE;
}

/* Return true if the entry is a copy of a function with the wanted name. */
static bool
is_wanted(struct copies_walk *w, const struct die *die)
{
    struct dwarf_entry at = die->at;
    uint32_t number;
    if (!dwarf_follow(w->dwarf, &at, &die->values[DIE_ORIGIN].v))
        return false;
    if (put_key(&w->origins, at.units, at.offset, &number)) {
        w->verdicts = mem_grow(w->verdicts, &w->verdicts_cap, w->origins.count, sizeof(bool));
        w->verdicts[number] = has_wanted_name(w, at);
    }
    return w->verdicts[number];
}

static void
add_copy(struct copies_walk *w, const struct die *die)
{
    struct copies *c = w->copies;
    struct copy found = {.unit = w->unit, .entry = die->at.offset};
    uint32_t number;
    if (w->count == 0 || !is_wanted(w, die))
        return;
    if (!first_instruction(die, &found.address)) {
        c->empty += is_empty(die);
        return;
    }
    if (!intern_put(&w->addresses, span_of((const char *)&found.address, sizeof found.address),
                    &number))
        return;
    found.function = w->around[w->count - 1].entry;
    MEM_ADD(c->list, c->count, c->cap, found);
}

static void
visit(struct copies_walk *w, const struct die_walk *at)
{
    while (w->count > 0 && w->around[w->count - 1].depth >= at->depth)
        w->count--;
    if (at->die.tag == DW_TAG_subprogram && at->die.children) {
        w->around = mem_grow(w->around, &w->cap, w->count + 1, sizeof *w->around);
        w->around[w->count].depth = at->depth;
        w->around[w->count++].entry = at->die.at.offset;
    } else if (at->die.tag == DW_TAG_inlined_subroutine) {
        add_copy(w, &at->die);
    }
}

static void
walk_unit(struct copies_walk *w)
{
    struct dwarf_entry at;
    struct die root;
    struct die_walk walk;
    if (!dwarf_entry_split(w->dwarf, w->unit, &at) || !die_read(&root, &at))
        return;
    w->count = 0;
    /* The memory of an evicted unit may be used for another one. */
    intern_empty(&w->origins);
    intern_empty(&w->searched);
    intern_empty(&w->declarations);
    die_walk(&walk, &root);
    while (w->copies->count < w->most && die_walk_next(&walk))
        visit(w, &walk);
}

/* Return true if a function with such a name may be a wanted one. */
static bool
may_be_wanted(void *ctx, struct span name)
{
    const struct copies_name *n = ctx;
    return (name.len > 0 && span_ends(n->source, name)) || n->is_linkage_name(n->ctx, name);
}

void
copies_find(struct copies *c, struct dwarf *d, const struct copies_name *name, size_t most)
{
    struct dwarf_entry at;
    struct copies_walk w = {.copies = c, .dwarf = d, .name = name, .most = most};
    for (; dwarf_entry_nth(d, w.unit, &at) && c->count < most; w.unit++)
        /* This is much faster than a walk through the entries. */
        if (dwarf_inlines(d, w.unit, may_be_wanted, (void *)name))
            walk_unit(&w);
    intern_free(&w.origins);
    intern_free(&w.searched);
    intern_free(&w.declarations);
    intern_free(&w.addresses);
    free(w.verdicts);
    free(w.around);
}

void
copies_free(struct copies *c)
{
    free(c->list);
    *c = (struct copies){0};
}
