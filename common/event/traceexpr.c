/* "comm=%s dev=%d,%d flags=%s", REC->comm, ((unsigned int) ((REC->dev) >> 20)),
 * ((unsigned int) ((REC->dev) & ((1U << 20) - 1))),
 * (REC->flags) ? __print_flags(REC->flags, "|", { 0x1, "READ" }, { 0x2, "WRITE" }) : "none"
 *
 * The kernel writes the arguments of a tracepoint's TP_printk this way, with macros expanded and
 * most constants of enums replaced by their value. REC is the payload. */
#include "common/event/traceexpr.h"

#include <stdlib.h>

/* NEST limits how deep brackets and operators before an operand nest. */
enum { NEST = 100, LEVELS = 10, TEXT_MOST = 256 * 1024 };

struct parser {
    struct lexer lex; /* at the next token */
    const struct event_format *format;
    struct arena *arena;
    int nest;
    bool in_entry; /* of a list of flags or symbols: no such list is inside */
};

static struct expr *parse_expr(struct parser *p);
static struct expr *parse_unary(struct parser *p);

static bool
at_op(const struct parser *p, int op)
{
    return p->lex.token == TOKEN_OPERATOR && p->lex.op == op;
}

/* Goes over the operator if it is next. */
static bool
skip_op(struct parser *p, int op)
{
    if (!at_op(p, op))
        return false;
    lexer_next(&p->lex);
    return true;
}

static struct expr *
new_expr(struct parser *p, enum expr_kind kind, enum expr_shape shape)
{
    struct expr *e = arena_alloc(p->arena, sizeof *e);
    *e = (struct expr){.kind = kind, .shape = shape, .height = 1};
    return e;
}

/* Sets the operands. NULL if the tree is too high. */
static struct expr *
with_operands(struct expr *e, struct expr *a, struct expr *b, struct expr *c)
{
    struct expr *operands[] = {a, b, c};
    for (size_t i = 0; i < 3; i++) {
        if (operands[i] == NULL)
            continue;
        e->unknown |= operands[i]->unknown;
        if (operands[i]->height >= e->height)
            e->height = operands[i]->height + 1;
    }
    e->a = a;
    e->b = b;
    e->c = c;
    return e->height <= EXPR_HEIGHT ? e : NULL;
}

static struct expr *
field_expr(struct parser *p, struct span name)
{
    const struct event_field *field = eventformat_field(p->format, name);
    if (field == NULL)
        return NULL;
    struct expr *e = new_expr(p, EXPR_FIELD, field->is_array ? SHAPE_BYTES : SHAPE_NUMBER);
    e->field = field;
    e->type = field->type;
    return e;
}

/* Parses "->field" after REC. */
static struct expr *
parse_field(struct parser *p)
{
    lexer_next(&p->lex);
    if (!skip_op(p, OP_ARROW) || p->lex.token != TOKEN_NAME)
        return NULL;
    struct expr *e = field_expr(p, p->lex.name);
    lexer_next(&p->lex);
    return e;
}

/* Parses the name of a field of an array as an argument; `kind` is what is made of it. */
static struct expr *
parse_array_name(struct parser *p, enum expr_kind kind, enum expr_shape shape)
{
    if (p->lex.token != TOKEN_NAME)
        return NULL;
    struct expr *e = field_expr(p, p->lex.name);
    lexer_next(&p->lex);
    if (e == NULL || e->shape != SHAPE_BYTES)
        return NULL;
    e->kind = kind;
    e->shape = shape;
    if (kind == EXPR_LENGTH)
        e->type = (struct event_type){4, false};
    return e;
}

static struct expr *
parse_number(struct parser *p)
{
    struct expr *e = parse_expr(p);
    return e != NULL && e->shape == SHAPE_NUMBER ? e : NULL;
}

/* Parses the value of an entry. NULL, after going over it, if it is not known. */
static struct expr *
parse_entry_value(struct parser *p)
{
    struct lexer start = p->lex;
    struct expr *value = parse_expr(p);
    if (value != NULL && value->shape == SHAPE_NUMBER && !value->unknown && at_op(p, ','))
        return value;
    p->lex = start;
    for (int depth = 0; p->lex.token < TOKEN_BAD && (depth > 0 || !at_op(p, ','));
         lexer_next(&p->lex)) {
        depth += at_op(p, '(');
        depth -= at_op(p, ')');
        if (p->lex.token == TOKEN_END)
            break;
    }
    return NULL;
}

/* Parses the text of an entry. Some lists end in an entry with a null pointer, such as { -1, NULL }
 * or { 0, ((void *)0) }: it matches nothing. */
