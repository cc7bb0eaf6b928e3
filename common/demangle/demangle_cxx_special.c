/* Parses the names of what the compiler makes for classes, functions and variables.
 *
 *     _ZTV1A                      vtable for A
 *     _ZThn16_N1A1fEv             non-virtual thunk to A::f()
 *     _ZGVZ1fvE1x                 guard variable for f()::x
 *
 * Grammar: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling-special */
#include "common/demangle/demangle_cxx_tree.h"

static struct node *
encoding(struct parser *p)
{
    return cxx_encoding(p, false);
}

/* 16_: how far a non-virtual thunk moves `this`. */
static bool
offset(struct parser *p)
{
    cxx_number(p);
    return cxx_take(p, '_');
}

static bool
virtual_offset(struct parser *p)
{
    if (!offset(p))
        return false;
    return offset(p);
}

static bool
either_offset(struct parser *p)
{
    return cxx_take(p, 'h') ? offset(p) : cxx_take(p, 'v') && virtual_offset(p);
}

static struct node *
thunk(struct parser *p)
{
    return offset(p) ? encoding(p) : NULL;
}

static struct node *
virtual_thunk(struct parser *p)
{
    return virtual_offset(p) ? encoding(p) : NULL;
}

static struct node *
covariant_thunk(struct parser *p)
{
    if (!either_offset(p))
        return NULL;
    return either_offset(p) ? encoding(p) : NULL;
}

/* W3FooW3Bar or W3FooWP3Bar. */
static struct node *
module(struct parser *p)
{
    struct node *n = NULL;
    return cxx_module_name(p, &n) ? n : NULL;
}

const struct cxx_special cxx_specials[] = {
    [CXX_GLOBAL_CONSTRUCTORS] = {"", NULL, SPAN("global constructors keyed to ")},
    [CXX_GLOBAL_DESTRUCTORS] = {"", NULL, SPAN("global destructors keyed to ")},
    {"TV", cxx_type, SPAN("vtable for ")},
    {"TT", cxx_type, SPAN("VTT for ")},
    {"TI", cxx_type, SPAN("typeinfo for ")},
    {"TS", cxx_type, SPAN("typeinfo name for ")},
    {"TF", cxx_type, SPAN("typeinfo fn for ")},
    {"TJ", cxx_type, SPAN("java Class for ")},
    {"TA", cxx_template_argument, SPAN("template parameter object for ")},
    {"TH", cxx_name, SPAN("TLS init function for ")},
    {"TW", cxx_name, SPAN("TLS wrapper function for ")},
    {"Th", thunk, SPAN("non-virtual thunk to ")},
    {"Tv", virtual_thunk, SPAN("virtual thunk to ")},
    {"Tc", covariant_thunk, SPAN("covariant return thunk to ")},
    {"GV", cxx_name, SPAN("guard variable for ")},
    {"GA", encoding, SPAN("hidden alias for ")},
    {"GI", module, SPAN("initializer for module ")},
    {"Gt", encoding, SPAN("transaction clone for ")},
    {"Gn", encoding, SPAN("non-transaction clone for ")},
};

/* TC1A0_1B: of the base class B at an offset in A. */
static struct node *
construction_vtable(struct parser *p)
{
    struct node *derived = cxx_type(p);
    if (derived == NULL || cxx_number(p) < 0 || !cxx_take(p, '_'))
        return NULL;
    return cxx_two(p, NODE_CONSTRUCTION_VTABLE, cxx_type(p), derived);
}

/* GR1x0: c++filt 2.40 does not take the _ that ends it now. */
static struct node *
reference_temporary(struct parser *p)
{
    struct node *variable = cxx_name(p);
    long number = variable != NULL ? cxx_number(p) : -1;
    return number >= 0 ? cxx_numbered(p, NODE_REFERENCE_TEMPORARY, variable, number) : NULL;
}

struct node *
cxx_special_name(struct parser *p)
{
    if (cxx_take_two(p, "TC"))
        return construction_vtable(p);
    if (cxx_take_two(p, "GR"))
        return reference_temporary(p);
    char first = cxx_next(p), second = cxx_next(p);
    if (first == 'G' && second == 'T') /* GTt and GTn: of transactional memory */
        second = cxx_next(p) == 'n' ? 'n' : 't';
    size_t count = sizeof cxx_specials / sizeof *cxx_specials;
    for (size_t i = CXX_GLOBAL_DESTRUCTORS + 1; i < count; i++)
        if (cxx_specials[i].code[0] == first && cxx_specials[i].code[1] == second) {
            struct node *operand = cxx_specials[i].operand(p);
            return operand != NULL ? cxx_numbered(p, NODE_SPECIAL, operand, (long)i) : NULL;
        }
    return NULL;
}
