/* C++ writes types around a name: the type of x in "int (*x(char)) [3]" is a function of char that
 * returns a pointer to an array of int. The tree has the function outermost and int innermost. So
 * on the way down to int, the surrounding types are pushed onto a chain. A function or an array
 * prints the whole chain around it, between its element type and its parameters or [3]. Elements
 * not printed that way are printed, innermost first, after the type inside them. */
#include "common/demangle/cxx_print.h"

#include "common/demangle/cxx_writer.h"
#include "common/demangle/limits.h"

/* Limit for nodes that refer to themselves: how often the same node may be open at a time. */
enum { PRINTING_MAX = 2 };

static void
print_numbered(struct printer *pr, struct span before, const struct node *n, struct span after)
{
    cxx_put(pr, before);
    cxx_put_number(pr, (uint64_t)n->number + 1);
    cxx_put(pr, after);
}

static void print_node(struct printer *pr, struct node *n);
static void print_operand(struct printer *pr, struct node *n);

static void
put_parenthesized(struct printer *pr, struct node *n)
{
    cxx_put_char(pr, '(');
    print_node(pr, n);
    cxx_put_char(pr, ')');
}

/* Print operator+, operator new. */
static void
print_operator_name(struct printer *pr, const struct node *n)
{
    struct span name = span_trim(cxx_operators[n->number].name);
    cxx_put(pr, SPAN("operator"));
    if ((name.ptr[0] >= 'a' && name.ptr[0] <= 'z'))
        cxx_put_char(pr, ' ');
    cxx_put(pr, name);
}

/* Print Foo.Bar, Foo:Partition. */
static void
print_module(struct printer *pr, struct node *n)
{
    if (n->left != NULL)
        print_node(pr, n->left);
    if (n->kind == NODE_PARTITION)
        cxx_put_char(pr, ':');
    else if (n->left != NULL)
        cxx_put_char(pr, '.');
    print_node(pr, n->right);
}

/* Print the elements of a list, separated by commas. An element that prints nothing, an empty pack,
 * keeps its comma, "f<, int>", except at the end. */
static void
print_list(struct printer *pr, struct node *list)
{
    char *end = pr->at;
    for (struct node *n = list; n != NULL; n = n->right) {
        if (n != list)
            cxx_put(pr, SPAN(", "));
        const char *before = pr->at;
        if (n->left != NULL)
            print_node(pr, n->left);
        if (pr->at > before)
            end = pr->at;
    }
    pr->at = end;
}

static void
print_arguments(struct printer *pr, struct node *arguments)
{
    if (pr->last == '<')
        cxx_put_char(pr, ' ');
    cxx_put_char(pr, '<');
    print_node(pr, arguments);
    if (pr->last == '>')
        cxx_put_char(pr, ' ');
    cxx_put_char(pr, '>');
}

static void
print_template(struct printer *pr, struct node *n)
{
    const struct node *around = pr->template_around;
    struct pending *pending = pr->pending;
    pr->template_around = n;
    pr->pending = NULL;
    print_node(pr, n->left);
    print_arguments(pr, n->right);
    pr->template_around = around;
    pr->pending = pending;
}

/* In "operator T_<int>", T_ means an argument that comes after it. If T_ is followed by arguments,
 * they belong to the operator. */
static void
print_conversion(struct printer *pr, struct node *n)
{
    const struct scope *scope = pr->scope;
    struct node *type = n->left;
    cxx_put(pr, SPAN("operator "));
    if (pr->template_around != NULL)
        pr->scope = cxx_new_scope(pr, pr->template_around);
    if (type->kind == NODE_TEMPLATE && type->left->kind == NODE_TEMPLATE_PARAM) {
        print_node(pr, type->left);
        pr->scope = scope;
        print_arguments(pr, type->right);
    } else {
        print_node(pr, type);
    }
    pr->scope = scope;
}

/* Print the pattern once for each element of its pack. If that is a pack of function parameters,
 * print the pattern unchanged. As in c++filt, T_ still means the last element after the
 * expansion. */
static void
print_pack(struct printer *pr, struct node *n)
{
    struct node *pack = pr->lambda_params == 0 ? cxx_find_pack(pr, n->left) : NULL;
    if (pack == NULL) {
        print_operand(pr, n->left);
        cxx_put(pr, SPAN("..."));
        return;
    }
    uint32_t count = cxx_length(pack);
    for (uint32_t i = 0; i < count && !pr->failed; i++) {
        if (i > 0)
            cxx_put(pr, SPAN(", "));
        pr->pack_index = (long)i;
        print_node(pr, n->left);
    }
}

