/* "comm=%s dev=%d,%d flags=%s", REC->comm, ((unsigned int) ((REC->dev) >> 20)),
 * ((unsigned int) ((REC->dev) & ((1U << 20) - 1))),
 * (REC->flags) ? __print_flags(REC->flags, "|", { 0x1, "READ" }, { 0x2, "WRITE" }) : "none"
 *
 * The kernel writes the arguments of a tracepoint's TP_printk this way, with macros expanded and
 * most constants of enums replaced by their value. REC is the payload. */
#include "common/tracepoint/traceparse.h"

#include <stdlib.h>

#include "common/tracepoint/traceeval.h"

/* The largest nest of an expr_parser; levels of operators; bytes of a print format. */
enum { NEST = 100, LEVELS = 10, TEXT_MOST = 256 * 1024 };

static struct expr *parse_unary(struct expr_parser *p);

bool
traceparse_skip(struct expr_parser *p, int op)
{
    if (!traceparse_at(p, op))
        return false;
    lexer_next(&p->lex);
    return true;
}

struct expr *
traceparse_new(struct expr_parser *p, enum expr_kind kind, enum expr_shape shape)
{
    struct expr *e = arena_alloc(p->arena, sizeof *e);
    *e = (struct expr){.kind = kind, .shape = shape, .height = 1};
    return e;
}

/* Replaces an expression of constants by its value: the values of flags are long ones. */
static void
fold(struct expr *e)
{
    struct number n = traceeval_number(e, span_of(NULL, 0));
    *e = (struct expr){.kind = EXPR_NUMBER, .height = 1, .number = n.bits, .type = n.type};
}

struct expr *
traceparse_operands(struct expr *e, struct expr *a, struct expr *b, struct expr *c)
{
    struct expr *operands[] = {a, b, c};
    bool constant = e->shape == SHAPE_NUMBER;
    for (size_t i = 0; i < 3; i++) {
        if (operands[i] == NULL)
            continue;
        constant = constant && operands[i]->kind == EXPR_NUMBER;
        e->unknown |= operands[i]->unknown;
        if (operands[i]->height >= e->height)
            e->height = operands[i]->height + 1;
    }
    e->a = a;
    e->b = b;
    e->c = c;
    if (constant)
        fold(e);
    return e->height <= EXPR_HEIGHT ? e : NULL;
}

struct expr *
traceparse_field(struct expr_parser *p, struct span name)
{
    const struct event_field *field = eventformat_field(p->format, name);
    if (field == NULL)
        return NULL;
    struct expr *e = traceparse_new(p, EXPR_FIELD, field->is_array ? SHAPE_BYTES : SHAPE_NUMBER);
    e->field = field;
    e->type = field->type;
    return e;
}

/* Parses "->field" after REC. */
static struct expr *
parse_field(struct expr_parser *p)
{
    lexer_next(&p->lex);
    if (!traceparse_skip(p, OP_ARROW) || p->lex.token != TOKEN_NAME)
        return NULL;
    struct expr *e = traceparse_field(p, p->lex.name);
    lexer_next(&p->lex);
    return e;
}

/* Goes over the words and stars of a type in brackets, after "(", and over ")". False, with the
 * lexer where it was, if there is something else. */
static bool
skip_type(struct expr_parser *p, struct span *words, size_t *stars)
{
    struct lexer start = p->lex;
    const char *first = p->lex.name.ptr;
    *words = span_of(first, 0);
    *stars = 0;
    for (;; lexer_next(&p->lex)) {
        if (p->lex.token == TOKEN_NAME && !span_eq(p->lex.name, SPAN("REC")))
            *words = span_of(first, (size_t)(p->lex.name.ptr + p->lex.name.len - first));
        else if (words->len > 0 && traceparse_at(p, '*'))
            ++*stars;
        else
            break;
    }
    if (words->len > 0 && traceparse_skip(p, ')'))
        return true;
    p->lex = start;
    return false;
}

static struct expr *
number_expr(struct expr_parser *p, uint64_t number, struct field_type type)
{
    struct expr *e = traceparse_new(p, EXPR_NUMBER, SHAPE_NUMBER);
    e->number = number;
    e->type = type;
    return e;
}

