/* A table of abbreviations. All numbers are LEB128; the code 0 ends the table:
 *
 *     01 11 01         code 1, DW_TAG_compile_unit, has children
 *     25 0e            DW_AT_producer, DW_FORM_strp
 *     13 21 04         DW_AT_language, DW_FORM_implicit_const, the constant 4 (version 5)
 *     00 00            the end of the attributes
 */
#include "common/dwarf/abbrev.h"

#include <stdlib.h>

#include "common/base/mem.h"
#include "common/dwarf/dw.h"

/* A step skips this number of bytes, or a value whose bytes determine its size. */
enum {
    STEP_BYTES_MAX = 0xf000,
    STEP_ULEB,
    STEP_STRING,
    STEP_BLOCK1,
    STEP_BLOCK2,
    STEP_BLOCK4,
    STEP_BLOCK,
    STEP_INDIRECT,
    STEP_UNKNOWN
};

/* Return the size of a form in bytes, or the step that skips it. */
static uint16_t
step_of(uint64_t form, struct unitformat u)
{
    switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
        return 0;
    case DW_FORM_data1:
    case DW_FORM_ref1:
    case DW_FORM_flag:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
        return 1;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2:
        return 2;
    case DW_FORM_strx3:
    case DW_FORM_addrx3:
        return 3;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4:
    case DW_FORM_ref_sup4:
        return 4;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sig8:
    case DW_FORM_ref_sup8:
        return 8;
    case DW_FORM_data16:
        return 16;
    case DW_FORM_addr:
        return u.address_size;
    case DW_FORM_ref_addr:
        return u.version <= 2 ? u.address_size : u.offset_size;
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_sec_offset:
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
        return u.offset_size;
    case DW_FORM_udata:
    case DW_FORM_sdata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index:
        return STEP_ULEB;
    case DW_FORM_string:
        return STEP_STRING;
    case DW_FORM_block1:
        return STEP_BLOCK1;
    case DW_FORM_block2:
        return STEP_BLOCK2;
    case DW_FORM_block4:
        return STEP_BLOCK4;
    case DW_FORM_block:
    case DW_FORM_exprloc:
        return STEP_BLOCK;
    case DW_FORM_indirect:
        return STEP_INDIRECT;
    default:
        return STEP_UNKNOWN;
    }
}

/* Skip a value by a step that is not a number of bytes. Return the length of a block. */
static uint64_t
skip_variable(struct cursor *r, uint16_t step, struct unitformat u)
{
    switch (step) {
    case STEP_ULEB:
        cursor_uleb(r);
        return 0;
    case STEP_STRING:
        cursor_string(r);
        return 0;
    case STEP_BLOCK1:
        return cursor_take(r, cursor_u8(r)).len;
    case STEP_BLOCK2:
        return cursor_take(r, cursor_fixed(r, 2)).len;
    case STEP_BLOCK4:
        return cursor_take(r, cursor_fixed(r, 4)).len;
    case STEP_BLOCK:
        return cursor_take(r, cursor_uleb(r)).len;
    case STEP_INDIRECT:
        return form_read(r, &(uint64_t){cursor_uleb(r)}, u);
    default:
        cursor_take(r, UINT64_MAX);
        return 0;
    }
}

/* Read a number of three bytes. */
static uint64_t
read_three(struct cursor *r)
{
    uint16_t one = 1;
    bool little = *(const unsigned char *)&one == 1;
    uint64_t a = cursor_u8(r), b = cursor_u8(r), c = cursor_u8(r);
    return little ? a | b << 8 | c << 16 : a << 16 | b << 8 | c;
}

uint64_t
form_read(struct cursor *r, uint64_t *form, struct unitformat u)
{
    while (*form == DW_FORM_indirect && !r->cut)
        *form = cursor_uleb(r);
    uint16_t step = step_of(*form, u);
    if (*form == DW_FORM_strx3 || *form == DW_FORM_addrx3)
        return read_three(r);
    if (step < STEP_BYTES_MAX)
        return cursor_fixed(r, step);
    if (step == STEP_ULEB)
        return *form == DW_FORM_sdata ? (uint64_t)cursor_sleb(r) : cursor_uleb(r);
    if (step == STEP_STRING)
        return cursor_string(r).len;
    return skip_variable(r, step, u);
}

void
abbrevs_skip(const struct abbrevs *a, const struct abbrev *abbrev, struct cursor *r,
             struct unitformat format)
{
    for (uint32_t i = 0; i < abbrev->nsteps; i++) {
        uint16_t step = a->steps[abbrev->steps + i];
        if (step < STEP_BYTES_MAX)
            cursor_take(r, step);
        else
            skip_variable(r, step, format);
    }
}