static void
print_head_param(struct printer *pr, struct node *param)
{
    switch (param->kind) {
    case NODE_TYPE_PARAM:
        if (param->left == NULL) {
            cxx_put(pr, SPAN("typename"));
            break;
        }
        print_node(pr, param->left);
        break;
    case NODE_VALUE_PARAM:
        print_node(pr, param->left);
        break;
    case NODE_PACK_PARAM:
        print_head_param(pr, param->left);
        cxx_put(pr, SPAN("..."));
        break;
    default: /* NODE_TEMPLATE_TEMPLATE_PARAM */
        cxx_put(pr, SPAN("template<"));
        for (struct node *n = param->left->left; n != NULL; n = n->right) {
            print_head_param(pr, n);
            if (n->right != NULL)
                cxx_put(pr, SPAN(", "));
        }
        cxx_put(pr, SPAN("> class"));
    }
}

/* Print $T0, $N1, $TT2: the kind of a parameter and its number. */
static void
print_head_param_name(struct printer *pr, const struct node *param, uint32_t index)
{
    if (param->kind == NODE_PACK_PARAM)
        param = param->left;
    if (param->kind == NODE_TYPE_PARAM)
        cxx_put(pr, SPAN("$T"));
    else
        cxx_put(pr, param->kind == NODE_VALUE_PARAM ? SPAN("$N") : SPAN("$TT"));
    cxx_put_number(pr, index);
}

/* Print a template parameter among a lambda's parameters. It was declared in the lambda's head, or
 * made by the compiler for `auto`. */
static void
print_lambda_param(struct printer *pr, uint32_t index)
{
    if (index + 1 >= pr->lambda_params) {
        cxx_put(pr, SPAN("auto:"));
        cxx_put_number(pr, (uint64_t)index + 1);
        return;
    }
    const struct node *head = pr->scope != NULL ? pr->scope->template : NULL, *param = NULL;
    if (head != NULL && head->kind == NODE_HEAD)
        param = head->left;
    for (uint32_t i = 0; i < index && param != NULL; i++)
        param = param->right;
    if (param != NULL)
        print_head_param_name(pr, param, index);
    else
        pr->failed = true;
}

static void
print_head(struct printer *pr, const struct node *head)
{
    cxx_put_char(pr, '<');
    for (struct node *n = head->left; n != NULL; n = n->right) {
        if (pr->lambda_params++ > 0)
            cxx_put(pr, SPAN(", "));
        print_head_param(pr, n);
        cxx_put_char(pr, ' ');
        print_head_param_name(pr, n, pr->lambda_params - 1);
        if (n->kind == NODE_PACK_PARAM)
            break; /* after a pack, c++filt prints none */
    }
    cxx_put_char(pr, '>');
}

/* Print {lambda(int, auto:1)#1}, {lambda<typename $T0>($T0)#1}. */
static void
print_lambda(struct printer *pr, struct node *n)
{
    const struct scope *scope = pr->scope;
    uint32_t lambda_params = pr->lambda_params;
    pr->lambda_params = 0;
    cxx_put(pr, SPAN("{lambda"));
    if (n->right != NULL) {
        pr->scope = cxx_new_scope(pr, n->right);
        print_head(pr, n->right);
    }
    pr->lambda_params++;
    cxx_put_char(pr, '(');
    print_node(pr, n->left);
    pr->lambda_params = lambda_params;
    pr->scope = scope;
    cxx_put(pr, SPAN(")#"));
    cxx_put_number(pr, (uint64_t)n->number + 1);
    cxx_put_char(pr, '}');
}
static void
print_operand(struct printer *pr, struct node *n)
{
    if (n->kind == NODE_NAME || n->kind == NODE_QUALIFIED || n->kind == NODE_INITIALIZERS ||
        n->kind == NODE_FUNCTION_PARAM)
        print_node(pr, n);
    else
        put_parenthesized(pr, n);
}

static void
put_operator(struct printer *pr, uint32_t op)
{
    cxx_put(pr, cxx_operators[op].name);
}

/* Print an operator as in an expression. */
static void
print_operator(struct printer *pr, struct node *op)
{
    if (op->kind == NODE_OPERATOR)
        put_operator(pr, op->number);
    else if (op->kind == NODE_CAST)
        put_parenthesized(pr, op->left);
    else
        print_node(pr, op);
}

