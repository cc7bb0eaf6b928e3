/* The entries around an address:
 *
 *     DW_TAG_compile_unit
 *         DW_TAG_subprogram "parse"             DW_AT_frame_base
 *             DW_TAG_formal_parameter "text"    DW_AT_location
 *             DW_TAG_lexical_block
 *                 DW_TAG_variable "i"
 *                 DW_TAG_inlined_subroutine     DW_AT_abstract_origin "skip": a scope of its own
 *                     DW_TAG_formal_parameter   DW_AT_abstract_origin
 */
#include "common/dwarf/scope.h"

#include <stdlib.h>

#include "common/dwarf/dw.h"

/* Limits; no real function has as many. */
enum { NESTED_MAX = 256, VARIABLES_MAX = 4096 };

struct scope_walk {
    struct scope *scope;
    struct dwarf *dwarf;
    uint64_t address;
    bool whole;
    /* The open entries around the address. */
    struct {
        size_t depth;
        size_t function; /* number of functions and inlined calls around, with this one */
    } around[NESTED_MAX];
    size_t count;
    size_t functions; /* found so far: the last one is the innermost */
};

static void
enter(struct scope_walk *w, const struct die_walk *at)
{
    struct scope *s = w->scope;
    if (at->die.tag != DW_TAG_lexical_block) {
        s->function = at->die;
        die_complete(&s->function, w->dwarf);
        s->count = 0;
        w->functions++;
        if (at->die.tag == DW_TAG_subprogram) {
            s->code = s->function;
            s->frame = at->die.values[DIE_FRAME_BASE];
        }
    }
    w->around[w->count].depth = at->depth;
    w->around[w->count++].function = w->functions;
}

static bool
is_variable(uint16_t tag)
{
    return tag == DW_TAG_formal_parameter || tag == DW_TAG_variable;
}

static void
add_variable(struct scope *s, struct dwarf *d, const struct die *die)
{
    struct variable added = {*die, die->tag == DW_TAG_formal_parameter};
    die_complete(&added.die, d);
    if (s->count < VARIABLES_MAX && die_has(&added.die, DIE_NAME))
        MEM_ADD(s->list, s->count, s->cap, added);
}

/* Return true if the entry may be a scope that is wanted. */
static bool
is_scope(const struct scope_walk *w, uint16_t tag)
{
    if (tag == DW_TAG_subprogram)
        return true;
    return !w->whole && w->count > 0 &&
           (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block);
}

static void
visit(struct scope_walk *w, const struct die_walk *at)
{
    uint16_t tag = at->die.tag;
    while (w->count > 0 && w->around[w->count - 1].depth >= at->depth)
        w->count--;
    if (is_scope(w, tag) && w->count < NESTED_MAX && die_code_end(&at->die, w->address) > 0)
        enter(w, at);
    else if (is_variable(tag) && w->count > 0 && w->around[w->count - 1].depth + 1 == at->depth &&
             w->around[w->count - 1].function == w->functions)
        add_variable(w->scope, w->dwarf, &at->die);
}

bool
scope_find(struct scope *s, struct dwarf *d, uint64_t address, bool whole)
{
    struct dwarf_entry root;
    struct die_walk walk;
    struct scope_walk w = {.scope = s, .dwarf = d, .address = address, .whole = whole};
    s->count = 0;
    if (!dwarf_entry_at(d, address, &root) || !die_read(&s->unit, &root))
        return false;
    die_walk(&walk, &s->unit);
    while (die_walk_next(&walk) && (w.functions == 0 || walk.depth > w.around[0].depth))
        visit(&w, &walk);
    return w.functions > 0;
}

bool
scope_find_copy(struct scope *s, struct dwarf *d, const struct copy *c)
{
    struct dwarf_entry at;
    struct die_walk walk;
    s->count = 0;
    if (!dwarf_entry_split(d, c->unit, &at) || !die_read(&s->unit, &at))
        return false;
    at.offset = c->function;
    if (!die_read(&s->code, &at))
        return false;
    at.offset = c->entry;
    if (!die_read(&s->function, &at))
        return false;
    s->frame = s->code.values[DIE_FRAME_BASE];
    die_walk(&walk, &s->function);
    while (die_walk_next(&walk))
        if (walk.depth == 0 && is_variable(walk.die.tag))
            add_variable(s, d, &walk.die);
    die_complete(&s->function, d);
    die_complete(&s->code, d);
    return true;
}

const struct variable *
scope_variable(const struct scope *s, struct dwarf *d, struct span name)
{
    for (size_t i = s->count; i > 0; i--)
        if (span_eq(die_text(&s->list[i - 1].die, d, DIE_NAME), name))
            return &s->list[i - 1];
    return NULL;
}

void
scope_free(struct scope *s)
{
    free(s->list);
    *s = (struct scope){0};
}
