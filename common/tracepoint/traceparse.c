/* "comm=%s dev=%d,%d flags=%s", REC->comm, ((unsigned int) ((REC->dev) >> 20)),
 * ((unsigned int) ((REC->dev) & ((1U << 20) - 1))),
 * (REC->flags) ? __print_flags(REC->flags, "|", { 0x1, "READ" }, { 0x2, "WRITE" }) : "none"
 *
 * The kernel writes the arguments of a tracepoint's TP_printk this way, with macros expanded and
 * most constants of enums replaced by their value. REC is the payload.
 *
 * The helpers are those of include/trace/stages/stage3_trace_output.h in the kernel's source. */
#include "common/tracepoint/traceparse.h"

#include <stdlib.h>

#include "common/base/num.h"

enum token { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_OPERATOR, TOKEN_BAD };

struct lexer {
    struct span rest; /* after the token */
    size_t long_size;
    struct arena *arena;
    /* The token: */
    enum token token;
    struct span name;       /* a name */
    struct span string;     /* adjacent strings joined, without escapes, in the arena */
    uint64_t number;        /* a number or a character */
    struct field_type type; /* the number's type, by C's rules */
    int op;                 /* a character, or an enum expr_op */
};

static const struct {
    char text[3];
    enum expr_op op;
} pairs[] = {
    {"==", OP_EQUAL}, {"!=", OP_UNEQUAL}, {"<=", OP_AT_MOST}, {">=", OP_AT_LEAST}, {"<<", OP_LEFT},
    {">>", OP_RIGHT}, {"&&", OP_AND},     {"||", OP_OR},      {"->", OP_ARROW},
};

static void
skip_space(struct lexer *l)
{
    l->rest = span_from(l->rest, span_run(l->rest, 0, is_space));
}

/* Read digits of the base, at most 16. Return false if there are none, or if the number exceeds 64
 * bits. */
static bool
read_digits(struct span *text, unsigned base, uint64_t *value)
{
    size_t n = 0;
    unsigned more;
    for (*value = 0; n < text->len && (more = num_hex_digit(text->ptr[n])) < base; n++) {
        if (*value > (UINT64_MAX - more) / base)
            return false;
        *value = *value * base + more;
    }
    *text = span_from(*text, n);
    return n > 0;
}

/* Return the smallest type that holds the number, by C's rules: a decimal number without U is
 * signed. */
static struct field_type
literal_type(uint64_t value, bool decimal, bool is_unsigned, size_t size)
{
    if (size == 4 && value > (is_unsigned || !decimal ? UINT32_MAX : INT32_MAX))
        size = 8;
    uint64_t most = size == 4 ? INT32_MAX : INT64_MAX;
    return (struct field_type){(uint8_t)size, is_unsigned || value > most};
}

static bool
read_number(struct lexer *l)
{
    bool hex = span_starts(l->rest, SPAN("0x")) || span_starts(l->rest, SPAN("0X"));
    unsigned base = hex ? 16 : l->rest.ptr[0] == '0' ? 8 : 10;
    if (hex)
        l->rest = span_from(l->rest, 2);
    if (!read_digits(&l->rest, base, &l->number))
        return false;
    struct span suffix = span_head(l->rest, span_run(l->rest, 0, is_word));
    size_t longs = 0;
    bool is_unsigned = false;
    for (size_t i = 0; i < suffix.len; i++) {
        char c = suffix.ptr[i];
        if (c == 'u' || c == 'U')
            is_unsigned = true;
        else if (c == 'l' || c == 'L')
            longs++;
        else
            return false;
    }
    l->rest = span_from(l->rest, suffix.len);
    size_t size = longs == 0 ? 4 : longs == 1 ? l->long_size : 8;
    l->type = literal_type(l->number, base == 10, is_unsigned, size);
    return true;
}

