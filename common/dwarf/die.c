#include "common/dwarf/die.h"

#include "common/dwarf/dw.h"
#include "common/dwarf/rangelist.h"

static const uint16_t attributes[DIE_ATTRIBUTES] = {
    [DIE_NAME] = DW_AT_name,
    [DIE_TYPE] = DW_AT_type,
    [DIE_LOCATION] = DW_AT_location,
    [DIE_CONSTANT] = DW_AT_const_value,
    [DIE_FRAME_BASE] = DW_AT_frame_base,
    [DIE_LOW_PC] = DW_AT_low_pc,
    [DIE_HIGH_PC] = DW_AT_high_pc,
    [DIE_RANGES] = DW_AT_ranges,
    [DIE_ENTRY] = DW_AT_entry_pc,
    [DIE_ORIGIN] = DW_AT_abstract_origin,
    [DIE_SPECIFICATION] = DW_AT_specification,
    [DIE_FILE] = DW_AT_decl_file,
    [DIE_LINE] = DW_AT_decl_line,
    [DIE_SIZE] = DW_AT_byte_size,
    [DIE_ENCODING] = DW_AT_encoding,
    [DIE_MEMBER] = DW_AT_data_member_location,
    [DIE_BITS] = DW_AT_bit_size,
    [DIE_BIT] = DW_AT_data_bit_offset,
    [DIE_BIT_FROM_LEFT] = DW_AT_bit_offset,
    [DIE_PRODUCER] = DW_AT_producer,
};

bool
die_read(struct die *die, const struct dwarf_entry *at)
{
    struct entry e;
    struct value v;
    uint16_t name;
    *die = (struct die){.at = *at};
    if (!entry_open(&e, at->units, at->unit, at->offset))
        return false;
    die->tag = e.abbrev->tag;
    die->children = e.abbrev->children;
    while (entry_next(&e, &name, &v))
        for (size_t i = 0; i < DIE_ATTRIBUTES; i++)
            if (attributes[i] == name)
                die->values[i] = (struct die_value){v, *at};
    die->next = entry_end(&e);
    return die->next != 0;
}

bool
die_follow(struct die *die, struct dwarf *d, const struct die_value *v)
{
    struct dwarf_entry at = v->of;
    return v->v.form != 0 && dwarf_follow(d, &at, &v->v) && die_read(die, &at);
}

void
die_complete(struct die *die, struct dwarf *d)
{
    enum { HOPS = 16 }; /* a reference may lead to itself */
    static const enum die_attribute taken[] = {DIE_NAME, DIE_TYPE, DIE_FILE, DIE_LINE};
    struct die from = *die;
    for (int hop = 0; hop < HOPS; hop++) {
        const struct die_value to =
            from.values[die_has(&from, DIE_ORIGIN) ? DIE_ORIGIN : DIE_SPECIFICATION];
        if (!die_follow(&from, d, &to))
            return;
        for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
            if (!die_has(die, taken[i]))
                die->values[taken[i]] = from.values[taken[i]];
    }
}

struct span
die_value_text(const struct die_value *v, struct dwarf *d)
{
    if (v->v.form == 0)
        return SPAN("");
    const struct textplace place = value_text(v->of.units, v->of.unit, &v->v);
    return dwarf_text(d, &v->of, &place);
}

struct span
die_text(const struct die *die, struct dwarf *d, enum die_attribute a)
{
    return die_value_text(&die->values[a], d);
}

void
die_ranges(const struct die *die, struct ranges *ranges)
{
    struct units *u = die->at.units;
    size_t left = rangelist_count(u);
    const struct extent extent = {die->values[DIE_LOW_PC].v, die->values[DIE_HIGH_PC].v,
                                  die->values[DIE_RANGES].v};
    rangelist_add(ranges, u, (struct unit *)die->at.unit, &extent, 0, &left);
}

uint64_t
die_code_end(const struct die *die, uint64_t address)
{
    struct ranges ranges = {0};
    uint64_t end = 0;
    die_ranges(die, &ranges);
    for (size_t i = 0; i < ranges.count && end == 0; i++)
        if (ranges.list[i].low <= address && address < ranges.list[i].high)
            end = ranges.list[i].high;
    ranges_free(&ranges);
    return end;
}

void
die_walk(struct die_walk *w, const struct die *root)
{
    *w = (struct die_walk){.at = root->at, .open = root->children};
    w->at.offset = root->next;
}

bool
die_walk_next(struct die_walk *w)
{
    struct debugfile *f = &w->at.units->file;
    while (w->open > 0 && !patience_is_over(f->patience, 16)) {
        struct span byte = debugfile_at(f, unit_section(w->at.unit), w->at.offset, 1);
        if (w->at.offset >= w->at.unit->end || byte.len == 0)
            return false;
        if (byte.ptr[0] == 0) { /* the end of the children */
            w->open--;
            w->at.offset++;
            continue;
        }
        if (!die_read(&w->die, &w->at))
            return false;
        w->depth = w->open - 1;
        w->open += w->die.children;
        w->at.offset = w->die.next;
        return true;
    }
    return false;
}
