/* Prints names, and hands the other nodes to the other files. */
#include "common/demangle/demangle_cxx_print.h"

#include "common/base/num.h"

/* No name of a compiler comes near these. They end what refers to itself, or doubles its size by
 * each substitution. */
enum { DEPTH_MAX = 1024, VISITS_MAX = 256 * 1024, PRINTING_MAX = 2 };

void
cxx_put_number(struct printer *pr, uint64_t number)
{
    char digits[NUM_DIGITS];
    cxx_put(pr, num_decimal(digits, number));
}

static void
print_pair(struct printer *pr, struct node *n, struct span between)
{
    cxx_print_node(pr, n->left);
    cxx_put(pr, between);
    cxx_print_node(pr, n->right);
}

static void
print_numbered(struct printer *pr, struct span before, const struct node *n, struct span after)
{
    cxx_put(pr, before);
    cxx_put_number(pr, (uint64_t)n->number + 1);
    cxx_put(pr, after);
}

/* operator+, operator new. */
static void
print_operator(struct printer *pr, const struct node *n)
{
    struct span name = span_trim(cxx_operators[n->number].name);
    cxx_put(pr, SPAN("operator"));
    if (cxx_is_lower(name.ptr[0]))
        cxx_put_char(pr, ' ');
    cxx_put(pr, name);
}

static void
print_bindings(struct printer *pr, struct node *n)
{
    cxx_put_char(pr, '[');
    for (; n != NULL; n = n->right) {
        cxx_print_node(pr, n->left);
        if (n->right != NULL)
            cxx_put(pr, SPAN(", "));
    }
    cxx_put_char(pr, ']');
}

/* Foo.Bar, Foo:Partition. */
static void
print_module(struct printer *pr, struct node *n)
{
    if (n->left != NULL)
        cxx_print_node(pr, n->left);
    if (n->kind == NODE_PARTITION)
        cxx_put_char(pr, ':');
    else if (n->left != NULL)
        cxx_put_char(pr, '.');
    cxx_print_node(pr, n->right);
}

static void
print_special(struct printer *pr, struct node *n)
{
    cxx_put(pr, cxx_specials[n->number].text);
    cxx_print_node(pr, n->left);
}

/* Names; false if it is none. */
static bool
print_name(struct printer *pr, struct node *n)
{
    switch (n->kind) {
    case NODE_QUALIFIED:
    case NODE_LOCAL:
        print_pair(pr, n, SPAN("::"));
        return true;
    case NODE_TEMPLATE:
        cxx_print_template(pr, n);
        return true;
    case NODE_TYPED:
        cxx_print_typed(pr, n);
        return true;
    case NODE_CONSTRUCTOR:
        cxx_print_node(pr, n->left);
        return true;
    case NODE_DESTRUCTOR:
        cxx_put_char(pr, '~');
        cxx_print_node(pr, n->left);
        return true;
    case NODE_OPERATOR:
        print_operator(pr, n);
        return true;
    case NODE_VENDOR_OPERATOR:
        cxx_put(pr, SPAN("operator "));
        cxx_print_node(pr, n->left);
        return true;
    case NODE_LITERAL_OPERATOR:
        cxx_put(pr, SPAN("operator\"\" "));
        cxx_print_node(pr, n->left);
        return true;
    case NODE_CONVERSION:
        cxx_print_conversion(pr, n);
        return true;
    case NODE_LAMBDA:
        cxx_print_lambda(pr, n);
        return true;
    case NODE_UNNAMED:
        print_numbered(pr, SPAN("{unnamed type#"), n, SPAN("}"));
        return true;
    case NODE_DEFAULT_ARGUMENT:
        print_numbered(pr, SPAN("{default arg#"), n, SPAN("}::"));
        cxx_print_node(pr, n->left);
        return true;
    default:
        return false;
    }
}

/* Names that are rarer; false if it is none. */
static bool
print_rare_name(struct printer *pr, struct node *n)
{
    switch (n->kind) {
    case NODE_TAGGED:
        print_pair(pr, n, SPAN("[abi:"));
        cxx_put_char(pr, ']');
        return true;
    case NODE_BINDING:
        print_bindings(pr, n);
        return true;
    case NODE_MODULE:
    case NODE_PARTITION:
        print_module(pr, n);
        return true;
    case NODE_MODULE_ENTITY:
        print_pair(pr, n, SPAN("@"));
        return true;
    case NODE_SPECIAL:
        print_special(pr, n);
        return true;
    case NODE_CONSTRUCTION_VTABLE:
        cxx_put(pr, SPAN("construction vtable for "));
        print_pair(pr, n, SPAN("-in-"));
        return true;
    case NODE_REFERENCE_TEMPORARY:
        cxx_put(pr, SPAN("reference temporary #"));
        cxx_put_number(pr, n->number);
        cxx_put(pr, SPAN(" for "));
        cxx_print_node(pr, n->left);
        return true;
    case NODE_CLONE:
        print_pair(pr, n, SPAN(" [clone "));
        cxx_put_char(pr, ']');
        return true;
    default:
        return false;
    }
}

bool
cxx_visit(struct printer *pr)
{
    if (pr->depth >= DEPTH_MAX || pr->visited++ >= VISITS_MAX)
        pr->failed = true;
    if (pr->failed)
        return false;
    pr->depth++;
    return true;
}

bool
cxx_enter(struct printer *pr, struct node *n)
{
    if (n->printing >= PRINTING_MAX)
        pr->failed = true;
    if (!cxx_visit(pr))
        return false;
    n->printing++;
    return true;
}

void
cxx_leave(struct printer *pr, struct node *n)
{
    n->printing--;
    pr->depth--;
}

void
cxx_print_node(struct printer *pr, struct node *n)
{
    if (n->kind <= NODE_BUILTIN) {
        cxx_put(pr, span_of(n->text, n->number));
        return;
    }
    if (!cxx_enter(pr, n))
        return;
    if (cxx_is_compound_type(n))
        cxx_print_type(pr, n);
    else if (!print_name(pr, n) && !print_rare_name(pr, n) && !cxx_print_expression(pr, n))
        pr->failed = true;
    cxx_leave(pr, n);
}

bool
cxx_print(struct arena *a, struct node *tree, struct text *out)
{
    out->ptr = mem_grow(out->ptr, &out->cap, out->len + DEMANGLE_MAX, 1);
    char *start = out->ptr + out->len;
    struct printer pr = {.at = start, .end = start + DEMANGLE_MAX, .arena = a};
    cxx_print_node(&pr, tree);
    if (!pr.failed)
        out->len += (size_t)(pr.at - start);
    return !pr.failed;
}
