/* The format is described in the DWARF standard, 6.4 and 7.24; the differences of .eh_frame, in the
 * Linux Standard Base, "Exception Frames":
 *
 *     u32 length, u32 0, u8 version, "zR", code align, data align, u8 ra, ...       a CIE
 *     u32 length, u32 place of the CIE, start, size, ..., instructions              an FDE
 *
 * After a length of 0xffffffff follows a 64-bit length. An FDE refers to its CIE in .debug_frame by
 * section offset; in .eh_frame by the distance back from the field itself. */
#include "common/unwind/cfi.h"

#include "common/base/cursor.h"

/* How pointers are encoded: the format in the lower four bits, then what they are relative to. */
enum {
    DW_EH_PE_absptr = 0,
    DW_EH_PE_uleb128 = 1,
    DW_EH_PE_udata2 = 2,
    DW_EH_PE_udata4 = 3,
    DW_EH_PE_udata8 = 4,
    DW_EH_PE_sleb128 = 9,
    DW_EH_PE_sdata2 = 10,
    DW_EH_PE_sdata4 = 11,
    DW_EH_PE_sdata8 = 12,
    FORMAT_BITS = 0x0f,
    DW_EH_PE_pcrel = 0x10,
    DW_EH_PE_textrel = 0x20,
    DW_EH_PE_datarel = 0x30,
    DW_EH_PE_funcrel = 0x40,
    DW_EH_PE_aligned = 0x50,
    BASE_BITS = 0x70,
    DW_EH_PE_indirect = 0x80,
    DW_EH_PE_omit = 0xff,
};

/* Instructions. The first three are encoded in the upper two bits of a byte; the lower six are
 * their operand. */
enum {
    DW_CFA_advance_loc = 0x40,
    DW_CFA_offset = 0x80,
    DW_CFA_restore = 0xc0,
    DW_CFA_nop = 0x00,
    DW_CFA_set_loc = 0x01,
    DW_CFA_advance_loc1 = 0x02,
    DW_CFA_advance_loc2 = 0x03,
    DW_CFA_advance_loc4 = 0x04,
    DW_CFA_offset_extended = 0x05,
    DW_CFA_restore_extended = 0x06,
    DW_CFA_undefined = 0x07,
    DW_CFA_same_value = 0x08,
    DW_CFA_register = 0x09,
    DW_CFA_remember_state = 0x0a,
    DW_CFA_restore_state = 0x0b,
    DW_CFA_def_cfa = 0x0c,
    DW_CFA_def_cfa_register = 0x0d,
    DW_CFA_def_cfa_offset = 0x0e,
    DW_CFA_def_cfa_expression = 0x0f,
    DW_CFA_expression = 0x10,
    DW_CFA_offset_extended_sf = 0x11,
    DW_CFA_def_cfa_sf = 0x12,
    DW_CFA_def_cfa_offset_sf = 0x13,
    DW_CFA_val_offset = 0x14,
    DW_CFA_val_offset_sf = 0x15,
    DW_CFA_val_expression = 0x16,
    DW_CFA_MIPS_advance_loc8 = 0x1d,
    DW_CFA_AARCH64_negate_ra_state = 0x2d, /* the same number as DW_CFA_GNU_window_save of SPARC */
    DW_CFA_GNU_args_size = 0x2e,
    DW_CFA_GNU_negative_offset_extended = 0x2f,
};

enum { STATES = 16 }; /* maximal depth of DW_CFA_remember_state; compilers use one or two */

enum { SPEND_TIMES = 2 };

/* Pointers */

static uint64_t
read_plain(struct cursor *r, uint8_t format, unsigned size)
{
    switch (format) {
    case DW_EH_PE_uleb128:
        return cursor_uleb(r);
    case DW_EH_PE_udata2:
        return cursor_fixed(r, 2);
    case DW_EH_PE_udata4:
        return cursor_fixed(r, 4);
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
        return cursor_fixed(r, 8);
    case DW_EH_PE_sleb128:
        return (uint64_t)cursor_sleb(r);
    case DW_EH_PE_sdata2:
        return (uint64_t)(int64_t)(int16_t)cursor_fixed(r, 2);
    case DW_EH_PE_sdata4:
        return (uint64_t)(int64_t)(int32_t)cursor_fixed(r, 4);
    case DW_EH_PE_absptr:
        return cursor_fixed(r, size);
    default:
        r->cut = true;
        return 0;
    }
}

