/* Parses whole functions and variables, and what is inside a function.
 *
 *     _Z3fooi                     foo(int)
 *     Z3fooiE3bar_0               the second foo(int)::bar
 *     Z3fooiEd_NKUlvE_clEv        foo(int)::{default arg#1}::{lambda()#1}::operator()() const
 *
 * Grammar: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling-structure */
#include "common/demangle/demangle_cxx_tree.h"

static bool
is_constructor_or_conversion(const struct node *n)
{
    while (n->kind == NODE_QUALIFIED || n->kind == NODE_LOCAL)
        n = n->right;
    return n->kind == NODE_CONSTRUCTOR || n->kind == NODE_DESTRUCTOR || n->kind == NODE_CONVERSION;
}

/* The types of template functions begin with the return type, except where there is none. */
static bool
has_return_type(const struct node *name)
{
    while (cxx_is_function_qualifier(name) || name->kind == NODE_LOCAL)
        name = name->kind == NODE_LOCAL ? name->right : name->left;
    return name->kind == NODE_TEMPLATE && !is_constructor_or_conversion(name->left);
}

/* The qualifiers are of a function type, which the short style does not print. */
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

struct node *
cxx_encoding(struct parser *p, bool name_only)
{
    char c = cxx_peek(p);
    if (c == 'G' || c == 'T')
        return cxx_special_name(p);
    struct node *name = cxx_name(p);
    if (name == NULL)
        return NULL;
    if (name_only)
        return without_qualifiers(name);
    if (p->at == p->end || cxx_peek(p) == 'E')
        return name;
    return cxx_two(p, NODE_TYPED, name, cxx_function_type(p, has_return_type(name)));
}

static bool
is_suffix(char c)
{
    return cxx_is_lower(c) || is_digit(c) || c == '_';
}

/* .part.0: a word, if there is one, and numbers. */
struct node *
cxx_clone_suffix(struct parser *p, struct node *encoding)
{
    struct span rest = span_of(p->at, (size_t)(p->end - p->at));
    size_t len = rest.len > 1 ? span_run(rest, 1, is_suffix) : 0;
    if (len == 0)
        return NULL;
    len++;
    while (rest.len - len > 1 && rest.ptr[len] == '.' && is_digit(rest.ptr[len + 1]))
        len += 1 + span_run(rest, len + 1, is_digit);
    p->at += len;
    return cxx_node(p, NODE_CLONE, encoding, cxx_text(p, NODE_NAME, span_head(rest, len)));
}

/* d_, d0_: in the last parameter's default argument, in that of the one before it. Lambdas and
 * unnamed types have numbers of their own, other entities may have a discriminator. */
static struct node *
local_entity(struct parser *p)
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

/* The function's return type is not printed. */
struct node *
cxx_local_name(struct parser *p)
{
    struct node *function = cxx_encoding(p, false), *entity;
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

/* The template parameters that a lambda declares, as many as there are: Ty (typename), Tn and a
 * type (a value), Tt and its own parameters and E (a template), Tp and one of these (a pack).
 * Returns false if they are wrong; *head is NULL if there are none. */
static bool
template_head(struct parser *p, struct node **head)
{
    struct node *first = NULL, **at = &first;
    while (cxx_peek(p) == 'T' && cxx_is_lower(cxx_peek_second(p))) {
        bool pack = cxx_take_two(p, "Tp");
        struct node *n, *inner = NULL;
        char kind = cxx_take(p, 'T') ? cxx_next(p) : '\0';
        if (kind == 'y')
            n = cxx_node(p, NODE_TYPE_PARAM, NULL, NULL);
        else if (kind == 'n')
            n = cxx_one(p, NODE_VALUE_PARAM, cxx_type(p));
        else if (kind == 't' && template_head(p, &inner) && cxx_take(p, 'E'))
            n = cxx_one(p, NODE_TEMPLATE_TEMPLATE_PARAM, inner);
        else
            return false;
        *at = pack ? cxx_one(p, NODE_PACK_PARAM, n) : n;
        if (*at == NULL)
            return false;
        at = &(*at)->right;
    }
    *head = cxx_one(p, NODE_HEAD, first);
    return true;
}

struct node *
cxx_lambda(struct parser *p)
{
    struct node *head = NULL;
    if (!template_head(p, &head))
        return NULL;
    struct node *parameters = cxx_parameters(p);
    if (parameters == NULL || !cxx_take(p, 'E'))
        return NULL;
    long number = cxx_compact_number(p);
    if (number < 0)
        return NULL;
    struct node *n = cxx_numbered(p, NODE_LAMBDA, parameters, number);
    n->right = head;
    return n;
}

struct node *
cxx_unnamed_type(struct parser *p)
{
    long number = cxx_compact_number(p);
    return number >= 0 ? cxx_remember(p, cxx_numbered(p, NODE_UNNAMED, NULL, number)) : NULL;
}
