/* REC->dev, ((unsigned int) ((REC->flags) & ((1U << 20) - 1))) != 0x10UL ? "a" : "b" "\n" */
#include "common/tracepoint/tracelex.h"

#include "common/base/num.h"

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

/* Read digits of the base, at most 16. Return false if there are none, or more than 64 bits. */
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

/* The smallest type that holds the number, as C has it: a decimal one without U is signed. */
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

/* Add the string that l->rest starts with to l->string, for which there is room. */
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

/* How many bytes the adjacent strings that the text starts with take, with their quotes. */
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

void
lexer_next(struct lexer *l)
{
    if (l->token == TOKEN_BAD)
        return;
    skip_space(l);
    l->token = read_token(l);
    skip_space(l);
}
