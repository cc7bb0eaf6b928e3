/* The entries of a unit form a tree. An entry's children follow it, up to the code 0:
 *
 *     DW_TAG_compile_unit
 *         DW_TAG_subprogram                DW_AT_name "twice", DW_AT_inline: has no code of its own
 *         DW_TAG_subprogram                DW_AT_name "main", DW_AT_low_pc, DW_AT_high_pc
 *             DW_TAG_lexical_block
 *                 DW_TAG_inlined_subroutine    DW_AT_abstract_origin "twice", DW_AT_ranges,
 *                                              DW_AT_call_file 1, DW_AT_call_line 12
 */
#include "common/dwarf/inlinetree.h"

#include <stdlib.h>

#include "common/dwarf/dw.h"
#include "common/dwarf/rangelist.h"

struct tree_walk {
    struct inlinetree *tree;
    struct units *units;
    struct unit *unit;
    const struct abbrevs *abbrevs;
    struct ranges ranges;
    size_t left; /* entries of range lists that may still be read */
    struct parent {
        uint32_t call;  /* the call that contains these entries */
        uint32_t calls; /* number of calls into which they are inlined */
    } * parents;        /* indexed by depth */
    size_t depth, cap;
};

/* Limits. A unit is read at once; no real one has 256 MB. Calls at a greater depth of inlining are
 * ignored, since each address has a list of all calls around it. */
enum { UNIT_MAX = 256 << 20, INLINED_MAX = 256 };

/* Return the entry with the name if this one, such as an inlined call, has none. All calls of a
 * function share that entry, so the name is looked up only once. This saves a quarter of the time
 * for 20,000 addresses of a large object. */
static uint32_t
named_entry(const struct unit *unit, const struct value *origin, uint32_t entry)
{
    switch (origin->form) {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata:
        return origin->number < unit->end - unit->offset ? (uint32_t)origin->number : entry;
    default:
        return entry;
    }
}

/* Read the attributes of a function or an inlined call. If it has addresses, add it. Return the
 * parent of its children. */
static struct parent
add_call(struct tree_walk *w, const struct abbrev *abbrev, struct cursor *r, uint32_t entry,
         struct parent parent)
{
    struct inlinetree *t = w->tree;
    struct extent extent = {0};
    struct value origin = {0};
    bool named = false;
    bool function = abbrev->tag == DW_TAG_subprogram;
    struct call call = {entry, function ? INLINETREE_NONE : parent.call, 0, 0};
    struct parent added = {(uint32_t)t->count, function ? 0 : parent.calls + 1};
    for (uint32_t i = 0; i < abbrev->count; i++) {
        const struct attribute *a = &w->abbrevs->attributes[abbrev->first + i];
        struct value v;
        value_read(r, a, w->unit->format, &v);
        switch (a->name) {
        case DW_AT_low_pc:
            extent.low_pc = v;
            break;
        case DW_AT_high_pc:
            extent.high_pc = v;
            break;
        case DW_AT_ranges:
            extent.ranges = v;
            break;
        case DW_AT_abstract_origin:
            origin = v;
            break;
        case DW_AT_name:
        case DW_AT_linkage_name:
        case DW_AT_MIPS_linkage_name:
            named = true;
            break;
        case DW_AT_call_file:
            call.file = (uint32_t)v.number;
            break;
        case DW_AT_call_line:
            call.line = (uint32_t)v.number;
            break;
        default:
            break;
        }
    }
    if (!named)
        call.entry = named_entry(w->unit, &origin, entry);
    size_t before = w->ranges.count;
    if (!r->cut && added.calls < INLINED_MAX)
        rangelist_add(&w->ranges, w->units, w->unit, &extent, (uint32_t)t->count, &w->left);
    if (w->ranges.count == before || t->count >= INLINETREE_NONE - 1)
        return parent;
    MEM_ADD(t->calls, t->count, t->cap, call);
    return added;
}

/* Walk through all entries. `start` is the start of the unit. */
static void
walk(struct tree_walk *w, struct cursor *r, const unsigned char *start)
{
    do {
        const unsigned char *at = r->at;
        uint64_t code = cursor_uleb(r);
        if (code == 0) {
            w->depth -= w->depth > 0;
            continue;
        }
        const struct abbrev *abbrev = abbrevs_find(w->abbrevs, code);
        if (abbrev == NULL || patience_is_over(w->units->file.patience, 4 + abbrev->count))
            return;
        struct parent parent =
            w->depth > 0 ? w->parents[w->depth - 1] : (struct parent){INLINETREE_NONE, 0};
        if (abbrev->tag == DW_TAG_subprogram || abbrev->tag == DW_TAG_inlined_subroutine)
            parent = add_call(w, abbrev, r, (uint32_t)(at - start), parent);
        else
            abbrevs_skip(w->abbrevs, abbrev, r, w->unit->format);
        if (abbrev->children) {
            MEM_ADD(w->parents, w->depth, w->cap, parent);
        }
    } while (w->depth > 0 && cursor_left(r) > 0);
}

void
inlinetree_read(struct inlinetree *t, struct units *u, struct unit *unit)
{
    uint64_t size = unit->end - unit->offset;
    unit_read_root(u, unit);
    if (size > UNIT_MAX || !debugfile_may_read(&u->file, unit_section(unit), size))
        return;
    struct view whole = debugfile_view(&u->file, unit_section(unit), VIEW_ENTRIES);
    struct span bytes = view_at(&whole, unit->offset, (size_t)size);
    struct cursor r = cursor_of(span_head(bytes, bytes.len < size ? bytes.len : (size_t)size));
    const unsigned char *start = r.at;
    struct tree_walk w = {.tree = t,
                          .units = u,
                          .unit = unit,
                          .abbrevs = units_abbrevs(u, unit),
                          .left = rangelist_count(u)};
    cursor_take(&r, unit->header_size);
    if (cursor_left(&r) > 0)
        walk(&w, &r, start);
    view_free(&whole);
    cover_make(&t->cover, &w.ranges, u->file.patience);
    ranges_free(&w.ranges);
    free(w.parents);
}

size_t
inlinetree_size(const struct inlinetree *t)
{
    return t->cap * sizeof *t->calls + cover_size(&t->cover);
}

void
inlinetree_free(struct inlinetree *t)
{
    free(t->calls);
    cover_free(&t->cover);
    *t = (struct inlinetree){0};
}