static bool
is_operator(const struct node *op, const char code[static 2])
{
    return op->kind == NODE_OPERATOR && cxx_operator_is(op->number, code);
}

static void
print_unary(struct printer *pr, struct node *op, struct node *operand)
{
    if (is_operator(op, "sZ")) {
        cxx_put_number(pr, cxx_length(cxx_find_pack(pr, operand)));
        return;
    }
    if (is_operator(op, "sP")) {
        cxx_put_number(pr, cxx_argument_count(pr, operand));
        return;
    }
    /* The address of a member function is the address of a name. */
    if (is_operator(op, "ad") && operand->kind == NODE_TYPED &&
        operand->left->kind == NODE_QUALIFIED && operand->right->kind == NODE_FUNCTION)
        operand = operand->left;
    print_operator(pr, op);
    if (is_operator(op, "gs"))
        print_node(pr, operand);
    else if (is_operator(op, "st"))
        put_parenthesized(pr, operand);
    else
        print_operand(pr, operand);
}

/* Print (...+T), (T+...), (T+...+1). T stands for all elements of its pack. */
static void
print_fold(struct printer *pr, uint32_t op, struct node *folded, struct node *first,
           struct node *second)
{
    char code = cxx_operators[op].code[1];
    long pack_index = pr->pack_index;
    pr->pack_index = -1;
    cxx_put_char(pr, '(');
    if (code != 'l') {
        print_operand(pr, first);
        print_operator(pr, folded);
    }
    cxx_put(pr, SPAN("..."));
    if (code != 'r') {
        print_operator(pr, folded);
        print_operand(pr, second);
    }
    cxx_put_char(pr, ')');
    pr->pack_index = pack_index;
}

static bool
is_designator(const struct node *n)
{
    return (n->kind == NODE_BINARY &&
            (cxx_operator_is(n->number, "di") || cxx_operator_is(n->number, "dx"))) ||
           (n->kind == NODE_TERNARY && cxx_operator_is(n->number, "dX"));
}

/* Print .a=(1), [0]=(1), [0 ... 9]=(1); .a[0]=(1). */
static void
print_designator(struct printer *pr, struct node *n)
{
    struct node *value = n->right;
    cxx_put_char(pr, cxx_operator_is(n->number, "di") ? '.' : '[');
    print_node(pr, n->left);
    if (n->kind == NODE_TERNARY) {
        cxx_put(pr, SPAN(" ... "));
        print_node(pr, value->left);
        value = value->right;
    }
    if (!cxx_operator_is(n->number, "di"))
        cxx_put_char(pr, ']');
    if (is_designator(value)) {
        print_node(pr, value);
    } else {
        cxx_put_char(pr, '=');
        print_operand(pr, value);
    }
}

/* Print static_cast<int>(x). */
static void
print_named_cast(struct printer *pr, struct node *n)
{
    put_operator(pr, n->number);
    cxx_put_char(pr, '<');
    print_node(pr, n->left);
    cxx_put_char(pr, '>');
    put_parenthesized(pr, n->right);
}

/* Print a call. Do not print the types of the called function's parameters. */
static void
print_call(struct printer *pr, struct node *n)
{
    struct node *function = n->left;
    print_operand(pr, function->kind == NODE_TYPED ? function->left : function);
    print_operand(pr, n->right);
}

static void
print_subscript(struct printer *pr, struct node *n)
{
    print_operand(pr, n->left);
    cxx_put_char(pr, '[');
    print_node(pr, n->right);
    cxx_put_char(pr, ']');
}

/* Print an expression with two operands. Parenthesize one with >, so that it does not look like the
 * end of template arguments. */
static void
print_infix(struct printer *pr, struct node *n)
{
    bool greater = cxx_operator_is(n->number, "gt");
    if (greater)
        cxx_put_char(pr, '(');
    print_operand(pr, n->left);
    put_operator(pr, n->number);
    print_operand(pr, n->right);
    if (greater)
        cxx_put_char(pr, ')');
}

static void
print_binary(struct printer *pr, struct node *n)
{
    uint32_t op = n->number;
    if (cxx_is_named_cast(op))
        print_named_cast(pr, n);
    else if (cxx_operators[op].code[0] == 'f')
        print_fold(pr, op, n->left, n->right, n->right);
    else if (is_designator(n))
        print_designator(pr, n);
    else if (cxx_operator_is(op, "cl"))
        print_call(pr, n);
    else if (cxx_operator_is(op, "ix"))
        print_subscript(pr, n);
    else
        print_infix(pr, n);
}

