/* Prints types. C++ writes them around a name: the type of x in "int (*x(char)) [3]" is a function
 * of char, whose result is a pointer, to an array, of int. The tree has the function outermost and
 * int innermost. So on the way to int the types around it are pushed onto a chain, and when int is
 * printed the chain is printed from its innermost element on. */
#include "common/sym/demangle_cxx_print.h"

struct pending {
    struct node *node; /* a type, or the name in the middle */
    const struct scope *scope;
    const struct pending *outer;
};

static void print_around(struct printer *pr, struct node *n, const struct pending *outer);

/* The name of a function inside another one. Its qualifiers are in the chain. */
static void
print_local_name(struct printer *pr, struct node *n)
{
    struct node *entity = n->right;
    cxx_print_node(pr, n->left);
    cxx_put(pr, SPAN("::"));
    if (entity->kind == NODE_DEFAULT_ARGUMENT) {
        cxx_put(pr, SPAN("{default arg#"));
        cxx_put_number(pr, (uint64_t)entity->number + 1);
        cxx_put(pr, SPAN("}::"));
        entity = entity->left;
    }
    while (cxx_is_function_qualifier(entity))
        entity = entity->left;
    cxx_print_node(pr, entity);
}

static void
print_member_pointer(struct printer *pr, struct node *class)
{
    if (pr->last != '(')
        cxx_put_char(pr, ' ');
    cxx_print_node(pr, class);
    cxx_put(pr, SPAN("::*"));
}

static void
put_operand(struct printer *pr, struct span before, struct node *operand)
{
    cxx_put(pr, before);
    if (operand == NULL)
        return;
    cxx_put_char(pr, '(');
    cxx_print_node(pr, operand);
    cxx_put_char(pr, ')');
}

static void
print_declarator(struct printer *pr, struct node *n)
{
    static const struct span words[] = {
        [NODE_POINTER] = SPAN("*"),
        [NODE_LVALUE_REFERENCE] = SPAN("&"),
        [NODE_RVALUE_REFERENCE] = SPAN("&&"),
        [NODE_COMPLEX] = SPAN(" _Complex"),
        [NODE_IMAGINARY] = SPAN(" _Imaginary"),
        [NODE_CONST] = SPAN(" const"),
        [NODE_VOLATILE] = SPAN(" volatile"),
        [NODE_RESTRICT] = SPAN(" restrict"),
        [NODE_CONST_THIS] = SPAN(" const"),
        [NODE_VOLATILE_THIS] = SPAN(" volatile"),
        [NODE_RESTRICT_THIS] = SPAN(" restrict"),
        [NODE_LVALUE_THIS] = SPAN(" &"),
        [NODE_RVALUE_THIS] = SPAN(" &&"),
        [NODE_TRANSACTION_SAFE] = SPAN(" transaction_safe"),
    };
    switch (n->kind) {
    case NODE_MEMBER_POINTER:
        print_member_pointer(pr, n->right);
        break;
    case NODE_VENDOR_QUALIFIER:
        cxx_put_char(pr, ' ');
        cxx_print_node(pr, n->right);
        break;
    case NODE_VECTOR:
        put_operand(pr, SPAN(" __vector"), n->right);
        break;
    case NODE_NOEXCEPT:
        put_operand(pr, SPAN(" noexcept"), n->right);
        break;
    case NODE_THROW:
        put_operand(pr, SPAN(" throw"), n->right);
        break;
    case NODE_LOCAL:
        print_local_name(pr, n);
        break;
    default:
        if (cxx_is_compound_type(n))
            cxx_put(pr, words[n->kind]);
        else
            cxx_print_node(pr, n);
    }
}

static void print_function(struct printer *pr, struct node *n, const struct pending *outer);
static void print_array(struct printer *pr, struct node *n, const struct pending *outer);

/* Prints the chain. `at_start`: what was printed is a type, and no parenthesis. */
static void
print_chain(struct printer *pr, const struct pending *p, bool at_start)
{
    const struct scope *scope = pr->scope;
    for (; p != NULL; p = p->outer) {
        pr->scope = p->scope;
        if (p->node->kind == NODE_FUNCTION) {
            if (at_start)
                cxx_put_char(pr, ' ');
            print_function(pr, p->node, p->outer);
            break;
        }
        if (p->node->kind == NODE_ARRAY) {
            print_array(pr, p->node, p->outer);
            break;
        }
        print_declarator(pr, p->node);
    }
    pr->scope = scope;
}

/* Whether the chain around a function needs parentheses, and a space before them in any case. */
static bool
needs_parentheses(const struct pending *p, bool *space)
{
    for (; p != NULL; p = p->outer)
        switch (p->node->kind) {
        case NODE_POINTER:
        case NODE_LVALUE_REFERENCE:
        case NODE_RVALUE_REFERENCE:
            *space = false;
            return true;
        case NODE_COMPLEX:
        case NODE_IMAGINARY:
        case NODE_CONST:
        case NODE_VOLATILE:
        case NODE_RESTRICT:
        case NODE_VENDOR_QUALIFIER:
        case NODE_MEMBER_POINTER:
            *space = true;
            return true;
        default:
            break;
        }
    return false;
}

/* A function's qualifiers are the first elements of the chain around it. They come last. */
static void
print_function(struct printer *pr, struct node *n, const struct pending *outer)
{
    const struct pending *inside = outer;
    const struct scope *scope = pr->scope;
    bool space, parentheses = needs_parentheses(outer, &space);
    if (parentheses) {
        if (pr->last != ' ' && (space || (pr->last != '(' && pr->last != '*')))
            cxx_put_char(pr, ' ');
        cxx_put_char(pr, '(');
    }
    while (inside != NULL && cxx_is_function_qualifier(inside->node))
        inside = inside->outer;
    print_chain(pr, inside, false);
    if (parentheses)
        cxx_put_char(pr, ')');
    cxx_put_char(pr, '(');
    cxx_print_node(pr, n->right);
    cxx_put_char(pr, ')');
    for (; outer != inside; outer = outer->outer) {
        pr->scope = outer->scope;
        print_declarator(pr, outer->node);
    }
    pr->scope = scope;
}