static uint64_t
base_of(const struct cfi *c, uint8_t encoding, uint64_t here, uint64_t function)
{
    switch (encoding & BASE_BITS) {
    case DW_EH_PE_pcrel:
        return here;
    case DW_EH_PE_textrel:
        return c->text;
    case DW_EH_PE_datarel:
        return c->data;
    case DW_EH_PE_funcrel:
        return function;
    default:
        return 0;
    }
}

static unsigned
word_size(const struct cfi *c)
{
    return c->is64 ? 8 : 4;
}

bool
cfi_pointer(const struct cfi *c, struct cursor *r, uint8_t encoding, uint64_t function,
            uint64_t *pointer)
{
    *pointer = 0;
    if (encoding == DW_EH_PE_omit)
        return false;
    uint64_t here = c->addr + (uint64_t)(r->at - (const unsigned char *)c->bytes.ptr);
    if ((encoding & BASE_BITS) == DW_EH_PE_aligned) {
        unsigned word = word_size(c);
        cursor_take(r, (word - here % word) % word);
        encoding = DW_EH_PE_absptr;
    }
    uint64_t value = read_plain(r, encoding & FORMAT_BITS, word_size(c));
    *pointer = value + base_of(c, encoding, here, function);
    if (!c->is64)
        *pointer &= UINT32_MAX;
    return !r->cut && (encoding & DW_EH_PE_indirect) == 0;
}

/* Instructions */

struct machine {
    const struct cfi *c;
    const struct cfi_cie *cie;
    uint64_t keep;
    struct cursor program;
    struct cfi_row row;
    uint64_t at, start, end;
    struct cfi_row states[STATES];
    size_t nstates;
};

static void
set_rule(struct machine *m, uint64_t reg, struct cfi_rule rule)
{
    if (reg >= CFI_REGISTERS || (m->keep >> reg & 1) == 0)
        return;
    rule.target = (uint8_t)reg;
    m->row.regs[reg] = rule;
    m->row.set |= (uint64_t)1 << reg;
}

/* Restore a register's rule of the CIE. */
static void
restore(struct machine *m, uint64_t reg)
{
    if (reg >= CFI_REGISTERS || (m->keep >> reg & 1) == 0)
        return;
    m->row.set &= ~((uint64_t)1 << reg);
    if ((m->cie->row.set >> reg & 1) != 0)
        set_rule(m, reg, m->cie->row.regs[reg]);
}

/* Set a rule with an offset. Offsets of more than 32 bits do not occur on real stacks. */
static void
set_offset(struct machine *m, uint64_t reg, enum cfi_how how, int64_t n)
{
    if (n != (int32_t)n)
        m->program.cut = true;
    else
        set_rule(m, reg, (struct cfi_rule){.how = (uint8_t)how, .n = (int32_t)n});
}

static int64_t
factored(const struct machine *m, uint64_t n)
{
    return (int64_t)(n * (uint64_t)m->cie->data_align);
}

static void
set_cfa(struct machine *m, uint64_t reg, int64_t n)
{
    if (reg >= CFI_REGISTERS || n != (int32_t)n)
        m->program.cut = true;
    else
        m->row.cfa = (struct cfi_rule){.how = CFI_VALUE, .reg = (uint16_t)reg, .n = (int32_t)n};
}

/* Return a rule with the expression that comes next. */
static struct cfi_rule
expression(struct machine *m, enum cfi_how how)
{
    size_t at = (size_t)(m->program.at - (const unsigned char *)m->c->bytes.ptr);
    cursor_take(&m->program, cursor_uleb(&m->program));
    return (struct cfi_rule){.how = (uint8_t)how, .n = (int32_t)at};
}

/* Copy only the registers that have a rule, 2 or 3 of 36: copying all slows the making of a table
 * by a tenth. */