/* Print new (where) T(initial). The list of places is usually empty. */
static void
print_new(struct printer *pr, struct node *places, struct node *type, struct node *initial)
{
    cxx_put(pr, SPAN("new "));
    if (places->left != NULL) {
        print_operand(pr, places);
        cxx_put_char(pr, ' ');
    }
    print_node(pr, type);
    if (initial != NULL)
        print_operand(pr, initial);
}

static void
print_ternary(struct printer *pr, struct node *n)
{
    struct node *second = n->right->left, *third = n->right->right;
    if (cxx_operators[n->number].code[0] == 'f') {
        print_fold(pr, n->number, n->left, second, third);
    } else if (is_designator(n)) {
        print_designator(pr, n);
    } else if (cxx_operator_is(n->number, "qu")) {
        print_operand(pr, n->left);
        put_operator(pr, n->number);
        print_operand(pr, second);
        cxx_put(pr, SPAN(" : "));
        print_operand(pr, third);
    } else {
        print_new(pr, n->left, second, third);
    }
}

/* Print false, 5ul, -5, (short)5, (double)[4014000000000000]. */
static void
print_literal(struct printer *pr, struct node *n)
{
    static const struct span suffixes[] = {
        [LITERAL_INT] = SPAN(""),         [LITERAL_UNSIGNED] = SPAN("u"),
        [LITERAL_LONG] = SPAN("l"),       [LITERAL_UNSIGNED_LONG] = SPAN("ul"),
        [LITERAL_LONG_LONG] = SPAN("ll"), [LITERAL_UNSIGNED_LONG_LONG] = SPAN("ull"),
    };
    struct node *type = n->left, *value = n->right;
    bool minus = n->kind == NODE_NEGATIVE_LITERAL;
    if (type->literal == LITERAL_BOOL && !minus && value->number == 1 &&
        (*value->text == '0' || *value->text == '1')) {
        cxx_put(pr, *value->text == '1' ? SPAN("true") : SPAN("false"));
        return;
    }
    if (type->literal < LITERAL_INT)
        put_parenthesized(pr, type);
    if (minus)
        cxx_put_char(pr, '-');
    if (type->literal == LITERAL_FLOAT)
        cxx_put_char(pr, '[');
    print_node(pr, value);
    if (type->literal == LITERAL_FLOAT)
        cxx_put_char(pr, ']');
    if (type->literal >= LITERAL_INT)
        cxx_put(pr, suffixes[type->literal]);
}

static void
print_function_param(struct printer *pr, const struct node *n)
{
    if (n->number == 0) {
        cxx_put(pr, SPAN("this"));
        return;
    }
    cxx_put(pr, SPAN("{parm#"));
    cxx_put_number(pr, n->number);
    cxx_put_char(pr, '}');
}

struct pending {
    struct node *node; /* a type, or the name in the middle */
    const struct scope *scope;
    struct pending *outer;
    bool printed;
};

/* Print the name of a function inside another one. Its qualifiers are in the chain. */
static void
print_local_name(struct printer *pr, struct node *n)
{
    struct node *entity = n->right;
    print_node(pr, n->left);
    cxx_put(pr, SPAN("::"));
    if (entity->kind == NODE_DEFAULT_ARGUMENT) {
        print_numbered(pr, SPAN("{default arg#"), entity, SPAN("}::"));
        entity = entity->left;
    }
    while (cxx_is_function_qualifier(entity))
        entity = entity->left;
    print_node(pr, entity);
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
        [NODE_VECTOR] = SPAN(" __vector"),
        [NODE_TRANSACTION_SAFE] = SPAN(" transaction_safe"),
        [NODE_NOEXCEPT] = SPAN(" noexcept"),
        [NODE_THROW] = SPAN(" throw"),
    };
    switch (n->kind) {
    case NODE_MEMBER_POINTER:
        if (pr->last != '(')
            cxx_put_char(pr, ' ');
        print_node(pr, n->right);
        cxx_put(pr, SPAN("::*"));
        break;
    case NODE_VENDOR_QUALIFIER:
        cxx_put_char(pr, ' ');
        print_node(pr, n->right);
        break;
    case NODE_VECTOR:
    case NODE_NOEXCEPT:
    case NODE_THROW:
        cxx_put(pr, words[n->kind]);
        if (n->right != NULL)
            put_parenthesized(pr, n->right);
        break;
    case NODE_LOCAL:
        print_local_name(pr, n);
        break;
    default:
        if (cxx_is_compound_type(n))
            cxx_put(pr, words[n->kind]);
        else
            print_node(pr, n);
    }
}

