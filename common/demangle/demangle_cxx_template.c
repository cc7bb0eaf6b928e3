/* Parses template arguments and builtin types. */
#include "common/demangle/demangle_cxx_tree.h"

/* A type, an expression (X...E), a literal (L...E) or a pack (J...E, I...E). */
struct node *
cxx_template_argument(struct parser *p)
{
    switch (cxx_peek(p)) {
    case 'X':
        cxx_next(p);
        struct node *n = cxx_expression(p);
        return cxx_take(p, 'E') ? n : NULL;
    case 'L':
        return cxx_literal(p);
    case 'I':
    case 'J':
        return cxx_template_arguments(p);
    default:
        return cxx_type(p);
    }
}

/* Without any, the list is one empty element. Class names among the arguments are not those of
 * the constructors that may follow. */
struct node *
cxx_rest_of_arguments(struct parser *p)
{
    struct node *first = NULL, **at = &first, *last_name = p->last_name;
    if (cxx_take(p, 'E'))
        return cxx_node(p, NODE_ARGUMENTS, NULL, NULL);
    do {
        *at = cxx_one(p, NODE_ARGUMENTS, cxx_template_argument(p));
        if (*at == NULL)
            return NULL;
        at = &(*at)->right;
    } while (!cxx_take(p, 'E'));
    p->last_name = last_name;
    return first;
}

struct node *
cxx_template_arguments(struct parser *p)
{
    return cxx_take(p, 'I') || cxx_take(p, 'J') ? cxx_rest_of_arguments(p) : NULL;
}

struct builtin {
    struct span name;
    enum literal_style literal;
};

static const struct builtin letters['z' - 'a' + 1] = {
    ['a' - 'a'] = {SPAN("signed char"), LITERAL_CAST},
    ['b' - 'a'] = {SPAN("bool"), LITERAL_BOOL},
    ['c' - 'a'] = {SPAN("char"), LITERAL_CAST},
    ['d' - 'a'] = {SPAN("double"), LITERAL_FLOAT},
    ['e' - 'a'] = {SPAN("long double"), LITERAL_FLOAT},
    ['f' - 'a'] = {SPAN("float"), LITERAL_FLOAT},
    ['g' - 'a'] = {SPAN("__float128"), LITERAL_FLOAT},
    ['h' - 'a'] = {SPAN("unsigned char"), LITERAL_CAST},
    ['i' - 'a'] = {SPAN("int"), LITERAL_INT},
    ['j' - 'a'] = {SPAN("unsigned int"), LITERAL_UNSIGNED},
    ['l' - 'a'] = {SPAN("long"), LITERAL_LONG},
    ['m' - 'a'] = {SPAN("unsigned long"), LITERAL_UNSIGNED_LONG},
    ['n' - 'a'] = {SPAN("__int128"), LITERAL_CAST},
    ['o' - 'a'] = {SPAN("unsigned __int128"), LITERAL_CAST},
    ['s' - 'a'] = {SPAN("short"), LITERAL_CAST},
    ['t' - 'a'] = {SPAN("unsigned short"), LITERAL_CAST},
    ['v' - 'a'] = {SPAN("void"), LITERAL_VOID},
    ['w' - 'a'] = {SPAN("wchar_t"), LITERAL_CAST},
    ['x' - 'a'] = {SPAN("long long"), LITERAL_LONG_LONG},
    ['y' - 'a'] = {SPAN("unsigned long long"), LITERAL_UNSIGNED_LONG_LONG},
    ['z' - 'a'] = {SPAN("..."), LITERAL_CAST},
};

/* After a D. */
static const struct builtin d_letters['z' - 'a' + 1] = {
    ['a' - 'a'] = {SPAN("auto"), LITERAL_NAME},
    ['c' - 'a'] = {SPAN("decltype(auto)"), LITERAL_NAME},
    ['d' - 'a'] = {SPAN("decimal64"), LITERAL_CAST},
    ['e' - 'a'] = {SPAN("decimal128"), LITERAL_CAST},
    ['f' - 'a'] = {SPAN("decimal32"), LITERAL_CAST},
    ['h' - 'a'] = {SPAN("half"), LITERAL_FLOAT},
    ['i' - 'a'] = {SPAN("char32_t"), LITERAL_CAST},
    ['n' - 'a'] = {SPAN("decltype(nullptr)"), LITERAL_NULLPTR},
    ['s' - 'a'] = {SPAN("char16_t"), LITERAL_CAST},
    ['u' - 'a'] = {SPAN("char8_t"), LITERAL_CAST},
};

/* F16_ is _Float16, F32x is _Float32x, F16b is bfloat16; the D is taken. */
static struct node *
extended_float(struct parser *p)
{
    cxx_next(p);
    const char *digits = p->at;
    long bits = is_digit(cxx_peek(p)) ? cxx_number(p) : -1;
    if (bits < 0)
        return NULL;
    if (cxx_take(p, 'b'))
        return bits == 16 ? cxx_text(p, NODE_BUILTIN, SPAN("std::bfloat16_t")) : NULL;
    size_t prefix = strlen("_Float"), len = (size_t)(p->at - digits);
    bool x = cxx_take(p, 'x');
    if (!x && !cxx_take(p, '_'))
        return NULL;
    char *name = arena_text(p->arena, prefix + len + 1);
    memcpy(name, "_Float", prefix);
    memcpy(name + prefix, digits, len);
    name[prefix + len] = 'x';
    return cxx_text(p, NODE_TEXT, span_of(name, prefix + len + x));
}

/* A type of the language, or of the compiler: u6foobar. */
struct node *
cxx_builtin(struct parser *p)
{
    if (cxx_take(p, 'u')) {
        struct node *n = cxx_source_name(p);
        if (n != NULL)
            n->kind = NODE_TEXT;
        return cxx_remember(p, n);
    }
    bool d = cxx_take(p, 'D');
    if (d && cxx_peek(p) == 'F')
        return extended_float(p);
    char c = cxx_next(p);
    if (!cxx_is_lower(c))
        return NULL;
    const struct builtin *b = d ? &d_letters[c - 'a'] : &letters[c - 'a'];
    if (b->name.ptr == NULL)
        return NULL;
    struct node *n = cxx_text(p, b->literal == LITERAL_NAME ? NODE_NAME : NODE_BUILTIN, b->name);
    n->literal = (uint8_t)b->literal;
    return n;
}
