#include "common/tracepoint/tracetext.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "common/tracepoint/traceeval.h"

void
tracetext_format(struct text *out, const char *format, ...)
{
    char buf[100];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(buf, sizeof buf, format, args);
    va_end(args);
    if (n > 0)
        text_add(out, span_of(buf, (size_t)n < sizeof buf ? (size_t)n : sizeof buf - 1));
}

/* The bytes before the first NUL. */
static struct span
cstr(struct span bytes)
{
    size_t end = span_find(bytes, '\0');
    return end != SPAN_NONE ? span_head(bytes, end) : bytes;
}

/* The bits of a number without those above its size, which repeat the sign. */
static uint64_t
own_bits(uint64_t bits, struct number n)
{
    return n.type.size < 8 ? bits & ((UINT64_C(1) << n.type.size * 8) - 1) : bits;
}

/* An entry of several bits is printed if all of them are set; then they do not count again. An
 * entry without a bit names the value 0, as perf has it. */
static void
print_flags(struct text *out, const struct expr *e, struct span raw)
{
    struct number value = traceeval_number(e->a, raw);
    uint64_t left = own_bits(value.bits, value);
    size_t start = out->len;
    for (const struct expr_entry *f = e->entries; f != NULL; f = f->next) {
        if (f->value == NULL)
            continue;
        uint64_t mask = own_bits(traceeval_number(f->value, raw).bits, value);
        if ((left & mask) != mask || (mask == 0 && (left != 0 || out->len > start)))
            continue;
        text_add(out, out->len > start ? e->text : SPAN(""));
        text_add(out, f->text);
        left &= ~mask;
    }
    if (left == 0)
        return;
    text_add(out, out->len > start ? e->text : SPAN(""));
    tracetext_format(out, "0x%" PRIx64, left);
}

static void
print_symbolic(struct text *out, const struct expr *e, struct span raw)
{
    struct number value = traceeval_number(e->a, raw);
    uint64_t bits = own_bits(value.bits, value);
    for (const struct expr_entry *s = e->entries; s != NULL; s = s->next) {
        if (s->value != NULL && own_bits(traceeval_number(s->value, raw).bits, value) == bits) {
            text_add(out, s->text);
            return;
        }
    }
    tracetext_format(out, "0x%" PRIx64, bits);
}

/* The first bytes of an array, not more than it has. */
static struct span
head(struct span bytes, uint64_t n)
{
    return n < bytes.len ? span_head(bytes, (size_t)n) : bytes;
}

static void
print_hex(struct text *out, struct span bytes, struct span separator)
{
    for (size_t i = 0; i < bytes.len; i++) {
        text_add(out, i > 0 ? separator : SPAN(""));
        tracetext_format(out, "%02x", (unsigned char)bytes.ptr[i]);
    }
}

static void
print_array(struct text *out, const struct expr *e, struct span raw)
{
    struct span bytes = traceeval_bytes(e->a, raw);
    uint64_t size = traceeval_number(e->c, raw).bits;
    size = size == 2 || size == 4 || size == 8 ? size : 1;
    struct field_type type = {(uint8_t)size, true};
    uint64_t count = bytes.len / size;
    if (e->b != NULL && traceeval_number(e->b, raw).bits < count)
        count = traceeval_number(e->b, raw).bits;
    text_add(out, SPAN("{"));
    for (uint64_t i = 0; i < count; i++)
        tracetext_format(out, i > 0 ? ",0x%" PRIx64 : "0x%" PRIx64,
                         traceeval_element(bytes, i, type).bits);
    text_add(out, SPAN("}"));
}

/* Words of 32 bits, the highest first, as the kernel's %*pb: "3,00000001". */
static void
print_bitmask(struct text *out, struct span bytes)
{
    bool first = true;
    for (size_t n = bytes.len / 4; n > 0; n--) {
        uint64_t word = traceeval_element(bytes, n - 1, (struct field_type){4, true}).bits;
        tracetext_format(out, first ? "%08" PRIx64 : ",%08" PRIx64, word);
        first = false;
    }
}