static void print_function(struct printer *pr, struct node *n, struct pending *outer);
static void print_array(struct printer *pr, struct node *n, struct pending *outer);

/* Print the elements of the chain that were not yet printed, except the qualifiers of functions. */
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

/* Return true if the chain around a function needs parentheses. Set *space if a space must come
 * before them. */
static bool
needs_parentheses(const struct pending *p, bool *space)
{
    for (; p != NULL && !p->printed; p = p->outer) {
        enum node_kind kind = p->node->kind;
        *space = kind > NODE_RVALUE_REFERENCE;
        if (kind >= NODE_POINTER && kind <= NODE_MEMBER_POINTER && kind != NODE_VECTOR)
            return true;
    }
    return false;
}

/* Print a function. Its qualifiers come last. */
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
    print_node(pr, n->right);
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
        print_node(pr, n->right);
    cxx_put_char(pr, ']');
}

static void
push(struct printer *pr, struct node *n, struct node *inner)
{
    struct pending p = {n, pr->scope, pr->pending, false};
    pr->pending = &p;
    print_node(pr, inner);
    if (!p.printed)
        print_declarator(pr, n);
    pr->pending = p.outer;
}

static bool
is_cv_qualifier(const struct node *n)
{
    return n->kind >= NODE_CONST && n->kind <= NODE_RESTRICT;
}

/* Add a qualifier to the chain, or skip it if the same one is already there. */
static void
push_cv_qualifier(struct printer *pr, struct node *n)
{
    const struct pending *p = pr->pending;
    while (p != NULL && (p->printed || (is_cv_qualifier(p->node) && p->node->kind != n->kind)))
        p = p->outer;
    if (p != NULL && p->node->kind == n->kind)
        print_node(pr, n->left);
    else
        push(pr, n, n->left);
}

/* Add a function to the chain, then print its result type. */
static void
push_function(struct printer *pr, struct node *n)
{
    if (n->left != NULL) {
        struct pending p = {n, pr->scope, pr->pending, false};
        pr->pending = &p;
        print_node(pr, n->left);
        pr->pending = p.outer;
        if (p.printed)
            return;
        cxx_put_char(pr, ' ');
    }
    print_function(pr, n, pr->pending);
}

/* Add an array to the chain. Its qualifiers belong to its elements: move them inside. */
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
    print_node(pr, n->left);
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
        print_lambda_param(pr, n->number);
        return;
    }
    const struct scope *scope = pr->scope;
    struct node *argument = cxx_argument(pr, n);
    if (argument == NULL)
        return;
    pr->scope = scope->outer;
    print_node(pr, argument);
    pr->scope = scope;
}

/* Add a reference to the chain. A reference to a reference is one reference; it is && only if both
 * are. This matters if T_ in T_& means a reference. If T_ comes from a substitution, it belongs to
 * another function in the name, and means the same as when it was first printed. */
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

static void
print_type(struct printer *pr, struct node *n)
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

/* The chain for a function's type: the qualifiers of its name, then the name. */
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

static void
print_typed(struct printer *pr, struct node *n)
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
        pr->scope = cxx_new_scope(pr, own);
    struct pending *pending = pr->pending;
    pr->pending = &c.elements[c.count - 1];
    print_node(pr, n->right);
    pr->pending = pending;
    pr->scope = scope;
}

/* Nodes with fixed text: before the left child, between the children, after the right child. */
static const struct around {
    struct span before, between, after;
} around[] = {
    [NODE_QUALIFIED] = {SPAN(""), SPAN("::"), SPAN("")},
    [NODE_LOCAL] = {SPAN(""), SPAN("::"), SPAN("")},
    [NODE_CONSTRUCTOR] = {SPAN(""), SPAN(""), SPAN("")},
    [NODE_DESTRUCTOR] = {SPAN("~"), SPAN(""), SPAN("")},
    [NODE_VENDOR_OPERATOR] = {SPAN("operator "), SPAN(""), SPAN("")},
    [NODE_LITERAL_OPERATOR] = {SPAN("operator\"\" "), SPAN(""), SPAN("")},
    [NODE_TAGGED] = {SPAN(""), SPAN("[abi:"), SPAN("]")},
    [NODE_MODULE_ENTITY] = {SPAN(""), SPAN("@"), SPAN("")},
    [NODE_SPECIAL] = {SPAN(""), SPAN(""), SPAN("")},
    [NODE_CONSTRUCTION_VTABLE] = {SPAN("construction vtable for "), SPAN("-in-"), SPAN("")},
    [NODE_CLONE] = {SPAN(""), SPAN(" [clone "), SPAN("]")},
    [NODE_DECLTYPE] = {SPAN("decltype ("), SPAN(""), SPAN(")")},
    [NODE_INITIALIZERS] = {SPAN(""), SPAN("{"), SPAN("}")},
    [NODE_VENDOR_CALL] = {SPAN(""), SPAN("("), SPAN(")")},
};

