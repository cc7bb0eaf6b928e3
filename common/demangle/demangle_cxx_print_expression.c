/* Prints expressions. Operands are in parentheses, unless they are names. */
#include "common/demangle/demangle_cxx_print.h"

static void
put_parenthesized(struct printer *pr, struct node *n)
{
    cxx_put_char(pr, '(');
    cxx_print_node(pr, n);
    cxx_put_char(pr, ')');
}

void
cxx_print_operand(struct printer *pr, struct node *n)
{
    if (n->kind == NODE_NAME || n->kind == NODE_QUALIFIED || n->kind == NODE_INITIALIZERS ||
        n->kind == NODE_FUNCTION_PARAM)
        cxx_print_node(pr, n);
    else
        put_parenthesized(pr, n);
}

static void
put_operator(struct printer *pr, uint32_t op)
{
    cxx_put(pr, cxx_operators[op].name);
}

/* An operator, as it is written in an expression. */
static void
print_operator(struct printer *pr, struct node *op)
{
    if (op->kind == NODE_OPERATOR)
        put_operator(pr, op->number);
    else if (op->kind == NODE_CAST)
        put_parenthesized(pr, op->left);
    else
        cxx_print_node(pr, op);
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
        cxx_put_number(pr, cxx_pack_length(pr, operand));
        return;
    }
    if (is_operator(op, "sP")) {
        cxx_put_number(pr, cxx_argument_count(pr, operand));
        return;
    }
    /* The address of a member function is that of a name. */
    if (is_operator(op, "ad") && operand->kind == NODE_TYPED &&
        operand->left->kind == NODE_QUALIFIED && operand->right->kind == NODE_FUNCTION)
        operand = operand->left;
    print_operator(pr, op);
    if (is_operator(op, "gs"))
        cxx_print_node(pr, operand);
    else if (is_operator(op, "st"))
        put_parenthesized(pr, operand);
    else
        cxx_print_operand(pr, operand);
}

/* (...+T), (T+...), (T+...+1): prints all elements of a pack in T. */
static void
print_fold(struct printer *pr, uint32_t op, struct node *folded, struct node *first,
           struct node *second)
{
    char code = cxx_operators[op].code[1];
    long pack_index = pr->pack_index;
    pr->pack_index = -1;
    cxx_put_char(pr, '(');
    if (code != 'l') {
        cxx_print_operand(pr, first);
        print_operator(pr, folded);
    }
    cxx_put(pr, SPAN("..."));
    if (code != 'r') {
        print_operator(pr, folded);
        cxx_print_operand(pr, second);
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

/* .a=(1), [0]=(1), [0 ... 9]=(1); .a[0]=(1). */
static void
print_designator(struct printer *pr, struct node *n)
{
    struct node *value = n->right;
    cxx_put_char(pr, cxx_operator_is(n->number, "di") ? '.' : '[');
    cxx_print_node(pr, n->left);
    if (n->kind == NODE_TERNARY) {
        cxx_put(pr, SPAN(" ... "));
        cxx_print_node(pr, value->left);
        value = value->right;
    }
    if (!cxx_operator_is(n->number, "di"))
        cxx_put_char(pr, ']');
    if (is_designator(value)) {
        cxx_print_node(pr, value);
    } else {
        cxx_put_char(pr, '=');
        cxx_print_operand(pr, value);
    }
}

/* static_cast<int>(x). */
static void
print_named_cast(struct printer *pr, struct node *n)
{
    put_operator(pr, n->number);
    cxx_put_char(pr, '<');
    cxx_print_node(pr, n->left);
    cxx_put_char(pr, '>');
    put_parenthesized(pr, n->right);
}

/* The types of the parameters of a function that is called are not printed. */
static void
print_call(struct printer *pr, struct node *n)
{
    struct node *function = n->left;
    cxx_print_operand(pr, function->kind == NODE_TYPED ? function->left : function);
    cxx_print_operand(pr, n->right);
}

static void
print_subscript(struct printer *pr, struct node *n)
{
    cxx_print_operand(pr, n->left);
    cxx_put_char(pr, '[');
    cxx_print_node(pr, n->right);
    cxx_put_char(pr, ']');
}

/* A > has parentheses around it, since it is no end of template arguments. */
static void
print_infix(struct printer *pr, struct node *n)
{
    bool greater = cxx_operator_is(n->number, "gt");
    if (greater)
        cxx_put_char(pr, '(');
    cxx_print_operand(pr, n->left);
    put_operator(pr, n->number);
    cxx_print_operand(pr, n->right);
    if (greater)
        cxx_put_char(pr, ')');
}

static void
print_binary(struct printer *pr, struct node *n)
{
    uint32_t op = n->number;
    if (cxx_operator_is(op, "cc") || cxx_operator_is(op, "dc") || cxx_operator_is(op, "rc") ||
        cxx_operator_is(op, "sc"))
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

/* new (where) T(initial). The list of places is empty in most. */
static void
print_new(struct printer *pr, struct node *places, struct node *type, struct node *initial)
{
    cxx_put(pr, SPAN("new "));
    if (places->left != NULL) {
        cxx_print_operand(pr, places);
        cxx_put_char(pr, ' ');
    }
    cxx_print_node(pr, type);
    if (initial != NULL)
        cxx_print_operand(pr, initial);
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
        cxx_print_operand(pr, n->left);
        put_operator(pr, n->number);
        cxx_print_operand(pr, second);
        cxx_put(pr, SPAN(" : "));
        cxx_print_operand(pr, third);
    } else {
        print_new(pr, n->left, second, third);
    }
}

/* false, 5ul, -5, (short)5, (double)[4014000000000000]. */
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
    cxx_print_node(pr, value);
    if (type->literal == LITERAL_FLOAT)
        cxx_put_char(pr, ']');
    if (type->literal >= LITERAL_INT)
        cxx_put(pr, suffixes[type->literal]);
}

static void
print_initializers(struct printer *pr, struct node *n)
{
    if (n->left != NULL)
        cxx_print_node(pr, n->left);
    cxx_put_char(pr, '{');
    cxx_print_node(pr, n->right);
    cxx_put_char(pr, '}');
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

bool
cxx_print_expression(struct printer *pr, struct node *n)
{
    switch (n->kind) {
    case NODE_LIST:
    case NODE_ARGUMENTS:
        cxx_print_list(pr, n);
        return true;
    case NODE_LITERAL:
    case NODE_NEGATIVE_LITERAL:
        print_literal(pr, n);
        return true;
    case NODE_PACK:
        cxx_print_pack(pr, n);
        return true;
    case NODE_DECLTYPE:
        cxx_put(pr, SPAN("decltype "));
        put_parenthesized(pr, n->left);
        return true;
    case NODE_FUNCTION_PARAM:
        print_function_param(pr, n);
        return true;
    case NODE_INITIALIZERS:
        print_initializers(pr, n);
        return true;
    case NODE_VENDOR_CALL:
        cxx_print_node(pr, n->left);
        put_parenthesized(pr, n->right);
        return true;
    case NODE_NULLARY:
        print_operator(pr, n->left);
        return true;
    case NODE_UNARY:
        print_unary(pr, n->left, n->right);
        return true;
    case NODE_POSTFIX:
        cxx_print_operand(pr, n->right);
        print_operator(pr, n->left);
        return true;
    case NODE_BINARY:
        print_binary(pr, n);
        return true;
    case NODE_TERNARY:
        print_ternary(pr, n);
        return true;
    default:
        return false;
    }
}
