/* A grammar of one-letter tags (RFC 2603; "Symbol Mangling" in the rustc book):
 *
 *     _RINvNtC3std3mem8align_ofjE
 *       I              E           std::mem::align_of::<usize>: generic arguments
 *        N v ...      a value      align_of, in
 *           N t ...   a type       mem, in
 *              C3std  a crate
 *                     j            usize
 *
 * The name is printed while it is parsed. A tag B is a back reference: an offset in the name, from
 * where it is parsed again. */
#include "common/demangle/rust_v0.h"

#include <stdint.h>

#include "common/base/num.h"
#include "common/demangle/limits.h"
#include "common/demangle/punycode.h"

struct v0 {
    struct span body; /* the name without "_R" and without a ".suffix" */
    size_t at;        /* offset in body at which to continue */
    struct text *out;
    size_t start;       /* out->len at the start, */
    size_t most;        /* and the maximum to add to it */
    uint64_t lifetimes; /* number of lifetimes bound by the enclosing `for<...>` */
    int depth, steps;   /* paths, types and constants: those that are open; all so far */
    bool silent;        /* parse without printing, and do not follow references */
    bool failed;        /* the name is invalid: neither parse nor print any more */
};

/* An identifier; `punycode` is empty if it is ASCII. */
struct identifier {
    struct span ascii, punycode;
};

/* Return the next character without consuming it. Return NUL at the end or after a failure. */
static char
peek(const struct v0 *v)
{
    return !v->failed && v->at < v->body.len ? v->body.ptr[v->at] : '\0';
}

/* Consume the next character and return it. At the end, fail and return NUL. */
static char
next(struct v0 *v)
{
    char c = peek(v);
    if (c == '\0')
        v->failed = true;
    else
        v->at++;
    return c;
}

/* Consume the next character if it is c. */
static bool
eat(struct v0 *v, char c)
{
    if (peek(v) != c)
        return false;
    v->at++;
    return true;
}

/* Return the value of a digit in base 62, or 62 if it is none. */
static unsigned
digit_value(char c)
{
    if (is_digit(c))
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 10;
    return c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A') + 36 : 62;
}

/* Read a number in base 62: "_" is 0, "0_" is 1, "Z_" is 62, "10_" is 63. */
static uint64_t
read_number(struct v0 *v)
{
    uint64_t n = 0;
    if (eat(v, '_'))
        return 0;
    do {
        unsigned digit = digit_value(next(v));
        if (digit == 62 || n > UINT64_MAX / 62 - 2) {
            v->failed = true;
            return 0;
        }
        n = n * 62 + digit;
    } while (!eat(v, '_'));
    return n + 1;
}

/* Read a number after a tag, and return it plus 1. Return 0 if the tag is not next. */
static uint64_t
read_tagged(struct v0 *v, char tag)
{
    return eat(v, tag) ? 1 + read_number(v) : 0;
}

/* Split "gdel_5qa" at the last underscore: "gdel", "5qa". */
static void
split_punycode(struct v0 *v, struct identifier *id)
{
    size_t underscore = span_rfind(id->ascii, '_');
    size_t ascii = underscore != SPAN_NONE ? underscore : 0;
    id->punycode = span_from(id->ascii, underscore != SPAN_NONE ? underscore + 1 : 0);
    id->ascii = span_head(id->ascii, ascii);
    if (id->punycode.len == 0)
        v->failed = true;
}