static void
print_array(struct printer *pr, struct node *n, const struct pending *outer)
{
    bool of_array = outer != NULL && outer->node->kind == NODE_ARRAY;
    bool parentheses = outer != NULL && !of_array;
    if (parentheses)
        cxx_put(pr, SPAN(" ("));
    print_chain(pr, outer, false);
    if (parentheses)
        cxx_put_char(pr, ')');
    if (!of_array)
        cxx_put_char(pr, ' ');
    cxx_put_char(pr, '[');
    if (n->right != NULL)
        cxx_print_node(pr, n->right);
    cxx_put_char(pr, ']');
}

static void
push(struct printer *pr, struct node *n, struct node *inner, const struct pending *outer)
{
    struct pending p = {n, pr->scope, outer};
    print_around(pr, inner, &p);
}

/* The qualifiers of an array are those of its elements. */
static void
push_array(struct printer *pr, struct node *n, const struct pending *outer)
{
    enum { MAX = 8 };
    struct pending array = {n, pr->scope, NULL}, moved[MAX];
    const struct pending *head = &array;
    for (size_t i = 0; outer != NULL && i < MAX; i++, outer = outer->outer) {
        if (outer->node->kind < NODE_CONST || outer->node->kind > NODE_RESTRICT)
            break;
        moved[i] = (struct pending){outer->node, outer->scope, head};
        head = &moved[i];
    }
    array.outer = outer;
    print_around(pr, n->left, head);
}

static void
print_template_param(struct printer *pr, struct node *n, const struct pending *outer)
{
    if (pr->lambda_params > 0) {
        cxx_print_lambda_param(pr, n->number);
        print_chain(pr, outer, true);
        return;
    }
    const struct scope *scope = pr->scope;
    struct node *argument = cxx_argument(pr, n);
    if (argument == NULL)
        return;
    pr->scope = scope->outer;
    print_around(pr, argument, outer);
    pr->scope = scope;
}

/* A reference to a reference is one reference, && only if both are. That matters where T_ in T_&
 * means a reference. T_ may be a substitution, that is of another function in the name: then it
 * means what it did when it was printed first. */
static void
push_reference(struct printer *pr, struct node *n, const struct pending *outer)
{
    const struct scope *scope = pr->scope;
    struct node *param = n->left, *inner = n->left, *to = n->left;
    if (param->kind == NODE_TEMPLATE_PARAM && pr->lambda_params == 0) {
        if (!param->scope_known) {
            param->scope_known = true;
            param->scope = scope;
        } else if (param->printing == 0 && n->printing == 1) {
            pr->scope = param->scope;
        }
        to = cxx_argument(pr, param);
    }
    if (to != NULL) {
        if (to->kind == NODE_LVALUE_REFERENCE || to->kind == n->kind) {
            n = to;
            inner = to->left;
        } else if (to->kind == NODE_RVALUE_REFERENCE) {
            inner = to->left;
        }
        push(pr, n, inner, outer);
    }
    pr->scope = scope;
}

/* Prints n, and the chain around it. */
static void
print_around(struct printer *pr, struct node *n, const struct pending *outer)
{
    if (!cxx_is_compound_type(n)) {
        cxx_print_node(pr, n);
        print_chain(pr, outer, true);
        return;
    }
    if (!cxx_enter(pr, n))
        return;
    switch (n->kind) {
    case NODE_TEMPLATE_PARAM:
        print_template_param(pr, n, outer);
        break;
    case NODE_LVALUE_REFERENCE:
    case NODE_RVALUE_REFERENCE:
        push_reference(pr, n, outer);
        break;
    case NODE_ARRAY:
        push_array(pr, n, outer);
        break;
    case NODE_FUNCTION:
        if (n->left == NULL) {
            print_function(pr, n, outer);
            break;
        } /* fall through */
    default:
        push(pr, n, n->left, outer);
    }
    cxx_leave(pr, n);
}

void
cxx_print_type(struct printer *pr, struct node *n)
{
    print_around(pr, n, NULL);
}

/* The chain for a function's type: the qualifiers of its name, and then the name. */
struct name_chain {
    struct pending elements[8];
    size_t count;
};

static struct node *
push_qualifiers(struct printer *pr, struct name_chain *c, struct node *n)
{
    while (cxx_is_function_qualifier(n)) {
        if (c->count == sizeof c->elements / sizeof *c->elements) {
            pr->failed = true;
            return n;
        }
        c->elements[c->count] = (struct pending){n, pr->scope, &c->elements[c->count - 1]};
        c->count++;
        n = n->left;
    }
    return n;
}

void
cxx_print_typed(struct printer *pr, struct node *n)
{
    const struct scope *scope = pr->scope;
    struct name_chain c = {.count = 1};
    struct node *name = push_qualifiers(pr, &c, n->left), *own = name;
    c.elements[0] = (struct pending){name, scope, NULL};
    if (name->kind == NODE_LOCAL) {
        own = name->right->kind == NODE_DEFAULT_ARGUMENT ? name->right->left : name->right;
        own = push_qualifiers(pr, &c, own);
    }
    if (own->kind == NODE_TEMPLATE)
        pr->scope = cxx_scope(pr, own);
    print_around(pr, n->right, &c.elements[c.count - 1]);
    pr->scope = scope;
}