static bool
parse_entry_text(struct parser *p, struct expr_entry *entry)
{
    if (p->lex.token != TOKEN_STRING) {
        entry->value = NULL;
        return parse_number(p) != NULL;
    }
    entry->text = p->lex.string;
    lexer_next(&p->lex);
    return true;
}

/* Parses { value, "text" }. */
static struct expr_entry *
parse_entry(struct parser *p)
{
    if (!skip_op(p, '{'))
        return NULL;
    struct expr_entry *entry = arena_alloc(p->arena, sizeof *entry);
    p->in_entry = true;
    *entry = (struct expr_entry){parse_entry_value(p), {NULL, 0}, NULL};
    p->in_entry = false;
    bool good = skip_op(p, ',') && parse_entry_text(p, entry) && skip_op(p, '}');
    return good ? entry : NULL;
}

/* Parses ", { value, text }" as often as it comes. */
static bool
parse_entries(struct parser *p, struct expr *e)
{
    struct expr_entry **end = &e->entries;
    while (skip_op(p, ',')) {
        if (at_op(p, ')')) /* a comma after the last one */
            break;
        *end = parse_entry(p);
        if (*end == NULL)
            return false;
        end = &(*end)->next;
    }
    return true;
}

static struct expr *
parse_flags(struct parser *p)
{
    struct expr *e = new_expr(p, EXPR_FLAGS, SHAPE_TEXT);
    struct expr *value = parse_number(p);
    if (p->in_entry || value == NULL || !skip_op(p, ',') || p->lex.token != TOKEN_STRING)
        return NULL;
    e->text = p->lex.string;
    lexer_next(&p->lex);
    return parse_entries(p, e) ? with_operands(e, value, NULL, NULL) : NULL;
}

static struct expr *
parse_symbolic(struct parser *p)
{
    struct expr *e = new_expr(p, EXPR_SYMBOLIC, SHAPE_TEXT);
    struct expr *value = parse_number(p);
    if (p->in_entry || value == NULL || !parse_entries(p, e))
        return NULL;
    return with_operands(e, value, NULL, NULL);
}

/* Parses "array, number" and, for EXPR_ARRAY, ", number". */
static struct expr *
parse_dump(struct parser *p, enum expr_kind kind)
{
    struct expr *array = parse_expr(p), *count = NULL, *size = NULL;
    if (array == NULL || array->shape != SHAPE_BYTES || !skip_op(p, ','))
        return NULL;
    count = parse_number(p);
    if (count == NULL)
        return NULL;
    if (kind == EXPR_ARRAY && (!skip_op(p, ',') || (size = parse_number(p)) == NULL))
        return NULL;
    return with_operands(new_expr(p, kind, SHAPE_TEXT), array, count, size);
}

/* Parses "field, number" of __print_dynamic_array. */
static struct expr *
parse_dynamic_dump(struct parser *p)
{
    struct expr *array = parse_array_name(p, EXPR_FIELD, SHAPE_BYTES), *size;
    if (array == NULL || !skip_op(p, ',') || (size = parse_number(p)) == NULL)
        return NULL;
    return with_operands(new_expr(p, EXPR_ARRAY, SHAPE_TEXT), array, NULL, size);
}

/* Parses "a, b" of __builtin_expect, which is a. */
static struct expr *
parse_expect(struct parser *p)
{
    struct expr *e = parse_expr(p);
    return skip_op(p, ',') && parse_expr(p) != NULL ? e : NULL;
}

/* Goes over the words and stars of a type in brackets, after "(", and over ")". False, with the
 * lexer where it was, if there is something else. */
static bool
skip_type(struct parser *p, struct span *words, size_t *stars)
{
    struct lexer start = p->lex;
    const char *first = p->lex.name.ptr;
    *words = span_of(first, 0);
    *stars = 0;
    for (;; lexer_next(&p->lex)) {
        if (p->lex.token == TOKEN_NAME && !span_eq(p->lex.name, SPAN("REC")))
            *words = span_of(first, (size_t)(p->lex.name.ptr + p->lex.name.len - first));
        else if (words->len > 0 && at_op(p, '*'))
            ++*stars;
        else
            break;
    }
    if (words->len > 0 && skip_op(p, ')'))
        return true;
    p->lex = start;
    return false;
}

static struct expr *
number_expr(struct parser *p, uint64_t number, struct event_type type)
{
    struct expr *e = new_expr(p, EXPR_NUMBER, SHAPE_NUMBER);
    e->number = number;
    e->type = type;
    return e;
}