/* Reading */

/* Add a step to the steps of the last abbreviation. Combine numbers of bytes. */
static void
add_step(struct abbrevs *a, struct abbrev *abbrev, uint16_t step)
{
    uint16_t *last = abbrev->nsteps > 0 ? &a->steps[a->nsteps - 1] : NULL;
    if (step == 0)
        return;
    if (last != NULL && step < STEP_BYTES_MAX && *last < STEP_BYTES_MAX - step) {
        *last = (uint16_t)(*last + step);
        return;
    }
    MEM_ADD(a->steps, a->nsteps, a->steps_cap, step);
    abbrev->nsteps++;
}

/* Limits of an abbreviation's attributes; compilers write some twenty. Attributes without bytes are
 * limited because they make short entries slow to read. */
enum { ATTRIBUTES_MAX = 256, EMPTY_MAX = 32 };

/* Read an abbreviation after its code. */
static void
read_abbrev(struct abbrevs *a, struct cursor *r, uint64_t code, struct unitformat format)
{
    uint64_t tag = cursor_uleb(r);
    struct abbrev abbrev = {.code = code,
                            .tag = (uint16_t)(tag <= UINT16_MAX ? tag : 0),
                            .children = cursor_u8(r) != 0,
                            .first = (uint32_t)a->nattributes,
                            .steps = (uint32_t)a->nsteps};
    size_t empty = 0;
    for (;;) {
        uint64_t name = cursor_uleb(r), form = cursor_uleb(r);
        if ((name == 0 && form == 0) || r->cut)
            break;
        uint16_t step = step_of(form, format);
        empty += step == 0;
        if (abbrev.count == ATTRIBUTES_MAX || empty > EMPTY_MAX)
            cursor_take(r, UINT64_MAX);
        int64_t constant = form == DW_FORM_implicit_const ? cursor_sleb(r) : 0;
        MEM_ADD(a->attributes, a->nattributes, a->attributes_cap,
                (struct attribute){(uint16_t)(name <= UINT16_MAX ? name : 0),
                                   (uint16_t)(form <= UINT16_MAX ? form : 0), constant});
        abbrev.count++;
        add_step(a, &abbrev, step);
    }
    if (r->cut)
        return;
    MEM_ADD(a->list, a->count, a->cap, abbrev);
}

/* Read the abbreviations in the bytes. Return false if the bytes end before the table. */
static bool
read_table(struct abbrevs *a, struct span bytes, struct unitformat format)
{
    struct cursor r = cursor_of(bytes);
    uint64_t code;
    a->count = a->nattributes = a->nsteps = 0;
    while ((code = cursor_uleb(&r)) != 0 && !r.cut)
        read_abbrev(a, &r, code, format);
    return !r.cut;
}

/* Order by code; of equal codes, the first one counts. */
static int
compare_codes(const void *a, const void *b)
{
    const struct abbrev *x = a, *y = b;
    if (x->code != y->code)
        return (x->code > y->code) - (x->code < y->code);
    return (x->first > y->first) - (x->first < y->first);
}

/* The table's size is not known. Read more and more of the section until the table is complete. A
 * program that was optimized as a whole has some hundred KB. */
size_t
abbrevs_read(struct abbrevs *a, struct debugfile *f, uint64_t offset, struct unitformat format)
{
    enum { MOST = 1 << 22 };
    size_t n = VIEW_ENTRIES;
    struct span bytes = debugfile_at(f, DEBUG_ABBREV, offset, n);
    while (!read_table(a, bytes, format) && bytes.len >= n && n < MOST) {
        n *= 4;
        bytes = debugfile_at(f, DEBUG_ABBREV, offset, n);
    }
    bool sorted = true;
    for (size_t i = 1; i < a->count; i++)
        sorted &= a->list[i - 1].code <= a->list[i].code;
    if (!sorted)
        qsort(a->list, a->count, sizeof *a->list, compare_codes);
    return bytes.len < n ? bytes.len : n;
}

const struct abbrev *
abbrevs_find(const struct abbrevs *a, uint64_t code)
{
    if (code - 1 < a->count && a->list[code - 1].code == code)
        return &a->list[code - 1]; /* compilers number them consecutively */
    size_t low = 0, high = a->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->list[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->count && a->list[low].code == code ? &a->list[low] : NULL;
}

size_t
abbrevs_size(const struct abbrevs *a)
{
    return a->cap * sizeof *a->list + a->attributes_cap * sizeof *a->attributes +
           a->steps_cap * sizeof *a->steps;
}

void
abbrevs_free(struct abbrevs *a)
{
    free(a->list);
    free(a->attributes);
    free(a->steps);
    *a = (struct abbrevs){0};
}
