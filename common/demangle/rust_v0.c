/* Paths; see rust_v0.h. */
#include "common/demangle/rust_v0.h"

static bool
is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static void
nested_path(struct v0 *v, bool in_value)
{
    char space = v0_next(v);
    if (!is_alpha(space))
        v->failed = true;
    v0_path(v, in_value);
    uint64_t number = v0_tagged(v, 's');
    struct v0_identifier name = v0_identifier(v);
    bool named = name.ascii.len > 0 || name.punycode.len > 0;
    if (is_upper(space)) { /* what has no name in the source: {closure#0}, {shim:vtable#0} */
        v0_print(v, SPAN("::{"));
        v0_print(v, space == 'C'   ? SPAN("closure")
                    : space == 'S' ? SPAN("shim")
                                   : span_of(&space, 1));
        v0_print(v, named ? SPAN(":") : SPAN(""));
        v0_print_identifier(v, name);
        v0_print(v, SPAN("#"));
        v0_print_number(v, number);
        v0_print(v, SPAN("}"));
    } else if (named) {
        v0_print(v, SPAN("::"));
        v0_print_identifier(v, name);
    }
}

/* The place of an impl is not printed: "<Type>::f" and "<Type as Trait>::f" are enough. */
static void
skip_impl_path(struct v0 *v)
{
    bool silent = v->silent;
    v0_tagged(v, 's');
    v->silent = true;
    v0_path(v, false);
    v->silent = silent;
}

static void
qualified_path(struct v0 *v, bool has_trait)
{
    v0_print(v, SPAN("<"));
    v0_type(v);
    if (has_trait) {
        v0_print(v, SPAN(" as "));
        v0_path(v, false);
    }
    v0_print(v, SPAN(">"));
}

static void
generic_argument(struct v0 *v)
{
    if (v0_eat(v, 'L'))
        v0_lifetime(v, v0_number(v));
    else if (v0_eat(v, 'K'))
        v0_constant(v, false);
    else
        v0_type(v);
}

void
v0_generic_arguments(struct v0 *v)
{
    size_t count = 0;
    while (v0_more(v, &count, SPAN(", ")))
        generic_argument(v);
}

static void
generic_path(struct v0 *v, bool in_value)
{
    v0_path(v, in_value);
    v0_print(v, in_value ? SPAN("::<") : SPAN("<"));
    v0_generic_arguments(v);
    v0_print(v, SPAN(">"));
}

static void
tagged_path(struct v0 *v, char tag, bool in_value)
{
    size_t back;
    switch (tag) {
    case 'C': /* a crate; what tells it from others of its name is not printed */
        v0_tagged(v, 's');
        v0_print_identifier(v, v0_identifier(v));
        break;
    case 'N':
        nested_path(v, in_value);
        break;
    case 'M':
    case 'X':
        skip_impl_path(v);
        qualified_path(v, tag == 'X');
        break;
    case 'Y':
        qualified_path(v, true);
        break;
    case 'I':
        generic_path(v, in_value);
        break;
    case 'B':
        if (v0_jump(v, &back)) {
            v0_path(v, in_value);
            v->at = back;
        }
        break;
    default:
        v->failed = true;
    }
}

void
v0_path(struct v0 *v, bool in_value)
{
    if (v0_enter(v))
        tagged_path(v, v0_next(v), in_value);
    v0_leave(v);
}

bool
v0_demangle(struct span body, struct text *out)
{
    size_t len = span_run(body, 0, is_word);
    struct v0 v = {.body = span_head(body, len), .out = out, .start = out->len};
    if (len < body.len && body.ptr[len] != '.')
        return false;
    if (!is_upper(v0_peek(&v)))
        return false; /* another version: its number comes first */
    v0_path(&v, true);
    if (!v.failed && v.at < len) { /* the crate that instantiates a generic function */
        v.silent = true;
        v0_path(&v, false);
    }
    if (v.failed || v.at < len) {
        out->len = v.start;
        return false;
    }
    return true;
}