static bool
has_bit(struct span bytes, uint64_t bit)
{
    return bit / 8 < bytes.len && ((unsigned char)bytes.ptr[bit / 8] >> bit % 8 & 1) != 0;
}

void
tracetext_bits(struct text *out, struct span bytes, uint64_t bits)
{
    size_t start = out->len;
    if (bits > (uint64_t)bytes.len * 8)
        bits = (uint64_t)bytes.len * 8;
    for (uint64_t from = 0, to; from < bits; from = to) {
        for (to = from; to < bits && has_bit(bytes, to);)
            to++;
        if (to == from) {
            to++;
            continue;
        }
        text_add(out, out->len > start ? SPAN(",") : SPAN(""));
        tracetext_format(out, to - from > 1 ? "%" PRIu64 "-%" PRIu64 : "%" PRIu64, from, to - 1);
    }
}

/* A number printed by %s is the address of a constant string of the kernel. */
static void
print_string_at(struct text *out, const struct tracing *t, uint64_t addr)
{
    struct span text;
    if (tracing_string(t, addr, &text))
        text_add(out, text);
    else
        tracetext_format(out, "%" PRIx64, addr);
}

void
tracetext_print(struct text *out, const struct tracing *t, const struct expr *e, struct span raw)
{
    while (e->shape != SHAPE_NUMBER && (e->kind == EXPR_CAST || e->kind == EXPR_CONDITION)) {
        if (e->kind == EXPR_CAST)
            e = e->a;
        else
            e = traceeval_number(e->a, raw).bits != 0 ? e->b : e->c;
    }
    if (e->shape == SHAPE_NUMBER) {
        print_string_at(out, t, traceeval_number(e, raw).bits);
        return;
    }
    switch (e->kind) {
    case EXPR_STRING:
        text_add(out, e->text);
        break;
    case EXPR_FLAGS:
        print_flags(out, e, raw);
        break;
    case EXPR_SYMBOLIC:
        print_symbolic(out, e, raw);
        break;
    case EXPR_HEX:
    case EXPR_HEX_STR:
        print_hex(out, head(traceeval_bytes(e->a, raw), traceeval_number(e->b, raw).bits),
                  e->kind == EXPR_HEX ? SPAN(" ") : SPAN(""));
        break;
    case EXPR_ARRAY:
        print_array(out, e, raw);
        break;
    case EXPR_BITMASK:
        print_bitmask(out, traceeval_array(e->field, raw));
        break;
    default: /* EXPR_FIELD */
        text_add(out, cstr(traceeval_array(e->field, raw)));
    }
}

static bool
is_printable(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!(text.ptr[i] >= ' ' && text.ptr[i] <= '~') && !is_space(text.ptr[i]))
            return false;
    return true;
}

static void
print_array_field(struct text *out, const struct event_field *field, struct span raw)
{
    struct span bytes = traceeval_array(field, raw);
    if (field->is_text && is_printable(cstr(bytes))) {
        text_add(out, cstr(bytes));
        return;
    }
    text_add(out, SPAN("ARRAY["));
    print_hex(out, bytes, SPAN(", "));
    text_add(out, SPAN("]"));
}

static void
print_number_field(struct text *out, const struct event_field *field, struct span raw)
{
    struct number n = traceeval_field(field, raw);
    if (field->is_pointer || (field->is_long && n.type.is_unsigned))
        tracetext_format(out, "0x%" PRIx64, n.bits);
    else if (n.type.is_unsigned)
        tracetext_format(out, "%" PRIu64, n.bits);
    else
        tracetext_format(out, "%" PRId64, (int64_t)n.bits);
}

void
tracetext_fields(struct text *out, const struct event_format *f, struct span raw)
{
    for (size_t i = f->ncommon; i < f->nfields; i++) {
        const struct event_field *field = &f->fields[i];
        text_add(out, i > f->ncommon ? SPAN(" ") : SPAN(""));
        text_add(out, field->name);
        text_add(out, SPAN("="));
        if (field->is_array)
            print_array_field(out, field, raw);
        else
            print_number_field(out, field, raw);
    }
}
