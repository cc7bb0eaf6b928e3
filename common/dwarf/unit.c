/* The header of a unit, version 5 and before:
 *
 *     2c 00 00 00      its size after this number; ff ff ff ff: in the next 8 bytes; offsets are
 *                      of 8 bytes
 *     05 00            the version
 *     01 08            DW_UT_compile, the size of an address
 *     00 00 00 00      offset of the abbreviations
 *
 *     2c 00 00 00  04 00  00 00 00 00  08       version 4: size, version, abbreviations, address
 */
#include "common/dwarf/unit.h"

#include <stdlib.h>

#include "common/base/hash.h"
#include "common/base/mem.h"
#include "common/dwarf/dw.h"

/* Headers */

enum { HEADER_MAX = 40, UNITS_MAX = 1 << 20 /* Chromium has some 50,000 */ };

/* Read the header after the version. Return false if the kind of the unit is unknown. */
static bool
read_header(struct cursor *r, struct unit *unit)
{
    size_t size = unit->format.offset_size;
    unsigned type = unit->in_types ? DW_UT_type : DW_UT_compile;
    if (unit->format.version >= 5) {
        type = cursor_u8(r);
        unit->format.address_size = cursor_u8(r);
        unit->abbrev_offset = cursor_fixed(r, size);
    } else {
        unit->abbrev_offset = cursor_fixed(r, size);
        unit->format.address_size = cursor_u8(r);
    }
    unit->is_type = type == DW_UT_type || type == DW_UT_split_type;
    if (unit->is_type || type == DW_UT_skeleton || type == DW_UT_split_compile)
        unit->id = cursor_fixed(r, 8);
    if (unit->is_type)
        unit->type_offset = cursor_fixed(r, size);
    return type >= DW_UT_compile && type <= DW_UT_split_type &&
           (unit->format.address_size == 4 || unit->format.address_size == 8);
}

/* Read the unit at an offset. Return the offset of the next one, or 0 if there is none. */
static uint64_t
read_unit(struct units *u, enum debugsection section, uint64_t offset, uint64_t size)
{
    struct span bytes = debugfile_at(&u->file, section, offset, HEADER_MAX);
    struct cursor r = cursor_of(span_head(bytes, bytes.len < HEADER_MAX ? bytes.len : HEADER_MAX));
    struct unit unit = {.offset = offset, .in_types = section == DEBUG_TYPES};
    uint64_t length = cursor_fixed(&r, 4);
    bool wide = length == 0xffffffff;
    unit.format.offset_size = wide ? 8 : 4;
    length = wide ? cursor_fixed(&r, 8) : length;
    uint64_t start = offset + (wide ? 12 : 4);
    if (r.cut || length == 0 || start > size || length > size - start)
        return 0;
    unit.end = start + length;
    uint64_t version = cursor_fixed(&r, 2);
    unit.format.version = (uint8_t)(version <= 5 ? version : 0);
    if (version < 2 || version > 5 || !read_header(&r, &unit) || r.cut)
        return unit.end;
    unit.header_size = (uint8_t)(r.at - (const unsigned char *)bytes.ptr);
    if (unit.header_size > unit.end - offset)
        return unit.end;
    MEM_ADD(u->list, u->count, u->cap, unit);
    return unit.end;
}

/* Return true if the list of units may grow. A unit takes only 12 bytes of its section, but many
 * more here. */
static bool
has_room(struct units *u)
{
    struct debugfile *f = &u->file;
    bool room = u->count * sizeof *u->list <= f->most - f->unpacked;
    if (!room)
        f->refused = debugfile_too_large;
    return room;
}

static void
read_units(struct units *u, enum debugsection section)
{
    uint64_t size = debugfile_size(&u->file, section);
    for (uint64_t at = 0; at < size && u->count < UNITS_MAX && has_room(u) &&
                          !patience_is_over(u->file.patience, 8);) {
        uint64_t next = read_unit(u, section, at, size);
        if (next <= at)
            break;
        at = next;
    }
}