static void
copy_row(struct cfi_row *to, const struct cfi_row *from)
{
    to->cfa = from->cfa;
    to->set = from->set;
    for (uint64_t set = from->set; set != 0; set &= set - 1)
        to->regs[__builtin_ctzll(set)] = from->regs[__builtin_ctzll(set)];
}

/* Run an instruction about a register or the CFA. */
static void
run_rule(struct machine *m, uint8_t op)
{
    struct cursor *r = &m->program;
    uint64_t reg;
    switch (op) {
    case DW_CFA_offset_extended:
        reg = cursor_uleb(r);
        set_offset(m, reg, CFI_OFFSET, factored(m, cursor_uleb(r)));
        break;
    case DW_CFA_offset_extended_sf:
        reg = cursor_uleb(r);
        set_offset(m, reg, CFI_OFFSET, factored(m, (uint64_t)cursor_sleb(r)));
        break;
    case DW_CFA_GNU_negative_offset_extended:
        reg = cursor_uleb(r);
        set_offset(m, reg, CFI_OFFSET, factored(m, 0 - cursor_uleb(r)));
        break;
    case DW_CFA_val_offset:
        reg = cursor_uleb(r);
        set_offset(m, reg, CFI_VALUE, factored(m, cursor_uleb(r)));
        break;
    case DW_CFA_val_offset_sf:
        reg = cursor_uleb(r);
        set_offset(m, reg, CFI_VALUE, factored(m, (uint64_t)cursor_sleb(r)));
        break;
    case DW_CFA_restore_extended:
        restore(m, cursor_uleb(r));
        break;
    case DW_CFA_undefined:
        set_rule(m, cursor_uleb(r), (struct cfi_rule){.how = CFI_UNDEFINED});
        break;
    case DW_CFA_same_value:
        set_rule(m, cursor_uleb(r), (struct cfi_rule){.how = CFI_SAME});
        break;
    case DW_CFA_register:
        reg = cursor_uleb(r);
        set_rule(m, reg, (struct cfi_rule){.how = CFI_REGISTER, .reg = (uint16_t)cursor_uleb(r)});
        break;
    case DW_CFA_expression:
        reg = cursor_uleb(r);
        set_rule(m, reg, expression(m, CFI_EXPRESSION));
        break;
    case DW_CFA_val_expression:
        reg = cursor_uleb(r);
        set_rule(m, reg, expression(m, CFI_VALUE_EXPRESSION));
        break;
    case DW_CFA_def_cfa:
        reg = cursor_uleb(r);
        set_cfa(m, reg, (int64_t)cursor_uleb(r));
        break;
    case DW_CFA_def_cfa_sf:
        reg = cursor_uleb(r);
        set_cfa(m, reg, factored(m, (uint64_t)cursor_sleb(r)));
        break;
    case DW_CFA_def_cfa_register:
        set_cfa(m, cursor_uleb(r), m->row.cfa.n);
        break;
    case DW_CFA_def_cfa_offset:
        set_cfa(m, m->row.cfa.reg, (int64_t)cursor_uleb(r));
        break;
    case DW_CFA_def_cfa_offset_sf:
        set_cfa(m, m->row.cfa.reg, factored(m, (uint64_t)cursor_sleb(r)));
        break;
    case DW_CFA_def_cfa_expression:
        m->row.cfa = expression(m, CFI_VALUE_EXPRESSION);
        break;
    case DW_CFA_remember_state:
        if (m->nstates == STATES)
            r->cut = true;
        else
            copy_row(&m->states[m->nstates++], &m->row);
        break;
    case DW_CFA_restore_state:
        if (m->nstates == 0)
            r->cut = true;
        else
            copy_row(&m->row, &m->states[--m->nstates]);
        break;
    case DW_CFA_GNU_args_size:
        cursor_uleb(r);
        break;
    case DW_CFA_nop:
    case DW_CFA_AARCH64_negate_ra_state: /* codes in return addresses are always stripped */
        break;
    default:
        r->cut = true;
    }
}

/* Return by how much an instruction advances the address, and set *advances to whether it is such
 * an instruction. */
