/* Names of entities that the compiler makes for classes, functions and variables:
 *
 *     TV1A                        vtable for A
 *     Thn16_N1A1fEv               non-virtual thunk to A::f()
 *     GVZ1fvE1x                   guard variable for f()::x
 */
#include "common/demangle/cxx_grammar.h"

static struct node *
thunk(struct cxx_parser *p)
{
    return cxx_call_offset(p, p->at[-1]) ? cxx_encoding(p) : NULL;
}

static struct node *
covariant_thunk(struct cxx_parser *p)
{
    if (!cxx_call_offset(p, cxx_next(p)))
        return NULL;
    return cxx_call_offset(p, cxx_next(p)) ? cxx_encoding(p) : NULL;
}

/* The names of entities that the compiler makes, by code: TV and a type is "vtable for " and the
 * type. */
static const struct {
    char code[2];
    struct node *(*operand)(struct cxx_parser *p);
    struct span text;
} specials[] = {
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
    {"Tv", thunk, SPAN("virtual thunk to ")},
    {"Tc", covariant_thunk, SPAN("covariant return thunk to ")},
    {"GV", cxx_name, SPAN("guard variable for ")},
    {"GA", cxx_encoding, SPAN("hidden alias for ")},
    {"GI", cxx_module, SPAN("initializer for module ")},
    {"Gt", cxx_encoding, SPAN("transaction clone for ")},
    {"Gn", cxx_encoding, SPAN("non-transaction clone for ")},
};

/* Parse TC1A0_1B: of the base class B at an offset in A. */
static struct node *
construction_vtable(struct cxx_parser *p)
{
    struct node *derived = cxx_type(p);
    if (derived == NULL || cxx_number(p) < 0 || !cxx_take(p, '_'))
        return NULL;
    return cxx_two(p, NODE_CONSTRUCTION_VTABLE, cxx_type(p), derived);
}

/* Parse GR1x0. c++filt 2.40 does not accept the final _ here. */
static struct node *
reference_temporary(struct cxx_parser *p)
{
    struct node *variable = cxx_name(p);
    return cxx_numbered(p, NODE_REFERENCE_TEMPORARY, variable,
                        variable != NULL ? cxx_number(p) : -1);
}

struct node *
cxx_special_name(struct cxx_parser *p)
{
    if (cxx_take_two(p, "TC"))
        return construction_vtable(p);
    if (cxx_take_two(p, "GR"))
        return reference_temporary(p);
    char first = cxx_next(p), second = cxx_next(p);
    if (first == 'G' && second == 'T') /* GTt and GTn: for transactional memory */
        second = cxx_next(p) == 'n' ? 'n' : 't';
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        if (specials[i].code[0] == first && specials[i].code[1] == second)
            return cxx_two(p, NODE_SPECIAL, cxx_text(p, NODE_TEXT, specials[i].text),
                           specials[i].operand(p));
    return NULL;
}
