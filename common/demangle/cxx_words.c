#include "common/demangle/cxx_words.h"

/* A name has at most one for each byte. */
enum { SUBSTITUTIONS_MAX = 2 * DEMANGLE_CXX_NAME_MAX };

static struct node *
new_node(struct cxx_parser *p, enum node_kind kind)
{
    struct node *n = arena_alloc(p->arena, sizeof *n);
    *n = (struct node){.kind = (uint8_t)kind};
    return n;
}

struct node *
cxx_node(struct cxx_parser *p, enum node_kind kind, struct node *left, struct node *right)
{
    struct node *n = new_node(p, kind);
    n->left = left;
    n->right = right;
    return n;
}

struct node *
cxx_text(struct cxx_parser *p, enum node_kind kind, struct span text)
{
    struct node *n = new_node(p, kind);
    n->text = text.ptr;
    n->number = (uint32_t)text.len;
    return n;
}

struct node *
cxx_numbered(struct cxx_parser *p, enum node_kind kind, struct node *left, long number)
{
    if (number < 0)
        return NULL;
    struct node *n = cxx_node(p, kind, left, NULL);
    n->number = (uint32_t)number;
    return n;
}

struct node *
cxx_one(struct cxx_parser *p, enum node_kind kind, struct node *left)
{
    return left != NULL ? cxx_node(p, kind, left, NULL) : NULL;
}

struct node *
cxx_two(struct cxx_parser *p, enum node_kind kind, struct node *left, struct node *right)
{
    return left != NULL && right != NULL ? cxx_node(p, kind, left, right) : NULL;
}

struct node *
cxx_remember(struct cxx_parser *p, struct node *n)
{
    if (p->substitutions == NULL)
        p->substitutions = arena_alloc(p->arena, SUBSTITUTIONS_MAX * sizeof(struct node *));
    if (n != NULL && p->substitution_count < SUBSTITUTIONS_MAX)
        p->substitutions[p->substitution_count++] = n;
    return n;
}

long
cxx_number(struct cxx_parser *p)
{
    bool minus = cxx_take(p, 'n');
    long value = 0;
    while (is_digit(cxx_peek(p))) {
        if (value >= 100 * 1000 * 1000)
            return -1;
        value = value * 10 + (cxx_next(p) - '0');
    }
    return minus ? -value : value;
}

long
cxx_compact_number(struct cxx_parser *p)
{
    if (cxx_take(p, '_'))
        return 0;
    long value = cxx_peek(p) != 'n' ? cxx_number(p) : -1;
    return value >= 0 && cxx_take(p, '_') ? value + 1 : -1;
}

/* Parse 3foo. Compilers name an anonymous namespace _GLOBAL__N_ with a suffix. */
struct node *
cxx_source_name(struct cxx_parser *p)
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

struct node *
cxx_abi_tags(struct cxx_parser *p, struct node *name)
{
    struct node *last_name = p->last_name;
    while (name != NULL && cxx_take(p, 'B'))
        name = cxx_two(p, NODE_TAGGED, name, cxx_source_name(p));
    p->last_name = last_name;
    return name;
}

bool
cxx_discriminator(struct cxx_parser *p)
{
    if (!cxx_take(p, '_'))
        return true;
    bool two = cxx_take(p, '_');
    long number = cxx_number(p);
    return number >= 0 && (!two || number < 10 || cxx_take(p, '_'));
}

bool
cxx_module_name(struct cxx_parser *p, struct node **module)
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

struct standard_name {
    char code;
    struct span name, full, class;
};

/* The constructor of std::string is named after the template. */
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
standard_name(struct cxx_parser *p, char code, bool prefix)
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
    return cxx_peek(p) == 'B' ? cxx_remember(p, cxx_abi_tags(p, n)) : n;
}

struct node *
cxx_substitution(struct cxx_parser *p, bool prefix)
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

/* Builtin types by the letter after D. */
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

/* Parse F16_, which is _Float16; F32x, which is _Float32x; or F16b, which is bfloat16. The D was
 * consumed. */
static struct node *
extended_float(struct cxx_parser *p)
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

struct node *
cxx_builtin(struct cxx_parser *p)
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

struct node *
cxx_template_param(struct cxx_parser *p)
{
    if (!cxx_take(p, 'T') || (cxx_take(p, 'L') && cxx_compact_number(p) < 0))
        return NULL;
    long index = cxx_compact_number(p);
    return cxx_numbered(p, NODE_TEMPLATE_PARAM, NULL, index);
}

struct node *
cxx_function_param(struct cxx_parser *p)
{
    if (cxx_take(p, 'T'))
        return cxx_numbered(p, NODE_FUNCTION_PARAM, NULL, 0);
    long index = cxx_compact_number(p);
    return index >= 0 ? cxx_numbered(p, NODE_FUNCTION_PARAM, NULL, index + 1) : NULL;
}

enum node_kind
cxx_cv_qualifier(char c)
{
    return c == 'r' ? NODE_RESTRICT : c == 'V' ? NODE_VOLATILE : NODE_CONST;
}

bool
cxx_at_qualifier(const struct cxx_parser *p)
{
    char c = cxx_peek(p), second = cxx_peek_second(p);
    return c == 'r' || c == 'V' || c == 'K' ||
           (c == 'D' && (second == 'x' || second == 'o' || second == 'O' || second == 'w'));
}

static bool
is_suffix(char c)
{
    return cxx_is_lower(c) || is_digit(c) || c == '_';
}

struct node *
cxx_clone_suffix(struct cxx_parser *p, struct node *encoding)
{
    struct span rest = cxx_rest(p);
    size_t len = rest.len > 1 ? span_run(rest, 1, is_suffix) : 0;
    if (len == 0)
        return NULL;
    len++;
    while (rest.len - len > 1 && rest.ptr[len] == '.' && is_digit(rest.ptr[len + 1]))
        len += 1 + span_run(rest, len + 1, is_digit);
    p->at += len;
    return cxx_node(p, NODE_CLONE, encoding, cxx_text(p, NODE_NAME, span_head(rest, len)));
}

bool
cxx_call_offset(struct cxx_parser *p, char letter)
{
    if (letter != 'h' && letter != 'v')
        return false;
    cxx_number(p);
    if (letter == 'v' && cxx_take(p, '_'))
        cxx_number(p);
    return cxx_take(p, '_');
}

struct node *
cxx_module(struct cxx_parser *p)
{
    struct node *n = NULL;
    return cxx_module_name(p, &n) ? n : NULL;
}
