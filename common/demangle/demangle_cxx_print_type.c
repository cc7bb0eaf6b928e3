/* Prints types. C++ writes them around a name: the type of x in "int (*x(char)) [3]" is a function
 * of char, whose result is a pointer, to an array, of int. The tree has the function outermost and
 * int innermost. So on the way to int the types around it are pushed onto a chain. A function or an
 * array prints all of the chain around it, between its element type and its parameters or [3];
 * elements that are not printed that way are, innermost first, when what is inside them is. */
#include "common/demangle/demangle_cxx_print.h"

struct pending {
    struct node *node; /* a type, or the name in the middle */
    const struct scope *scope;
    struct pending *outer;
    bool printed;
};

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

static void print_function(struct printer *pr, struct node *n, struct pending *outer);
static void print_array(struct printer *pr, struct node *n, struct pending *outer);

/* Prints what is not yet printed of the chain, but for the qualifiers of functions. */
static void
print_chain(struct printer *pr, struct pending *p)
{
    const struct scope *scope = pr->scope;
    while (p != NULL && (p->printed || cxx_is_function_qualifier(p->node)))
        p = p->outer;
    if (p == NULL)
        return;
    p->printed = true;
    pr->scope = p->scope;
    if (p->node->kind == NODE_FUNCTION) {
        print_function(pr, p->node, p->outer);
    } else if (p->node->kind == NODE_ARRAY) {
        print_array(pr, p->node, p->outer);
    } else {
        print_declarator(pr, p->node);
        pr->scope = scope;
        print_chain(pr, p->outer);
    }
    pr->scope = scope;
}

/* Whether the chain around a function needs parentheses, and a space before them in any case. */
static bool
needs_parentheses(const struct pending *p, bool *space)
{
    for (; p != NULL && !p->printed; p = p->outer)
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

/* A function's qualifiers come last. */
static void
print_function(struct printer *pr, struct node *n, struct pending *outer)
{
    const struct scope *scope = pr->scope;
    struct pending *pending = pr->pending;
    bool space, parentheses = needs_parentheses(outer, &space);
    if (parentheses) {
        if (pr->last != ' ' && (space || (pr->last != '(' && pr->last != '*')))
            cxx_put_char(pr, ' ');
        cxx_put_char(pr, '(');
    }
    pr->pending = NULL;
    print_chain(pr, outer);
    if (parentheses)
        cxx_put_char(pr, ')');
    cxx_put_char(pr, '(');
    cxx_print_node(pr, n->right);
    cxx_put_char(pr, ')');
    for (struct pending *p = outer; p != NULL; p = p->outer)
        if (!p->printed) {
            p->printed = true;
            pr->scope = p->scope;
            print_declarator(pr, p->node);
        }
    pr->scope = scope;
    pr->pending = pending;
}

static void
print_array(struct printer *pr, struct node *n, struct pending *outer)
{
    const struct pending *p = outer;
    while (p != NULL && p->printed)
        p = p->outer;
    bool of_array = p != NULL && p->node->kind == NODE_ARRAY;
    bool parentheses = p != NULL && !of_array;
    if (parentheses)
        cxx_put(pr, SPAN(" ("));
    print_chain(pr, outer);
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
push(struct printer *pr, struct node *n, struct node *inner)
{
    struct pending p = {n, pr->scope, pr->pending, false};
    pr->pending = &p;
    cxx_print_node(pr, inner);
    if (!p.printed)
        print_declarator(pr, n);
    pr->pending = p.outer;
}

static bool
is_cv_qualifier(const struct node *n)
{
    return n->kind == NODE_CONST || n->kind == NODE_VOLATILE || n->kind == NODE_RESTRICT;
}

/* Of the same qualifiers in a row one is printed. */
static void
push_cv_qualifier(struct printer *pr, struct node *n)
{
    const struct pending *p = pr->pending;
    while (p != NULL && (p->printed || (is_cv_qualifier(p->node) && p->node->kind != n->kind)))
        p = p->outer;
    if (p != NULL && p->node->kind == n->kind)
        cxx_print_node(pr, n->left);
    else
        push(pr, n, n->left);
}

/* A function in the chain stands for the place of its result. */
static void
push_function(struct printer *pr, struct node *n)
{
    if (n->left != NULL) {
        struct pending p = {n, pr->scope, pr->pending, false};
        pr->pending = &p;
        cxx_print_node(pr, n->left);
        pr->pending = p.outer;
        if (p.printed)
            return;
        cxx_put_char(pr, ' ');
    }
    print_function(pr, n, pr->pending);
}

/* The qualifiers of an array are those of its elements: they are moved inside. */
static void
push_array(struct printer *pr, struct node *n)
{
    struct pending *outer = pr->pending, array = {n, pr->scope, outer, false}, moved[4];
    size_t count = 0;
    pr->pending = &array;
    for (struct pending *p = outer; p != NULL && is_cv_qualifier(p->node); p = p->outer)
        if (!p->printed && count < sizeof moved / sizeof *moved) {
            p->printed = true;
            moved[count] = (struct pending){p->node, p->scope, pr->pending, false};
            pr->pending = &moved[count++];
        }
    cxx_print_node(pr, n->left);
    pr->pending = outer;
    if (array.printed)
        return;
    while (count-- > 0)
        print_declarator(pr, moved[count].node);
    print_array(pr, n, outer);
}

static void
print_template_param(struct printer *pr, struct node *n)
{
    if (pr->lambda_params > 0) {
        cxx_print_lambda_param(pr, n->number);
        return;
    }
    const struct scope *scope = pr->scope;
    struct node *argument = cxx_argument(pr, n);
    if (argument == NULL)
        return;
    pr->scope = scope->outer;
    cxx_print_node(pr, argument);
    pr->scope = scope;
}

/* A reference to a reference is one reference, && only if both are. That matters where T_ in T_&
 * means a reference. T_ may be a substitution, that is of another function in the name: then it
 * means what it did when it was printed first. */
static void
push_reference(struct printer *pr, struct node *n)
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
        push(pr, n, inner);
    }
    pr->scope = scope;
}

void
cxx_print_type(struct printer *pr, struct node *n)
{
    switch (n->kind) {
    case NODE_TEMPLATE_PARAM:
        print_template_param(pr, n);
        break;
    case NODE_LVALUE_REFERENCE:
    case NODE_RVALUE_REFERENCE:
        push_reference(pr, n);
        break;
    case NODE_CONST:
    case NODE_VOLATILE:
    case NODE_RESTRICT:
        push_cv_qualifier(pr, n);
        break;
    case NODE_ARRAY:
        push_array(pr, n);
        break;
    case NODE_FUNCTION:
        push_function(pr, n);
        break;
    default:
        push(pr, n, n->left);
    }
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
        c->elements[c->count] = (struct pending){n, pr->scope, &c->elements[c->count - 1], false};
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
    c.elements[0] = (struct pending){name, scope, NULL, false};
    if (name->kind == NODE_LOCAL) {
        own = name->right->kind == NODE_DEFAULT_ARGUMENT ? name->right->left : name->right;
        own = push_qualifiers(pr, &c, own);
    }
    if (own->kind == NODE_TEMPLATE)
        pr->scope = cxx_scope(pr, own);
    struct pending *pending = pr->pending;
    pr->pending = &c.elements[c.count - 1];
    cxx_print_node(pr, n->right);
    pr->pending = pending;
    pr->scope = scope;
}
