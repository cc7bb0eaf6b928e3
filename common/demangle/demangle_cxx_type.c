/* Parses types and template arguments.
 *
 *     PKc                         char const*
 *     RA3_i                       int (&) [3]
 *     M1AKFvvE                    void (A::*)() const
 *     St6vectorIiSaIiEE           std::vector<int, std::allocator<int> >
 *     DpRT_                       the template argument's elements, each with &
 *
 * Grammar: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling-type */
#include "common/demangle/demangle_cxx_tree.h"

/* The same qualifier is another kind of node on a function, where it is printed behind the
 * parameters. */
static enum node_kind
cv_qualifier(char c, bool of_function)
{
    if (c == 'r')
        return of_function ? NODE_RESTRICT_THIS : NODE_RESTRICT;
    if (c == 'V')
        return of_function ? NODE_VOLATILE_THIS : NODE_VOLATILE;
    return of_function ? NODE_CONST_THIS : NODE_CONST;
}

static bool
qualifier_is_next(const struct parser *p)
{
    char c = cxx_peek(p), second = cxx_peek_second(p);
    return c == 'r' || c == 'V' || c == 'K' ||
           (c == 'D' && (second == 'x' || second == 'o' || second == 'O' || second == 'w'));
}

/* Dx, Do, DO and an expression and E, Dw and types and E; the D is taken. */
static struct node *
function_qualifier(struct parser *p)
{
    struct node *operand = NULL;
    char c = cxx_next(p);
    if (c == 'O' || c == 'w') {
        operand = c == 'O' ? cxx_expression(p) : cxx_parameters(p);
        if (operand == NULL || !cxx_take(p, 'E'))
            return NULL;
    }
    enum node_kind kind = c == 'x' ? NODE_TRANSACTION_SAFE : c == 'w' ? NODE_THROW : NODE_NOEXCEPT;
    return cxx_node(p, kind, NULL, operand);
}

struct node **
cxx_qualifiers(struct parser *p, struct node **at, bool member)
{
    struct node **outermost = at, *n;
    for (; qualifier_is_next(p); at = &(*at)->left) {
        char c = cxx_next(p);
        *at = c == 'D' ? function_qualifier(p) : cxx_node(p, cv_qualifier(c, member), NULL, NULL);
        if (*at == NULL)
            return NULL;
    }
    if (!member && cxx_peek(p) == 'F')
        for (; outermost != at; outermost = &n->left) {
            n = *outermost;
            if (n->kind >= NODE_CONST && n->kind <= NODE_RESTRICT)
                n->kind = (uint8_t)(n->kind - NODE_CONST + NODE_CONST_THIS);
        }
    return at;
}

struct node *
cxx_ref_qualifier(struct parser *p, struct node *inner)
{
    if (cxx_take(p, 'R'))
        return cxx_one(p, NODE_LVALUE_THIS, inner);
    return cxx_take(p, 'O') ? cxx_one(p, NODE_RVALUE_THIS, inner) : inner;
}

/* Up to the end, an E, a clone's suffix, or the & of the function itself. Just v is none. */
struct node *
cxx_parameters(struct parser *p)
{
    struct node *first = NULL, **at = &first;
    for (;; at = &(*at)->right) {
        char c = cxx_peek(p);
        if (c == '\0' || c == 'E' || c == '.' ||
            ((c == 'R' || c == 'O') && cxx_peek_second(p) == 'E'))
            break;
        *at = cxx_one(p, NODE_LIST, cxx_type(p));
        if (*at == NULL)
            return NULL;
    }
    if (first != NULL && first->right == NULL && first->left->literal == LITERAL_VOID)
        first->left = NULL;
    return first;
}

/* The types of a function; J before them says that the first one is the return type. */
struct node *
cxx_function_type(struct parser *p, bool has_return)
{
    struct node *returned = NULL;
    if (cxx_take(p, 'J') || has_return) {
        returned = cxx_type(p);
        if (returned == NULL)
            return NULL;
    }
    struct node *parameters = cxx_parameters(p);
    return parameters != NULL ? cxx_node(p, NODE_FUNCTION, returned, parameters) : NULL;
}

/* F, Y if it is a C function, types, a qualifier, E; the F is taken. */
static struct node *
function(struct parser *p)
{
    cxx_take(p, 'Y');
    struct node *n = cxx_ref_qualifier(p, cxx_function_type(p, true));
    return cxx_take(p, 'E') ? n : NULL;
}

/* All qualifiers and the type are one substitution; a function's & goes outside of them. */
static struct node *
qualified(struct parser *p)
{
    struct node *outer = NULL, **inner = cxx_qualifiers(p, &outer, false);
    if (inner == NULL)
        return NULL;
    struct node *type = cxx_take(p, 'F') ? function(p) : cxx_type(p);
    *inner = type;
    if (type == NULL)
        return NULL;
    if (type->kind == NODE_LVALUE_THIS || type->kind == NODE_RVALUE_THIS) {
        *inner = type->left;
        type->left = outer;
        outer = type;
    }
    return cxx_remember(p, outer);
}

/* A3_i, AT__i, A_i; the A is taken. */
static struct node *
array(struct parser *p)
{
    struct node *dimension = NULL;
    struct span rest = span_of(p->at, (size_t)(p->end - p->at));
    size_t digits = span_run(rest, 0, is_digit);
    p->at += digits;
    if (digits > 0)
        dimension = cxx_text(p, NODE_NAME, span_head(rest, digits));
    else if (cxx_peek(p) != '_' && (dimension = cxx_expression(p)) == NULL)
        return NULL;
    struct node *element = cxx_take(p, '_') ? cxx_type(p) : NULL;
    return element != NULL ? cxx_node(p, NODE_ARRAY, element, dimension) : NULL;
}

