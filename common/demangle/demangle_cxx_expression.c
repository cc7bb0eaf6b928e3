/* Parses expressions, which stand in template arguments and decltype.
 *
 *     Li3E                        3
 *     plT_Li1E                    (T)+(1)
 *     cl1ffp_E                    f({parm#1})
 *     sr1AIT_E5value              A<T>::value
 *     XadL_ZN1A1fEvEE             &A::f, as a template argument
 *
 * Grammar: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#expressions */
#include "common/demangle/demangle_cxx_tree.h"

static struct node *expression(struct parser *p);

/* A list of expressions, maybe none, up to the byte `end`. */
static struct node *
expressions(struct parser *p, char end)
{
    struct node *first = NULL, **at = &first;
    if (cxx_take(p, end))
        return cxx_node(p, NODE_LIST, NULL, NULL);
    do {
        *at = cxx_one(p, NODE_LIST, expression(p));
        if (*at == NULL)
            return NULL;
        at = &(*at)->right;
    } while (!cxx_take(p, end));
    return first;
}

/* Adds the template arguments, if there are any. */
static struct node *
with_arguments(struct parser *p, struct node *name)
{
    if (name == NULL || cxx_peek(p) != 'I')
        return name;
    return cxx_two(p, NODE_TEMPLATE, name, cxx_template_arguments(p));
}

static struct node *
member_name(struct parser *p)
{
    return with_arguments(p, cxx_unqualified_name(p, NULL, NULL));
}

/* sr, a type or a nested name and E, and a name in it; the sr is taken. Old compilers left out the
 * E: then the name begins with a type as well. */
static struct node *
scoped_name(struct parser *p)
{
    bool nested = is_digit(cxx_peek(p)) && !p->old_scopes;
    struct node *scope = nested ? cxx_prefix(p, false) : cxx_type(p);
    p->has_scopes |= nested;
    if (scope == NULL || (nested && !cxx_take(p, 'E')))
        return NULL;
    return with_arguments(p, cxx_unqualified_name(p, scope, NULL));
}

/* fpT is `this`, fp_ the first parameter, fp0_ the second; the fp is taken. */
static struct node *
function_param(struct parser *p)
{
    if (cxx_take(p, 'T'))
        return cxx_numbered(p, NODE_FUNCTION_PARAM, NULL, 0);
    long index = cxx_compact_number(p);
    return index >= 0 ? cxx_numbered(p, NODE_FUNCTION_PARAM, NULL, index + 1) : NULL;
}

/* tl, a type and its initializers, il without a type; E after them. */
static struct node *
initializers(struct parser *p, bool typed)
{
    struct node *type = typed ? cxx_type(p) : NULL;
    if (typed && type == NULL)
        return NULL;
    struct node *list = expressions(p, 'E');
    return list != NULL ? cxx_node(p, NODE_INITIALIZERS, type, list) : NULL;
}

/* u, a name, and template arguments: what a compiler adds to the language. */
static struct node *
vendor_call(struct parser *p)
{
    struct node *name = cxx_source_name(p);
    return name != NULL ? cxx_two(p, NODE_VENDOR_CALL, name, cxx_rest_of_arguments(p)) : NULL;
}

static struct node *
unary(struct parser *p, struct node *op)
{
    struct node *operand;
    bool is_operator = op->kind == NODE_OPERATOR, postfix = false;
    if (is_operator && (cxx_operator_is(op->number, "pp") || cxx_operator_is(op->number, "mm")))
        postfix = !cxx_take(p, '_');
    if (is_operator && cxx_operator_is(op->number, "st"))
        operand = cxx_type(p);
    else if (is_operator && cxx_operator_is(op->number, "sP"))
        operand = cxx_rest_of_arguments(p);
    else if (op->kind == NODE_CAST && cxx_take(p, '_'))
        operand = expressions(p, 'E');
    else
        operand = expression(p);
    return cxx_two(p, postfix ? NODE_POSTFIX : NODE_UNARY, op, operand);
}

static bool
is_named_cast(uint32_t op)
{
    return cxx_operator_is(op, "cc") || cxx_operator_is(op, "dc") || cxx_operator_is(op, "rc") ||
           cxx_operator_is(op, "sc");
}

static struct node *
binary_left(struct parser *p, uint32_t op)
{
    if (is_named_cast(op))
        return cxx_type(p);
    if (cxx_operators[op].code[0] == 'f')
        return cxx_operator_name(p);
    if (cxx_operator_is(op, "di"))
        return cxx_unqualified_name(p, NULL, NULL);
    return expression(p);
}