/* Remove a character, or an escape such as \n, \" or \033, from the text. */
static char
take_char(struct span *text)
{
    static const char escapes[] = "n\nt\tr\ra\ab\bf\fv\ve\033";
    char c = text->ptr[0];
    *text = span_from(*text, 1);
    if (c != '\\' || text->len == 0)
        return c;
    c = text->ptr[0];
    if (c >= '0' && c <= '7') {
        unsigned value = 0;
        for (int n = 0; n < 3 && text->len > 0 && num_hex_digit(text->ptr[0]) < 8; n++) {
            value = value * 8 + num_hex_digit(text->ptr[0]);
            *text = span_from(*text, 1);
        }
        return (char)value;
    }
    *text = span_from(*text, 1);
    for (size_t i = 0; i < sizeof escapes - 1; i += 2)
        if (c == escapes[i])
            return escapes[i + 1];
    return c;
}

/* Append the string at the start of l->rest to l->string, which has room for it. */
static bool
read_string(struct lexer *l, char *room)
{
    l->rest = span_from(l->rest, 1);
    while (l->rest.len > 0 && l->rest.ptr[0] != '"')
        room[l->string.len++] = take_char(&l->rest);
    if (l->rest.len == 0)
        return false;
    l->rest = span_from(l->rest, 1);
    return true;
}

/* Return the size of the adjacent strings at the start of the text, with their quotes, in bytes. */
static size_t
strings_extent(struct span text)
{
    size_t at = 0, end = 0;
    while (at < text.len && text.ptr[at] == '"') {
        for (at++; at < text.len && text.ptr[at] != '"'; at++)
            at += text.ptr[at] == '\\';
        end = at < text.len ? at + 1 : text.len;
        at = end + span_run(text, end, is_space);
    }
    return end;
}

static bool
read_strings(struct lexer *l)
{
    char *room = arena_text(l->arena, strings_extent(l->rest));
    l->string = span_of(room, 0);
    while (l->rest.len > 0 && l->rest.ptr[0] == '"') {
        if (!read_string(l, room))
            return false;
        skip_space(l);
    }
    return true;
}

static bool
read_character(struct lexer *l)
{
    l->rest = span_from(l->rest, 1);
    if (l->rest.len == 0)
        return false;
    l->number = (uint64_t)(signed char)take_char(&l->rest);
    l->type = (struct field_type){4, false};
    if (l->rest.len == 0 || l->rest.ptr[0] != '\'')
        return false;
    l->rest = span_from(l->rest, 1);
    return true;
}

static enum token
read_operator(struct lexer *l)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (span_starts(l->rest, span_cstr(pairs[i].text))) {
            l->op = (int)pairs[i].op;
            l->rest = span_from(l->rest, 2);
            return TOKEN_OPERATOR;
        }
    }
    l->op = (unsigned char)l->rest.ptr[0];
    if (memchr("()[]{},?:|^&<>+-*/%!~.", l->op, 22) == NULL)
        return TOKEN_BAD;
    l->rest = span_from(l->rest, 1);
    return TOKEN_OPERATOR;
}

static enum token
read_token(struct lexer *l)
{
    if (l->rest.len == 0)
        return TOKEN_END;
    char c = l->rest.ptr[0];
    if (is_digit(c))
        return read_number(l) ? TOKEN_NUMBER : TOKEN_BAD;
    if (c == '\'')
        return read_character(l) ? TOKEN_NUMBER : TOKEN_BAD;
    if (c == '"')
        return read_strings(l) ? TOKEN_STRING : TOKEN_BAD;
    if (!is_word(c))
        return read_operator(l);
    l->name = span_head(l->rest, span_run(l->rest, 0, is_word));
    l->rest = span_from(l->rest, l->name.len);
    return TOKEN_NAME;
}

/* Read the next token. If the text is not a token of C, set TOKEN_BAD; further calls do the
 * same. */
