#include "common/tracepoint/traceexpr.h"

#include "common/base/load.h"

static const struct field_type int_type = {4, false};

struct number
traceexpr_convert(uint64_t bits, struct field_type type)
{
    if (type.size < 8) {
        unsigned width = type.size * 8u;
        uint64_t sign = type.is_unsigned ? 0 : bits >> (width - 1) & 1;
        bits &= (UINT64_C(1) << width) - 1;
        if (sign != 0)
            bits |= UINT64_MAX << width;
    }
    return (struct number){bits, type};
}

static struct number
truth(bool value)
{
    return (struct number){value, int_type};
}

struct number
traceexpr_element(struct span bytes, uint64_t n, struct field_type type)
{
    if (n >= bytes.len / type.size)
        return traceexpr_convert(0, type);
    const char *p = bytes.ptr + (size_t)n * type.size;
    uint64_t bits = type.size == 1   ? (unsigned char)*p
                    : type.size == 2 ? load_u16(p)
                    : type.size == 4 ? load_u32(p)
                                     : load_u64(p);
    return traceexpr_convert(bits, type);
}

static struct span
part(struct span raw, uint64_t offset, uint64_t size)
{
    if (offset > raw.len || size > raw.len - offset)
        return span_of(raw.ptr, 0);
    return span_of(raw.ptr + (size_t)offset, (size_t)size);
}

struct number
traceexpr_field(const struct event_field *field, struct span raw)
{
    return traceexpr_element(part(raw, field->offset, field->size), 0, field->type);
}

struct span
traceexpr_array(const struct event_field *field, struct span raw)
{
    struct span bytes = part(raw, field->offset, field->size);
    if (!field->is_dynamic)
        return bytes;
    uint64_t where = traceexpr_element(bytes, 0, (struct field_type){4, true}).bits;
    uint64_t offset = where & 0xffff;
    if (field->is_relative)
        offset += (uint64_t)field->offset + field->size;
    return part(raw, offset, where >> 16);
}

/* C's integer promotion: numbers smaller than an int become int. */
static struct number
promoted(struct number n)
{
    return n.type.size < 4 ? traceexpr_convert(n.bits, int_type) : n;
}

/* Return the type to which both operands are converted: the larger one; if they are equally large,
 * the unsigned one. */
static struct field_type
common_type(struct field_type a, struct field_type b)
{
    if (a.size != b.size)
        return a.size > b.size ? a : b;
    return a.is_unsigned ? a : b;
}

static bool
is_negative(struct number n)
{
    return !n.type.is_unsigned && n.bits >> 63 != 0;
}

static uint64_t
magnitude(struct number n)
{
    return is_negative(n) ? 0 - n.bits : n.bits;
}

/* Return a / b or a % b; both have the same type. */
static uint64_t
divide(int op, struct number a, struct number b)
{
    if (b.bits == 0)
        return 0;
    if (op == '%') {
        uint64_t rest = magnitude(a) % magnitude(b);
        return is_negative(a) ? 0 - rest : rest;
    }
    uint64_t quotient = magnitude(a) / magnitude(b);
    return is_negative(a) != is_negative(b) ? 0 - quotient : quotient;
}

static bool
is_less(struct number a, struct number b)
{
    if (is_negative(a) != is_negative(b))
        return is_negative(a);
    return a.bits < b.bits;
}

/* Return a shifted; the result has the type of the left operand. */
static struct number
shift(int op, struct number a, struct number b)
{
    a = promoted(a);
    if (b.bits >= a.type.size * 8u)
        return traceexpr_convert(0, a.type);
    if (op == OP_LEFT)
        return traceexpr_convert(a.bits << b.bits, a.type);
    return traceexpr_convert(is_negative(a) ? ~(~a.bits >> b.bits) : a.bits >> b.bits, a.type);
}