static struct node *
binary_right(struct parser *p, uint32_t op)
{
    if (cxx_operator_is(op, "cl"))
        return expressions(p, 'E');
    if (cxx_operator_is(op, "dt") || cxx_operator_is(op, "pt"))
        return cxx_take_two(p, "sr") ? scoped_name(p) : member_name(p);
    return expression(p);
}

static struct node *
binary(struct parser *p, uint32_t op)
{
    struct node *left = binary_left(p, op);
    struct node *n = left != NULL ? cxx_two(p, NODE_BINARY, left, binary_right(p, op)) : NULL;
    if (n != NULL)
        n->number = op;
    return n;
}

/* nw, the arguments of operator new and _, the type, and E, or pi and arguments and E, or il and
 * initializers and E. */
static struct node *
new_operands(struct parser *p, struct node **first)
{
    *first = expressions(p, '_');
    struct node *type = *first != NULL ? cxx_type(p) : NULL, *initial = NULL;
    if (type == NULL)
        return NULL;
    if (!cxx_take(p, 'E')) {
        bool list = cxx_peek(p) == 'i' && cxx_peek_second(p) == 'l';
        if (!list && !cxx_take_two(p, "pi"))
            return NULL;
        initial = list ? expression(p) : expressions(p, 'E');
        if (initial == NULL)
            return NULL;
    }
    return cxx_node(p, NODE_OPERANDS, type, initial);
}

static struct node *
ternary(struct parser *p, uint32_t op)
{
    struct node *first, *others = NULL;
    if (cxx_operators[op].code[0] == 'n') {
        others = new_operands(p, &first);
    } else {
        first = cxx_operators[op].code[0] == 'f' ? cxx_operator_name(p) : expression(p);
        struct node *second = first != NULL ? expression(p) : NULL;
        if (second != NULL)
            others = cxx_two(p, NODE_OPERANDS, second, expression(p));
    }
    struct node *n = cxx_two(p, NODE_TERNARY, first, others);
    if (n != NULL)
        n->number = op;
    return n;
}

static struct node *
operation(struct parser *p)
{
    struct node *op = cxx_operator_name(p);
    if (op == NULL)
        return NULL;
    unsigned operands = 1;
    if (op->kind == NODE_OPERATOR)
        operands = cxx_operators[op->number].operands;
    else if (op->kind == NODE_VENDOR_OPERATOR)
        operands = op->number;
    if (operands == 0)
        return cxx_node(p, NODE_NULLARY, op, NULL);
    if (operands == 1)
        return unary(p, op);
    if (op->kind != NODE_OPERATOR)
        return NULL;
    return operands == 2 ? binary(p, op->number) : ternary(p, op->number);
}

static struct node *
expression(struct parser *p)
{
    char c = cxx_peek(p);
    if (c == 'L')
        return cxx_literal(p);
    if (c == 'T')
        return cxx_template_param(p);
    if (is_digit(c))
        return member_name(p);
    if (cxx_take_two(p, "on"))
        return member_name(p);
    if (cxx_take_two(p, "sr"))
        return scoped_name(p);
    if (cxx_take_two(p, "sp"))
        return cxx_one(p, NODE_PACK, expression(p));
    if (cxx_take_two(p, "fp"))
        return function_param(p);
    if (cxx_take_two(p, "il"))
        return initializers(p, false);
    if (cxx_take_two(p, "tl"))
        return initializers(p, true);
    return cxx_take(p, 'u') ? vendor_call(p) : operation(p);
}

struct node *
cxx_expression(struct parser *p)
{
    bool in_expression = p->in_expression;
    p->in_expression = true;
    struct node *n = expression(p);
    p->in_expression = in_expression;
    return n;
}

/* L, a type, n for a minus, digits (of whatever the type needs) and E; L, _Z, a function or a
 * variable, and E; some compilers leave out the _. */
struct node *
cxx_literal(struct parser *p)
{
    cxx_next(p);
    struct node *n;
    if (cxx_take_two(p, "_Z") || cxx_take(p, 'Z')) {
        n = cxx_encoding(p, false);
        return cxx_take(p, 'E') ? n : NULL;
    }
    struct node *type = cxx_type(p);
    if (type == NULL)
        return NULL;
    if (type->literal == LITERAL_NULLPTR && cxx_take(p, 'E'))
        return type;
    bool minus = cxx_take(p, 'n');
    const char *value = p->at;
    while (cxx_peek(p) != 'E' && cxx_peek(p) != '\0')
        p->at++;
    size_t len = (size_t)(p->at - value);
    if (len == 0 || !cxx_take(p, 'E'))
        return NULL;
    return cxx_node(p, minus ? NODE_NEGATIVE_LITERAL : NODE_LITERAL, type,
                    cxx_text(p, NODE_NAME, span_of(value, len)));
}
