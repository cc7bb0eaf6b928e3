/* __print_flags(REC->flags, "|", { 0x1, "READ" }, { (unsigned long)(1UL << 1), "WRITE" })
 * __print_symbolic(REC->state, { 0, "NONE" }, { 1, "INIT" }), __get_str(comm)
 *
 * The helpers of include/trace/stages/stage3_trace_output.h in the kernel's source. */
#include "common/tracepoint/traceparse.h"

/* Parses the name of a field of an array as an argument; `kind` is what is made of it. */
static struct expr *
parse_array_name(struct expr_parser *p, enum expr_kind kind, enum expr_shape shape)
{
    if (p->lex.token != TOKEN_NAME)
        return NULL;
    struct expr *e = traceparse_field(p, p->lex.name);
    lexer_next(&p->lex);
    if (e == NULL || e->shape != SHAPE_BYTES)
        return NULL;
    e->kind = kind;
    e->shape = shape;
    if (kind == EXPR_LENGTH)
        e->type = (struct field_type){4, false};
    return e;
}

/* Parses the value of an entry. NULL, after going over it, if it is not known. */
static struct expr *
parse_entry_value(struct expr_parser *p)
{
    struct lexer start = p->lex;
    struct expr *value = traceparse_expr(p);
    if (value != NULL && value->shape == SHAPE_NUMBER && !value->unknown && traceparse_at(p, ','))
        return value;
    p->lex = start;
    for (int depth = 0; p->lex.token < TOKEN_BAD && (depth > 0 || !traceparse_at(p, ','));
         lexer_next(&p->lex)) {
        depth += traceparse_at(p, '(');
        depth -= traceparse_at(p, ')');
        if (p->lex.token == TOKEN_END)
            break;
    }
    return NULL;
}

/* Parses the text of an entry. Some lists end in an entry with a null pointer, such as { -1, NULL }
 * or { 0, ((void *)0) }: it matches nothing. */
static bool
parse_entry_text(struct expr_parser *p, struct expr_entry *entry)
{
    if (p->lex.token != TOKEN_STRING) {
        entry->value = NULL;
        return traceparse_number(p) != NULL;
    }
    entry->text = p->lex.string;
    lexer_next(&p->lex);
    return true;
}

/* Parses { value, "text" }. */
static struct expr_entry *
parse_entry(struct expr_parser *p)
{
    if (!traceparse_skip(p, '{'))
        return NULL;
    struct expr_entry *entry = arena_alloc(p->arena, sizeof *entry);
    p->in_entry = true;
    *entry = (struct expr_entry){parse_entry_value(p), {NULL, 0}, NULL};
    p->in_entry = false;
    bool good = traceparse_skip(p, ',') && parse_entry_text(p, entry) && traceparse_skip(p, '}');
    return good ? entry : NULL;
}

/* Parses ", { value, text }" as often as it comes. */
static bool
parse_entries(struct expr_parser *p, struct expr *e)
{
    struct expr_entry **end = &e->entries;
    while (traceparse_skip(p, ',')) {
        if (traceparse_at(p, ')')) /* a comma after the last one */
            break;
        *end = parse_entry(p);
        if (*end == NULL)
            return false;
        end = &(*end)->next;
    }
    return true;
}

static struct expr *
parse_flags(struct expr_parser *p)
{
    struct expr *e = traceparse_new(p, EXPR_FLAGS, SHAPE_TEXT);
    struct expr *value = traceparse_number(p);
    if (p->in_entry || value == NULL || !traceparse_skip(p, ',') || p->lex.token != TOKEN_STRING)
        return NULL;
    e->text = p->lex.string;
    lexer_next(&p->lex);
    return parse_entries(p, e) ? traceparse_operands(e, value, NULL, NULL) : NULL;
}

static struct expr *
parse_symbolic(struct expr_parser *p)
{
    struct expr *e = traceparse_new(p, EXPR_SYMBOLIC, SHAPE_TEXT);
    struct expr *value = traceparse_number(p);
    if (p->in_entry || value == NULL || !parse_entries(p, e))
        return NULL;
    return traceparse_operands(e, value, NULL, NULL);
}

/* Parses "array, number" and, for EXPR_ARRAY, ", number". */
static struct expr *
parse_dump(struct expr_parser *p, enum expr_kind kind)
{
    struct expr *array = traceparse_expr(p), *count = NULL, *size = NULL;
    if (array == NULL || array->shape != SHAPE_BYTES || !traceparse_skip(p, ','))
        return NULL;
    count = traceparse_number(p);
    if (count == NULL)
        return NULL;
    if (kind == EXPR_ARRAY && (!traceparse_skip(p, ',') || (size = traceparse_number(p)) == NULL))
        return NULL;
    return traceparse_operands(traceparse_new(p, kind, SHAPE_TEXT), array, count, size);
}

/* Parses "field, number" of __print_dynamic_array. */
static struct expr *
parse_dynamic_dump(struct expr_parser *p)
{
    struct expr *array = parse_array_name(p, EXPR_FIELD, SHAPE_BYTES), *size;
    if (array == NULL || !traceparse_skip(p, ',') || (size = traceparse_number(p)) == NULL)
        return NULL;
    return traceparse_operands(traceparse_new(p, EXPR_ARRAY, SHAPE_TEXT), array, NULL, size);
}

/* Parses "a, b" of __builtin_expect, which is a. */
static struct expr *
parse_expect(struct expr_parser *p)
{
    struct expr *e = traceparse_expr(p);
    return traceparse_skip(p, ',') && traceparse_expr(p) != NULL ? e : NULL;
}

struct expr *
traceparse_call(struct expr_parser *p, struct span function)
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