static struct event_type
type_of_long(const struct parser *p, bool is_unsigned)
{
    return (struct event_type){(uint8_t)p->lex.long_size, is_unsigned};
}

/* Parses "(type)" after sizeof. */
static struct expr *
parse_sizeof(struct parser *p)
{
    struct span words;
    size_t stars;
    if (!skip_op(p, '(') || !skip_type(p, &words, &stars))
        return NULL;
    struct event_type type =
        stars > 0 ? type_of_long(p, true) : eventformat_type(words, p->lex.long_size);
    return type.size > 0 ? number_expr(p, type.size, type_of_long(p, true)) : NULL;
}

static struct expr *
parse_arguments(struct parser *p, struct span function)
{
    static const struct {
        struct span name;
        enum expr_kind kind;
        enum expr_shape shape;
    } of_field[] = {
        {SPAN("__get_str"), EXPR_FIELD, SHAPE_BYTES},
        {SPAN("__get_rel_str"), EXPR_FIELD, SHAPE_BYTES},
        {SPAN("__get_dynamic_array"), EXPR_FIELD, SHAPE_BYTES},
        {SPAN("__get_rel_dynamic_array"), EXPR_FIELD, SHAPE_BYTES},
        {SPAN("__get_sockaddr"), EXPR_FIELD, SHAPE_BYTES},
        {SPAN("__get_rel_sockaddr"), EXPR_FIELD, SHAPE_BYTES},
        {SPAN("__get_dynamic_array_len"), EXPR_LENGTH, SHAPE_NUMBER},
        {SPAN("__get_rel_dynamic_array_len"), EXPR_LENGTH, SHAPE_NUMBER},
        {SPAN("__get_bitmask"), EXPR_BITMASK, SHAPE_TEXT},
        {SPAN("__get_rel_bitmask"), EXPR_BITMASK, SHAPE_TEXT},
        {SPAN("__get_cpumask"), EXPR_BITMASK, SHAPE_TEXT},
        {SPAN("__get_rel_cpumask"), EXPR_BITMASK, SHAPE_TEXT},
    };
    for (size_t i = 0; i < sizeof of_field / sizeof *of_field; i++)
        if (span_eq(function, of_field[i].name))
            return parse_array_name(p, of_field[i].kind, of_field[i].shape);
    if (span_eq(function, SPAN("__print_flags")) || span_eq(function, SPAN("__print_flags_u64")))
        return parse_flags(p);
    if (span_eq(function, SPAN("__print_symbolic")) ||
        span_eq(function, SPAN("__print_symbolic_u64")))
        return parse_symbolic(p);
    if (span_eq(function, SPAN("__print_hex")))
        return parse_dump(p, EXPR_HEX);
    if (span_eq(function, SPAN("__print_hex_str")))
        return parse_dump(p, EXPR_HEX_STR);
    if (span_eq(function, SPAN("__print_array")))
        return parse_dump(p, EXPR_ARRAY);
    if (span_eq(function, SPAN("__print_dynamic_array")))
        return parse_dynamic_dump(p);
    if (span_eq(function, SPAN("__builtin_expect")))
        return parse_expect(p);
    return NULL;
}

static struct expr *
parse_name(struct parser *p)
{
    struct span name = p->lex.name;
    if (span_eq(name, SPAN("REC")))
        return parse_field(p);
    lexer_next(&p->lex);
    if (span_eq(name, SPAN("sizeof")))
        return parse_sizeof(p);
    if (!skip_op(p, '(')) {
        struct expr *variable = new_expr(p, EXPR_VARIABLE, SHAPE_NUMBER);
        variable->type = type_of_long(p, true);
        variable->unknown = true;
        return variable;
    }
    struct expr *e = parse_arguments(p, name);
    return skip_op(p, ')') ? e : NULL;
}

static struct expr *
parse_primary(struct parser *p)
{
    struct expr *e = NULL;
    switch (p->lex.token) {
    case TOKEN_NAME:
        return parse_name(p);
    case TOKEN_NUMBER:
        e = number_expr(p, p->lex.number, p->lex.type);
        break;
    case TOKEN_STRING:
        e = new_expr(p, EXPR_STRING, SHAPE_TEXT);
        e->text = p->lex.string;
        break;
    default:
        if (!skip_op(p, '('))
            return NULL;
        e = parse_expr(p);
        return skip_op(p, ')') ? e : NULL;
    }
    lexer_next(&p->lex);
    return e;
}

