/* Reads and prints the smallest parts of a Rust name of version 0. */
#include "common/demangle/rust_v0.h"

#include "common/base/num.h"
#include "common/demangle/demangle.h"
#include "common/demangle/demangle_rust.h"
#include "common/demangle/punycode.h"

/* The value of a digit in base 62, or 62. */
static unsigned
digit_value(char c)
{
    if (is_digit(c))
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 10;
    return c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A') + 36 : 62;
}

uint64_t
v0_number(struct v0 *v)
{
    uint64_t n = 0;
    if (v0_eat(v, '_'))
        return 0;
    do {
        unsigned digit = digit_value(v0_next(v));
        if (digit == 62 || n > UINT64_MAX / 62 - 2) {
            v->failed = true;
            return 0;
        }
        n = n * 62 + digit;
    } while (!v0_eat(v, '_'));
    return n + 1;
}

uint64_t
v0_tagged(struct v0 *v, char tag)
{
    return v0_eat(v, tag) ? 1 + v0_number(v) : 0;
}

/* Separates "gdel_5qa" at the last underscore: "gdel", "5qa". */
static void
split_punycode(struct v0 *v, struct v0_identifier *id)
{
    size_t underscore = span_rfind(id->ascii, '_');
    size_t ascii = underscore != SPAN_NONE ? underscore : 0;
    id->punycode = span_from(id->ascii, underscore != SPAN_NONE ? underscore + 1 : 0);
    id->ascii = span_head(id->ascii, ascii);
    if (id->punycode.len == 0)
        v->failed = true;
}

struct v0_identifier
v0_identifier(struct v0 *v)
{
    struct v0_identifier id = {SPAN(""), SPAN("")};
    bool punycode = v0_eat(v, 'u');
    char c = v0_next(v);
    size_t len = (size_t)(c - '0');
    if (!is_digit(c)) {
        v->failed = true;
        return id;
    }
    while (len > 0 && len < v->body.len && is_digit(v0_peek(v)))
        len = len * 10 + (size_t)(v0_next(v) - '0');
    v0_eat(v, '_');
    if (len > v->body.len - v->at) {
        v->failed = true;
        return id;
    }
    id.ascii = span_of(v->body.ptr + v->at, len);
    v->at += len;
    if (punycode)
        split_punycode(v, &id);
    return id;
}

struct span
v0_digits(struct v0 *v)
{
    struct span rest = v->failed ? SPAN("") : span_from(v->body, v->at);
    size_t len = span_run(rest, 0, is_hex);
    v->at += len;
    if (len == 0 || !v0_eat(v, '_'))
        v->failed = true;
    return span_head(rest, len);
}

bool
v0_more(struct v0 *v, size_t *count, struct span separator)
{
    if (v->failed || v0_eat(v, 'E'))
        return false;
    if ((*count)++ > 0)
        v0_print(v, separator);
    return true;
}

bool
v0_enter(struct v0 *v)
{
    v->depth++;
    if (v->depth > RUST_DEPTH || v->steps++ > RUST_STEPS)
        v->failed = true;
    return !v->failed;
}

void
v0_leave(struct v0 *v)
{
    v->depth--;
}

bool
v0_jump(struct v0 *v, size_t *back)
{
    size_t tag = v->at - 1;
    uint64_t to = v0_number(v);
    if (to >= tag)
        v->failed = true;
    if (v->failed || v->silent)
        return false;
    *back = v->at;
    v->at = (size_t)to;
    return true;
}

void
v0_print(struct v0 *v, struct span s)
{
    if (v->failed || v->silent)
        return;
    if (s.len > DEMANGLE_MAX - (v->out->len - v->start))
        v->failed = true;
    else
        text_add(v->out, s);
}

void
v0_print_number(struct v0 *v, uint64_t n)
{
    char digits[NUM_DIGITS];
    v0_print(v, num_decimal(digits, n));
}

void
v0_print_identifier(struct v0 *v, struct v0_identifier id)
{
    if (id.punycode.len == 0)
        v0_print(v, id.ascii);
    else if (!v->failed && !v->silent)
        v->failed =
            !punycode_add(v->out, id.ascii, id.punycode) || v->out->len - v->start > DEMANGLE_MAX;
}