static void
lexer_next(struct lexer *l)
{
    if (l->token == TOKEN_BAD)
        return;
    skip_space(l);
    l->token = read_token(l);
    skip_space(l);
}

/* Limits: the nesting depth of a parser, the number of levels of operators, the bytes of a print
 * format. */
enum { NEST = 100, LEVELS = 10, TEXT_MAX = 256 * 1024 };

struct expr_parser {
    struct lexer lex; /* at the next token */
    const struct event_format *format;
    struct arena *arena;
    int nest;      /* number of open brackets, and of operators before an operand */
    bool in_entry; /* in a list of flags or symbols; lists are not nested */
};

/* Parsing functions consume what they parse. They return NULL or false if the text is not as
 * expected; the position of the lexer is then undefined. */
static struct expr *parse_expr(struct expr_parser *p);
static struct expr *parse_unary(struct expr_parser *p);

static bool
at(const struct expr_parser *p, int op)
{
    return p->lex.token == TOKEN_OPERATOR && p->lex.op == op;
}

/* Consume an operator, which is a character or an enum expr_op, if it is next. */
static bool
skip(struct expr_parser *p, int op)
{
    if (!at(p, op))
        return false;
    lexer_next(&p->lex);
    return true;
}

static struct expr *
new_expr(struct expr_parser *p, enum expr_kind kind, enum expr_shape shape)
{
    struct expr *e = arena_alloc(p->arena, sizeof *e);
    *e = (struct expr){.kind = kind, .shape = shape, .height = 1};
    return e;
}

/* Set the operands of e; NULL means none. Everything else in e must be set before. If all operands
 * are constants, replace e by its value. Return e, or NULL if the tree is too high. */
static struct expr *
set_operands(struct expr *e, struct expr *a, struct expr *b, struct expr *c)
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
    if (constant) { /* store the value in its place: expressions for flags are long */
        struct number n = traceexpr_number(e, span_of(NULL, 0));
        *e = (struct expr){.kind = EXPR_NUMBER, .height = 1, .number = n.bits, .type = n.type};
    }
    return e->height <= EXPR_HEIGHT ? e : NULL;
}

static struct expr *
field_expr(struct expr_parser *p, struct span name)
{
    const struct event_field *field = eventformat_field(p->format, name);
    if (field == NULL)
        return NULL;
    struct expr *e = new_expr(p, EXPR_FIELD, field->is_array ? SHAPE_BYTES : SHAPE_NUMBER);
    e->field = field;
    e->type = field->type;
    return e;
}

static struct expr *
parse_number(struct expr_parser *p)
{
    struct expr *e = parse_expr(p);
    return e != NULL && e->shape == SHAPE_NUMBER ? e : NULL;
}

/* Parse an argument that is the name of an array field, and make an expression of this kind from
 * it. */
static struct expr *
parse_array_name(struct expr_parser *p, enum expr_kind kind)
{
    if (p->lex.token != TOKEN_NAME)
        return NULL;
    struct expr *e = field_expr(p, p->lex.name);
    lexer_next(&p->lex);
    if (e == NULL || e->shape != SHAPE_BYTES)
        return NULL;
    e->kind = kind;
    e->shape = kind == EXPR_FIELD ? SHAPE_BYTES : kind == EXPR_LENGTH ? SHAPE_NUMBER : SHAPE_TEXT;
    if (kind == EXPR_LENGTH)
        e->type = (struct field_type){4, false};
    return e;
}

/* Parse the value of an entry. If it is unknown, consume it and return NULL. */
static struct expr *
parse_entry_value(struct expr_parser *p)
{
    struct lexer start = p->lex;
    struct expr *value = parse_expr(p);
    if (value != NULL && value->shape == SHAPE_NUMBER && !value->unknown && at(p, ','))
        return value;
    p->lex = start;
    for (int depth = 0; p->lex.token < TOKEN_BAD && (depth > 0 || !at(p, ','));
         lexer_next(&p->lex)) {
        depth += at(p, '(');
        depth -= at(p, ')');
        if (p->lex.token == TOKEN_END)
            break;
    }
    return NULL;
}

