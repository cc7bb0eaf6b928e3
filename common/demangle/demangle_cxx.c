/* Parses mangled C++ names, with the tokens of cxx_words.h, into a tree for cxx_print.c. Each
 * function that returns a node consumes its part of the grammar, and returns NULL if the text does
 * not match. The depth of recursion is limited by the length of the name, which is at most
 * DEMANGLE_CXX_NAME_MAX.
 *
 * Grammar: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling */
#include "common/demangle/demangle_cxx.h"

#include "common/demangle/cxx_grammar.h"
#include "common/demangle/cxx_print.h"

static struct node *template_arguments(struct cxx_parser *p);
static struct node *expression(struct cxx_parser *p);
static struct node *parse_expression(struct cxx_parser *p);

/* Skip a constraint (C++20): Q and an expression. It is not printed. Return false if it is
 * invalid. */
static bool
skip_constraint(struct cxx_parser *p)
{
    return !cxx_take(p, 'Q') || parse_expression(p) != NULL;
}

/* Parse items up to the byte `end`. A list without items is one empty element. */
static struct node *
list(struct cxx_parser *p, enum node_kind kind, struct node *(*item)(struct cxx_parser *p),
     char end)
{
    struct node *first = NULL, **at = &first;
    if (cxx_take(p, end))
        return cxx_node(p, kind, NULL, NULL);
    do {
        *at = cxx_one(p, kind, item(p));
        if (*at == NULL)
            return NULL;
        at = &(*at)->right;
        if (kind == NODE_ARGUMENTS && !skip_constraint(p))
            return NULL;
    } while (!cxx_take(p, end));
    return first;
}

/* Parse L, a type, n for a minus, digits (as the type requires) and E. Or parse L, _Z, a function
 * or a variable, and E; some compilers omit the _. */
static struct node *
literal(struct cxx_parser *p)
{
    cxx_next(p);
    struct node *n;
    if (cxx_take_two(p, "_Z") || cxx_take(p, 'Z')) {
        n = cxx_encoding(p);
        return cxx_take(p, 'E') ? n : NULL;
    }
    struct node *type = cxx_type(p);
    if (type == NULL)
        return NULL;
    if (type->literal == LITERAL_NULLPTR && cxx_take(p, 'E'))
        return type;
    bool minus = cxx_take(p, 'n');
    const char *value = p->at;
    while (cxx_peek(p) != 'E' && cxx_peek(p) != '\0')
        p->at++;
    size_t len = (size_t)(p->at - value);
    if (len == 0 || !cxx_take(p, 'E'))
        return NULL;
    return cxx_node(p, minus ? NODE_NEGATIVE_LITERAL : NODE_LITERAL, type,
                    cxx_text(p, NODE_NAME, span_of(value, len)));
}

static bool
at_declaration(const struct cxx_parser *p)
{
    return cxx_peek(p) == 'T' && cxx_peek_second(p) != '\0' &&
           strchr("ykntp", cxx_peek_second(p)) != NULL;
}

static bool template_head(struct cxx_parser *p, struct node **head);

/* Parse the declaration of a template parameter: Ty (typename), Tk and a concept (a typename that
 * satisfies it), Tn and a type (a value), Tt and its own parameters and E (a template), Tp and one
 * of these (a pack). */
static struct node *
declaration(struct cxx_parser *p)
{
    struct node *inner;
    if (!at_declaration(p))
        return NULL;
    cxx_next(p);
    switch (cxx_next(p)) {
    case 'y':
        return cxx_node(p, NODE_TYPE_PARAM, NULL, NULL);
    case 'k':
        return cxx_one(p, NODE_TYPE_PARAM, cxx_name(p));
    case 'n':
        return cxx_one(p, NODE_VALUE_PARAM, cxx_type(p));
    case 't':
        if (!template_head(p, &inner) || !cxx_take(p, 'E'))
            return NULL;
        return cxx_one(p, NODE_TEMPLATE_TEMPLATE_PARAM, inner);
    default:
        return cxx_one(p, NODE_PACK_PARAM, declaration(p));
    }
}

/* Parse the template parameters that a lambda or a template declares, and their constraint. Return
 * false if they are invalid. Set *head to NULL if there are none. */
static bool
template_head(struct cxx_parser *p, struct node **head)
{
    struct node *first = NULL, **at = &first;
    for (; at_declaration(p); at = &(*at)->right) {
        *at = declaration(p);
        if (*at == NULL)
            return false;
    }
    *head = cxx_one(p, NODE_HEAD, first);
    return skip_constraint(p);
}

/* Parse a template argument: a type, an expression (X...E), a literal (L...E) or a pack (J...E,
 * I...E). If that does not determine the parameter, the parameter's declaration precedes it; it is
 * not printed. */