static uint64_t
advance(struct machine *m, uint8_t op, bool *advances)
{
    uint64_t to, align = m->cie->code_align;
    *advances = true;
    switch (op) {
    case DW_CFA_advance_loc1:
        return cursor_u8(&m->program) * align;
    case DW_CFA_advance_loc2:
        return cursor_fixed(&m->program, 2) * align;
    case DW_CFA_advance_loc4:
        return cursor_fixed(&m->program, 4) * align;
    case DW_CFA_MIPS_advance_loc8:
        return cursor_fixed(&m->program, 8) * align;
    case DW_CFA_set_loc:
        m->program.cut |= !cfi_pointer(m->c, &m->program, m->cie->encoding, m->start, &to);
        return to - m->at;
    default:
        *advances = (op & 0xc0) == DW_CFA_advance_loc;
        return (op & 0x3f) * align;
    }
}

/* Run one instruction that does not advance the address. */
static void
run_one(struct machine *m, uint8_t op)
{
    uint8_t operand = op & 0x3f;
    if ((op & 0xc0) == DW_CFA_offset)
        set_offset(m, operand, CFI_OFFSET, factored(m, cursor_uleb(&m->program)));
    else if ((op & 0xc0) == DW_CFA_restore)
        restore(m, operand);
    else
        run_rule(m, op);
}

bool
cfi_run(const struct cfi *c, const struct cfi_fde *fde,
        void (*row)(void *ctx, uint64_t start, const struct cfi_row *row), void *ctx)
{
    struct machine m;
    m.c = c;
    m.cie = fde->cie;
    m.keep = fde->cie->signal ? UINT64_MAX : c->keep;
    m.program = cursor_of(fde->program);
    copy_row(&m.row, &fde->cie->row);
    m.at = m.start = fde->start;
    m.end = fde->end;
    m.nstates = 0;
    while (m.program.at < m.program.end) {
        bool advances;
        uint8_t op = cursor_u8(&m.program);
        uint64_t by = advance(&m, op, &advances);
        if (!advances)
            run_one(&m, op);
        if (m.program.cut)
            return false;
        if (!advances || by == 0)
            continue;
        row(ctx, m.at, &m.row);
        if (by >= m.end - m.at)
            return by == m.end - m.at;
        m.at += by;
    }
    row(ctx, m.at, &m.row);
    return true;
}

/* Entries */

struct cfi_entry {
    struct cursor fields; /* after the length and the reference to the CIE */
    size_t id_at;         /* offset of that reference */
    uint64_t id;
    bool is_cie;
};

/* Read the beginning of an entry, and set *at to the next entry. */
static bool
read_entry(const struct cfi *c, size_t *at, struct cfi_entry *e)
{
    struct cursor r = cursor_of(span_from(c->bytes, *at));
    uint64_t length = cursor_fixed(&r, 4);
    bool wide = length == UINT32_MAX;
    if (wide)
        length = cursor_fixed(&r, 8);
    struct span body = cursor_take(&r, length);
    *at = r.cut || (length == 0 && c->terminated) ? c->bytes.len
                                                  : (size_t)((const char *)r.at - c->bytes.ptr);
    if (r.cut || length == 0)
        return false;
    size_t size = wide && c->is_debug ? 8 : 4;
    e->fields = cursor_of(body);
    e->id_at = (size_t)(body.ptr - c->bytes.ptr);
    e->id = cursor_fixed(&e->fields, size);
    e->is_cie = e->id == (c->is_debug ? size == 8 ? UINT64_MAX : UINT32_MAX : 0);
    return !e->fields.cut;
}

/* Read the data that the letters of the augmentation announce. */
static void
read_augmentation(const struct cfi *c, struct cfi_cie *cie, struct span letters, struct cursor *r)
{
    uint64_t pointer;
    struct cursor data = cursor_of(cursor_take(r, cursor_uleb(r)));
    for (size_t i = 1; i < letters.len; i++)
        switch (letters.ptr[i]) {
        case 'R':
            cie->encoding = cursor_u8(&data);
            break;
        case 'L':
            cursor_u8(&data);
            break;
        case 'P':
            cfi_pointer(c, &data, cursor_u8(&data), 0, &pointer);
            break;
        case 'S':
            cie->signal = true;
            break;
        default: /* B and G of arm64 have no data */
            break;
        }
    cie->augmented = true;
    r->cut |= data.cut;
}

