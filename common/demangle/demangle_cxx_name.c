/* Parses names.
 *
 *     3foo                        foo
 *     N1A3fooE                    A::foo
 *     NK1AIiE3fooE                A<int>::foo, of a const member function
 *     Z3foovE3bar                 foo()::bar
 *     N1AC1E                      A::A
 *
 * Grammar: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling.name */
#include "common/demangle/demangle_cxx_tree.h"

/* 3foo. The compilers' name for an anonymous namespace is _GLOBAL__N_ and more. */
struct node *
cxx_source_name(struct parser *p)
{
    long len = cxx_number(p);
    if (len <= 0 || len > p->end - p->at)
        return NULL;
    struct span name = span_of(p->at, (size_t)len);
    p->at += len;
    if (name.len >= 10 && span_starts(name, SPAN("_GLOBAL_")) && strchr("._$", name.ptr[8]) &&
        name.ptr[8] != '\0' && name.ptr[9] == 'N')
        name = SPAN("(anonymous namespace)");
    p->last_name = cxx_text(p, NODE_NAME, name);
    return p->last_name;
}

/* B5cxx11, any number of them. */
static struct node *
abi_tags(struct parser *p, struct node *name)
{
    struct node *last_name = p->last_name;
    while (name != NULL && cxx_take(p, 'B'))
        name = cxx_two(p, NODE_TAGGED, name, cxx_source_name(p));
    p->last_name = last_name;
    return name;
}

/* C1, D0, and CI1 with the class whose constructor is inherited. */
static struct node *
constructor_or_destructor(struct parser *p)
{
    bool constructor = cxx_next(p) == 'C', inherited = constructor && cxx_take(p, 'I');
    char variant = cxx_next(p);
    if (variant == '\0' || strchr(constructor ? "12345" : "01245", variant) == NULL)
        return NULL;
    if (inherited)
        cxx_type(p);
    return cxx_one(p, constructor ? NODE_CONSTRUCTOR : NODE_DESTRUCTOR, p->last_name);
}

/* DC1a1bE: [a, b]. */
static struct node *
structured_binding(struct parser *p)
{
    struct node *first = NULL, **at = &first;
    do {
        *at = cxx_one(p, NODE_BINDING, cxx_source_name(p));
        if (*at == NULL)
            return NULL;
        at = &(*at)->right;
    } while (!cxx_take(p, 'E'));
    return first;
}

/* The discriminator of one of several local entities of a name: _0, __12_. It is not printed. */
bool
cxx_discriminator(struct parser *p)
{
    if (!cxx_take(p, '_'))
        return true;
    bool two = cxx_take(p, '_');
    long number = cxx_number(p);
    return number >= 0 && (!two || number < 10 || cxx_take(p, '_'));
}

/* pl: operator+. li3foo: operator"" foo. */
static struct node *
operator_function(struct parser *p)
{
    bool in_expression = p->in_expression;
    if (cxx_take_two(p, "on"))
        p->in_expression = false;
    struct node *n = cxx_operator_name(p);
    p->in_expression = in_expression;
    if (n != NULL && n->kind == NODE_OPERATOR && cxx_operator_is(n->number, "li"))
        return cxx_one(p, NODE_LITERAL_OPERATOR, cxx_source_name(p));
    return n;
}

/* W3Foo, WP3Bar: the module that the name which follows belongs to. */
bool
cxx_module_name(struct parser *p, struct node **module)
{
    while (cxx_take(p, 'W')) {
        enum node_kind kind = cxx_take(p, 'P') ? NODE_PARTITION : NODE_MODULE;
        struct node *name = cxx_source_name(p);
        if (name == NULL)
            return false;
        *module = cxx_remember(p, cxx_node(p, kind, *module, name));
    }
    return true;
}

static struct node *
unqualified(struct parser *p)
{
    char c = cxx_peek(p);
    if (is_digit(c))
        return cxx_source_name(p);
    if (cxx_is_lower(c))
        return operator_function(p);
    if (cxx_take_two(p, "DC"))
        return structured_binding(p);
    if (c == 'C' || c == 'D')
        return constructor_or_destructor(p);
    if (cxx_take(p, 'L')) {
        struct node *n = cxx_source_name(p);
        return cxx_discriminator(p) ? n : NULL;
    }
    if (cxx_take_two(p, "Ul"))
        return cxx_lambda(p);
    return cxx_take_two(p, "Ut") ? cxx_unnamed_type(p) : NULL;
}

struct node *
cxx_unqualified_name(struct parser *p, struct node *scope, struct node *module)
{
    if (!cxx_module_name(p, &module))
        return NULL;
    struct node *n = unqualified(p);
    if (module != NULL)
        n = cxx_two(p, NODE_MODULE_ENTITY, n, module);
    n = abi_tags(p, n);
    return scope != NULL ? cxx_two(p, NODE_QUALIFIED, scope, n) : n;
}

struct standard_name {
    char code;
    struct span name, full, class;
};

