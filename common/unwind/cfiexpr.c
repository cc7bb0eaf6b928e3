/* The operations are described in the DWARF standard, 2.5.1 and 7.7.1. Operations on types, entries
 * and pieces are invalid in call frame information (6.4.2). Example, the entry of the PLT:
 *
 *     DW_OP_breg7 (rsp): 8; DW_OP_breg16 (rip): 0; DW_OP_lit15; DW_OP_and; DW_OP_lit11; DW_OP_ge;
 *     DW_OP_lit3; DW_OP_shl; DW_OP_plus */
#include "common/unwind/cfiexpr.h"

#include "common/base/cursor.h"

enum {
    DW_OP_addr = 0x03,
    DW_OP_deref = 0x06,
    DW_OP_const1u = 0x08,
    DW_OP_const1s = 0x09,
    DW_OP_const2u = 0x0a,
    DW_OP_const2s = 0x0b,
    DW_OP_const4u = 0x0c,
    DW_OP_const4s = 0x0d,
    DW_OP_const8u = 0x0e,
    DW_OP_const8s = 0x0f,
    DW_OP_constu = 0x10,
    DW_OP_consts = 0x11,
    DW_OP_dup = 0x12,
    DW_OP_drop = 0x13,
    DW_OP_over = 0x14,
    DW_OP_pick = 0x15,
    DW_OP_swap = 0x16,
    DW_OP_rot = 0x17,
    DW_OP_abs = 0x19,
    DW_OP_and = 0x1a,
    DW_OP_div = 0x1b,
    DW_OP_minus = 0x1c,
    DW_OP_mod = 0x1d,
    DW_OP_mul = 0x1e,
    DW_OP_neg = 0x1f,
    DW_OP_not = 0x20,
    DW_OP_or = 0x21,
    DW_OP_plus = 0x22,
    DW_OP_plus_uconst = 0x23,
    DW_OP_shl = 0x24,
    DW_OP_shr = 0x25,
    DW_OP_shra = 0x26,
    DW_OP_xor = 0x27,
    DW_OP_bra = 0x28,
    DW_OP_eq = 0x29,
    DW_OP_ge = 0x2a,
    DW_OP_gt = 0x2b,
    DW_OP_le = 0x2c,
    DW_OP_lt = 0x2d,
    DW_OP_ne = 0x2e,
    DW_OP_skip = 0x2f,
    DW_OP_lit0 = 0x30,
    DW_OP_breg0 = 0x70,
    DW_OP_breg31 = 0x8f,
    DW_OP_bregx = 0x92,
    DW_OP_deref_size = 0x94,
    DW_OP_nop = 0x96,
};

enum { DEPTH = 64, STEPS = 1024 };

struct eval {
    const struct cfiexpr_machine *machine;
    struct cursor r;
    struct span program;
    uint64_t stack[DEPTH];
    size_t depth;
    bool failed;
};

static void
push(struct eval *e, uint64_t value)
{
    if (e->depth == DEPTH)
        e->failed = true;
    else
        e->stack[e->depth++] = e->machine->is64 ? value : (uint32_t)value;
}

static uint64_t
pop(struct eval *e)
{
    if (e->depth == 0) {
        e->failed = true;
        return 0;
    }
    return e->stack[--e->depth];
}

/* Push a copy of the entry at this distance from the top. */
static void
pick(struct eval *e, size_t distance)
{
    if (distance >= e->depth)
        e->failed = true;
    else
        push(e, e->stack[e->depth - 1 - distance]);
}

/* Move the top entry down, below this number of others. */
static void
sink(struct eval *e, size_t below)
{
    uint64_t top = pop(e);
    if (e->depth < below) {
        e->failed = true;
        return;
    }
    uint64_t *to = &e->stack[e->depth - below];
    memmove(to + 1, to, below * sizeof *to);
    *to = top;
    e->depth++;
}

