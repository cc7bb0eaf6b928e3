/* A function has an entry without code. Its copies refer to that entry:
 *
 *     DW_TAG_compile_unit
 *         DW_TAG_subprogram                    DW_AT_name "skip", DW_AT_inline
 *         DW_TAG_subprogram                    DW_AT_name "parse", DW_AT_low_pc
 *             DW_TAG_lexical_block
 *                 DW_TAG_inlined_subroutine    DW_AT_abstract_origin "skip", DW_AT_entry_pc,
 *                                              DW_AT_ranges
 */
#include "common/dwarf/copies.h"

#include <stdlib.h>

#include "common/base/intern.h"
#include "common/dwarf/die.h"
#include "common/dwarf/dw.h"

struct copies_walk {
    struct copies *copies;
    struct dwarf *dwarf;
    bool (*wanted)(void *ctx, struct span name);
    void *ctx;
    size_t unit, most;
    struct intern origins; /* entries of functions, each a struct origin */
    bool *verdicts;        /* of each origin: its name is wanted */
    size_t verdicts_cap;
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

/* Return true if the entry is a copy of a function with a wanted name. */
static bool
is_wanted(struct copies_walk *w, const struct die *die)
{
    /* Without padding, since its bytes are compared. */
    struct origin {
        uint64_t units, offset;
    } origin;
    struct dwarf_entry at = die->at;
    uint32_t number;
    if (!dwarf_follow(w->dwarf, &at, &die->values[DIE_ORIGIN].v))
        return false;
    origin = (struct origin){(uintptr_t)at.units, at.offset};
    bool is_new = intern_put(&w->origins, span_of((const char *)&origin, sizeof origin), &number);
    if (is_new) {
        w->verdicts = mem_grow(w->verdicts, &w->verdicts_cap, w->origins.count, sizeof(bool));
        w->verdicts[number] = w->wanted(w->ctx, dwarf_function_name(w->dwarf, &at));
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
    intern_empty(&w->origins); /* an evicted unit's memory may be reused for another unit */
    die_walk(&walk, &root);
    while (w->copies->count < w->most && die_walk_next(&walk))
        visit(w, &walk);
}

void
copies_find(struct copies *c, struct dwarf *d, bool (*wanted)(void *ctx, struct span name),
            void *ctx, size_t most)
{
    struct dwarf_entry at;
    struct copies_walk w = {.copies = c, .dwarf = d, .wanted = wanted, .ctx = ctx, .most = most};
    for (; dwarf_entry_nth(d, w.unit, &at) && c->count < most; w.unit++)
        if (dwarf_inlines(d, w.unit, wanted, ctx)) /* much faster than a walk through the entries */
            walk_unit(&w);
    intern_free(&w.origins);
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