struct node *
cxx_template_argument(struct cxx_parser *p)
{
    if (at_declaration(p) && declaration(p) == NULL)
        return NULL;
    char c = cxx_peek(p);
    if (cxx_take(p, 'X')) {
        struct node *n = parse_expression(p);
        return cxx_take(p, 'E') ? n : NULL;
    }
    if (c == 'L')
        return literal(p);
    return c == 'I' || c == 'J' ? template_arguments(p) : cxx_type(p);
}

/* Parse template arguments up to their E. A constructor that follows does not refer to class names
 * in them. */
static struct node *
rest_of_arguments(struct cxx_parser *p)
{
    struct node *last_name = p->last_name, *n = list(p, NODE_ARGUMENTS, cxx_template_argument, 'E');
    p->last_name = last_name;
    return n;
}

static struct node *
template_arguments(struct cxx_parser *p)
{
    return cxx_take(p, 'I') || cxx_take(p, 'J') ? rest_of_arguments(p) : NULL;
}

/* Add the template arguments, if there are any. */
static struct node *
with_arguments(struct cxx_parser *p, struct node *name)
{
    if (name == NULL || cxx_peek(p) != 'I')
        return name;
    return cxx_two(p, NODE_TEMPLATE, name, template_arguments(p));
}

/* Unqualified names:
 *
 *     3foo                        foo
 *     pl                          operator+
 *     li3foo                      operator"" foo
 *     C1                          the constructor of the class that was named last
 *     UlvE_                       {lambda()#1} */

/* Parse cv and a type: a conversion operator, or a cast in an expression. */
static struct node *
conversion(struct cxx_parser *p)
{
    bool in_conversion = p->in_conversion;
    p->in_conversion = !p->in_expression;
    struct node *type = cxx_type(p);
    enum node_kind kind = p->in_conversion ? NODE_CONVERSION : NODE_CAST;
    p->in_conversion = in_conversion;
    return cxx_one(p, kind, type);
}

/* Parse v, a digit and a name: a vendor's operator with this number of operands. */
static struct node *
operator_name(struct cxx_parser *p)
{
    if (cxx_take_two(p, "cv"))
        return conversion(p);
    char first = cxx_next(p), second = cxx_next(p);
    if (first != 'v' || !is_digit(second))
        return cxx_numbered(p, NODE_OPERATOR, NULL, cxx_find_operator(first, second));
    struct node *name = cxx_source_name(p);
    return name != NULL ? cxx_numbered(p, NODE_VENDOR_OPERATOR, name, second - '0') : NULL;
}

/* Parse C1, D0, or CI1 and the class whose constructor is inherited. */
static struct node *
constructor_or_destructor(struct cxx_parser *p)
{
    bool constructor = cxx_next(p) == 'C', inherited = constructor && cxx_take(p, 'I');
    char variant = cxx_next(p);
    if (variant == '\0' || strchr(constructor ? "12345" : "01245", variant) == NULL)
        return NULL;
    if (inherited)
        cxx_type(p);
    return cxx_one(p, constructor ? NODE_CONSTRUCTOR : NODE_DESTRUCTOR, p->last_name);
}

/* Parse pl, which is operator+, or li3foo, which is operator"" foo. */
static struct node *
operator_function(struct cxx_parser *p)
{
    bool in_expression = p->in_expression;
    if (cxx_take_two(p, "on"))
        p->in_expression = false;
    struct node *n = operator_name(p);
    p->in_expression = in_expression;
    if (n != NULL && n->kind == NODE_OPERATOR && cxx_operator_is(n->number, "li"))
        return cxx_one(p, NODE_LITERAL_OPERATOR, cxx_source_name(p));
    return n;
}

/* Parse the types of a function's parameters. They end with the name, or before E, Q (a
 * constraint), _ (of a requires-expression), a clone's suffix, or the function's ref-qualifier. A
 * single v, void, means no parameters. */
