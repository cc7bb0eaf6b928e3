/* The operations are in the DWARF standard, 2.5.1 and 7.7.1. Of those that name types, entries or
 * pieces none may be in call frame information (6.4.2). The entry of the PLT has, as an example,
 *
 *     DW_OP_breg7 (rsp): 8; DW_OP_breg16 (rip): 0; DW_OP_lit15; DW_OP_and; DW_OP_lit11; DW_OP_ge;
 *     DW_OP_lit3; DW_OP_shl; DW_OP_plus */
#include "common/unwind/cfiexpr.h"

#include "common/base/cursor.h"

enum {
    OP_ADDR = 0x03,
    OP_DEREF = 0x06,
    OP_CONST1U = 0x08,
    OP_CONST1S = 0x09,
    OP_CONST2U = 0x0a,
    OP_CONST2S = 0x0b,
    OP_CONST4U = 0x0c,
    OP_CONST4S = 0x0d,
    OP_CONST8U = 0x0e,
    OP_CONST8S = 0x0f,
    OP_CONSTU = 0x10,
    OP_CONSTS = 0x11,
    OP_DUP = 0x12,
    OP_DROP = 0x13,
    OP_OVER = 0x14,
    OP_PICK = 0x15,
    OP_SWAP = 0x16,
    OP_ROT = 0x17,
    OP_ABS = 0x19,
    OP_AND = 0x1a,
    OP_DIV = 0x1b,
    OP_MINUS = 0x1c,
    OP_MOD = 0x1d,
    OP_MUL = 0x1e,
    OP_NEG = 0x1f,
    OP_NOT = 0x20,
    OP_OR = 0x21,
    OP_PLUS = 0x22,
    OP_PLUS_UCONST = 0x23,
    OP_SHL = 0x24,
    OP_SHR = 0x25,
    OP_SHRA = 0x26,
    OP_XOR = 0x27,
    OP_BRA = 0x28,
    OP_EQ = 0x29,
    OP_GE = 0x2a,
    OP_GT = 0x2b,
    OP_LE = 0x2c,
    OP_LT = 0x2d,
    OP_NE = 0x2e,
    OP_SKIP = 0x2f,
    OP_LIT0 = 0x30,
    OP_BREG0 = 0x70,
    OP_BREG31 = 0x8f,
    OP_BREGX = 0x92,
    OP_DEREF_SIZE = 0x94,
    OP_NOP = 0x96,
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

/* Push a copy of the entry at a distance from the top. */
static void
pick(struct eval *e, size_t distance)
{
    if (distance >= e->depth)
        e->failed = true;
    else
        push(e, e->stack[e->depth - 1 - distance]);
}

/* Move the top below so many others. */
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

/* The next number as signed, of a stack whose entries may be of 32 bits. */
static int64_t
pop_signed(struct eval *e)
{
    uint64_t value = pop(e);
    return e->machine->is64 ? (int64_t)value : (int32_t)(uint32_t)value;
}

/* Divide as the machine does; the quotient that does not fit is the dividend. */
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
    if (op == OP_SHRA) {
        int64_t value = pop_signed(e);
        push(e, (uint64_t)(value >> (by < 63 ? by : 63)));
        return;
    }
    uint64_t value = pop(e);
    push(e, by > 63 ? 0 : op == OP_SHL ? value << by : value >> by);
}