/* Parse the text of an entry. Some lists end with a null pointer, such as { -1, NULL } or { 0,
 * ((void *)0) }: that entry matches nothing. */
static bool
parse_entry_text(struct expr_parser *p, struct expr_entry *entry)
{
    if (p->lex.token != TOKEN_STRING) {
        entry->value = NULL;
        return parse_number(p) != NULL;
    }
    entry->text = p->lex.string;
    lexer_next(&p->lex);
    return true;
}

/* Parse { value, "text" }. */
static struct expr_entry *
parse_entry(struct expr_parser *p)
{
    if (!skip(p, '{'))
        return NULL;
    struct expr_entry *entry = arena_alloc(p->arena, sizeof *entry);
    p->in_entry = true;
    *entry = (struct expr_entry){parse_entry_value(p), {NULL, 0}, NULL};
    p->in_entry = false;
    bool good = skip(p, ',') && parse_entry_text(p, entry) && skip(p, '}');
    return good ? entry : NULL;
}

/* Parse ", { value, text }" any number of times. */
static bool
parse_entries(struct expr_parser *p, struct expr *e)
{
    struct expr_entry **end = &e->entries;
    while (skip(p, ',')) {
        if (at(p, ')')) /* a comma after the last one */
            break;
        *end = parse_entry(p);
        if (*end == NULL)
            return false;
        end = &(*end)->next;
    }
    return true;
}

/* Parse "value, text between flags, entries" or "value, entries". */
static struct expr *
parse_named(struct expr_parser *p, enum expr_kind kind)
{
    struct expr *e = new_expr(p, kind, SHAPE_TEXT), *value = parse_number(p);
    if (p->in_entry || value == NULL)
        return NULL;
    if (kind == EXPR_FLAGS) {
        if (!skip(p, ',') || p->lex.token != TOKEN_STRING)
            return NULL;
        e->text = p->lex.string;
        lexer_next(&p->lex);
    }
    return parse_entries(p, e) ? set_operands(e, value, NULL, NULL) : NULL;
}

/* Parse "array, number" and, for EXPR_ARRAY, ", number". */
static struct expr *
parse_dump(struct expr_parser *p, enum expr_kind kind)
{
    struct expr *array = parse_expr(p), *count = NULL, *size = NULL;
    if (array == NULL || array->shape != SHAPE_BYTES || !skip(p, ','))
        return NULL;
    count = parse_number(p);
    if (count == NULL)
        return NULL;
    if (kind == EXPR_ARRAY && (!skip(p, ',') || (size = parse_number(p)) == NULL))
        return NULL;
    return set_operands(new_expr(p, kind, SHAPE_TEXT), array, count, size);
}

/* Parse "field, number" of __print_dynamic_array. */
static struct expr *
parse_dynamic_dump(struct expr_parser *p, enum expr_kind kind)
{
    struct expr *array = parse_array_name(p, EXPR_FIELD), *size;
    if (array == NULL || !skip(p, ',') || (size = parse_number(p)) == NULL)
        return NULL;
    return set_operands(new_expr(p, kind, SHAPE_TEXT), array, NULL, size);
}

/* Parse "a, b" of __builtin_expect. Return a. */
static struct expr *
parse_expect(struct expr_parser *p)
{
    struct expr *e = parse_expr(p);
    return skip(p, ',') && parse_expr(p) != NULL ? e : NULL;
}