/* Print a node that is in the table. Return false for any other node. */
static bool
print_around(struct printer *pr, struct node *n)
{
    if (n->kind >= sizeof around / sizeof *around || around[n->kind].before.ptr == NULL)
        return false;
    const struct around *a = &around[n->kind];
    cxx_put(pr, a->before);
    if (n->left != NULL)
        print_node(pr, n->left);
    cxx_put(pr, a->between);
    if (n->right != NULL)
        print_node(pr, n->right);
    cxx_put(pr, a->after);
    return true;
}

static void
print_other(struct printer *pr, struct node *n)
{
    switch (n->kind) {
    case NODE_TEMPLATE:
        print_template(pr, n);
        break;
    case NODE_TYPED:
        print_typed(pr, n);
        break;
    case NODE_OPERATOR:
        print_operator_name(pr, n);
        break;
    case NODE_CONVERSION:
        print_conversion(pr, n);
        break;
    case NODE_LAMBDA:
        print_lambda(pr, n);
        break;
    case NODE_UNNAMED:
        print_numbered(pr, SPAN("{unnamed type#"), n, SPAN("}"));
        break;
    case NODE_DEFAULT_ARGUMENT:
        print_numbered(pr, SPAN("{default arg#"), n, SPAN("}::"));
        print_node(pr, n->left);
        break;
    case NODE_REFERENCE_TEMPORARY:
        cxx_put(pr, SPAN("reference temporary #"));
        cxx_put_number(pr, n->number);
        cxx_put(pr, SPAN(" for "));
        print_node(pr, n->left);
        break;
    case NODE_BINDING:
        cxx_put_char(pr, '[');
        print_list(pr, n);
        cxx_put_char(pr, ']');
        break;
    case NODE_MODULE:
    case NODE_PARTITION:
        print_module(pr, n);
        break;
    case NODE_LIST:
    case NODE_ARGUMENTS:
        print_list(pr, n);
        break;
    case NODE_LITERAL:
    case NODE_NEGATIVE_LITERAL:
        print_literal(pr, n);
        break;
    case NODE_PACK:
        print_pack(pr, n);
        break;
    case NODE_FUNCTION_PARAM:
        print_function_param(pr, n);
        break;
    case NODE_NULLARY:
        print_operator(pr, n->left);
        break;
    case NODE_UNARY:
        print_unary(pr, n->left, n->right);
        break;
    case NODE_POSTFIX:
        print_operand(pr, n->right);
        print_operator(pr, n->left);
        break;
    case NODE_BINARY:
        print_binary(pr, n);
        break;
    case NODE_TERNARY:
        print_ternary(pr, n);
        break;
    default:
        pr->failed = true;
    }
}

static void
print_node(struct printer *pr, struct node *n)
{
    if (n->kind <= NODE_BUILTIN) {
        cxx_put(pr, span_of(n->text, n->number));
        return;
    }
    if (n->printing >= PRINTING_MAX)
        pr->failed = true;
    if (!cxx_visit(pr))
        return;
    n->printing++;
    if (cxx_is_compound_type(n))
        print_type(pr, n);
    else if (!print_around(pr, n))
        print_other(pr, n);
    n->printing--;
    pr->depth--;
}

bool
cxx_print(struct arena *a, struct node *tree, size_t most, struct text *out)
{
    out->ptr = mem_grow(out->ptr, &out->cap, out->len + DEMANGLE_MAX, 1);
    char *start = out->ptr + out->len;
    struct printer pr = {.at = start, .end = start + most, .arena = a};
    print_node(&pr, tree);
    if (!pr.failed)
        out->len += (size_t)(pr.at - start);
    return !pr.failed;
}