static void
compare(struct eval *e, uint8_t op)
{
    int64_t right = pop_signed(e), left = pop_signed(e);
    switch (op) {
    case OP_EQ:
        push(e, left == right);
        break;
    case OP_GE:
        push(e, left >= right);
        break;
    case OP_GT:
        push(e, left > right);
        break;
    case OP_LE:
        push(e, left <= right);
        break;
    case OP_LT:
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

/* Calculate with the two upper numbers, or with one. */
static void
calculate(struct eval *e, uint8_t op)
{
    uint64_t top = pop(e);
    switch (op) {
    case OP_ABS:
        push(e, e->machine->is64       ? (top >> 63 != 0 ? 0 - top : top)
                : (top >> 31 & 1) != 0 ? 0 - top
                                       : top);
        break;
    case OP_NEG:
        push(e, 0 - top);
        break;
    case OP_NOT:
        push(e, ~top);
        break;
    case OP_PLUS_UCONST:
        push(e, top + cursor_uleb(&e->r));
        break;
    case OP_AND:
        push(e, pop(e) & top);
        break;
    case OP_OR:
        push(e, pop(e) | top);
        break;
    case OP_XOR:
        push(e, pop(e) ^ top);
        break;
    case OP_PLUS:
        push(e, pop(e) + top);
        break;
    case OP_MINUS:
        push(e, pop(e) - top);
        break;
    default: /* OP_MUL */
        push(e, pop(e) * top);
    }
}

/* Push a constant that follows the operation. */
static void
push_constant(struct eval *e, uint8_t op)
{
    struct cursor *r = &e->r;
    switch (op) {
    case OP_ADDR:
        push(e, cursor_fixed(r, e->machine->is64 ? 8 : 4) + e->machine->bias);
        break;
    case OP_CONST1U:
        push(e, cursor_u8(r));
        break;
    case OP_CONST1S:
        push(e, (uint64_t)(int64_t)(int8_t)cursor_u8(r));
        break;
    case OP_CONST2U:
        push(e, cursor_fixed(r, 2));
        break;
    case OP_CONST2S:
        push(e, (uint64_t)(int64_t)(int16_t)cursor_fixed(r, 2));
        break;
    case OP_CONST4U:
        push(e, cursor_fixed(r, 4));
        break;
    case OP_CONST4S:
        push(e, (uint64_t)(int64_t)(int32_t)cursor_fixed(r, 4));
        break;
    case OP_CONSTU:
        push(e, cursor_uleb(r));
        break;
    case OP_CONSTS:
        push(e, (uint64_t)cursor_sleb(r));
        break;
    default: /* OP_CONST8U, OP_CONST8S */
        push(e, cursor_fixed(r, 8));
    }
}

static void
run_one(struct eval *e, uint8_t op)
{
    if (op >= OP_LIT0 && op < OP_LIT0 + 32) {
        push(e, op - OP_LIT0);
        return;
    }
    if (op >= OP_BREG0 && op <= OP_BREG31) {
        push_register(e, op - OP_BREG0);
        return;
    }
    switch (op) {
    case OP_ADDR:
    case OP_CONST1U:
    case OP_CONST1S:
    case OP_CONST2U:
    case OP_CONST2S:
    case OP_CONST4U:
    case OP_CONST4S:
    case OP_CONST8U:
    case OP_CONST8S:
    case OP_CONSTU:
    case OP_CONSTS:
        push_constant(e, op);
        break;
    case OP_BREGX:
        push_register(e, cursor_uleb(&e->r));
        break;
    case OP_DEREF:
        load(e, e->machine->is64 ? 8 : 4);
        break;
    case OP_DEREF_SIZE:
        load(e, cursor_u8(&e->r));
        break;
    case OP_DUP:
        pick(e, 0);
        break;
    case OP_DROP:
        pop(e);
        break;
    case OP_OVER:
        pick(e, 1);
        break;
    case OP_PICK:
        pick(e, cursor_u8(&e->r));
        break;
    case OP_SWAP:
        sink(e, 1);
        break;
    case OP_ROT:
        sink(e, 2);
        break;
    case OP_ABS:
    case OP_AND:
    case OP_MINUS:
    case OP_MUL:
    case OP_NEG:
    case OP_NOT:
    case OP_OR:
    case OP_PLUS:
    case OP_PLUS_UCONST:
    case OP_XOR:
        calculate(e, op);
        break;
    case OP_DIV:
        divide(e);
        break;
    case OP_MOD:
        modulo(e);
        break;
    case OP_SHL:
    case OP_SHR:
    case OP_SHRA:
        shift(e, op);
        break;
    case OP_EQ:
    case OP_GE:
    case OP_GT:
    case OP_LE:
    case OP_LT:
    case OP_NE:
        compare(e, op);
        break;
    case OP_BRA:
        if (pop(e) != 0)
            jump(e);
        else
            cursor_fixed(&e->r, 2);
        break;
    case OP_SKIP:
        jump(e);
        break;
    case OP_NOP:
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
