/* Most expressions are short:
 *
 *     55               DW_OP_reg5: in this register
 *     91 6c            DW_OP_fbreg -20: in memory, 20 bytes below the frame base
 *     9c               DW_OP_call_frame_cfa: a frame base, the CFA
 *     75 08            DW_OP_breg5 8: in memory, 8 bytes behind where this register points
 *     55 93 08 54 93 08    the first 8 bytes in one register, the next 8 in another
 *     31 9f            DW_OP_lit1, DW_OP_stack_value: the value is always 1
 *     75 00 31 1a 9f   DW_OP_breg5 0, DW_OP_lit1, DW_OP_and, DW_OP_stack_value: its lowest bit
 */
#include "common/dwarf/varplace.h"

#include "common/base/mem.h"
#include "common/dwarf/dw.h"
#include "common/dwarf/loclist.h"

static const char optimized_out[] = "was optimized out there",
                  computed[] = "is computed there in a way that the kernel cannot follow";

/* The state of an expression. The stack has one element, and perhaps a constant on top: no variable
 * that the kernel can read needs more. */
struct run {
    struct cursor cursor;
    const struct varplace_frame *frame;
    struct units *units;
    const struct unit *unit;
    struct varplace place; /* while `address` is set, its last offset has not been loaded yet */
    bool filled, address;
    bool has_operand;
    uint64_t operand; /* the constant on top */
    bool in_frame;    /* it is the expression of the frame base */
};

