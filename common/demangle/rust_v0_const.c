/* Constants: generic arguments and array lengths.
 *
 *     j1f_             31
 *     an1_             -1
 *     c41_             'A'
 *     Re616263_        "abc"                    e alone: *"abc"
 *     RAh1_h2_E        &[1, 2]
 *     VNtC1a4BoxySC1xh1_E   a::Boxy { x: 1 }    U instead of S...E: no fields; T...E: without names
 *
 * The last three kinds come from an unstable feature (adt_const_params); c++filt 2.40 does not know
 * them. We print them as Rust's own demangler does. */
#include "common/demangle/rust_v0.h"

#include "common/base/num.h"

/* A number of more than 64 bits is printed as it is written, in hexadecimal. */
static void
integer(struct v0 *v)
{
    struct span digits = v0_digits(v);
    uint64_t value = 0;
    while (digits.len > 1 && digits.ptr[0] == '0')
        digits = span_from(digits, 1);
    if (num_hex(digits, &value)) {
        v0_print_number(v, value);
    } else {
        v0_print(v, SPAN("0x"));
        v0_print(v, digits);
    }
}

static void
boolean(struct v0 *v)
{
    struct span digits = v0_digits(v);
    if (span_eq(digits, SPAN("0")))
        v0_print(v, SPAN("false"));
    else if (span_eq(digits, SPAN("1")))
        v0_print(v, SPAN("true"));
    else
        v->failed = true;
}

/* What is printed as an escape with a letter, in characters and in strings. */
static struct span
letter_escape(uint64_t c)
{
    return c == '\t' ? SPAN("\\t") : c == '\r' ? SPAN("\\r") : c == '\n' ? SPAN("\\n") : SPAN("");
}

static void
print_code(struct v0 *v, struct span digits)
{
    v0_print(v, SPAN("\\u{"));
    v0_print(v, digits);
    v0_print(v, SPAN("}"));
}

/* As c++filt: whatever is not a visible ASCII character below '~' is printed by its number. */
static void
character(struct v0 *v)
{
    struct span digits = v0_digits(v);
    uint64_t value = 0;
    if (digits.len > 8 || !num_hex(digits, &value))
        v->failed = true;
    char c = (char)value;
    v0_print(v, SPAN("'"));
    if (letter_escape(value).len > 0)
        v0_print(v, letter_escape(value));
    else if (value > ' ' && value < '~')
        v0_print(v, span_of(&c, 1));
    else
        print_code(v, digits);
    v0_print(v, SPAN("'"));
}

static void
string_byte(struct v0 *v, struct span digits)
{
    uint64_t value = 0;
    num_hex(digits, &value);
    char c = (char)value;
    if (value == 0) {
        v0_print(v, SPAN("\\0"));
    } else if (letter_escape(value).len > 0) {
        v0_print(v, letter_escape(value));
    } else if (value < ' ' || value == 0x7f) {
        print_code(v, digits.ptr[0] == '0' ? span_from(digits, 1) : digits);
    } else {
        v0_print(v, value == '"' || value == '\\' ? SPAN("\\") : SPAN(""));
        v0_print(v, span_of(&c, 1));
    }
}

/* The digits are the bytes of the text, in UTF-8. */
static void
string(struct v0 *v)
{
    struct span digits = SPAN("");
    if (!v0_eat(v, '_')) /* or the empty text */
        digits = v0_digits(v);
    if (digits.len % 2 != 0)
        v->failed = true;
    v0_print(v, SPAN("\""));
    for (size_t i = 0; i + 1 < digits.len; i += 2)
        string_byte(v, span_of(digits.ptr + i, 2));
    v0_print(v, SPAN("\""));
}

/* The values up to an E. Returns how many. */
static size_t
values(struct v0 *v)
{
    size_t count = 0;
    while (v0_more(v, &count, SPAN(", ")))
        v0_constant(v, true);
    return count;
}

static void
named_fields(struct v0 *v)
{
    size_t count = 0;
    v0_print(v, SPAN(" { "));
    while (v0_more(v, &count, SPAN(", "))) {
        v0_tagged(v, 's');
        v0_print_identifier(v, v0_identifier(v));
        v0_print(v, SPAN(": "));
        v0_constant(v, true);
    }
    v0_print(v, SPAN(" }"));
}

/* A value of a struct or an enum. */
static void
structure(struct v0 *v)
{
    v0_path(v, true);
    char fields = v0_next(v);
    if (fields == 'T') {
        v0_print(v, SPAN("("));
        values(v);
        v0_print(v, SPAN(")"));
    } else if (fields == 'S') {
        named_fields(v);
    } else if (fields != 'U') {
        v->failed = true;
    }
}

/* A constant that is not a literal. */
static void
expression(struct v0 *v, char tag)
{
    switch (tag) {
    case 'e':
        v0_print(v, SPAN("*"));
        string(v);
        break;
    case 'R':
    case 'Q':
        v0_print(v, tag == 'R' ? SPAN("&") : SPAN("&mut "));
        v0_constant(v, true);
        break;
    case 'A':
        v0_print(v, SPAN("["));
        values(v);
        v0_print(v, SPAN("]"));
        break;
    case 'T':
        v0_print(v, SPAN("("));
        v0_print(v, values(v) == 1 ? SPAN(",)") : SPAN(")"));
        break;
    case 'V':
        structure(v);
        break;
    default:
        v->failed = true;
    }
}

/* True if the tag is that of a literal, which is then printed. */
static bool
literal(struct v0 *v, char tag)
{
    if (tag != '\0' && strchr("aslxnihtmyoj", tag) != NULL) {
        if (strchr("aslxni", tag) != NULL && v0_eat(v, 'n'))
            v0_print(v, SPAN("-"));
        integer(v);
    } else if (tag == 'p') { /* to be inferred */
        v0_print(v, SPAN("_"));
    } else if (tag == 'b') {
        boolean(v);
    } else if (tag == 'c') {
        character(v);
    } else if (tag == 'R' && v0_eat(v, 'e')) {
        string(v);
    } else {
        return false;
    }
    return true;
}

static void
tagged_constant(struct v0 *v, char tag, bool inside)
{
    size_t back;
    if (tag == 'B') {
        if (v0_jump(v, &back)) {
            v0_constant(v, inside);
            v->at = back;
        }
    } else if (!literal(v, tag)) {
        v0_print(v, inside ? SPAN("") : SPAN("{"));
        expression(v, tag);
        v0_print(v, inside ? SPAN("") : SPAN("}"));
    }
}

void
v0_constant(struct v0 *v, bool inside)
{
    if (v0_enter(v))
        tagged_constant(v, v0_next(v), inside);
    v0_leave(v);
}