/* Read "4main", "u8gdel_5qa", "0". An underscore may precede the text: "3_1st". */
static struct identifier
read_identifier(struct v0 *v)
{
    struct identifier id = {SPAN(""), SPAN("")};
    bool punycode = eat(v, 'u');
    char c = next(v);
    size_t len = (size_t)(c - '0');
    if (!is_digit(c)) {
        v->failed = true;
        return id;
    }
    while (len > 0 && len < v->body.len && is_digit(peek(v)))
        len = len * 10 + (size_t)(next(v) - '0');
    eat(v, '_');
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

/* Read lower-case hexadecimal digits, at least one, and the underscore that ends them. */
static struct span
read_digits(struct v0 *v)
{
    struct span rest = v->failed ? SPAN("") : span_from(v->body, v->at);
    size_t len = span_run(rest, 0, is_hex);
    v->at += len;
    if (len == 0 || !eat(v, '_'))
        v->failed = true;
    return span_head(rest, len);
}

static void
print(struct v0 *v, struct span s)
{
    if (v->failed || v->silent)
        return;
    if (s.len > v->most - (v->out->len - v->start))
        v->failed = true;
    else
        text_add(v->out, s);
}

static void
print_number(struct v0 *v, uint64_t n)
{
    char digits[NUM_DIGITS];
    print(v, num_decimal(digits, n));
}

static void
print_identifier(struct v0 *v, struct identifier id)
{
    if (id.punycode.len == 0)
        print(v, id.ascii);
    else if (!v->failed && !v->silent)
        v->failed =
            !punycode_add(v->out, id.ascii, id.punycode) || v->out->len - v->start > v->most;
}

/* Begin a path, a type or a constant, and return its tag. Return NUL after a failure, or if a limit
 * is exceeded. The caller decrements v->depth at the end. */
static char
enter(struct v0 *v)
{
    v->depth++;
    if (v->depth > RUST_DEPTH || v->steps++ > RUST_STEPS)
        v->failed = true;
    return next(v);
}

/* After the tag B, move to the referenced position, and set *back to the position after the
 * reference, to which the caller returns. Return false if the reference must not be followed. */
static bool
jump(struct v0 *v, size_t *back)
{
    size_t tag = v->at - 1;
    uint64_t to = read_number(v);
    if (to >= tag)
        v->failed = true;
    if (v->failed || v->silent)
        return false;
    *back = v->at;
    v->at = (size_t)to;
    return true;
}

/* Read items up to an E, and print the separator between them. Return the number of items. */
static size_t
list(struct v0 *v, void (*item)(struct v0 *v), struct span separator)
{
    size_t count = 0;
    for (; !v->failed && !eat(v, 'E'); count++) {
        print(v, count > 0 ? separator : SPAN(""));
        item(v);
    }
    return count;
}

static void path(struct v0 *v, bool in_value);
static void generic_argument(struct v0 *v);
static void constant(struct v0 *v, bool inside);

/* Print a lifetime by its distance from the innermost bound one: 1 is the innermost; 0 is '_. They
 * are named 'a, 'b, ... from the outermost. */
static void
lifetime(struct v0 *v, uint64_t distance)
{
    uint64_t n = v->lifetimes - distance;
    char letter = (char)('a' + n % 26);
    if (distance > v->lifetimes)
        v->failed = true;
    print(v, SPAN("'"));
    if (distance == 0) {
        print(v, SPAN("_"));
    } else if (n < 26) {
        print(v, span_of(&letter, 1));
    } else {
        print(v, SPAN("_"));
        print_number(v, n);
    }
}

/* Print "G0_" as for<'a, 'b>. The caller restores v->lifetimes at their end. */
static void
binder(struct v0 *v)
{
    uint64_t count = read_tagged(v, 'G');
    if (count > v->most)
        v->failed = true;
    if (count == 0 || v->failed)
        return;
    print(v, SPAN("for<"));
    for (uint64_t i = 0; i < count; i++) {
        print(v, i > 0 ? SPAN(", ") : SPAN(""));
        v->lifetimes++;
        lifetime(v, 1);
    }
    print(v, SPAN("> "));
}

/* Return the name of a basic type, or an empty text if the tag is none. */
static struct span
basic_type(char tag)
{
    static const char *const names[] = {
        ['a'] = "i8",  ['b'] = "bool", ['c'] = "char",  ['d'] = "f64",   ['e'] = "str",
        ['f'] = "f32", ['h'] = "u8",   ['i'] = "isize", ['j'] = "usize", ['l'] = "i32",
        ['m'] = "u32", ['n'] = "i128", ['o'] = "u128",  ['p'] = "_",     ['s'] = "i16",
        ['t'] = "u16", ['u'] = "()",   ['v'] = "...",   ['x'] = "i64",   ['y'] = "u64",
        ['z'] = "!",
    };
    unsigned char at = (unsigned char)tag;
    return at < sizeof names / sizeof *names && names[at] != NULL ? span_cstr(names[at]) : SPAN("");
}

static void type(struct v0 *v);

static void
reference(struct v0 *v, bool mutable)
{
    print(v, SPAN("&"));
    uint64_t distance = eat(v, 'L') ? read_number(v) : 0;
    if (distance > 0) {
        lifetime(v, distance);
        print(v, SPAN(" "));
    }
    print(v, mutable ? SPAN("mut ") : SPAN(""));
    type(v);
}

static void
array(struct v0 *v, bool sized)
{
    print(v, SPAN("["));
    type(v);
    if (sized) {
        print(v, SPAN("; "));
        constant(v, true);
    }
    print(v, SPAN("]"));
}

/* Read a tuple of types or constants: (u8,), (u8, u16). */
static void
tuple(struct v0 *v, void (*item)(struct v0 *v))
{
    print(v, SPAN("("));
    print(v, list(v, item, SPAN(", ")) == 1 ? SPAN(",)") : SPAN(")"));
}

/* Print an ABI. Its hyphens are underscores in the name: extern "C-unwind". */
static void
abi(struct v0 *v)
{
    struct span name = SPAN("C");
    if (!eat(v, 'C')) {
        struct identifier id = read_identifier(v);
        name = id.ascii;
        if (name.len == 0 || id.punycode.len > 0)
            v->failed = true;
    }
    print(v, SPAN("extern \""));
    for (size_t i = 0; i < name.len; i++)
        print(v, name.ptr[i] == '_' ? SPAN("-") : span_of(name.ptr + i, 1));
    print(v, SPAN("\" "));
}

static void
function(struct v0 *v)
{
    uint64_t lifetimes = v->lifetimes;
    binder(v);
    if (eat(v, 'U'))
        print(v, SPAN("unsafe "));
    if (eat(v, 'K'))
        abi(v);
    print(v, SPAN("fn("));
    list(v, type, SPAN(", "));
    print(v, SPAN(")"));
    if (!eat(v, 'u')) { /* -> () is not printed */
        print(v, SPAN(" -> "));
        type(v);
    }
    v->lifetimes = lifetimes;
}

/* Read a path without the ">" of its generic arguments, since further ones may follow. Return true
 * if a "<" is open. */
static bool
open_path(struct v0 *v)
{
    bool open = false;
    size_t back;
    switch (enter(v)) {
    case '\0':
        break;
    case 'B':
        if (jump(v, &back)) {
            open = open_path(v);
            v->at = back;
        }
        break;
    case 'I':
        path(v, false);
        print(v, SPAN("<"));
        list(v, generic_argument, SPAN(", "));
        open = true;
        break;
    default:
        v->at--;
        path(v, false);
    }
    v->depth--;
    return open;
}

/* Print "Iterator<Item = u8>". */
static void
dyn_trait(struct v0 *v)
{
    bool open = open_path(v);
    for (; eat(v, 'p'); open = true) {
        print(v, open ? SPAN(", ") : SPAN("<"));
        print_identifier(v, read_identifier(v));
        print(v, SPAN(" = "));
        type(v);
    }
    print(v, open ? SPAN(">") : SPAN(""));
}

static void
dyn(struct v0 *v)
{
    uint64_t lifetimes = v->lifetimes;
    print(v, SPAN("dyn "));
    binder(v);
    list(v, dyn_trait, SPAN(" + "));
    v->lifetimes = lifetimes;
    if (!eat(v, 'L'))
        v->failed = true;
    uint64_t distance = read_number(v);
    if (distance > 0) {
        print(v, SPAN(" + "));
        lifetime(v, distance);
    }
}

static void
type(struct v0 *v)
{
    size_t back;
    struct span name = basic_type(peek(v));
    if (name.len > 0) {
        next(v);
        print(v, name);
        return;
    }
    char tag = enter(v);
    switch (tag) {
    case '\0':
        break;
    case 'R':
    case 'Q':
        reference(v, tag == 'Q');
        break;
    case 'P':
    case 'O':
        print(v, tag == 'P' ? SPAN("*const ") : SPAN("*mut "));
        type(v);
        break;
    case 'A':
    case 'S':
        array(v, tag == 'A');
        break;
    case 'T':
        tuple(v, type);
        break;
    case 'F':
        function(v);
        break;
    case 'D':
        dyn(v);
        break;
    case 'B':
        if (jump(v, &back)) {
            type(v);
            v->at = back;
        }
        break;
    default:
        v->at--;
        path(v, false);
    }
    v->depth--;
}

/* Constants are generic arguments and array lengths:
 *
 *     j1f_             31
 *     an1_             -1
 *     c41_             'A'
 *     Re616263_        "abc"                    e alone: *"abc"
 *     RAh1_h2_E        &[1, 2]
 *     VNtC1a4BoxySC1xh1_E   a::Boxy { x: 1 }    U instead of S...E: no fields; T...E: without names
 *
 * The last three kinds come from an unstable feature (adt_const_params), which c++filt 2.40 does
 * not know. They are printed as Rust's own demangler prints them.
 *
 * A number of more than 64 bits is printed as it is written, in hexadecimal. */
static void
integer(struct v0 *v)
{
    struct span digits = read_digits(v);
    uint64_t value = 0;
    while (digits.len > 1 && digits.ptr[0] == '0')
        digits = span_from(digits, 1);
    if (num_hex(digits, &value)) {
        print_number(v, value);
    } else {
        print(v, SPAN("0x"));
        print(v, digits);
    }
}

static void
boolean(struct v0 *v)
{
    struct span digits = read_digits(v);
    if (span_eq(digits, SPAN("0")))
        print(v, SPAN("false"));
    else if (span_eq(digits, SPAN("1")))
        print(v, SPAN("true"));
    else
        v->failed = true;
}

/* Return the letter escape of a character, or an empty text if it has none. */
static struct span
letter_escape(uint64_t c)
{
    return c == '\t' ? SPAN("\\t") : c == '\r' ? SPAN("\\r") : c == '\n' ? SPAN("\\n") : SPAN("");
}

static void
print_code(struct v0 *v, struct span digits)
{
    print(v, SPAN("\\u{"));
    print(v, digits);
    print(v, SPAN("}"));
}

/* Print a character. Like c++filt, print the number of all but visible ASCII characters below
 * '~'. */
static void
character(struct v0 *v)
{
    struct span digits = read_digits(v);
    uint64_t value = 0;
    if (digits.len > 8 || !num_hex(digits, &value))
        v->failed = true;
    char c = (char)value;
    print(v, SPAN("'"));
    if (letter_escape(value).len > 0)
        print(v, letter_escape(value));
    else if (value > ' ' && value < '~')
        print(v, span_of(&c, 1));
    else
        print_code(v, digits);
    print(v, SPAN("'"));
}

static void
string_byte(struct v0 *v, struct span digits)
{
    uint64_t value = 0;
    num_hex(digits, &value);
    char c = (char)value;
    if (value == 0) {
        print(v, SPAN("\\0"));
    } else if (letter_escape(value).len > 0) {
        print(v, letter_escape(value));
    } else if (value < ' ' || value == 0x7f) {
        print_code(v, digits.ptr[0] == '0' ? span_from(digits, 1) : digits);
    } else {
        print(v, value == '"' || value == '\\' ? SPAN("\\") : SPAN(""));
        print(v, span_of(&c, 1));
    }
}

/* Print a string. Its digits are the bytes of the text, in UTF-8. */
static void
string(struct v0 *v)
{
    struct span digits = SPAN("");
    if (!eat(v, '_')) /* or an empty text */
        digits = read_digits(v);
    if (digits.len % 2 != 0)
        v->failed = true;
    print(v, SPAN("\""));
    for (size_t i = 0; i + 1 < digits.len; i += 2)
        string_byte(v, span_of(digits.ptr + i, 2));
    print(v, SPAN("\""));
}

/* Read a constant inside another one. */
static void
value(struct v0 *v)
{
    constant(v, true);
}

static void
named_value(struct v0 *v)
{
    read_tagged(v, 's');
    print_identifier(v, read_identifier(v));
    print(v, SPAN(": "));
    value(v);
}

/* Read a value of a struct or an enum. */
static void
structure(struct v0 *v)
{
    path(v, true);
    char fields = next(v);
    if (fields == 'T') {
        print(v, SPAN("("));
        list(v, value, SPAN(", "));
        print(v, SPAN(")"));
    } else if (fields == 'S') {
        print(v, SPAN(" { "));
        list(v, named_value, SPAN(", "));
        print(v, SPAN(" }"));
    } else if (fields != 'U') {
        v->failed = true;
    }
}

/* Read a constant that is not a literal. */
static void
expression(struct v0 *v, char tag)
{
    switch (tag) {
    case 'e':
        print(v, SPAN("*"));
        string(v);
        break;
    case 'R':
    case 'Q':
        print(v, tag == 'R' ? SPAN("&") : SPAN("&mut "));
        value(v);
        break;
    case 'A':
        print(v, SPAN("["));
        list(v, value, SPAN(", "));
        print(v, SPAN("]"));
        break;
    case 'T':
        tuple(v, value);
        break;
    case 'V':
        structure(v);
        break;
    default:
        v->failed = true;
    }
}

/* Read a literal after its tag. Return false if the tag is not that of a literal. */
static bool
literal(struct v0 *v, char tag)
{
    if (tag != '\0' && strchr("aslxnihtmyoj", tag) != NULL) {
        if (strchr("aslxni", tag) != NULL && eat(v, 'n'))
            print(v, SPAN("-"));
        integer(v);
    } else if (tag == 'p') { /* a placeholder, to be inferred */
        print(v, SPAN("_"));
    } else if (tag == 'b') {
        boolean(v);
    } else if (tag == 'c') {
        character(v);
    } else if (tag == 'R' && eat(v, 'e')) {
        string(v);
    } else {
        return false;
    }
    return true;
}

/* Read a constant. Inside another one it needs no braces. */
static void
constant(struct v0 *v, bool inside)
{
    size_t back;
    char tag = enter(v);
    if (tag == 'B') {
        if (jump(v, &back)) {
            constant(v, inside);
            v->at = back;
        }
    } else if (!literal(v, tag)) {
        print(v, inside ? SPAN("") : SPAN("{"));
        expression(v, tag);
        print(v, inside ? SPAN("") : SPAN("}"));
    }
    v->depth--;
}

static bool
is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static void
nested_path(struct v0 *v, bool in_value)
{
    char space = next(v);
    if (!is_alpha(space))
        v->failed = true;
    path(v, in_value);
    uint64_t number = read_tagged(v, 's');
    struct identifier name = read_identifier(v);
    bool named = name.ascii.len > 0 || name.punycode.len > 0;
    if (is_upper(space)) { /* entities without a name in the source: {closure#0}, {shim:vtable#0} */
        print(v, SPAN("::{"));
        print(v, space == 'C' ? SPAN("closure") : space == 'S' ? SPAN("shim") : span_of(&space, 1));
        print(v, named ? SPAN(":") : SPAN(""));
        print_identifier(v, name);
        print(v, SPAN("#"));
        print_number(v, number);
        print(v, SPAN("}"));
    } else if (named) {
        print(v, SPAN("::"));
        print_identifier(v, name);
    }
}

/* Read a path without printing it. */
static void
skip_path(struct v0 *v)
{
    bool silent = v->silent;
    v->silent = true;
    path(v, false);
    v->silent = silent;
}

static void
qualified_path(struct v0 *v, bool has_trait)
{
    print(v, SPAN("<"));
    type(v);
    if (has_trait) {
        print(v, SPAN(" as "));
        path(v, false);
    }
    print(v, SPAN(">"));
}

static void
generic_argument(struct v0 *v)
{
    if (eat(v, 'L'))
        lifetime(v, read_number(v));
    else if (eat(v, 'K'))
        constant(v, false);
    else
        type(v);
}

/* Read a path. In a value, generic arguments are written with "::<". */
static void
path(struct v0 *v, bool in_value)
{
    size_t back;
    char tag = enter(v);
    switch (tag) {
    case 'C': /* a crate; its disambiguator is not printed */
        read_tagged(v, 's');
        print_identifier(v, read_identifier(v));
        break;
    case 'N':
        nested_path(v, in_value);
        break;
    case 'M':
    case 'X': /* the path of an impl is not printed: <Type>::f and <Type as Trait>::f are enough */
        read_tagged(v, 's');
        skip_path(v);
        qualified_path(v, tag == 'X');
        break;
    case 'Y':
        qualified_path(v, true);
        break;
    case 'I':
        path(v, in_value);
        print(v, in_value ? SPAN("::<") : SPAN("<"));
        list(v, generic_argument, SPAN(", "));
        print(v, SPAN(">"));
        break;
    case 'B':
        if (jump(v, &back)) {
            path(v, in_value);
            v->at = back;
        }
        break;
    default:
        v->failed = true;
    }
    v->depth--;
}

bool
rust_v0_demangle(struct span body, struct text *out)
{
    size_t len = span_run(body, 0, is_word);
    struct v0 v = {
        .body = span_head(body, len), .out = out, .start = out->len, .most = demangle_most(len)};
    if (len < body.len && body.ptr[len] != '.')
        return false;
    if (!is_upper(peek(&v)))
        return false; /* another version, whose number comes first */
    path(&v, true);
    if (!v.failed && v.at < len) /* the crate that instantiates a generic function */
        skip_path(&v);
    if (v.failed || v.at < len)
        out->len = v.start;
    return !v.failed && v.at == len;
}