/* Return a op b; both have the same type. */
static struct number
compute(int op, struct number a, struct number b)
{
    switch (op) {
    case '+':
        return traceexpr_convert(a.bits + b.bits, a.type);
    case '-':
        return traceexpr_convert(a.bits - b.bits, a.type);
    case '*':
        return traceexpr_convert(a.bits * b.bits, a.type);
    case '/':
    case '%':
        return traceexpr_convert(divide(op, a, b), a.type);
    case '&':
        return traceexpr_convert(a.bits & b.bits, a.type);
    case '|':
        return traceexpr_convert(a.bits | b.bits, a.type);
    case '^':
        return traceexpr_convert(a.bits ^ b.bits, a.type);
    case OP_EQUAL:
        return truth(a.bits == b.bits);
    case OP_UNEQUAL:
        return truth(a.bits != b.bits);
    case '<':
        return truth(is_less(a, b));
    case '>':
        return truth(is_less(b, a));
    case OP_AT_MOST:
        return truth(!is_less(b, a));
    default: /* OP_AT_LEAST */
        return truth(!is_less(a, b));
    }
}

static struct number
binary(const struct expr *e, struct span raw)
{
    struct number a = traceexpr_number(e->a, raw);
    if (e->op == OP_AND)
        return truth(a.bits != 0 && traceexpr_number(e->b, raw).bits != 0);
    if (e->op == OP_OR)
        return truth(a.bits != 0 || traceexpr_number(e->b, raw).bits != 0);
    struct number b = traceexpr_number(e->b, raw);
    if (e->op == OP_LEFT || e->op == OP_RIGHT)
        return shift(e->op, a, b);
    a = promoted(a);
    b = promoted(b);
    struct field_type type = common_type(a.type, b.type);
    return compute(e->op, traceexpr_convert(a.bits, type), traceexpr_convert(b.bits, type));
}

static struct number
unary(const struct expr *e, struct span raw)
{
    struct number a = promoted(traceexpr_number(e->a, raw));
    switch (e->op) {
    case '!':
        return truth(a.bits == 0);
    case '-':
        return traceexpr_convert(0 - a.bits, a.type);
    case '~':
        return traceexpr_convert(~a.bits, a.type);
    default: /* '+' */
        return a;
    }
}

/* Return the element of an array, or 0 beyond its end. */
static struct number
element(const struct expr *e, struct span raw)
{
    struct number index = {0, int_type};
    if (e->b != NULL)
        index = traceexpr_number(e->b, raw);
    return traceexpr_element(traceexpr_bytes(e->a, raw), index.bits, e->type);
}

struct number
traceexpr_number(const struct expr *e, struct span raw)
{
    if (e->shape != SHAPE_NUMBER)
        return truth(true);
    struct number a;
    switch (e->kind) {
    case EXPR_NUMBER:
    case EXPR_VARIABLE:
        return (struct number){e->number, e->type};
    case EXPR_FIELD:
        return traceexpr_field(e->field, raw);
    case EXPR_LENGTH:
        return traceexpr_convert(traceexpr_array(e->field, raw).len, e->type);
    case EXPR_ELEMENT:
        return element(e, raw);
    case EXPR_CAST:
        a = traceexpr_number(e->a, raw);
        return e->type.size > 0 ? traceexpr_convert(a.bits, e->type) : a;
    case EXPR_UNARY:
        return unary(e, raw);
    case EXPR_BINARY:
        return binary(e, raw);
    default: /* EXPR_CONDITION */
        return traceexpr_number(traceexpr_number(e->a, raw).bits != 0 ? e->b : e->c, raw);
    }
}

struct span
traceexpr_bytes(const struct expr *e, struct span raw)
{
    for (;;) {
        if (e->kind == EXPR_CAST)
            e = e->a;
        else if (e->kind == EXPR_CONDITION)
            e = traceexpr_number(e->a, raw).bits != 0 ? e->b : e->c;
        else
            return traceexpr_array(e->field, raw);
    }
}