/* array[index]; the index NULL is 0 */
static struct expr *
element_expr(struct parser *p, struct expr *array, struct expr *index)
{
    if (array == NULL || array->shape != SHAPE_BYTES || array->type.size == 0)
        return NULL;
    struct expr *e = new_expr(p, EXPR_ELEMENT, SHAPE_NUMBER);
    e->type = array->type;
    return with_operands(e, array, index, NULL);
}

static struct expr *
parse_postfix(struct parser *p)
{
    struct expr *e = parse_primary(p);
    while (e != NULL && skip_op(p, '[')) {
        struct expr *index = parse_number(p);
        e = index != NULL && skip_op(p, ']') ? element_expr(p, e, index) : NULL;
    }
    return e;
}

/* A cast of an array to a pointer changes the type of its elements, to an integer gives NULL: we
 * have no address. A pointer is a number like any other. */
static struct expr *
cast_expr(struct parser *p, struct expr *a, struct span words, size_t stars)
{
    if (a == NULL || (a->shape == SHAPE_BYTES && stars == 0))
        return NULL;
    struct expr *e = new_expr(p, EXPR_CAST, a->shape);
    e->type = eventformat_type(words, p->lex.long_size);
    if (stars > 1 || (stars == 1 && a->shape == SHAPE_NUMBER))
        e->type = type_of_long(p, true);
    return with_operands(e, a, NULL, NULL);
}

static struct expr *
parse_cast(struct parser *p)
{
    struct lexer start = p->lex;
    struct span words;
    size_t stars;
    if (skip_op(p, '(') && skip_type(p, &words, &stars))
        return cast_expr(p, parse_unary(p), words, stars);
    p->lex = start;
    return parse_postfix(p);
}

static struct expr *
parse_prefix(struct parser *p)
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
    struct expr *e = new_expr(p, EXPR_UNARY, SHAPE_NUMBER);
    e->op = op;
    return with_operands(e, a, NULL, NULL);
}

/* Every recursion goes through here. */
static struct expr *
parse_unary(struct parser *p)
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
binding(const struct parser *p)
{
    static const int levels[LEVELS][4] = {
        {OP_OR},  {OP_AND},  {'|'}, {'^'}, {'&'}, {OP_EQUAL, OP_UNEQUAL},
        {'<', '>', OP_AT_MOST, OP_AT_LEAST}, {OP_LEFT, OP_RIGHT}, {'+', '-'}, {'*', '/', '%'},
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
parse_binary(struct parser *p, int least)
{
    struct expr *a = parse_unary(p);
    for (int level; a != NULL && (level = binding(p)) >= least;) {
        struct expr *e = new_expr(p, EXPR_BINARY, SHAPE_NUMBER);
        e->op = p->lex.op;
        lexer_next(&p->lex);
        struct expr *b = parse_binary(p, level + 1);
        bool logical = e->op == OP_AND || e->op == OP_OR;
        if (b == NULL || (!logical && (a->shape != SHAPE_NUMBER || b->shape != SHAPE_NUMBER)))
            return NULL;
        a = with_operands(e, a, b, NULL);
    }
    return a;
}

static struct expr *
parse_expr(struct parser *p)
{
    struct expr *a = parse_binary(p, 1);
    if (a == NULL || !skip_op(p, '?'))
        return a;
    if (p->nest >= NEST)
        return NULL;
    p->nest++;
    struct expr *b = parse_expr(p);
    struct expr *c = b != NULL && skip_op(p, ':') ? parse_expr(p) : NULL;
    p->nest--;
    if (c == NULL)
        return NULL;
    struct expr *e =
        new_expr(p, EXPR_CONDITION, b->shape == c->shape ? b->shape : SHAPE_MIXED);
    return with_operands(e, a, b, c);
}

/* Parses ", argument" up to the end of the text. */
static bool
parse_all(struct parser *p, struct expr ***args, size_t *nargs)
{
    size_t cap = 0;
    struct expr **list = NULL;
    bool good = true;
    for (*nargs = 0; good && skip_op(p, ',');) {
        list = mem_grow(list, &cap, *nargs + 1, sizeof(struct expr *));
        good = (list[(*nargs)++] = parse_expr(p)) != NULL;
    }
    *args = arena_alloc(p->arena, (*nargs + 1) * sizeof **args);
    if (*nargs > 0)
        memcpy(*args, list, *nargs * sizeof **args);
    free(list);
    return good && p->lex.token == TOKEN_END;
}

bool
traceexpr_parse(const struct event_format *f, size_t long_size, struct arena *arena,
                struct span *format, struct expr ***args, size_t *nargs)
{
    struct parser p = {
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