static void
keep_row(void *ctx, uint64_t start, const struct cfi_row *row)
{
    (void)start;
    copy_row(ctx, row);
}

/* Run the instructions of the CIE, with which the row of each of its FDEs begins. */
static bool
run_initial(const struct cfi *c, struct cfi_cie *cie, struct span program)
{
    struct cfi_row row = {.set = 0};
    struct cfi_fde all = {.end = UINT64_MAX, .cie = cie, .program = program};
    bool right = cfi_run(c, &all, keep_row, &row);
    cie->row = row;
    return right;
}

/* Parse u8 version, augmentation, [u8 address size, u8 segment size,] code align, data align, ra,
 * [size, data,] instructions. */
static bool
read_cie(const struct cfi *c, struct cfi_cie *cie, struct cursor r)
{
    uint8_t version = cursor_u8(&r), segment = 0;
    struct span letters = cursor_string(&r);
    if (version != 1 && version != 3 && version != 4)
        return false;
    if (span_starts(letters, SPAN("eh"))) {
        cursor_take(&r, word_size(c)); /* of gcc 2 */
        letters = span_from(letters, 2);
    }
    cie->address_size = (uint8_t)word_size(c);
    if (version == 4) {
        cie->address_size = cursor_u8(&r);
        segment = cursor_u8(&r);
    }
    cie->code_align = cursor_uleb(&r);
    cie->data_align = cursor_sleb(&r);
    uint64_t ra = version == 1 ? cursor_u8(&r) : cursor_uleb(&r);
    cie->ra = (uint16_t)ra;
    if (span_starts(letters, SPAN("z")))
        read_augmentation(c, cie, letters, &r);
    else if (letters.len > 0)
        return false;
    return !r.cut && segment == 0 && ra < CFI_REGISTERS && cie->address_size == word_size(c) &&
           run_initial(c, cie, cursor_rest(&r));
}

/* Read the CIE at an offset of the section. CIEs may be read repeatedly. The total is limited to a
 * multiple of the section's size: otherwise a crafted section takes forever. */
static bool
load_cie(struct cfi *c, struct cfi_cie *cie, size_t at)
{
    struct cfi_entry e;
    size_t next = at;
    if (at >= c->bytes.len || !read_entry(c, &next, &e) || !e.is_cie)
        return false;
    c->spent += cursor_left(&e.fields);
    return c->spent / SPEND_TIMES <= c->bytes.len && read_cie(c, cie, e.fields);
}

/* Return the CIE at an offset of the section, or NULL if there is no usable one. */
static const struct cfi_cie *
cie_at(struct cfi *c, size_t at)
{
    struct cfi_cie *cie = &c->cies[at / 4 % CFI_CIES];
    if (cie->at != at + 1) {
        *cie = (struct cfi_cie){.at = at + 1};
        cie->usable = load_cie(c, cie, at);
    }
    return cie->usable ? cie : NULL;
}

bool
cfi_read(struct cfi *c, size_t *at, struct cfi_fde *fde)
{
    struct cfi_entry e;
    uint64_t size;
    if (!read_entry(c, at, &e) || e.is_cie)
        return false;
    if (!c->is_debug && e.id > e.id_at)
        return false;
    const struct cfi_cie *cie = cie_at(c, (size_t)(c->is_debug ? e.id : e.id_at - e.id));
    if (cie == NULL || !cfi_pointer(c, &e.fields, cie->encoding, 0, &fde->start) ||
        !cfi_pointer(c, &e.fields, cie->encoding & FORMAT_BITS, 0, &size))
        return false;
    if (cie->augmented)
        cursor_take(&e.fields, cursor_uleb(&e.fields));
    fde->end = fde->start + size;
    fde->ra = cie->ra;
    fde->signal = cie->signal;
    fde->cie = cie;
    fde->program = cursor_rest(&e.fields);
    return !e.fields.cut && size > 0 && fde->end > fde->start;
}