/* The name of a constructor of std::string is that of the template. */
static const struct standard_name standard_names[] = {
    {'t', SPAN("std"), SPAN("std"), {NULL, 0}},
    {'a', SPAN("std::allocator"), SPAN("std::allocator"), SPAN("allocator")},
    {'b', SPAN("std::basic_string"), SPAN("std::basic_string"), SPAN("basic_string")},
    {'s', SPAN("std::string"),
     SPAN("std::basic_string<char, std::char_traits<char>, std::allocator<char> >"),
     SPAN("basic_string")},
    {'i', SPAN("std::istream"), SPAN("std::basic_istream<char, std::char_traits<char> >"),
     SPAN("basic_istream")},
    {'o', SPAN("std::ostream"), SPAN("std::basic_ostream<char, std::char_traits<char> >"),
     SPAN("basic_ostream")},
    {'d', SPAN("std::iostream"), SPAN("std::basic_iostream<char, std::char_traits<char> >"),
     SPAN("basic_iostream")},
};

static struct node *
standard_name(struct parser *p, char code, bool prefix)
{
    const struct standard_name *s = standard_names;
    const struct standard_name *end = s + sizeof standard_names / sizeof *standard_names;
    while (s < end && s->code != code)
        s++;
    if (s == end)
        return NULL;
    if (s->class.ptr != NULL)
        p->last_name = cxx_text(p, NODE_TEXT, s->class);
    bool full = prefix && (cxx_peek(p) == 'C' || cxx_peek(p) == 'D');
    struct node *n = cxx_text(p, NODE_TEXT, full ? s->full : s->name);
    return cxx_peek(p) == 'B' ? cxx_remember(p, abi_tags(p, n)) : n;
}

/* S_, S0_, SA_: what was remembered first, second, eleventh. St, Ss: see standard_names; as a
 * prefix of a constructor or a destructor they are printed in full. */
struct node *
cxx_substitution(struct parser *p, bool prefix)
{
    if (!cxx_take(p, 'S'))
        return NULL;
    char c = cxx_next(p);
    if (cxx_is_lower(c))
        return standard_name(p, c, prefix);
    size_t index = 0;
    if (c != '_') {
        do {
            if (!is_digit(c) && !cxx_is_upper(c))
                return NULL;
            index = index * 36 + (size_t)(is_digit(c) ? c - '0' : c - 'A' + 10);
            if (index > DEMANGLE_CXX_NAME_MAX)
                return NULL;
            c = cxx_next(p);
        } while (c != '_');
        index++;
    }
    return index < p->substitution_count ? p->substitutions[index] : NULL;
}

/* One part of a nested name, after those in `scope` (NULL: none). */
static struct node *
prefix_part(struct parser *p, struct node *scope)
{
    char c = cxx_peek(p), second = cxx_peek_second(p);
    if (c == 'I')
        return cxx_two(p, NODE_TEMPLATE, scope, scope != NULL ? cxx_template_arguments(p) : NULL);
    if (c == 'S') {
        struct node *n = cxx_substitution(p, true);
        if (cxx_is_module(n))
            return cxx_unqualified_name(p, scope, n);
        return scope == NULL ? n : NULL;
    }
    if (c == 'T')
        return scope == NULL ? cxx_template_param(p) : NULL;
    if (c == 'D' && (second == 't' || second == 'T'))
        return scope == NULL ? cxx_type(p) : NULL;
    return cxx_unqualified_name(p, scope, NULL);
}

/* Up to the E. An M follows a variable whose initializer has the lambda that comes next. */
struct node *
cxx_prefix(struct parser *p, bool remember)
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
nested_name(struct parser *p)
{
    struct node *outer = NULL, **inner = cxx_qualifiers(p, &outer, true);
    if (inner == NULL)
        return NULL;
    char ref = cxx_peek(p) == 'R' || cxx_peek(p) == 'O' ? cxx_next(p) : '\0';
    *inner = cxx_prefix(p, true);
    if (*inner == NULL || !cxx_take(p, 'E'))
        return NULL;
    if (ref != '\0')
        return cxx_node(p, ref == 'R' ? NODE_LVALUE_THIS : NODE_RVALUE_THIS, outer, NULL);
    return outer;
}

/* St3foo, or a substitution. *is_new: it is a name that was not seen before. */
static struct node *
substituted_name(struct parser *p, bool *is_new)
{
    bool std = cxx_peek_second(p) == 't';
    struct node *n = cxx_substitution(p, false);
    *is_new = std || cxx_is_module(n);
    if (std && n != NULL)
        return cxx_unqualified_name(p, n, NULL);
    return cxx_is_module(n) ? cxx_unqualified_name(p, NULL, n) : n;
}

struct node *
cxx_name(struct parser *p)
{
    if (cxx_take(p, 'N'))
        return nested_name(p);
    if (cxx_take(p, 'Z'))
        return cxx_local_name(p);
    if (cxx_peek(p) == 'U')
        return cxx_unqualified_name(p, NULL, NULL);
    bool is_new = true;
    struct node *n =
        cxx_peek(p) == 'S' ? substituted_name(p, &is_new) : cxx_unqualified_name(p, NULL, NULL);
    if (n == NULL || cxx_peek(p) != 'I')
        return n;
    if (is_new)
        cxx_remember(p, n);
    return cxx_two(p, NODE_TEMPLATE, n, cxx_template_arguments(p));
}