/* Parse "arguments" of a helper such as __print_flags, between its brackets. */
static struct expr *
parse_call(struct expr_parser *p, struct span helper)
{
    static const struct {
        struct span name;
        struct expr *(*parse)(struct expr_parser *p, enum expr_kind kind);
        enum expr_kind kind;
    } helpers[] = {
        {SPAN("__get_str"), parse_array_name, EXPR_FIELD},
        {SPAN("__get_rel_str"), parse_array_name, EXPR_FIELD},
        {SPAN("__get_dynamic_array"), parse_array_name, EXPR_FIELD},
        {SPAN("__get_rel_dynamic_array"), parse_array_name, EXPR_FIELD},
        {SPAN("__get_sockaddr"), parse_array_name, EXPR_FIELD},
        {SPAN("__get_rel_sockaddr"), parse_array_name, EXPR_FIELD},
        {SPAN("__get_dynamic_array_len"), parse_array_name, EXPR_LENGTH},
        {SPAN("__get_rel_dynamic_array_len"), parse_array_name, EXPR_LENGTH},
        {SPAN("__get_bitmask"), parse_array_name, EXPR_BITMASK},
        {SPAN("__get_rel_bitmask"), parse_array_name, EXPR_BITMASK},
        {SPAN("__get_cpumask"), parse_array_name, EXPR_BITMASK},
        {SPAN("__get_rel_cpumask"), parse_array_name, EXPR_BITMASK},
        {SPAN("__print_flags"), parse_named, EXPR_FLAGS},
        {SPAN("__print_flags_u64"), parse_named, EXPR_FLAGS},
        {SPAN("__print_symbolic"), parse_named, EXPR_SYMBOLIC},
        {SPAN("__print_symbolic_u64"), parse_named, EXPR_SYMBOLIC},
        {SPAN("__print_hex"), parse_dump, EXPR_HEX},
        {SPAN("__print_hex_str"), parse_dump, EXPR_HEX_STR},
        {SPAN("__print_array"), parse_dump, EXPR_ARRAY},
        {SPAN("__print_dynamic_array"), parse_dynamic_dump, EXPR_ARRAY},
    };
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
        if (span_eq(helper, helpers[i].name))
            return helpers[i].parse(p, helpers[i].kind);
    return span_eq(helper, SPAN("__builtin_expect")) ? parse_expect(p) : NULL;
}

/* Parse "->field" after REC. */
static struct expr *
parse_field(struct expr_parser *p)
{
    lexer_next(&p->lex);
    if (!skip(p, OP_ARROW) || p->lex.token != TOKEN_NAME)
        return NULL;
    struct expr *e = field_expr(p, p->lex.name);
    lexer_next(&p->lex);
    return e;
}

/* Consume the words and stars of a type in brackets, after "(", and the ")". If there is something
 * else, return false and do not move the lexer. */
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
        else if (words->len > 0 && at(p, '*'))
            ++*stars;
        else
            break;
    }
    if (words->len > 0 && skip(p, ')'))
        return true;
    p->lex = start;
    return false;
}

static struct expr *
number_expr(struct expr_parser *p, uint64_t number, struct field_type type)
{
    struct expr *e = new_expr(p, EXPR_NUMBER, SHAPE_NUMBER);
    e->number = number;
    e->type = type;
    return e;
}

static struct field_type
type_of_long(const struct expr_parser *p, bool is_unsigned)
{
    return (struct field_type){(uint8_t)p->lex.long_size, is_unsigned};
}

/* Parse "(type)" after sizeof. */
static struct expr *
parse_sizeof(struct expr_parser *p)
{
    struct span words;
    size_t stars;
    if (!skip(p, '(') || !skip_type(p, &words, &stars))
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
    if (!skip(p, '(')) {
        struct expr *variable = new_expr(p, EXPR_VARIABLE, SHAPE_NUMBER);
        variable->type = type_of_long(p, true);
        variable->unknown = true;
        return variable;
    }
    struct expr *e = parse_call(p, name);
    return skip(p, ')') ? e : NULL;
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
        e = new_expr(p, EXPR_STRING, SHAPE_TEXT);
        e->text = p->lex.string;
        break;
    default:
        if (!skip(p, '('))
            return NULL;
        e = parse_expr(p);
        return skip(p, ')') ? e : NULL;
    }
    lexer_next(&p->lex);
    return e;
}