bool
units_open(struct units *u, const struct elf *e, struct units *program, uint64_t most,
           struct patience *patience)
{
    *u = (struct units){.program = program};
    if (debugfile_open(&u->file, e, program != NULL, most, patience))
        read_units(u, DEBUG_INFO);
    u->ninfo = u->count;
    if (u->ninfo > 0)
        read_units(u, DEBUG_TYPES);
    const char *refused = u->file.refused;
    if (u->count == 0)
        debugfile_close(&u->file);
    u->file.refused = refused;
    return u->count > 0;
}

struct unit *
units_find(struct units *u, bool types, uint64_t offset)
{
    size_t low = types ? u->ninfo : 0, high = types ? u->count : u->ninfo, first = low;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (u->list[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low > first && offset < u->list[low - 1].end ? &u->list[low - 1] : NULL;
}

/* Return the slot of the type units with the signature, or a free one. */
static uint32_t *
type_slot(struct units *u, uint64_t signature)
{
    size_t mask = u->types_cap - 1, i = (size_t)hash_number(signature, hash_key()) & mask;
    while (u->types[i] != 0 && u->list[u->types[i] - 1].id != signature)
        i = (i + 1) & mask;
    return &u->types[i];
}

static void
index_types(struct units *u)
{
    size_t n = 0;
    for (size_t i = 0; i < u->count; i++)
        n += u->list[i].is_type;
    for (u->types_cap = 2; u->types_cap < 2 * n;)
        u->types_cap *= 2;
    u->types = mem_alloc(u->types_cap * sizeof *u->types);
    memset(u->types, 0, u->types_cap * sizeof *u->types);
    for (size_t i = u->count; i-- > 0;)
        if (u->list[i].is_type)
            *type_slot(u, u->list[i].id) = (uint32_t)i + 1;
}

const struct unit *
units_find_type(struct units *u, uint64_t signature)
{
    if (u->types == NULL)
        index_types(u);
    uint32_t found = *type_slot(u, signature);
    return found != 0 ? &u->list[found - 1] : NULL;
}

/* Abbreviations */

enum { ABBREVS_SLOTS = 1024, ABBREVS_MAX = 32 << 20 /* bytes */ };

/* The limit of reading tables of abbreviations, as tables may be read again: a multiple of the
 * section's size, and some more. Otherwise many units could begin inside one very long table. */
enum { SPEND_TIMES = 4, SPEND_MORE = 64 << 20 };

static void
forget_abbrevs(struct units *u)
{
    for (size_t i = 0; u->abbrevs != NULL && i < ABBREVS_SLOTS; i++)
        abbrevs_free(&u->abbrevs[i].abbrevs);
    free(u->abbrevs);
    u->abbrevs = NULL;
    u->abbrevs_size = 0;
}

/* Return the abbreviations of a unit. The tables of many units are cached: looking up names leads
 * from unit to unit, and reading the tables again took half of the time. */
const struct abbrevs *
units_abbrevs(struct units *u, const struct unit *unit)
{
    if (u->abbrevs_size > ABBREVS_MAX)
        forget_abbrevs(u);
    if (u->abbrevs == NULL) {
        u->abbrevs = mem_alloc(ABBREVS_SLOTS * sizeof *u->abbrevs);
        memset(u->abbrevs, 0, ABBREVS_SLOTS * sizeof *u->abbrevs);
    }
    struct unit_abbrevs *slot = &u->abbrevs[hash_mix(0, unit->abbrev_offset) % ABBREVS_SLOTS];
    if (slot->unit == NULL || slot->unit->abbrev_offset != unit->abbrev_offset ||
        memcmp(&slot->unit->format, &unit->format, sizeof unit->format) != 0) {
        u->abbrevs_size -= abbrevs_size(&slot->abbrevs);
        uint64_t most = SPEND_TIMES * debugfile_size(&u->file, DEBUG_ABBREV) + SPEND_MORE;
        uint64_t at = u->abbrevs_spent <= most ? unit->abbrev_offset : UINT64_MAX;
        size_t read = abbrevs_read(&slot->abbrevs, &u->file, at, unit->format);
        patience_is_over(u->file.patience, (unsigned)(read / 4));
        u->abbrevs_spent += read;
        u->abbrevs_size += abbrevs_size(&slot->abbrevs);
        slot->unit = unit;
    }
    return &slot->abbrevs;
}

void
units_close(struct units *u)
{
    debugfile_close(&u->file);
    forget_abbrevs(u);
    free(u->types);
    free(u->list);
    *u = (struct units){0};
}

/* Values */

void
value_read(struct cursor *r, const struct attribute *a, struct unitformat format, struct value *v)
{
    uint64_t form = a->form, number = form_read(r, &form, format);
    *v = (struct value){.form = (uint16_t)(form <= UINT16_MAX ? form : 0), .number = number};
    if (form == DW_FORM_implicit_const)
        v->number = (uint64_t)a->constant;
    else if (form == DW_FORM_flag_present)
        v->number = 1;
}

bool
value_is_constant(const struct value *v)
{
    switch (v->form) {
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
    case DW_FORM_data8:
    case DW_FORM_udata:
    case DW_FORM_sdata:
    case DW_FORM_implicit_const:
        return true;
    default:
        return false;
    }
}

bool
value_is_block(const struct value *v)
{
    switch (v->form) {
    case DW_FORM_block1:
    case DW_FORM_block2:
    case DW_FORM_block4:
    case DW_FORM_block:
    case DW_FORM_exprloc:
        return true;
    default:
        return false;
    }
}

bool
unit_address(struct units *u, const struct unit *unit, uint64_t index, uint64_t *address)
{
    struct units *program = u->program != NULL ? u->program : u;
    uint64_t base = unit->skeleton != NULL ? unit->skeleton->addr_base : unit->addr_base;
    size_t size = unit->format.address_size;
    return index < UINT64_MAX / 16 && base <= debugfile_size(&program->file, DEBUG_ADDR) &&
           debugfile_number(&program->file, DEBUG_ADDR, base + index * size, size, address);
}

uint64_t
unit_read_address(struct units *u, const struct unit *unit, struct cursor *r, bool indexed)
{
    uint64_t address = 0;
    if (!indexed)
        return cursor_fixed(r, unit->format.address_size);
    if (!unit_address(u, unit, cursor_uleb(r), &address))
        r->cut = true;
    return address;
}

bool
value_address(struct units *u, const struct unit *unit, const struct value *v, uint64_t *address)
{
    switch (v->form) {
    case DW_FORM_addr:
        *address = v->number;
        return true;
    case DW_FORM_addrx:
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
    case DW_FORM_GNU_addr_index:
        return unit_address(u, unit, v->number, address);
    default:
        return false;
    }
}

struct textplace
value_text(struct units *u, const struct unit *unit, const struct value *v)
{
    struct textplace place = {.kind = TEXT_OF_FILE, .section = DEBUG_STR, .offset = v->number};
    size_t size = unit->format.offset_size;
    switch (v->form) {
    case DW_FORM_string:
        place.section = unit_section(unit);
        return place;
    case DW_FORM_strp:
        return place;
    case DW_FORM_line_strp:
        place.section = DEBUG_LINE_STR;
        return place;
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_strp_alt:
        place.kind = TEXT_OF_ALT;
        return place;
    case DW_FORM_strx:
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4:
    case DW_FORM_GNU_str_index:
        if (v->number < UINT64_MAX / 16 &&
            unit->str_offsets_base <= debugfile_size(&u->file, DEBUG_STR_OFFSETS) &&
            debugfile_number(&u->file, DEBUG_STR_OFFSETS, unit->str_offsets_base + v->number * size,
                             size, &place.offset))
            return place;
        break;
    default:
        break;
    }
    return (struct textplace){.kind = TEXT_NONE};
}

/* Entries */

/* Read n bytes of the entry, but not beyond the unit's end. */
static void
read_bytes(struct entry *e, size_t n)
{
    struct span bytes = debugfile_at(&e->units->file, unit_section(e->unit), e->offset, n);
    uint64_t most = e->unit->end - e->offset;
    e->whole = bytes.len >= most || n > VIEW_ENTRIES;
    e->cursor = cursor_of(span_head(bytes, bytes.len < most ? bytes.len : (size_t)most));
    e->start = e->cursor.at;
}

bool
entry_open(struct entry *e, struct units *u, const struct unit *unit, uint64_t offset)
{
    enum { USUAL = 128 };
    if (offset < unit->offset + unit->header_size || offset >= unit->end)
        return false;
    *e = (struct entry){
        .units = u, .unit = unit, .offset = offset, .abbrevs = units_abbrevs(u, unit)};
    read_bytes(e, USUAL);
    e->abbrev = abbrevs_find(e->abbrevs, cursor_uleb(&e->cursor));
    return e->abbrev != NULL;
}

/* Read the next attribute. Few entries are longer than the first bytes that were read. */
bool
entry_next(struct entry *e, uint16_t *name, struct value *v)
{
    if (e->next == e->abbrev->count)
        return false;
    const struct attribute *a = &e->abbrevs->attributes[e->abbrev->first + e->next++];
    size_t used = (size_t)(e->cursor.at - e->start);
    value_read(&e->cursor, a, e->unit->format, v);
    if (e->cursor.cut && !e->whole) {
        read_bytes(e, VIEW_TABLE);
        cursor_take(&e->cursor, used);
        value_read(&e->cursor, a, e->unit->format, v);
    }
    *name = a->name;
    uint64_t end = e->offset + (uint64_t)(e->cursor.at - e->start);
    if (v->form == DW_FORM_string) {
        v->number = end - 1 - v->number;
    } else if (value_is_block(v)) {
        v->size = (uint32_t)v->number; /* a unit that is read at once has no larger one */
        v->number = end - v->number;
    }
    return !e->cursor.cut;
}

uint64_t
entry_end(const struct entry *e)
{
    return e->cursor.cut ? 0 : e->offset + (uint64_t)(e->cursor.at - e->start);
}

/* The first entry */

static struct value *
root_attribute(struct unit *unit, uint16_t name)
{
    switch (name) {
    case DW_AT_stmt_list:
        return &unit->stmt_list;
    case DW_AT_low_pc:
        return &unit->low_pc;
    case DW_AT_high_pc:
        return &unit->high_pc;
    case DW_AT_ranges:
        return &unit->ranges;
    case DW_AT_comp_dir:
        return &unit->comp_dir;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name:
        return &unit->dwo_name;
    default:
        return NULL;
    }
}

/* Take a value that is a number in all units. */
static void
take_base(struct unit *unit, uint16_t name, uint64_t number)
{
    switch (name) {
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base:
        unit->addr_base = number;
        break;
    case DW_AT_str_offsets_base:
        unit->str_offsets_base = number;
        break;
    case DW_AT_rnglists_base:
        unit->rnglists_base = number;
        break;
    case DW_AT_loclists_base:
        unit->loclists_base = number;
        break;
    case DW_AT_GNU_ranges_base:
        unit->ranges_base = number;
        break;
    case DW_AT_GNU_dwo_id:
        unit->id = number;
        break;
    default:
        break;
    }
}

void
unit_read_root(struct units *u, struct unit *unit)
{
    struct entry e;
    struct value v;
    uint16_t name;
    if (unit->rooted)
        return;
    unit->rooted = true;
    if (u->program != NULL && unit->format.version >= 5) {
        /* A unit's part of a section begins with a header. Units of a .dwo file do not give the
         * offset of the header's end. */
        unit->str_offsets_base += unit->format.offset_size == 8 ? 16 : 8;
        unit->rnglists_base += unit->format.offset_size == 8 ? 20 : 12;
        unit->loclists_base += unit->format.offset_size == 8 ? 20 : 12;
    }
    bool any = entry_open(&e, u, unit, unit->offset + unit->header_size);
    while (any && entry_next(&e, &name, &v)) {
        struct value *to = root_attribute(unit, name);
        if (to != NULL)
            *to = v;
        take_base(unit, name, v.number);
    }
}