static void
load(struct eval *e, size_t size)
{
    uint64_t addr = pop(e), value = 0;
    bool possible = size == 1 || size == 2 || size == 4 || size == 8;
    if (e->failed || !possible || !e->machine->load(e->machine->ctx, addr, size, &value))
        e->failed = true;
    else
        push(e, value);
}

static void
push_register(struct eval *e, uint64_t number)
{
    uint64_t value = 0, offset = (uint64_t)cursor_sleb(&e->r);
    if (!e->machine->reg(e->machine->ctx, number, &value))
        e->failed = true;
    push(e, value + offset);
}

/* Pop a signed number. Entries have 32 bits on some machines. */
static int64_t
pop_signed(struct eval *e)
{
    uint64_t value = pop(e);
    return e->machine->is64 ? (int64_t)value : (int32_t)(uint32_t)value;
}

/* Divide as the machine does. If the quotient overflows, it is the dividend. */
static void
divide(struct eval *e)
{
    int64_t by = pop_signed(e), value = pop_signed(e);
    if (by == 0)
        e->failed = true;
    else
        push(e, by == -1 ? 0 - (uint64_t)value : (uint64_t)(value / by));
}

static void
modulo(struct eval *e)
{
    uint64_t by = pop(e), value = pop(e);
    if (by == 0)
        e->failed = true;
    else
        push(e, value % by);
}

static void
shift(struct eval *e, uint8_t op)
{
    uint64_t by = pop(e);
    if (op == DW_OP_shra) {
        int64_t value = pop_signed(e);
        push(e, (uint64_t)(value >> (by < 63 ? by : 63)));
        return;
    }
    uint64_t value = pop(e);
    push(e, by > 63 ? 0 : op == DW_OP_shl ? value << by : value >> by);
}

static void
compare(struct eval *e, uint8_t op)
{
    int64_t right = pop_signed(e), left = pop_signed(e);
    switch (op) {
    case DW_OP_eq:
        push(e, left == right);
        break;
    case DW_OP_ge:
        push(e, left >= right);
        break;
    case DW_OP_gt:
        push(e, left > right);
        break;
    case DW_OP_le:
        push(e, left <= right);
        break;
    case DW_OP_lt:
        push(e, left < right);
        break;
    default:
        push(e, left != right);
    }
}

static void
jump(struct eval *e)
{
    int16_t by = (int16_t)cursor_fixed(&e->r, 2);
    const unsigned char *start = (const unsigned char *)e->program.ptr;
    ptrdiff_t to = e->r.at - start + by;
    if (to < 0 || (size_t)to > e->program.len)
        e->failed = true;
    else
        e->r.at = start + to;
}

/* Calculate with the top entry, or with the top two. */
static void
calculate(struct eval *e, uint8_t op)
{
    uint64_t top = pop(e);
    switch (op) {
    case DW_OP_abs:
        push(e, e->machine->is64       ? (top >> 63 != 0 ? 0 - top : top)
                : (top >> 31 & 1) != 0 ? 0 - top
                                       : top);
        break;
    case DW_OP_neg:
        push(e, 0 - top);
        break;
    case DW_OP_not:
        push(e, ~top);
        break;
    case DW_OP_plus_uconst:
        push(e, top + cursor_uleb(&e->r));
        break;
    case DW_OP_and:
        push(e, pop(e) & top);
        break;
    case DW_OP_or:
        push(e, pop(e) | top);
        break;
    case DW_OP_xor:
        push(e, pop(e) ^ top);
        break;
    case DW_OP_plus:
        push(e, pop(e) + top);
        break;
    case DW_OP_minus:
        push(e, pop(e) - top);
        break;
    default: /* DW_OP_mul */
        push(e, pop(e) * top);
    }
}