static struct node *
parameters(struct cxx_parser *p)
{
    struct node *first = NULL, **at = &first;
    for (;; at = &(*at)->right) {
        char c = cxx_peek(p);
        if (c == '\0' || c == 'E' || c == 'Q' || c == '_' || c == '.' ||
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

static struct node *
lambda(struct cxx_parser *p)
{
    struct node *head = NULL;
    if (!template_head(p, &head))
        return NULL;
    struct node *types = parameters(p);
    if (types == NULL || !skip_constraint(p) || !cxx_take(p, 'E'))
        return NULL;
    struct node *n = cxx_numbered(p, NODE_LAMBDA, types, cxx_compact_number(p));
    if (n != NULL)
        n->right = head;
    return n;
}

static struct node *
unqualified(struct cxx_parser *p)
{
    char c = cxx_peek(p);
    if (is_digit(c))
        return cxx_source_name(p);
    if (cxx_is_lower(c))
        return operator_function(p);
    if (cxx_take_two(p, "DC")) /* DC1a1bE: [a, b] */
        return cxx_peek(p) != 'E' ? list(p, NODE_BINDING, cxx_source_name, 'E') : NULL;
    if (c == 'C' || c == 'D')
        return constructor_or_destructor(p);
    if (cxx_take(p, 'L')) {
        struct node *n = cxx_source_name(p);
        return cxx_discriminator(p) ? n : NULL;
    }
    if (cxx_take_two(p, "Ul"))
        return lambda(p);
    if (!cxx_take_two(p, "Ut"))
        return NULL;
    return cxx_remember(p, cxx_numbered(p, NODE_UNNAMED, NULL, cxx_compact_number(p)));
}

static struct node *
unqualified_name(struct cxx_parser *p, struct node *scope, struct node *module)
{
    if (!cxx_module_name(p, &module))
        return NULL;
    struct node *n = unqualified(p);
    if (module != NULL)
        n = cxx_two(p, NODE_MODULE_ENTITY, n, module);
    n = cxx_abi_tags(p, n);
    return scope != NULL ? cxx_two(p, NODE_QUALIFIED, scope, n) : n;
}

/* Types:
 *
 *     PKc                         char const*
 *     RA3_i                       int (&) [3]
 *     M1AKFvvE                    void (A::*)() const
 *     St6vectorIiSaIiEE           std::vector<int, std::allocator<int> >
 *     DpRT_                       the template argument's elements, each with & */

/* Parse Dx; Do; DO, an expression and E; or Dw, types and E. The D was consumed. */
static struct node *
function_qualifier(struct cxx_parser *p)
{
    struct node *operand = NULL;
    char c = cxx_next(p);
    if (c == 'O' || c == 'w') {
        operand = c == 'O' ? parse_expression(p) : parameters(p);
        if (operand == NULL || !cxx_take(p, 'E'))
            return NULL;
    }
    enum node_kind kind = c == 'x' ? NODE_TRANSACTION_SAFE : c == 'w' ? NODE_THROW : NODE_NOEXCEPT;
    return cxx_node(p, kind, NULL, operand);
}

/* Parse qualifiers, and set *at to the outermost. Return the place for the node that they qualify,
 * or NULL if they are invalid. For functions, including the one named by a `member`, const and the
 * like are other kinds of nodes, since they are printed after the parameters. */
static struct node **
qualifiers(struct cxx_parser *p, struct node **at, bool member)
{
    struct node **outermost = at, *n;
    for (; cxx_at_qualifier(p); at = &(*at)->left) {
        char c = cxx_next(p);
        *at = c == 'D' ? function_qualifier(p) : cxx_node(p, cxx_cv_qualifier(c), NULL, NULL);
        if (*at == NULL)
            return NULL;
    }
    if (member || cxx_peek(p) == 'F')
        for (; outermost != at; outermost = &n->left) {
            n = *outermost;
            if (n->kind >= NODE_CONST && n->kind <= NODE_RESTRICT)
                n->kind = (uint8_t)(n->kind - NODE_CONST + NODE_CONST_THIS);
        }
    return at;
}

/* Parse the types of a function. After a J, the first one is the return type. */
static struct node *
function_type(struct cxx_parser *p, bool has_return)
{
    struct node *returned = NULL;
    if (cxx_take(p, 'J') || has_return) {
        returned = cxx_type(p);
        if (returned == NULL)
            return NULL;
    }
    struct node *types = parameters(p);
    return types != NULL ? cxx_node(p, NODE_FUNCTION, returned, types) : NULL;
}

/* Parse F, Y for a C function, types, a qualifier, E. The F was consumed. */
static struct node *
function(struct cxx_parser *p)
{
    cxx_take(p, 'Y');
    struct node *n = function_type(p, true);
    if (cxx_take(p, 'R'))
        n = cxx_one(p, NODE_LVALUE_THIS, n);
    else if (cxx_take(p, 'O'))
        n = cxx_one(p, NODE_RVALUE_THIS, n);
    return cxx_take(p, 'E') ? n : NULL;
}

/* Parse a qualified type. All qualifiers together with the type are one substitution. A function's
 * & goes outside of them. */
static struct node *
qualified(struct cxx_parser *p)
{
    struct node *outer = NULL, **inner = qualifiers(p, &outer, false);
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

/* Parse A3_i, AT__i, A_i. The A was consumed. */
static struct node *
array(struct cxx_parser *p)
{
    struct node *dimension = NULL;
    struct span rest = cxx_rest(p);
    size_t digits = span_run(rest, 0, is_digit);
    p->at += digits;
    if (digits > 0)
        dimension = cxx_text(p, NODE_NAME, span_head(rest, digits));
    else if (cxx_peek(p) != '_' && (dimension = parse_expression(p)) == NULL)
        return NULL;
    struct node *element = cxx_take(p, '_') ? cxx_type(p) : NULL;
    return element != NULL ? cxx_node(p, NODE_ARRAY, element, dimension) : NULL;
}

/* Parse Dv4_f, Dv_T__f. The Dv was consumed. */
static struct node *
vector(struct cxx_parser *p)
{
    struct node *count;
    struct span rest = cxx_rest(p);
    if (cxx_take(p, '_')) {
        count = parse_expression(p);
    } else {
        cxx_number(p);
        count = cxx_text(p, NODE_NAME, span_head(rest, (size_t)(p->at - rest.ptr)));
    }
    if (count == NULL || !cxx_take(p, '_'))
        return NULL;
    return cxx_two(p, NODE_VECTOR, cxx_type(p), count);
}

/* Parse M1Ai: the class, then the member's type. The M was consumed. */
static struct node *
member_pointer(struct cxx_parser *p)
{
    struct node *class = cxx_type(p);
    return class != NULL ? cxx_two(p, NODE_MEMBER_POINTER, cxx_type(p), class) : NULL;
}

/* Parse U8__vector or U3fooIiE, and the type. The U was consumed. */
static struct node *
vendor_qualified(struct cxx_parser *p)
{
    struct node *name = with_arguments(p, cxx_source_name(p));
    return name != NULL ? cxx_two(p, NODE_VENDOR_QUALIFIER, cxx_type(p), name) : NULL;
}

/* Parse a template parameter, with arguments if it is a template. After cv, the arguments may
 * belong to the operator instead: cvT_IiE is operator int<int>. They belong to the parameter if
 * further arguments follow. */
static struct node *
template_param_type(struct cxx_parser *p)
{
    struct node *n = cxx_template_param(p);
    if (n == NULL || cxx_peek(p) != 'I')
        return n;
    if (!p->in_conversion) {
        cxx_remember(p, n);
        return cxx_two(p, NODE_TEMPLATE, n, template_arguments(p));
    }
    struct cxx_parser before = *p;
    struct node *arguments = template_arguments(p);
    if (arguments != NULL && cxx_peek(p) == 'I') {
        cxx_remember(p, n);
        return cxx_node(p, NODE_TEMPLATE, n, arguments);
    }
    before.types_left = p->types_left;
    *p = before;
    return n;
}

/* Return true for std::string and the like, which may have tags. */
static bool
is_standard_name(const struct node *n)
{
    while (n != NULL && n->kind == NODE_TAGGED)
        n = n->left;
    return n != NULL && n->kind == NODE_TEXT;
}

/* Parse a substitution, which is not remembered again. With template arguments, it is another
 * type. */
static struct node *
substituted(struct cxx_parser *p)
{
    char second = cxx_peek_second(p);
    struct node *n;
    if (!is_digit(second) && second != '_' && !cxx_is_upper(second)) {
        n = cxx_name(p);
        return is_standard_name(n) ? n : cxx_remember(p, n);
    }
    n = cxx_substitution(p, false);
    if (cxx_is_module(n))
        n = cxx_remember(p, unqualified_name(p, NULL, n));
    if (n == NULL || cxx_peek(p) != 'I')
        return n;
    return cxx_remember(p, cxx_two(p, NODE_TEMPLATE, n, template_arguments(p)));
}

/* Parse a type that is not builtin. These become substitutions. */
static struct node *
compound(struct cxx_parser *p)
{
    static const char around[] = "PROCG"; /* the letters of NODE_POINTER to NODE_IMAGINARY */
    char c = cxx_peek(p);
    if (c == 'T')
        return template_param_type(p);
    if (c == '\0' || strchr("PROCGFAMUD", c) == NULL)
        return cxx_name(p);
    const char *letter = strchr(around, cxx_next(p));
    if (letter != NULL)
        return cxx_one(p, (enum node_kind)(NODE_POINTER + (letter - around)), cxx_type(p));
    if (c == 'F')
        return function(p);
    if (c == 'A')
        return array(p);
    if (c == 'M')
        return member_pointer(p);
    if (c == 'U')
        return vendor_qualified(p);
    c = cxx_next(p); /* Dp, Dv, Dt, DT: other types with D are builtin */
    if (c == 'p')
        return cxx_one(p, NODE_PACK, cxx_type(p));
    if (c == 'v')
        return vector(p);
    struct node *operand = parse_expression(p);
    return cxx_take(p, 'E') ? cxx_one(p, NODE_DECLTYPE, operand) : NULL;
}

/* The number of types that are parsed for each byte of a name. Compilers' names have fewer. Without
 * the limit, the two interpretations in template_param_type would take exponential time for some
 * texts. */
enum { TYPES_PER_BYTE = 4 };

struct node *
cxx_type(struct cxx_parser *p)
{
    if (p->types_left == 0)
        return NULL;
    p->types_left--;
    if (cxx_at_qualifier(p))
        return qualified(p);
    if (cxx_peek(p) == 'S')
        return substituted(p);
    bool builtin = cxx_is_lower(cxx_peek(p));
    if (cxx_peek(p) == 'D')
        builtin = strchr("pvtT", cxx_peek_second(p)) == NULL || cxx_peek_second(p) == '\0';
    return builtin ? cxx_builtin(p) : cxx_remember(p, compound(p));
}

/* Names:
 *
 *     N1A3fooE                    A::foo
 *     NK1AIiE3fooE                A<int>::foo, of a const member function
 *     N1AC1E                      A::A
 *     Z3foovE3bar                 foo()::bar
 *     Z3fooiE3bar_0               the second foo(int)::bar
 *     Z3fooiEd_NKUlvE_clEv        foo(int)::{default arg#1}::{lambda()#1}::operator()() const */

/* Parse a part of a nested name. `scope` has the parts before it, or is NULL. */
static struct node *
prefix_part(struct cxx_parser *p, struct node *scope)
{
    char c = cxx_peek(p), second = cxx_peek_second(p);
    if (c == 'I')
        return cxx_two(p, NODE_TEMPLATE, scope, scope != NULL ? template_arguments(p) : NULL);
    if (c == 'S') {
        struct node *n = cxx_substitution(p, true);
        if (cxx_is_module(n))
            return unqualified_name(p, scope, n);
        return scope == NULL ? n : NULL;
    }
    if (c == 'T')
        return scope == NULL ? cxx_template_param(p) : NULL;
    if (c == 'D' && (second == 't' || second == 'T'))
        return scope == NULL ? cxx_type(p) : NULL;
    return unqualified_name(p, scope, NULL);
}

/* Parse the parts of a nested name up to its E. With `remember`, each is a substitution. An M
 * follows a variable if the lambda that comes next is in its initializer. */
static struct node *
nested_parts(struct cxx_parser *p, bool remember)
{
    struct node *n = NULL;
    while (cxx_peek(p) != 'E') {
        if (cxx_take(p, 'M'))
            continue;
        bool substitution = cxx_peek(p) == 'S';
        n = prefix_part(p, n);
        if (n == NULL)
            return NULL;
        if (remember && !substitution && cxx_peek(p) != 'E')
            cxx_remember(p, n);
    }
    return n;
}

static struct node *
nested_name(struct cxx_parser *p)
{
    struct node *outer = NULL, **inner = qualifiers(p, &outer, true);
    if (inner == NULL)
        return NULL;
    char ref = cxx_peek(p) == 'R' || cxx_peek(p) == 'O' ? cxx_next(p) : '\0';
    *inner = nested_parts(p, true);
    if (*inner == NULL || !cxx_take(p, 'E'))
        return NULL;
    if (ref != '\0')
        return cxx_node(p, ref == 'R' ? NODE_LVALUE_THIS : NODE_RVALUE_THIS, outer, NULL);
    return outer;
}

/* Parse St3foo, or a substitution. Set *is_new if the name was not seen before. */
static struct node *
substituted_name(struct cxx_parser *p, bool *is_new)
{
    bool std = cxx_peek_second(p) == 't';
    struct node *n = cxx_substitution(p, false);
    *is_new = std || cxx_is_module(n);
    if (std && n != NULL)
        return unqualified_name(p, n, NULL);
    return cxx_is_module(n) ? unqualified_name(p, NULL, n) : n;
}

/* Parse an entity of a function. d_ means in the last parameter's default argument, d0_ in that of
 * the parameter before. Lambdas and unnamed types have their own numbers; other entities may have a
 * discriminator. */
static struct node *
local_entity(struct cxx_parser *p)
{
    bool in_default = cxx_take(p, 'd');
    long number = in_default ? cxx_compact_number(p) : 0;
    struct node *n = number >= 0 ? cxx_name(p) : NULL;
    if (n == NULL)
        return NULL;
    if (n->kind != NODE_LAMBDA && n->kind != NODE_UNNAMED && !cxx_discriminator(p))
        return NULL;
    return in_default ? cxx_numbered(p, NODE_DEFAULT_ARGUMENT, n, number) : n;
}

/* Parse the name of a local entity. The function's return type is not printed. */
static struct node *
local_name(struct cxx_parser *p)
{
    struct node *function = cxx_encoding(p), *entity;
    if (function == NULL || !cxx_take(p, 'E'))
        return NULL;
    if (cxx_take(p, 's'))
        entity = cxx_discriminator(p) ? cxx_text(p, NODE_TEXT, SPAN("string literal")) : NULL;
    else
        entity = local_entity(p);
    if (function->kind == NODE_TYPED && function->right->kind == NODE_FUNCTION)
        function->right->left = NULL;
    return cxx_two(p, NODE_LOCAL, function, entity);
}

struct node *
cxx_name(struct cxx_parser *p)
{
    if (cxx_take(p, 'N'))
        return nested_name(p);
    if (cxx_take(p, 'Z'))
        return local_name(p);
    if (cxx_peek(p) == 'U')
        return unqualified_name(p, NULL, NULL);
    bool is_new = true;
    struct node *n =
        cxx_peek(p) == 'S' ? substituted_name(p, &is_new) : unqualified_name(p, NULL, NULL);
    if (n == NULL || cxx_peek(p) != 'I')
        return n;
    if (is_new)
        cxx_remember(p, n);
    return cxx_two(p, NODE_TEMPLATE, n, template_arguments(p));
}

/* Expressions occur in template arguments, array lengths, decltype and noexcept:
 *
 *     Li3E                        3
 *     plT_Li1E                    (T)+(1)
 *     cl1ffp_E                    f({parm#1})
 *     sr1AIT_E5value              A<T>::value
 *     XadL_ZN1A1fEvEE             &A::f, as a template argument */

static struct node *
member_name(struct cxx_parser *p)
{
    return with_arguments(p, unqualified_name(p, NULL, NULL));
}

/* Parse sr, a type or a nested name and E, and a name in it. The sr was consumed. Old compilers
 * omitted the E; the name then also begins with a type. */
static struct node *
scoped_name(struct cxx_parser *p)
{
    bool nested = is_digit(cxx_peek(p)) && !p->old_scopes;
    struct node *scope = nested ? nested_parts(p, false) : cxx_type(p);
    p->has_scopes |= nested;
    if (scope == NULL || (nested && !cxx_take(p, 'E')))
        return NULL;
    return with_arguments(p, unqualified_name(p, scope, NULL));
}

/* Parse tl, a type and its initializers, or il and initializers; then E. */
static struct node *
initializers(struct cxx_parser *p, bool typed)
{
    struct node *type = typed ? cxx_type(p) : NULL;
    if (typed && type == NULL)
        return NULL;
    struct node *items = list(p, NODE_LIST, expression, 'E');
    return items != NULL ? cxx_node(p, NODE_INITIALIZERS, type, items) : NULL;
}

/* Parse u, a name, and template arguments: a vendor's extension of the language. */
static struct node *
vendor_call(struct cxx_parser *p)
{
    struct node *name = cxx_source_name(p);
    return name != NULL ? cxx_two(p, NODE_VENDOR_CALL, name, rest_of_arguments(p)) : NULL;
}

static struct node *
unary(struct cxx_parser *p, struct node *op)
{
    struct node *operand;
    bool is_operator = op->kind == NODE_OPERATOR, postfix = false;
    if (is_operator && (cxx_operator_is(op->number, "pp") || cxx_operator_is(op->number, "mm")))
        postfix = !cxx_take(p, '_');
    if (is_operator && cxx_operator_is(op->number, "st"))
        operand = cxx_type(p);
    else if (is_operator && cxx_operator_is(op->number, "sP"))
        operand = rest_of_arguments(p);
    else if (op->kind == NODE_CAST && cxx_take(p, '_'))
        operand = list(p, NODE_LIST, expression, 'E');
    else
        operand = expression(p);
    return cxx_two(p, postfix ? NODE_POSTFIX : NODE_UNARY, op, operand);
}

static struct node *
binary_left(struct cxx_parser *p, uint32_t op)
{
    if (cxx_is_named_cast(op))
        return cxx_type(p);
    if (cxx_operators[op].code[0] == 'f')
        return operator_name(p);
    if (cxx_operator_is(op, "di"))
        return unqualified_name(p, NULL, NULL);
    return expression(p);
}

static struct node *
binary_right(struct cxx_parser *p, uint32_t op)
{
    if (cxx_operator_is(op, "cl"))
        return list(p, NODE_LIST, expression, 'E');
    if (cxx_operator_is(op, "dt") || cxx_operator_is(op, "pt"))
        return cxx_take_two(p, "sr") ? scoped_name(p) : member_name(p);
    return expression(p);
}

static struct node *
binary(struct cxx_parser *p, uint32_t op)
{
    struct node *left = binary_left(p, op);
    struct node *n = left != NULL ? cxx_two(p, NODE_BINARY, left, binary_right(p, op)) : NULL;
    if (n != NULL)
        n->number = op;
    return n;
}

/* Parse nw, the arguments of operator new and _, the type, and E; or, in place of E, pi and
 * arguments and E, or il and initializers and E. */
static struct node *
new_operands(struct cxx_parser *p, struct node **first)
{
    *first = list(p, NODE_LIST, expression, '_');
    struct node *type = *first != NULL ? cxx_type(p) : NULL, *initial = NULL;
    if (type == NULL)
        return NULL;
    if (!cxx_take(p, 'E')) {
        bool braces = cxx_peek(p) == 'i' && cxx_peek_second(p) == 'l';
        if (!braces && !cxx_take_two(p, "pi"))
            return NULL;
        initial = braces ? expression(p) : list(p, NODE_LIST, expression, 'E');
        if (initial == NULL)
            return NULL;
    }
    return cxx_node(p, NODE_OPERANDS, type, initial);
}

static struct node *
ternary(struct cxx_parser *p, uint32_t op)
{
    struct node *first, *others = NULL;
    if (cxx_operators[op].code[0] == 'n') {
        others = new_operands(p, &first);
    } else {
        first = cxx_operators[op].code[0] == 'f' ? operator_name(p) : expression(p);
        struct node *second = first != NULL ? expression(p) : NULL;
        if (second != NULL)
            others = cxx_two(p, NODE_OPERANDS, second, expression(p));
    }
    struct node *n = cxx_two(p, NODE_TERNARY, first, others);
    if (n != NULL)
        n->number = op;
    return n;
}

static struct node *
operation(struct cxx_parser *p)
{
    struct node *op = operator_name(p);
    if (op == NULL)
        return NULL;
    unsigned operands = 1;
    if (op->kind == NODE_OPERATOR)
        operands = cxx_operators[op->number].operands;
    else if (op->kind == NODE_VENDOR_OPERATOR)
        operands = op->number;
    if (operands == 0)
        return cxx_node(p, NODE_NULLARY, op, NULL);
    if (operands == 1)
        return unary(p, op);
    if (op->kind != NODE_OPERATOR)
        return NULL;
    return operands == 2 ? binary(p, op->number) : ternary(p, op->number);
}

/* Parse the requirements of a requires-expression (C++20) up to E: X and an expression, optional N
 * (noexcept), optional R and a concept; T and a type; or a constraint. They are not printed. */
static struct node *
requirements(struct cxx_parser *p)
{
    while (!cxx_take(p, 'E')) {
        bool right = false;
        if (cxx_take(p, 'X')) {
            right = expression(p) != NULL;
            cxx_take(p, 'N');
            right = right && (!cxx_take(p, 'R') || cxx_name(p) != NULL);
        } else if (cxx_take(p, 'T')) {
            right = cxx_type(p) != NULL;
        } else if (cxx_peek(p) == 'Q') {
            right = skip_constraint(p);
        }
        if (!right)
            return NULL;
    }
    return cxx_text(p, NODE_TEXT, SPAN("requires{...}"));
}

static bool
at_outer_param(const struct cxx_parser *p)
{
    return p->end - p->at > 2 && p->at[0] == 'f' && p->at[1] == 'L' && is_digit(p->at[2]);
}

static struct node *
expression(struct cxx_parser *p)
{
    char c = cxx_peek(p);
    if (c == 'L')
        return literal(p);
    if (c == 'T')
        return cxx_template_param(p);
    if (is_digit(c))
        return member_name(p);
    if (cxx_take_two(p, "on"))
        return member_name(p);
    if (cxx_take_two(p, "sr"))
        return scoped_name(p);
    if (cxx_take_two(p, "sp"))
        return cxx_one(p, NODE_PACK, expression(p));
    if (cxx_take_two(p, "fp"))
        return cxx_function_param(p);
    if (cxx_take_two(p, "rq"))
        return requirements(p);
    if (cxx_take_two(p, "rQ")) /* with its own parameters */
        return parameters(p) != NULL && cxx_take(p, '_') ? requirements(p) : NULL;
    if (at_outer_param(p)) { /* fL0p_: of an enclosing function; the number counts scopes */
        p->at += strlen("fL");
        return cxx_number(p) >= 0 && cxx_take(p, 'p') ? cxx_function_param(p) : NULL;
    }
    if (cxx_take_two(p, "il"))
        return initializers(p, false);
    if (cxx_take_two(p, "tl"))
        return initializers(p, true);
    return cxx_take(p, 'u') ? vendor_call(p) : operation(p);
}

static struct node *
parse_expression(struct cxx_parser *p)
{
    bool in_expression = p->in_expression;
    p->in_expression = true;
    struct node *n = expression(p);
    p->in_expression = in_expression;
    return n;
}

/* Return true if the types begin with the return type. They do so for template functions, except
 * those without a return type. */
static bool
has_return_type(const struct node *n)
{
    while (cxx_is_function_qualifier(n) || n->kind == NODE_LOCAL)
        n = n->kind == NODE_LOCAL ? n->right : n->left;
    if (n->kind != NODE_TEMPLATE)
        return false;
    for (n = n->left; n->kind == NODE_QUALIFIED || n->kind == NODE_LOCAL;)
        n = n->right;
    return n->kind != NODE_CONSTRUCTOR && n->kind != NODE_DESTRUCTOR && n->kind != NODE_CONVERSION;
}

/* Remove the qualifiers of a function type, which the short style does not print. */
static struct node *
without_qualifiers(struct node *name)
{
    while (cxx_is_function_qualifier(name))
        name = name->left;
    if (name->kind == NODE_LOCAL)
        while (cxx_is_function_qualifier(name->right))
            name->right = name->right->left;
    return name;
}

/* Parse a whole function or variable: 3fooi is foo(int). */
struct node *
cxx_encoding(struct cxx_parser *p)
{
    if (cxx_peek(p) == 'G' || cxx_peek(p) == 'T')
        return cxx_special_name(p);
    struct node *name = cxx_name(p);
    if (name == NULL || p->at == p->end || cxx_peek(p) == 'E')
        return name;
    struct node *type = function_type(p, has_return_type(name));
    return skip_constraint(p) ? cxx_two(p, NODE_TYPED, name, type) : NULL;
}

/* Parse _GLOBAL__I_NAME and _GLOBAL__D_NAME, from old compilers: the initialization of a file's
 * variables. The name may be mangled. */
static struct node *
global_initializer(struct cxx_parser *p)
{
    char separator = cxx_next(p), kind = cxx_next(p);
    if (separator == '\0' || strchr("._$", separator) == NULL || (kind != 'I' && kind != 'D') ||
        !cxx_take(p, '_'))
        return NULL;
    struct node *name;
    if (cxx_take_two(p, "_Z")) {
        name = cxx_encoding(p);
    } else {
        struct span rest = cxx_rest(p);
        name = rest.len > 0 ? cxx_text(p, NODE_NAME, rest) : NULL;
        p->at = p->end;
    }
    struct span text =
        kind == 'I' ? SPAN("global constructors keyed to ") : SPAN("global destructors keyed to ");
    return cxx_two(p, NODE_SPECIAL, cxx_text(p, NODE_TEXT, text), name);
}

/* Parse a name. In the short style, ignore everything after it, such as the parameters. */
static struct node *
parse(struct cxx_parser *p, struct span name, bool name_only)
{
    struct node *tree;
    if (span_starts(name, SPAN("_Z"))) {
        p->at += 2;
        bool is_special = cxx_peek(p) == 'G' || cxx_peek(p) == 'T';
        tree = name_only && !is_special ? cxx_name(p) : cxx_encoding(p);
        if (name_only && tree != NULL)
            tree = without_qualifiers(tree);
        while (!name_only && tree != NULL && cxx_peek(p) == '.')
            tree = cxx_clone_suffix(p, tree);
    } else if (span_starts(name, SPAN("_GLOBAL_"))) {
        p->at += strlen("_GLOBAL_");
        tree = global_initializer(p);
    } else {
        return NULL;
    }
    return name_only || p->at == p->end ? tree : NULL;
}

/* Parse the name. On failure, parse it again in the older compilers' interpretation, if that makes
 * a difference. */
static struct node *
parse_either_way(struct arena *a, struct span name, bool name_only)
{
    struct cxx_parser start = {.at = name.ptr, .end = name.ptr + name.len, .arena = a};
    start.types_left = TYPES_PER_BYTE * name.len;
    struct cxx_parser p = start;
    struct node *tree = parse(&p, name, name_only);
    if (tree != NULL || !p.has_scopes)
        return tree;
    p = start;
    p.old_scopes = true;
    return parse(&p, name, name_only);
}

bool
demangle_cxx(struct arena *a, struct span name, enum demangle_style style, struct text *out)
{
    if (style == DEMANGLE_NONE || name.len > DEMANGLE_CXX_NAME_MAX)
        return false;
    struct node *tree = parse_either_way(a, name, style == DEMANGLE_SHORT);
    return tree != NULL && cxx_print(a, tree, demangle_most(name.len), out);
}