/* Return the expression array[index]; without an index, that of element 0. */
static struct expr *
element_expr(struct expr_parser *p, struct expr *array, struct expr *index)
{
    if (array == NULL || array->shape != SHAPE_BYTES || array->type.size == 0)
        return NULL;
    struct expr *e = new_expr(p, EXPR_ELEMENT, SHAPE_NUMBER);
    e->type = array->type;
    return set_operands(e, array, index, NULL);
}

static struct expr *
parse_postfix(struct expr_parser *p)
{
    struct expr *e = parse_primary(p);
    while (e != NULL && skip(p, '[')) {
        struct expr *index = parse_number(p);
        e = index != NULL && skip(p, ']') ? element_expr(p, e, index) : NULL;
    }
    return e;
}

/* Return a cast. If an array is cast to a pointer, the type of its elements changes. If it is cast
 * to an integer, return NULL: its address is unknown. A pointer is a number like any other. */
static struct expr *
cast_expr(struct expr_parser *p, struct expr *a, struct span words, size_t stars)
{
    if (a == NULL || (a->shape == SHAPE_BYTES && stars == 0))
        return NULL;
    struct expr *e = new_expr(p, EXPR_CAST, a->shape);
    e->type = eventformat_type(words, p->lex.long_size);
    if (stars > 1 || (stars == 1 && a->shape == SHAPE_NUMBER))
        e->type = type_of_long(p, true);
    return set_operands(e, a, NULL, NULL);
}

static struct expr *
parse_cast(struct expr_parser *p)
{
    struct lexer start = p->lex;
    struct span words;
    size_t stars;
    if (skip(p, '(') && skip_type(p, &words, &stars))
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
    struct expr *e = new_expr(p, EXPR_UNARY, SHAPE_NUMBER);
    e->op = op;
    return set_operands(e, a, NULL, NULL);
}

/* Parse an operand and the operators before it. Every recursion passes through here, or through the
 * condition in parse_expr. */
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

/* Return the precedence of the next operator with two operands, 1 to LEVELS, or 0 if none is
 * next. */
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

/* Parse operands and operators of at least this precedence. */
static struct expr *
parse_binary(struct expr_parser *p, int least)
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
        a = set_operands(e, a, b, NULL);
    }
    return a;
}

static struct expr *
parse_expr(struct expr_parser *p)
{
    struct expr *a = parse_binary(p, 1);
    if (a == NULL || !skip(p, '?'))
        return a;
    if (p->nest >= NEST)
        return NULL;
    p->nest++;
    struct expr *b = parse_expr(p);
    struct expr *c = b != NULL && skip(p, ':') ? parse_expr(p) : NULL;
    p->nest--;
    if (c == NULL)
        return NULL;
    struct expr *e = new_expr(p, EXPR_CONDITION, b->shape == c->shape ? b->shape : SHAPE_MIXED);
    return set_operands(e, a, b, c);
}

/* Parse ", argument" up to the end of the text. */
static bool
parse_all(struct expr_parser *p, struct expr ***args, size_t *nargs)
{
    size_t cap = 0;
    struct expr **list = NULL;
    bool good = true;
    for (*nargs = 0; good && skip(p, ',');) {
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
traceparse_arguments(const struct event_format *f, size_t long_size, struct arena *arena,
                     struct span *format, struct expr ***args, size_t *nargs)
{
    struct expr_parser p = {
        .lex = {.rest = f->print, .long_size = long_size, .arena = arena},
        .format = f,
        .arena = arena,
    };
    if (f->print.len > TEXT_MAX)
        return false;
    lexer_next(&p.lex);
    if (p.lex.token != TOKEN_STRING)
        return false;
    *format = p.lex.string;
    lexer_next(&p.lex);
    return parse_all(&p, args, nargs);
}
