/* Types; see rust_v0.h. */
#include "common/demangle/rust_v0.h"

#include "common/demangle/demangle.h"

void
v0_lifetime(struct v0 *v, uint64_t distance)
{
    uint64_t n = v->lifetimes - distance;
    char letter = (char)('a' + n % 26);
    if (distance > v->lifetimes)
        v->failed = true;
    v0_print(v, SPAN("'"));
    if (distance == 0)
        v0_print(v, SPAN("_"));
    else if (n < 26)
        v0_print(v, span_of(&letter, 1));
    else {
        v0_print(v, SPAN("_"));
        v0_print_number(v, n);
    }
}

/* "G0_": for<'a, 'b>. The caller sets v->lifetimes back at the end of what it holds for. */
static void
binder(struct v0 *v)
{
    uint64_t count = v0_tagged(v, 'G');
    if (count > DEMANGLE_MAX)
        v->failed = true;
    if (count == 0 || v->failed)
        return;
    v0_print(v, SPAN("for<"));
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0)
            v0_print(v, SPAN(", "));
        v->lifetimes++;
        v0_lifetime(v, 1);
    }
    v0_print(v, SPAN("> "));
}

struct span
v0_basic_type(char tag)
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

static void
reference(struct v0 *v, bool mutable)
{
    v0_print(v, SPAN("&"));
    uint64_t distance = v0_eat(v, 'L') ? v0_number(v) : 0;
    if (distance > 0) {
        v0_lifetime(v, distance);
        v0_print(v, SPAN(" "));
    }
    v0_print(v, mutable ? SPAN("mut ") : SPAN(""));
    v0_type(v);
}

static void
array(struct v0 *v, bool sized)
{
    v0_print(v, SPAN("["));
    v0_type(v);
    if (sized) {
        v0_print(v, SPAN("; "));
        v0_constant(v, true);
    }
    v0_print(v, SPAN("]"));
}

static void
types(struct v0 *v, size_t *count)
{
    v0_print(v, SPAN("("));
    while (v0_more(v, count, SPAN(", ")))
        v0_type(v);
}

static void
tuple(struct v0 *v)
{
    size_t count = 0;
    types(v, &count);
    v0_print(v, count == 1 ? SPAN(",)") : SPAN(")"));
}

/* An ABI's hyphens are underscores in the name: extern "C-unwind". */
static void
abi(struct v0 *v)
{
    struct span name = SPAN("C");
    if (!v0_eat(v, 'C')) {
        struct v0_identifier id = v0_identifier(v);
        name = id.ascii;
        if (name.len == 0 || id.punycode.len > 0)
            v->failed = true;
    }
    v0_print(v, SPAN("extern \""));
    for (size_t i = 0; i < name.len; i++)
        v0_print(v, name.ptr[i] == '_' ? SPAN("-") : span_of(name.ptr + i, 1));
    v0_print(v, SPAN("\" "));
}

static void
function(struct v0 *v)
{
    uint64_t lifetimes = v->lifetimes;
    size_t count = 0;
    binder(v);
    if (v0_eat(v, 'U'))
        v0_print(v, SPAN("unsafe "));
    if (v0_eat(v, 'K'))
        abi(v);
    v0_print(v, SPAN("fn"));
    types(v, &count);
    v0_print(v, SPAN(")"));
    if (!v0_eat(v, 'u')) { /* -> () is not written */
        v0_print(v, SPAN(" -> "));
        v0_type(v);
    }
    v->lifetimes = lifetimes;
}

/* A path whose generic arguments may be followed by others. True if a "<" is open. */
static bool
open_path(struct v0 *v)
{
    bool open = false;
    size_t back;
    if (!v0_enter(v)) {
    } else if (v0_eat(v, 'B')) {
        if (v0_jump(v, &back)) {
            open = open_path(v);
            v->at = back;
        }
    } else if (v0_eat(v, 'I')) {
        v0_path(v, false);
        v0_print(v, SPAN("<"));
        v0_generic_arguments(v);
        open = true;
    } else {
        v0_path(v, false);
    }
    v0_leave(v);
    return open;
}

/* "Iterator<Item = u8>" */
static void
dyn_trait(struct v0 *v)
{
    bool open = open_path(v);
    for (; v0_eat(v, 'p'); open = true) {
        v0_print(v, open ? SPAN(", ") : SPAN("<"));
        v0_print_identifier(v, v0_identifier(v));
        v0_print(v, SPAN(" = "));
        v0_type(v);
    }
    v0_print(v, open ? SPAN(">") : SPAN(""));
}

static void
dyn(struct v0 *v)
{
    uint64_t lifetimes = v->lifetimes;
    size_t count = 0;
    v0_print(v, SPAN("dyn "));
    binder(v);
    while (v0_more(v, &count, SPAN(" + ")))
        dyn_trait(v);
    v->lifetimes = lifetimes;
    if (!v0_eat(v, 'L'))
        v->failed = true;
    uint64_t distance = v0_number(v);
    if (distance > 0) {
        v0_print(v, SPAN(" + "));
        v0_lifetime(v, distance);
    }
}

static void
tagged_type(struct v0 *v, char tag)
{
    size_t back;
    switch (tag) {
    case 'R':
    case 'Q':
        reference(v, tag == 'Q');
        break;
    case 'P':
    case 'O':
        v0_print(v, tag == 'P' ? SPAN("*const ") : SPAN("*mut "));
        v0_type(v);
        break;
    case 'A':
    case 'S':
        array(v, tag == 'A');
        break;
    case 'T':
        tuple(v);
        break;
    case 'F':
        function(v);
        break;
    case 'D':
        dyn(v);
        break;
    case 'B':
        if (v0_jump(v, &back)) {
            v0_type(v);
            v->at = back;
        }
        break;
    default:
        v->at--;
        v0_path(v, false);
    }
}

void
v0_type(struct v0 *v)
{
    char tag = v0_next(v);
    struct span name = v0_basic_type(tag);
    if (name.len > 0) {
        v0_print(v, name);
        return;
    }
    if (v0_enter(v))
        tagged_type(v, tag);
    v0_leave(v);
}