static struct field_type
type_of_long(const struct expr_parser *p, bool is_unsigned)
{
    return (struct field_type){(uint8_t)p->lex.long_size, is_unsigned};
}

/* Parses "(type)" after sizeof. */
static struct expr *
parse_sizeof(struct expr_parser *p)
{
    struct span words;
    size_t stars;
    if (!traceparse_skip(p, '(') || !skip_type(p, &words, &stars))
        return NULL;
    struct field_type type =
        stars > 0 ? type_of_long(p, true) : eventformat_type(words, p->lex.long_size);
    return type.size > 0 ? number_expr(p, type.size, type_of_long(p, true)) : NULL;
}

static struct expr *
parse_name(struct expr_parser *p)
{
    struct span name = p->lex.name;
    if (span_eq(name, SPAN("REC")))
        return parse_field(p);
    lexer_next(&p->lex);
    if (span_eq(name, SPAN("sizeof")))
        return parse_sizeof(p);
    if (!traceparse_skip(p, '(')) {
        struct expr *variable = traceparse_new(p, EXPR_VARIABLE, SHAPE_NUMBER);
        variable->type = type_of_long(p, true);
        variable->unknown = true;
        return variable;
    }
    struct expr *e = traceparse_call(p, name);
    return traceparse_skip(p, ')') ? e : NULL;
}

static struct expr *
parse_primary(struct expr_parser *p)
{
    struct expr *e = NULL;
    switch (p->lex.token) {
    case TOKEN_NAME:
        return parse_name(p);
    case TOKEN_NUMBER:
        e = number_expr(p, p->lex.number, p->lex.type);
        break;
    case TOKEN_STRING:
        e = traceparse_new(p, EXPR_STRING, SHAPE_TEXT);
        e->text = p->lex.string;
        break;
    default:
        if (!traceparse_skip(p, '('))
            return NULL;
        e = traceparse_expr(p);
        return traceparse_skip(p, ')') ? e : NULL;
    }
    lexer_next(&p->lex);
    return e;
}

/* array[index]; the index NULL is 0 */
static struct expr *
element_expr(struct expr_parser *p, struct expr *array, struct expr *index)
{
    if (array == NULL || array->shape != SHAPE_BYTES || array->type.size == 0)
        return NULL;
    struct expr *e = traceparse_new(p, EXPR_ELEMENT, SHAPE_NUMBER);
    e->type = array->type;
    return traceparse_operands(e, array, index, NULL);
}

static struct expr *
parse_postfix(struct expr_parser *p)
{
    struct expr *e = parse_primary(p);
    while (e != NULL && traceparse_skip(p, '[')) {
        struct expr *index = traceparse_number(p);
        e = index != NULL && traceparse_skip(p, ']') ? element_expr(p, e, index) : NULL;
    }
    return e;
}

/* A cast of an array to a pointer changes the type of its elements, to an integer gives NULL: we
 * have no address. A pointer is a number like any other. */
static struct expr *
cast_expr(struct expr_parser *p, struct expr *a, struct span words, size_t stars)
{
    if (a == NULL || (a->shape == SHAPE_BYTES && stars == 0))
        return NULL;
    struct expr *e = traceparse_new(p, EXPR_CAST, a->shape);
    e->type = eventformat_type(words, p->lex.long_size);
    if (stars > 1 || (stars == 1 && a->shape == SHAPE_NUMBER))
        e->type = type_of_long(p, true);
    return traceparse_operands(e, a, NULL, NULL);
}

static struct expr *
parse_cast(struct expr_parser *p)
{
    struct lexer start = p->lex;
    struct span words;
    size_t stars;
    if (traceparse_skip(p, '(') && skip_type(p, &words, &stars))
        return cast_expr(p, parse_unary(p), words, stars);
    p->lex = start;
    return parse_postfix(p);
}

static struct expr *
parse_prefix(struct expr_parser *p)
{
    int op = p->lex.token == TOKEN_OPERATOR ? p->lex.op : 0;
    if (op == '*') {
        lexer_next(&p->lex);
        return element_expr(p, parse_unary(p), NULL);
    }
    if (op != '-' && op != '+' && op != '!' && op != '~')
        return parse_cast(p);
    lexer_next(&p->lex);
    struct expr *a = parse_unary(p);
    if (a == NULL || (a->shape != SHAPE_NUMBER && op != '!'))
        return NULL;
    struct expr *e = traceparse_new(p, EXPR_UNARY, SHAPE_NUMBER);
    e->op = op;
    return traceparse_operands(e, a, NULL, NULL);
}

