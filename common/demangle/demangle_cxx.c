/* The entry point, and what all parts of the parser use. */
#include "common/demangle/demangle_cxx.h"

#include "common/demangle/demangle_cxx_print.h"
#include "common/demangle/demangle_cxx_tree.h"

enum { NODES_AT_ONCE = 64 };

static struct node *
new_node(struct parser *p, enum node_kind kind)
{
    if (p->nodes_left == 0) {
        p->nodes = arena_alloc(p->arena, NODES_AT_ONCE * sizeof *p->nodes);
        p->nodes_left = NODES_AT_ONCE;
    }
    p->nodes_left--;
    struct node *n = p->nodes++;
    n->kind = (uint8_t)kind;
    n->printing = 0;
    n->literal = LITERAL_CAST;
    n->scope_known = false;
    n->number = 0;
    return n;
}

struct node *
cxx_node(struct parser *p, enum node_kind kind, struct node *left, struct node *right)
{
    struct node *n = new_node(p, kind);
    n->left = left;
    n->right = right;
    return n;
}

struct node *
cxx_text(struct parser *p, enum node_kind kind, struct span text)
{
    struct node *n = new_node(p, kind);
    n->text = text.ptr;
    n->number = (uint32_t)text.len;
    n->right = NULL;
    return n;
}

struct node *
cxx_numbered(struct parser *p, enum node_kind kind, struct node *left, long number)
{
    struct node *n = cxx_node(p, kind, left, NULL);
    n->number = (uint32_t)number;
    return n;
}

struct node *
cxx_one(struct parser *p, enum node_kind kind, struct node *left)
{
    return left != NULL ? cxx_node(p, kind, left, NULL) : NULL;
}

struct node *
cxx_two(struct parser *p, enum node_kind kind, struct node *left, struct node *right)
{
    return left != NULL && right != NULL ? cxx_node(p, kind, left, right) : NULL;
}

struct node *
cxx_remember(struct parser *p, struct node *n)
{
    if (n == NULL)
        return NULL;
    if (p->substitution_count == p->substitution_cap) {
        size_t cap = p->substitution_cap > 0 ? p->substitution_cap * 4 : 32;
        struct node **grown = arena_alloc(p->arena, cap * sizeof(struct node *));
        for (size_t i = 0; i < p->substitution_count; i++)
            grown[i] = p->substitutions[i];
        p->substitutions = grown;
        p->substitution_cap = cap;
    }
    p->substitutions[p->substitution_count++] = n;
    return n;
}

long
cxx_number(struct parser *p)
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
cxx_compact_number(struct parser *p)
{
    if (cxx_take(p, '_'))
        return 0;
    long value = cxx_peek(p) != 'n' ? cxx_number(p) : -1;
    return value >= 0 && cxx_take(p, '_') ? value + 1 : -1;
}

/* _GLOBAL__I_NAME and _GLOBAL__D_NAME, of old compilers: what initializes a file's variables. The
 * name may be a mangled one. */
static struct node *
global_initializer(struct parser *p)
{
    char separator = cxx_next(p), kind = cxx_next(p);
    if (separator == '\0' || strchr("._$", separator) == NULL || (kind != 'I' && kind != 'D') ||
        !cxx_take(p, '_'))
        return NULL;
    struct node *name;
    if (cxx_take_two(p, "_Z")) {
        name = cxx_encoding(p, false);
    } else {
        struct span rest = span_of(p->at, (size_t)(p->end - p->at));
        name = rest.len > 0 ? cxx_text(p, NODE_NAME, rest) : NULL;
        p->at = p->end;
    }
    struct node *n = cxx_one(p, NODE_SPECIAL, name);
    if (n != NULL)
        n->number = kind == 'I' ? CXX_GLOBAL_CONSTRUCTORS : CXX_GLOBAL_DESTRUCTORS;
    return n;
}

/* In the short style the parameters are not looked at, so that anything may follow the name. */
static struct node *
parse(struct parser *p, struct span name, bool name_only)
{
    struct node *tree;
    if (span_starts(name, SPAN("_Z"))) {
        p->at += 2;
        tree = cxx_encoding(p, name_only);
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

static struct node *
parse_either_way(struct arena *a, struct span name, bool name_only)
{
    struct parser p = {.at = name.ptr, .end = name.ptr + name.len, .arena = a};
    struct node *tree = parse(&p, name, name_only);
    if (tree != NULL || !p.has_scopes)
        return tree;
    p = (struct parser){.at = name.ptr, .end = p.end, .arena = a, .old_scopes = true};
    return parse(&p, name, name_only);
}

bool
demangle_cxx(struct arena *a, struct span name, enum demangle_style style, struct text *out)
{
    size_t at = span_find(name, '@');
    struct span version = span_from(name, at != SPAN_NONE ? at : name.len);
    name.len -= version.len;
    if (style == DEMANGLE_NONE || name.len > DEMANGLE_CXX_NAME_MAX)
        return false;
    struct node *tree = parse_either_way(a, name, style == DEMANGLE_SHORT);
    if (tree == NULL || !cxx_print(a, tree, out))
        return false;
    text_add(out, version);
    return true;
}
