/* .debug_loc of versions 2 to 4 has pairs of addresses, relative to a base, and expressions:
 *
 *     begin, end, 01 00 55       for these addresses an expression of one byte, DW_OP_reg5
 *     ff ff ff ff ..., base      the base from here on; initially the unit's DW_AT_low_pc
 *     0, 0                       the end of the list
 *
 * .debug_loclists of version 5 has entries that begin with a DW_LLE_* number:
 *
 *     04 00 1a 01 55             DW_LLE_offset_pair, begin, end, one byte, DW_OP_reg5
 */
#include "common/dwarf/loclist.h"

#include "common/dwarf/dw.h"

enum { HEADER_MAX = 40 }; /* bytes of an entry before its expression */

static uint64_t
first_base(struct units *u, const struct unit *unit)
{
    uint64_t base = 0;
    if (unit->skeleton != NULL)
        return first_base(u->program, unit->skeleton);
    value_address(u, unit, &unit->low_pc, &base);
    return base;
}

/* Read an expression. Return false if its bytes are not all there. */
static bool
expression_at(struct units *u, enum debugsection section, uint64_t offset, uint64_t length,
              struct span *expression)
{
    enum { MOST = 4096 };
    struct span bytes =
        length <= MOST ? debugfile_at(&u->file, section, offset, (size_t)length) : SPAN("");
    if (length == 0 || bytes.len < length)
        return false;
    *expression = span_head(bytes, (size_t)length);
    return true;
}

static bool
find_pair(struct units *u, const struct unit *unit, uint64_t offset, uint64_t address,
          struct span *expression)
{
    size_t size = unit->format.address_size;
    const uint64_t select = size == 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t base = first_base(u, unit);
    while (!patience_is_over(u->file.patience, 8)) {
        struct span bytes = debugfile_at(&u->file, DEBUG_LOC, offset, HEADER_MAX);
        struct cursor r = cursor_of(bytes);
        uint64_t low = cursor_fixed(&r, size), high = cursor_fixed(&r, size), length = 0;
        if (r.cut || (low == 0 && high == 0))
            return false;
        if (low == select)
            base = high;
        else
            length = cursor_fixed(&r, 2);
        offset += bytes.len - cursor_left(&r);
        if (low != select && base + low <= address && address < base + high)
            return expression_at(u, DEBUG_LOC, offset, length, expression);
        offset += length;
    }
    return false;
}

/* Read an entry, or change the base. Set *high to 0 if it has no expression. Return false at the
 * end of the list. */
static bool
read_entry(struct units *u, const struct unit *unit, struct cursor *r, uint64_t *base,
           uint64_t *low, uint64_t *high)
{
    *low = *high = 0;
    switch (cursor_u8(r)) {
    case DW_LLE_base_addressx:
        *base = unit_read_address(u, unit, r, true);
        break;
    case DW_LLE_base_address:
        *base = unit_read_address(u, unit, r, false);
        break;
    case DW_LLE_GNU_view_pair:
        cursor_uleb(r);
        cursor_uleb(r);
        break;
    case DW_LLE_default_location:
        *high = UINT64_MAX;
        break;
    case DW_LLE_offset_pair:
        *low = *base + cursor_uleb(r);
        *high = *base + cursor_uleb(r);
        break;
    case DW_LLE_startx_endx:
        *low = unit_read_address(u, unit, r, true);
        *high = unit_read_address(u, unit, r, true);
        break;
    case DW_LLE_startx_length:
        *low = unit_read_address(u, unit, r, true);
        *high = *low + cursor_uleb(r);
        break;
    case DW_LLE_start_end:
        *low = unit_read_address(u, unit, r, false);
        *high = unit_read_address(u, unit, r, false);
        break;
    case DW_LLE_start_length:
        *low = unit_read_address(u, unit, r, false);
        *high = *low + cursor_uleb(r);
        break;
    default: /* DW_LLE_end_of_list, and unknown entries */
        return false;
    }
    return !r->cut;
}

static bool
find_entry(struct units *u, const struct unit *unit, uint64_t offset, uint64_t address,
           struct span *expression)
{
    uint64_t base = first_base(u, unit), low, high;
    while (!patience_is_over(u->file.patience, 8)) {
        struct span bytes = debugfile_at(&u->file, DEBUG_LOCLISTS, offset, HEADER_MAX);
        struct cursor r = cursor_of(bytes);
        if (!read_entry(u, unit, &r, &base, &low, &high))
            return false;
        uint64_t length = high > 0 ? cursor_uleb(&r) : 0;
        if (r.cut)
            return false;
        offset += bytes.len - cursor_left(&r);
        if (low <= address && address < high)
            return expression_at(u, DEBUG_LOCLISTS, offset, length, expression);
        offset += length;
    }
    return false;
}

/* Find a list by its index. The table has its offset from the table's start. */
static bool
find_list(struct units *u, const struct unit *unit, uint64_t index, uint64_t *offset)
{
    size_t size = unit->format.offset_size;
    if (index > UINT64_MAX / 16 || unit->loclists_base > debugfile_size(&u->file, DEBUG_LOCLISTS) ||
        !debugfile_number(&u->file, DEBUG_LOCLISTS, unit->loclists_base + index * size, size,
                          offset))
        return false;
    *offset += unit->loclists_base;
    return true;
}

bool
loclist_find(const struct die_value *v, uint64_t address, struct span *expression)
{
    struct units *u = v->of.units;
    const struct unit *unit = v->of.unit;
    uint64_t offset = v->v.number;
    if (v->v.form == 0)
        return false;
    if (value_is_block(&v->v))
        return expression_at(u, unit_section(unit), offset, v->v.size, expression);
    if (unit->format.version >= 5)
        return (v->v.form != DW_FORM_loclistx || find_list(u, unit, offset, &offset)) &&
               find_entry(u, unit, offset, address, expression);
    /* Before version 5, the lists of .dwo files have another format. */
    return unit->skeleton == NULL && find_pair(u, unit, offset, address, expression);
}