/* Every recursion goes through here. */
static struct expr *
parse_unary(struct expr_parser *p)
{
    if (p->nest >= NEST)
        return NULL;
    p->nest++;
    struct expr *e = parse_prefix(p);
    p->nest--;
    return e;
}

/* How tightly the operator that is next binds its two operands, 1 to LEVELS; 0: it is none. */
static int
binding(const struct expr_parser *p)
{
    static const int levels[LEVELS][4] = {
        {OP_OR},
        {OP_AND},
        {'|'},
        {'^'},
        {'&'},
        {OP_EQUAL, OP_UNEQUAL},
        {'<', '>', OP_AT_MOST, OP_AT_LEAST},
        {OP_LEFT, OP_RIGHT},
        {'+', '-'},
        {'*', '/', '%'},
    };
    if (p->lex.token != TOKEN_OPERATOR)
        return 0;
    for (int level = 0; level < LEVELS; level++)
        for (int i = 0; i < 4 && levels[level][i] != 0; i++)
            if (levels[level][i] == p->lex.op)
                return level + 1;
    return 0;
}

/* Parses operands and operators that bind at least that tightly. */
static struct expr *
parse_binary(struct expr_parser *p, int least)
{
    struct expr *a = parse_unary(p);
    for (int level; a != NULL && (level = binding(p)) >= least;) {
        struct expr *e = traceparse_new(p, EXPR_BINARY, SHAPE_NUMBER);
        e->op = p->lex.op;
        lexer_next(&p->lex);
        struct expr *b = parse_binary(p, level + 1);
        bool logical = e->op == OP_AND || e->op == OP_OR;
        if (b == NULL || (!logical && (a->shape != SHAPE_NUMBER || b->shape != SHAPE_NUMBER)))
            return NULL;
        a = traceparse_operands(e, a, b, NULL);
    }
    return a;
}

struct expr *
traceparse_expr(struct expr_parser *p)
{
    struct expr *a = parse_binary(p, 1);
    if (a == NULL || !traceparse_skip(p, '?'))
        return a;
    if (p->nest >= NEST)
        return NULL;
    p->nest++;
    struct expr *b = traceparse_expr(p);
    struct expr *c = b != NULL && traceparse_skip(p, ':') ? traceparse_expr(p) : NULL;
    p->nest--;
    if (c == NULL)
        return NULL;
    struct expr *e =
        traceparse_new(p, EXPR_CONDITION, b->shape == c->shape ? b->shape : SHAPE_MIXED);
    return traceparse_operands(e, a, b, c);
}

/* Parses ", argument" up to the end of the text. */
static bool
parse_all(struct expr_parser *p, struct expr ***args, size_t *nargs)
{
    size_t cap = 0;
    struct expr **list = NULL;
    bool good = true;
    for (*nargs = 0; good && traceparse_skip(p, ',');) {
        list = mem_grow(list, &cap, *nargs + 1, sizeof(struct expr *));
        good = (list[(*nargs)++] = traceparse_expr(p)) != NULL;
    }
    *args = arena_alloc(p->arena, (*nargs + 1) * sizeof **args);
    if (*nargs > 0)
        memcpy(*args, list, *nargs * sizeof **args);
    free(list);
    return good && p->lex.token == TOKEN_END;
}

struct expr *
traceparse_number(struct expr_parser *p)
{
    struct expr *e = traceparse_expr(p);
    return e != NULL && e->shape == SHAPE_NUMBER ? e : NULL;
}

bool
traceexpr_parse(const struct event_format *f, size_t long_size, struct arena *arena,
                struct span *format, struct expr ***args, size_t *nargs)
{
    struct expr_parser p = {
        .lex = {.rest = f->print, .long_size = long_size, .arena = arena},
        .format = f,
        .arena = arena,
    };
    if (f->print.len > TEXT_MOST)
        return false;
    lexer_next(&p.lex);
    if (p.lex.token != TOKEN_STRING)
        return false;
    *format = p.lex.string;
    lexer_next(&p.lex);
    return parse_all(&p, args, nargs);
}
