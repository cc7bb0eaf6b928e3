/* "dev %d,%d ino %lu sector 0x%llx caller %pS [%s]" and the like: printf's conversions, and the
 * kernel's %p with letters (its Documentation/core-api/printk-formats.rst). */
#include "common/tracepoint/traceformat.h"

#include <stdio.h>

#include "common/tracepoint/traceaddr.h"
#include "common/tracepoint/traceparse.h"

struct parser {
    struct span rest; /* of the format */
    size_t long_size;
    struct arena *arena;
    struct expr **args;
    size_t nargs;
};

static struct expr *
next_arg(struct parser *p)
{
    if (p->nargs == 0)
        return NULL;
    p->nargs--;
    return *p->args++;
}

static struct expr *
next_number(struct parser *p)
{
    struct expr *e = next_arg(p);
    return e != NULL && e->shape == SHAPE_NUMBER ? e : NULL;
}

static char
peek(const struct parser *p)
{
    return p->rest.len > 0 ? p->rest.ptr[0] : '\0';
}

static bool
skip(struct parser *p, char c)
{
    if (p->rest.len == 0 || p->rest.ptr[0] != c)
        return false;
    p->rest = span_from(p->rest, 1);
    return true;
}

/* Parse the digits of a width, or "*" with its argument. False: too large, or no argument. */
static bool
parse_width(struct parser *p, int *width, struct expr **arg)
{
    *width = 0;
    if (skip(p, '*'))
        return (*arg = next_number(p)) != NULL;
    for (; is_digit(peek(p)); p->rest = span_from(p->rest, 1)) {
        *width = *width * 10 + (peek(p) - '0');
        if (*width > WIDTH_MOST)
            return false;
    }
    return true;
}

/* Parse h, l and so on: the type of the argument, signed. */
static struct field_type
parse_length(struct parser *p)
{
    uint8_t size = 4;
    for (;; p->rest = span_from(p->rest, 1)) {
        switch (peek(p)) {
        case 'h':
            size = size == 4 ? 2 : 1;
            break;
        case 'l':
            size = size == 4 ? (uint8_t)p->long_size : 8;
            break;
        case 'z':
        case 't':
            size = (uint8_t)p->long_size;
            break;
        case 'L':
        case 'q':
        case 'j':
            size = 8;
            break;
        default:
            return (struct field_type){size, false};
        }
    }
}

/* Parse the letters after %p. */
static bool
parse_pointer(struct parser *p, struct piece *piece)
{
    size_t n = traceaddr_letters(p->rest);
    enum expr_shape wanted = SHAPE_NUMBER;
    piece->kind = PIECE_POINTER;
    if (n > 0) {
        piece->kind = PIECE_ADDRESS;
        wanted = SHAPE_BYTES;
    } else if (peek(p) == 'h' || span_starts(p->rest, SPAN("bl"))) {
        piece->kind = peek(p) == 'h' ? PIECE_BYTES : PIECE_BITS;
        wanted = SHAPE_BYTES;
        n = 1;
        if (p->rest.len > 1 && strchr("lNCD", p->rest.ptr[1]) != NULL)
            n = 2;
    } else if (p->rest.len > 0 && strchr("sSfFB", peek(p)) != NULL) {
        piece->kind = PIECE_SYMBOL;
        n = 1;
    } else if (peek(p) == 'x' || peek(p) == 'K') {
        n = 1;
    } else if (is_word(peek(p))) {
        return false;
    }
    piece->letters = span_head(p->rest, n);
    p->rest = span_from(p->rest, n);
    piece->arg = next_arg(p);
    return piece->arg != NULL && piece->arg->shape == wanted;
}

static bool
parse_number(struct parser *p, struct piece *piece, struct span flags, char conversion)
{
    piece->kind = conversion == 'c' ? PIECE_CHAR : PIECE_NUMBER;
    piece->type.is_unsigned = conversion != 'd' && conversion != 'i';
    snprintf(piece->printf_format, sizeof piece->printf_format, "%%%.*s*.*ll%c", (int)flags.len,
             flags.ptr, conversion);
    piece->arg = next_number(p);
    return piece->arg != NULL;
}

static bool
is_flag(char c)
{
    return c == '-' || c == '+' || c == ' ' || c == '#' || c == '0';
}

/* Parse a conversion after "%". */
static bool
parse_conversion(struct parser *p, struct piece *piece)
{
    struct span flags = span_head(p->rest, span_run(p->rest, 0, is_flag));
    p->rest = span_from(p->rest, flags.len);
    piece->left = span_find(flags, '-') != SPAN_NONE;
    if (flags.len > 5 || !parse_width(p, &piece->width, &piece->width_arg))
        return false;
    if (skip(p, '.') && !parse_width(p, &piece->precision, &piece->precision_arg))
        return false;
    piece->type = parse_length(p);
    char conversion = peek(p);
    if (p->rest.len == 0)
        return false;
    p->rest = span_from(p->rest, 1);
    switch (conversion) {
    case 'p':
        return parse_pointer(p, piece);
    case 's':
        piece->kind = PIECE_STRING;
        piece->arg = next_arg(p);
        return piece->arg != NULL;
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
    case 'c':
        return parse_number(p, piece, flags, conversion);
    default:
        return false;
    }
}

/* Parse a text and the conversion after it. "%%" ends a text with its first "%". */
static bool
parse_piece(struct parser *p, struct piece *piece)
{
    *piece = (struct piece){.kind = PIECE_TEXT, .precision = -1};
    size_t percent = span_find(p->rest, '%');
    if (percent == SPAN_NONE)
        percent = p->rest.len;
    piece->before = span_head(p->rest, percent);
    p->rest = span_from(p->rest, percent);
    if (!skip(p, '%'))
        return true;
    if (skip(p, '%')) {
        piece->before.len++;
        return true;
    }
    return parse_conversion(p, piece);
}

bool
traceformat_parse(const struct event_format *f, size_t long_size, struct arena *arena,
                  struct piece **pieces)
{
    struct parser p = {.long_size = long_size, .arena = arena};
    if (!traceparse_arguments(f, long_size, arena, &p.rest, &p.args, &p.nargs))
        return false;
    for (*pieces = NULL; p.rest.len > 0; pieces = &(*pieces)->next) {
        *pieces = arena_alloc(arena, sizeof **pieces);
        if (!parse_piece(&p, *pieces))
            return false;
    }
    return true;
}