static int64_t
sum(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

bool
varplace_load(struct varplace *p, int64_t offset)
{
    if (p->hops == VARPLACE_HOPS)
        return false;
    bool is_address = p->base == VARPLACE_STATIC && p->hops == 0;
    p->offsets[p->hops++] = is_address ? sum(p->offsets[0], offset) : offset;
    return true;
}

static const char *push_frame_base(struct run *r, int64_t offset);

/* Set the stack's element to base + offset. */
static const char *
push(struct run *r, enum varplace_base base, uint64_t number, int64_t offset)
{
    if (r->filled)
        return computed;
    bool framed = r->place.framed;
    r->place = (struct varplace){.base = base, .number = number, .hops = 1, .framed = framed};
    r->place.offsets[0] = offset;
    r->filled = r->address = true;
    return NULL;
}

static const char *
push_constant(struct run *r, uint64_t number)
{
    if (r->filled) {
        const char *full = r->has_operand ? computed : NULL;
        r->has_operand = true;
        r->operand = number;
        return full;
    }
    const char *wrong = push(r, VARPLACE_CONSTANT, number, 0);
    r->place.hops = 0;
    r->address = false;
    return wrong;
}

static const char *
push_register(struct run *r, uint64_t number)
{
    const char *wrong = push(r, VARPLACE_REGISTER, number, 0);
    r->place.hops = 0;
    r->address = false;
    return wrong;
}

static const char *
push_indexed(struct run *r, uint64_t index)
{
    uint64_t address;
    if (!unit_address(r->units, r->unit, index, &address))
        return computed;
    return push(r, VARPLACE_STATIC, 0, (int64_t)address);
}

static const char *
add(struct run *r, uint64_t n)
{
    int64_t *last = &r->place.offsets[r->place.hops - (r->place.hops > 0)];
    if (!r->address)
        return computed;
    *last = sum(*last, (int64_t)n);
    return NULL;
}

/* Keep the bits of a mask, if it is one of the lowest bits. */
static const char *
keep_bits(struct run *r, uint64_t mask)
{
    unsigned bits = 0;
    while (bits < 64 && (mask >> bits & 1) != 0)
        bits++;
    if (bits == 0 || (bits < 64 && mask >> bits != 0) || !r->address)
        return computed;
    if (bits < 64 && (r->place.bits == 0 || bits < r->place.bits))
        r->place.bits = bits;
    return NULL;
}

static const char *
run_binary(struct run *r, uint8_t op)
{
    if (!r->has_operand)
        return computed;
    r->has_operand = false;
    if (op == DW_OP_and)
        return keep_bits(r, r->operand);
    if (r->place.bits > 0)
        return computed;
    return add(r, op == DW_OP_plus ? r->operand : 0 - r->operand);
}

/* The value is that of the stack's element, not what is in memory there. */
static const char *
stack_value(struct run *r)
{
    struct varplace *p = &r->place;
    if (r->filled && p->base == VARPLACE_CONSTANT)
        return NULL;
    bool is_address = p->base == VARPLACE_STATIC && p->hops == 1;
    if (!r->address || (p->offsets[p->hops - 1] != 0 && !is_address))
        return computed;
    p->hops--;
    r->address = false;
    return NULL;
}

static const char *
push_cfa(struct run *r)
{
    const struct varplace *cfa = r->frame->cfa;
    if (cfa == NULL)
        return "is in a stack frame without call frame information";
    return push(r, cfa->base, cfa->number, cfa->offsets[0]);
}

static uint64_t
read_bytes(struct cursor *c, uint64_t n)
{
    struct span bytes = cursor_take(c, n);
    struct cursor r = cursor_of(bytes);
    return n <= 8 ? cursor_fixed(&r, (size_t)n) : 0;
}

static const char *
run_constant(struct run *r, uint8_t op)
{
    struct cursor *c = &r->cursor;
    unsigned size = 1U << (op - DW_OP_const1u) / 2;
    uint64_t n = cursor_fixed(c, size);
    bool negative = (op - DW_OP_const1u) % 2 == 1 && size < 8 && n >> (8 * size - 1) != 0;
    return push_constant(r, negative ? n | ~UINT64_C(0) << (8 * size) : n);
}

static const char *
run_operation(struct run *r)
{
    struct cursor *c = &r->cursor;
    uint8_t op = cursor_u8(c);
    if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
        return push_constant(r, (uint64_t)op - DW_OP_lit0);
    if (op >= DW_OP_reg0 && op <= DW_OP_reg31)
        return push_register(r, (uint64_t)op - DW_OP_reg0);
    if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
        return push(r, VARPLACE_REGISTER, (uint64_t)op - DW_OP_breg0, cursor_sleb(c));
    if (op >= DW_OP_const1u && op <= DW_OP_const8s)
        return run_constant(r, op);
    switch (op) {
    case DW_OP_addr:
        return push(r, VARPLACE_STATIC, 0, (int64_t)cursor_fixed(c, r->unit->format.address_size));
    case DW_OP_addrx:
    case DW_OP_GNU_addr_index:
        return push_indexed(r, cursor_uleb(c));
    case DW_OP_constu:
        return push_constant(r, cursor_uleb(c));
    case DW_OP_consts:
        return push_constant(r, (uint64_t)cursor_sleb(c));
    case DW_OP_regx:
        return push_register(r, cursor_uleb(c));
    case DW_OP_bregx: {
        uint64_t number = cursor_uleb(c);
        return push(r, VARPLACE_REGISTER, number, cursor_sleb(c));
    }
    case DW_OP_fbreg:
        return push_frame_base(r, cursor_sleb(c));
    case DW_OP_call_frame_cfa:
        return push_cfa(r);
    case DW_OP_and:
    case DW_OP_minus:
    case DW_OP_plus:
        return run_binary(r, op);
    case DW_OP_plus_uconst:
        return add(r, cursor_uleb(c));
    case DW_OP_deref:
        return r->address && r->place.bits == 0 && varplace_load(&r->place, 0) ? NULL : computed;
    case DW_OP_implicit_value:
        return push_constant(r, read_bytes(c, cursor_uleb(c)));
    case DW_OP_stack_value:
        return stack_value(r);
    case DW_OP_nop:
        return NULL;
    case DW_OP_entry_value:
    case DW_OP_GNU_entry_value:
        return optimized_out;
    default:
        return computed;
    }
}

/* Run the expression up to the next DW_OP_piece, and set *size to that piece's; 0: there is none,
 * and the place is that of the whole value. */
static const char *
run_piece(struct run *r, uint64_t *size)
{
    *size = 0;
    r->filled = r->address = r->has_operand = false;
    r->place = (struct varplace){0};
    while (cursor_left(&r->cursor) > 0) {
        if (*r->cursor.at == DW_OP_piece) {
            cursor_u8(&r->cursor);
            *size = cursor_uleb(&r->cursor);
            break;
        }
        const char *wrong = run_operation(r);
        if (wrong != NULL || r->cursor.cut) {
            cursor_rest(&r->cursor);
            return wrong != NULL ? wrong : computed;
        }
    }
    if (r->has_operand || (r->address && r->place.bits > 0))
        return computed;
    return r->filled ? NULL : optimized_out;
}

static const char *
push_frame_base(struct run *r, int64_t offset)
{
    struct span expression;
    uint64_t size;
    if (r->in_frame || r->frame->base == NULL ||
        !loclist_find(r->frame->base, r->frame->address, &expression))
        return computed;
    struct run base = {.cursor = cursor_of(expression),
                       .frame = r->frame,
                       .units = r->frame->base->of.units,
                       .unit = r->frame->base->of.unit,
                       .in_frame = true};
    const char *wrong = run_piece(&base, &size);
    if (wrong != NULL)
        return wrong;
    struct varplace *p = &base.place;
    bool is_cfa = expression.len == 1 && expression.ptr[0] == (char)DW_OP_call_frame_cfa;
    if (size != 0 || p->base != VARPLACE_REGISTER || p->hops > 1)
        return computed;
    /* The caller has stored what is above the CFA: it is there from the first instruction on. */
    r->place.framed = !is_cfa || offset < 0;
    return push(r, VARPLACE_REGISTER, p->number, sum(p->offsets[0], offset));
}

const char *
varplace_find(struct varplace *p, const struct die_value *location, uint64_t part, uint64_t *rest,
              const struct varplace_frame *f)
{
    struct span found;
    *p = (struct varplace){0};
    *rest = part;
    if (!loclist_find(location, f->address, &found))
        return optimized_out;
    /* The frame base is read from the same section, which ends the life of `found`. */
    struct arena a = {0};
    struct span expression = arena_copy(&a, found);
    struct run r = {.cursor = cursor_of(expression),
                    .frame = f,
                    .units = location->of.units,
                    .unit = location->of.unit};
    const char *wrong;
    uint64_t size, at = 0;
    do {
        wrong = run_piece(&r, &size);
        if (size == 0 || (part >= at && part - at < size))
            break;
        at += size;
        wrong = optimized_out;
    } while (cursor_left(&r.cursor) > 0);
    arena_free(&a);
    *rest = part - at;
    *p = r.place;
    p->framed &= value_is_block(&location->v);
    return wrong;
}