/* Dv4_f, Dv_T__f; the Dv is taken. */
static struct node *
vector(struct parser *p)
{
    struct node *count;
    struct span rest = span_of(p->at, (size_t)(p->end - p->at));
    if (cxx_take(p, '_')) {
        count = cxx_expression(p);
    } else {
        cxx_number(p);
        count = cxx_text(p, NODE_NAME, span_head(rest, (size_t)(p->at - rest.ptr)));
    }
    if (count == NULL || !cxx_take(p, '_'))
        return NULL;
    return cxx_two(p, NODE_VECTOR, cxx_type(p), count);
}

/* M1Ai: the class, then the member's type; the M is taken. */
static struct node *
member_pointer(struct parser *p)
{
    struct node *class = cxx_type(p);
    return class != NULL ? cxx_two(p, NODE_MEMBER_POINTER, cxx_type(p), class) : NULL;
}

/* U8__vector or U3fooIiE and the type; the U is taken. */
static struct node *
vendor_qualified(struct parser *p)
{
    struct node *name = cxx_source_name(p);
    if (name != NULL && cxx_peek(p) == 'I')
        name = cxx_two(p, NODE_TEMPLATE, name, cxx_template_arguments(p));
    return name != NULL ? cxx_two(p, NODE_VENDOR_QUALIFIER, cxx_type(p), name) : NULL;
}

/* T_, T0_. */
struct node *
cxx_template_param(struct parser *p)
{
    long index = cxx_take(p, 'T') ? cxx_compact_number(p) : -1;
    return index >= 0 ? cxx_numbered(p, NODE_TEMPLATE_PARAM, NULL, index) : NULL;
}

/* A template parameter, with arguments if it is a template itself. After cv the arguments may also
 * be the operator's: cvT_IiE is operator int<int>. They are the parameter's if others follow. */
static struct node *
template_param_type(struct parser *p)
{
    struct node *n = cxx_template_param(p);
    if (n == NULL || cxx_peek(p) != 'I')
        return n;
    if (!p->in_conversion) {
        cxx_remember(p, n);
        return cxx_two(p, NODE_TEMPLATE, n, cxx_template_arguments(p));
    }
    struct parser before = *p;
    struct node *arguments = cxx_template_arguments(p);
    if (arguments != NULL && cxx_peek(p) == 'I') {
        cxx_remember(p, n);
        return cxx_node(p, NODE_TEMPLATE, n, arguments);
    }
    before.types = p->types;
    *p = before;
    return n;
}

/* std::string, maybe with tags. */
static bool
is_standard_name(const struct node *n)
{
    while (n != NULL && n->kind == NODE_TAGGED)
        n = n->left;
    return n != NULL && n->kind == NODE_TEXT;
}

/* A substitution, which is not remembered again; with template arguments it is another type. */
static struct node *
substituted(struct parser *p)
{
    char second = cxx_peek_second(p);
    struct node *n;
    if (!is_digit(second) && second != '_' && !cxx_is_upper(second)) {
        n = cxx_name(p);
        return is_standard_name(n) ? n : cxx_remember(p, n);
    }
    n = cxx_substitution(p, false);
    if (cxx_is_module(n))
        n = cxx_remember(p, cxx_unqualified_name(p, NULL, n));
    if (n == NULL || cxx_peek(p) != 'I')
        return n;
    return cxx_remember(p, cxx_two(p, NODE_TEMPLATE, n, cxx_template_arguments(p)));
}

static struct node *decltype(struct parser * p)
{
    struct node *expression = cxx_expression(p);
    return cxx_take(p, 'E') ? cxx_one(p, NODE_DECLTYPE, expression) : NULL;
}

/* A type that is a substitution from then on, as all are but builtin ones. */
static struct node *
compound(struct parser *p)
{
    char c = cxx_peek(p);
    if (c == 'T')
        return template_param_type(p);
    if (c == '\0' || strchr("PROCGFAMUD", c) == NULL)
        return cxx_name(p);
    switch (cxx_next(p)) {
    case 'P':
        return cxx_one(p, NODE_POINTER, cxx_type(p));
    case 'R':
        return cxx_one(p, NODE_LVALUE_REFERENCE, cxx_type(p));
    case 'O':
        return cxx_one(p, NODE_RVALUE_REFERENCE, cxx_type(p));
    case 'C':
        return cxx_one(p, NODE_COMPLEX, cxx_type(p));
    case 'G':
        return cxx_one(p, NODE_IMAGINARY, cxx_type(p));
    case 'F':
        return function(p);
    case 'A':
        return array(p);
    case 'M':
        return member_pointer(p);
    case 'U':
        return vendor_qualified(p);
    default: /* Dp, Dv, Dt, DT: other types with D are builtin */
        c = cxx_next(p);
        if (c == 'p')
            return cxx_one(p, NODE_PACK, cxx_type(p));
        return c == 'v' ? vector(p) : decltype(p);
    }
}

/* No name has as many types; but some text could be parsed in exponential time, because of the two
 * readings above. */
enum { TYPES_MAX = 16 * DEMANGLE_CXX_NAME_MAX };

struct node *
cxx_type(struct parser *p)
{
    if (p->types == TYPES_MAX)
        return NULL;
    p->types++;
    if (qualifier_is_next(p))
        return qualified(p);
    if (cxx_peek(p) == 'S')
        return substituted(p);
    bool builtin = cxx_is_lower(cxx_peek(p));
    if (cxx_peek(p) == 'D')
        builtin = strchr("pvtT", cxx_peek_second(p)) == NULL || cxx_peek_second(p) == '\0';
    return builtin ? cxx_builtin(p) : cxx_remember(p, compound(p));
}
