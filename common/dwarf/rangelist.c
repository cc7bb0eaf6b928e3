/* .debug_ranges of versions 2 to 4 has pairs of addresses, relative to a base:
 *
 *     begin, end                 of a range
 *     ff ff ff ff ..., base      the base from here on; initially the unit's DW_AT_low_pc
 *     0, 0                       the end of the list
 *
 * .debug_rnglists of version 5 has entries that begin with a DW_RLE_* number. */
#include "common/dwarf/rangelist.h"

#include "common/dwarf/dw.h"

enum { ENTRY_MAX = 32 }; /* bytes: one, and two numbers of at most 10 */

/* Return the initial base of the unit's lists. */
static uint64_t
first_base(struct units *u, const struct unit *unit)
{
    uint64_t base = 0;
    if (unit->skeleton != NULL)
        return first_base(u->program, unit->skeleton);
    value_address(u, unit, &unit->low_pc, &base);
    return base;
}

/* Add a list of pairs. Before version 5, the lists of .dwo files are in the program. */
static void
add_pairs(struct ranges *to, struct units *u, const struct unit *unit, uint64_t offset,
          uint32_t number, size_t *left)
{
    size_t size = unit->format.address_size;
    const uint64_t select = size == 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t base = first_base(u, unit), low, high;
    struct debugfile *f = u->program != NULL ? &u->program->file : &u->file;
    if (unit->skeleton != NULL)
        offset += unit->skeleton->ranges_base;
    for (; *left > 0 && !patience_is_over(u->file.patience, 4); --*left, offset += 2 * size) {
        if (!debugfile_number(f, DEBUG_RANGES, offset, size, &low) ||
            !debugfile_number(f, DEBUG_RANGES, offset + size, size, &high) ||
            (low == 0 && high == 0))
            break;
        if (low == select)
            base = high;
        else if (low < high)
            ranges_add(to, base + low, base + high, number);
    }
}

/* Add the range of an entry, or change the base. Return false at the end of the list. */
static bool
add_entry(struct ranges *to, struct units *u, const struct unit *unit, struct cursor *r,
          uint64_t *base, uint32_t number)
{
    uint64_t low = 0, high = 0;
    switch (cursor_u8(r)) {
    case DW_RLE_base_addressx:
        *base = unit_read_address(u, unit, r, true);
        break;
    case DW_RLE_base_address:
        *base = unit_read_address(u, unit, r, false);
        break;
    case DW_RLE_offset_pair:
        low = *base + cursor_uleb(r);
        high = *base + cursor_uleb(r);
        break;
    case DW_RLE_startx_endx:
        low = unit_read_address(u, unit, r, true);
        high = unit_read_address(u, unit, r, true);
        break;
    case DW_RLE_startx_length:
        low = unit_read_address(u, unit, r, true);
        high = low + cursor_uleb(r);
        break;
    case DW_RLE_start_end:
        low = unit_read_address(u, unit, r, false);
        high = unit_read_address(u, unit, r, false);
        break;
    case DW_RLE_start_length:
        low = unit_read_address(u, unit, r, false);
        high = low + cursor_uleb(r);
        break;
    default: /* DW_RLE_end_of_list, and unknown entries */
        return false;
    }
    if (!r->cut)
        ranges_add(to, low, high, number);
    return !r->cut;
}

static void
add_list(struct ranges *to, struct units *u, const struct unit *unit, uint64_t offset,
         uint32_t number, size_t *left)
{
    uint64_t base = first_base(u, unit);
    for (bool more = true; more && *left > 0 && !patience_is_over(u->file.patience, 4); --*left) {
        struct span bytes = debugfile_at(&u->file, DEBUG_RNGLISTS, offset, ENTRY_MAX);
        struct cursor r = cursor_of(bytes);
        more = add_entry(to, u, unit, &r, &base, number);
        offset += bytes.len - cursor_left(&r);
    }
}

/* Find a list by its index. The table has its offset from the table's start. */
static bool
find_list(struct units *u, const struct unit *unit, uint64_t index, uint64_t *offset)
{
    size_t size = unit->format.offset_size;
    if (index > UINT64_MAX / 16 || unit->rnglists_base > debugfile_size(&u->file, DEBUG_RNGLISTS) ||
        !debugfile_number(&u->file, DEBUG_RNGLISTS, unit->rnglists_base + index * size, size,
                          offset))
        return false;
    *offset += unit->rnglists_base;
    return true;
}

void
rangelist_add(struct ranges *to, struct units *u, struct unit *unit, const struct extent *of,
              uint32_t number, size_t *left)
{
    uint64_t low, high, offset = of->ranges.number;
    unit_read_root(u, unit);
    if (of->ranges.form != 0) {
        if (unit->format.version < 5)
            add_pairs(to, u, unit, offset, number, left);
        else if (of->ranges.form != DW_FORM_rnglistx || find_list(u, unit, offset, &offset))
            add_list(to, u, unit, offset, number, left);
    } else if (of->high_pc.form != 0 && value_address(u, unit, &of->low_pc, &low)) {
        if (value_is_constant(&of->high_pc))
            ranges_add(to, low, low + of->high_pc.number, number);
        else if (value_address(u, unit, &of->high_pc, &high))
            ranges_add(to, low, high, number);
    }
}

size_t
rangelist_count(struct units *u)
{
    enum { PAIR_MIN = 8, MOST = 1 << 24 };
    struct debugfile *program = u->program != NULL ? &u->program->file : &u->file;
    uint64_t n =
        debugfile_size(program, DEBUG_RANGES) / PAIR_MIN + debugfile_size(&u->file, DEBUG_RNGLISTS);
    return n < MOST ? (size_t)n : MOST;
}