/* Push the constant that follows the operation. */
static void
push_constant(struct eval *e, uint8_t op)
{
    struct cursor *r = &e->r;
    switch (op) {
    case DW_OP_addr:
        push(e, cursor_fixed(r, e->machine->is64 ? 8 : 4) + e->machine->bias);
        break;
    case DW_OP_const1u:
        push(e, cursor_u8(r));
        break;
    case DW_OP_const1s:
        push(e, (uint64_t)(int64_t)(int8_t)cursor_u8(r));
        break;
    case DW_OP_const2u:
        push(e, cursor_fixed(r, 2));
        break;
    case DW_OP_const2s:
        push(e, (uint64_t)(int64_t)(int16_t)cursor_fixed(r, 2));
        break;
    case DW_OP_const4u:
        push(e, cursor_fixed(r, 4));
        break;
    case DW_OP_const4s:
        push(e, (uint64_t)(int64_t)(int32_t)cursor_fixed(r, 4));
        break;
    case DW_OP_constu:
        push(e, cursor_uleb(r));
        break;
    case DW_OP_consts:
        push(e, (uint64_t)cursor_sleb(r));
        break;
    default: /* DW_OP_const8u, DW_OP_const8s */
        push(e, cursor_fixed(r, 8));
    }
}

static void
run_one(struct eval *e, uint8_t op)
{
    if (op >= DW_OP_lit0 && op < DW_OP_lit0 + 32) {
        push(e, op - DW_OP_lit0);
        return;
    }
    if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
        push_register(e, op - DW_OP_breg0);
        return;
    }
    switch (op) {
    case DW_OP_addr:
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_const2u:
    case DW_OP_const2s:
    case DW_OP_const4u:
    case DW_OP_const4s:
    case DW_OP_const8u:
    case DW_OP_const8s:
    case DW_OP_constu:
    case DW_OP_consts:
        push_constant(e, op);
        break;
    case DW_OP_bregx:
        push_register(e, cursor_uleb(&e->r));
        break;
    case DW_OP_deref:
        load(e, e->machine->is64 ? 8 : 4);
        break;
    case DW_OP_deref_size:
        load(e, cursor_u8(&e->r));
        break;
    case DW_OP_dup:
        pick(e, 0);
        break;
    case DW_OP_drop:
        pop(e);
        break;
    case DW_OP_over:
        pick(e, 1);
        break;
    case DW_OP_pick:
        pick(e, cursor_u8(&e->r));
        break;
    case DW_OP_swap:
        sink(e, 1);
        break;
    case DW_OP_rot:
        sink(e, 2);
        break;
    case DW_OP_abs:
    case DW_OP_and:
    case DW_OP_minus:
    case DW_OP_mul:
    case DW_OP_neg:
    case DW_OP_not:
    case DW_OP_or:
    case DW_OP_plus:
    case DW_OP_plus_uconst:
    case DW_OP_xor:
        calculate(e, op);
        break;
    case DW_OP_div:
        divide(e);
        break;
    case DW_OP_mod:
        modulo(e);
        break;
    case DW_OP_shl:
    case DW_OP_shr:
    case DW_OP_shra:
        shift(e, op);
        break;
    case DW_OP_eq:
    case DW_OP_ge:
    case DW_OP_gt:
    case DW_OP_le:
    case DW_OP_lt:
    case DW_OP_ne:
        compare(e, op);
        break;
    case DW_OP_bra:
        if (pop(e) != 0)
            jump(e);
        else
            cursor_fixed(&e->r, 2);
        break;
    case DW_OP_skip:
        jump(e);
        break;
    case DW_OP_nop:
        break;
    default:
        e->failed = true;
    }
}

bool
cfiexpr_run(struct span program, const struct cfiexpr_machine *m, const uint64_t *first,
            uint64_t *result)
{
    struct eval e;
    e.machine = m;
    e.r = cursor_of(program);
    e.program = program;
    e.depth = 0;
    e.failed = false;
    if (first != NULL)
        push(&e, *first);
    size_t limit = m->steps != NULL && *m->steps < STEPS ? *m->steps : STEPS, step = 0;
    for (; e.r.at < e.r.end && !e.failed; step++) {
        e.failed = step == limit;
        if (!e.failed)
            run_one(&e, cursor_u8(&e.r));
        e.failed |= e.r.cut;
    }
    if (m->steps != NULL)
        *m->steps -= step < limit ? step : limit;
    *result = pop(&e);
    return !e.failed;
}
