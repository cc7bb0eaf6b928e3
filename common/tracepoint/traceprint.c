/* "dev %d,%d ino %lu sector 0x%llx caller %pS [%s]" and the like: printf's conversions, and the
 * kernel's %p with letters (its Documentation/core-api/printk-formats.rst). */
#include "common/tracepoint/traceprint.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/load.h"
#include "common/tracepoint/traceparse.h"

/* WIDTH_MAX limits widths and precisions, since they may come from a payload. */
enum { WIDTH_MAX = 1000 };

enum piece_kind {
    PIECE_TEXT,    /* only the text before it */
    PIECE_NUMBER,  /* %d and so on */
    PIECE_CHAR,    /* %c */
    PIECE_STRING,  /* %s */
    PIECE_POINTER, /* %p, %px */
    PIECE_SYMBOL,  /* %ps, %pS: a function. Its address is printed: its name is not known */
    PIECE_ADDRESS, /* %pI4 and so on: see address_letters */
    PIECE_BYTES,   /* %*ph: width bytes in hexadecimal; letters: the separator, N C D or none */
    PIECE_BITS,    /* %*pbl: the numbers of the bits that are set, out of width bits */
};

/* One conversion, "%-10.*llx", and the text before it. */
struct piece {
    enum piece_kind kind;
    struct span before;
    char printf_format[16]; /* of a number: for printf with width, precision, long long */
    struct field_type type; /* of a number */
    int width, precision;   /* precision -1: none; in printf_format, both are "*" */
    struct expr *width_arg, *precision_arg; /* NULL: a constant */
    bool left;                              /* flag "-" */
    struct span letters;                    /* after %p */
    const struct expr *arg;
    struct piece *next;
};

struct format_parser {
    struct span rest; /* the rest of the format */
    size_t long_size;
    struct arena *arena;
    struct expr **args;
    size_t nargs;
};

static struct expr *
next_arg(struct format_parser *p)
{
    if (p->nargs == 0)
        return NULL;
    p->nargs--;
    return *p->args++;
}

static struct expr *
next_number(struct format_parser *p)
{
    struct expr *e = next_arg(p);
    return e != NULL && e->shape == SHAPE_NUMBER ? e : NULL;
}

static char
peek(const struct format_parser *p)
{
    return p->rest.len > 0 ? p->rest.ptr[0] : '\0';
}

static bool
skip(struct format_parser *p, char c)
{
    if (p->rest.len == 0 || p->rest.ptr[0] != c)
        return false;
    p->rest = span_from(p->rest, 1);
    return true;
}

/* Parse the digits of a width, or "*" with its argument. Return false if it is too large, or has no
 * argument. */
static bool
parse_width(struct format_parser *p, int *width, struct expr **arg)
{
    *width = 0;
    if (skip(p, '*'))
        return (*arg = next_number(p)) != NULL;
    for (; is_digit(peek(p)); p->rest = span_from(p->rest, 1)) {
        *width = *width * 10 + (peek(p) - '0');
        if (*width > WIDTH_MAX)
            return false;
    }
    return true;
}

/* Parse h, l and the like, and return the type of the argument, as signed. */
static struct field_type
parse_length(struct format_parser *p)
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

/* Return `from` plus the number of letters at `from` that are in this set, at most `most`. */
static size_t
options(struct span letters, size_t from, const char *among, size_t most)
{
    size_t n = from;
    while (n < letters.len && n < from + most && strchr(among, letters.ptr[n]) != NULL &&
           letters.ptr[n] != '\0')
        n++;
    return n;
}

/* Return the number of letters after %p that specify the format of a network address or a UUID, or
 * 0 if there are none.
 *
 *     I4 i4           192.0.2.1
 *     I6 i6           2001:0db8:0000:...:0001, i6 without colons; I6c: 2001:db8::1
 *     IS, ISc, ISpc   a struct sockaddr: as I4, I6, I6c; p: with the port, [2001:db8::1]:80
 *     M m             00:01:02:aa:bb:cc, m without colons; MF with "-"; MR, mR last byte first
 *     U Ub UB Ul UL   a UUID; capital: in capitals; l: its first three numbers are little-endian
 */
static size_t
address_letters(struct span letters)
{
    if (letters.len == 0)
        return 0;
    switch (letters.ptr[0]) {
    case 'M':
    case 'm':
        return options(letters, 1, "RF", 1);
    case 'U':
        return options(letters, 1, "bBlL", 1);
    case 'I':
    case 'i':
        break;
    default:
        return 0;
    }
    switch (letters.len > 1 ? letters.ptr[1] : '\0') {
    case '4':
        return 2;
    case '6':
        return options(letters, 2, "c", 1);
    case 'S':
        return options(letters, 2, "pc", 2);
    default:
        return 0;
    }
}

/* Parse the letters after %p. */
static bool
parse_pointer(struct format_parser *p, struct piece *piece)
{
    size_t n = address_letters(p->rest);
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
parse_number(struct format_parser *p, struct piece *piece, struct span flags, char conversion)
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
parse_conversion(struct format_parser *p, struct piece *piece)
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

/* Parse a text and the conversion after it. "%%" ends a text after its first "%". */
static bool
parse_piece(struct format_parser *p, struct piece *piece)
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

/* Parse the print format of f. The pieces are in the arena. Return false if it contains something
 * that is not evaluated, or has more conversions than arguments. */
static bool
parse_format(const struct event_format *f, size_t long_size, struct arena *arena,
             struct piece **pieces)
{
    struct format_parser p = {.long_size = long_size, .arena = arena};
    if (!traceparse_arguments(f, long_size, arena, &p.rest, &p.args, &p.nargs))
        return false;
    for (*pieces = NULL; p.rest.len > 0; pieces = &(*pieces)->next) {
        *pieces = arena_alloc(arena, sizeof **pieces);
        if (!parse_piece(&p, *pieces))
            return false;
    }
    return true;
}

/* The text ends after the conversion with which it reaches this number of bytes. */
enum { TEXT_MAX = 64 * 1024 };

/* The print format of an event. It is parsed when the event is first printed. */
struct program {
    bool parsed;
    bool good; /* false: the fields are printed */
    struct piece *pieces;
};

struct traceprint {
    const struct tracing *tracing;
    struct program *programs; /* one for each of tracing->formats */
    struct arena arena;
    struct text scratch; /* a text before padding */
};

struct traceprint *
traceprint_new(const struct tracing *t)
{
    struct traceprint *p = mem_alloc(sizeof *p);
    *p = (struct traceprint){.tracing = t};
    p->programs = mem_alloc((t->formats.n + 1) * sizeof *p->programs);
    for (size_t i = 0; i < t->formats.n; i++)
        p->programs[i] = (struct program){0};
    return p;
}

void
traceprint_free(struct traceprint *p)
{
    free(p->programs);
    free(p->scratch.ptr);
    arena_free(&p->arena);
    free(p);
}

/* Append as printf does. The text is cut after 99 bytes. */
__attribute__((format(printf, 2, 3))) static void
add_format(struct text *out, const char *format, ...)
{
    char buf[100];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(buf, sizeof buf, format, args);
    va_end(args);
    if (n > 0)
        text_add(out, span_of(buf, (size_t)n < sizeof buf ? (size_t)n : sizeof buf - 1));
}

enum { ADDRESS_BYTES = 28, IP6_WORDS = 8 }; /* size of a struct sockaddr_in6 */

/* The numbers are from include/linux/socket.h. */
enum { FAMILY_INET = 2, FAMILY_INET6 = 10 };

typedef const uint8_t address[ADDRESS_BYTES];

static unsigned
word(const uint8_t *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

static void
add_ip4(struct text *out, const uint8_t *bytes)
{
    for (int i = 0; i < 4; i++)
        add_format(out, i > 0 ? ".%u" : "%u", bytes[i]);
}

static void
add_ip6(struct text *out, const uint8_t *bytes, bool colons)
{
    for (int i = 0; i < IP6_WORDS; i++)
        add_format(out, i > 0 && colons ? ":%04x" : "%04x", word(bytes + 2 * i));
}

/* Return true for ::ffff:a.b.c.d and for ISATAP addresses (RFC 5214), whose last 4 bytes are an
 * IPv4 address. */
static bool
ends_in_ip4(const uint8_t *bytes)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    static const uint8_t isatap[3] = {0x00, 0x5e, 0xfe};
    return memcmp(bytes, mapped, sizeof mapped) == 0 ||
           ((bytes[8] | 2) == 2 && memcmp(bytes + 9, isatap, sizeof isatap) == 0);
}

/* Find the first of the longest runs of zero words, of at least two. Set *start to its start, and
 * return its length, or 0 if there is none. */
static int
longest_zeros(const uint8_t *bytes, int words, int *start)
{
    int longest = 1;
    for (int i = 0, run = 0; i < words; i++) {
        run = word(bytes + 2 * i) == 0 ? run + 1 : 0;
        if (run > longest) {
            longest = run;
            *start = i + 1 - run;
        }
    }
    return longest > 1 ? longest : 0;
}

static void
add_ip6_short(struct text *out, const uint8_t *bytes)
{
    bool ip4 = ends_in_ip4(bytes);
    int words = ip4 ? IP6_WORDS - 2 : IP6_WORDS, start = words;
    int zeros = longest_zeros(bytes, words, &start);
    bool colon = false; /* a colon before the next word */
    for (int i = 0; i < words; i++) {
        if (zeros > 0 && i == start) {
            text_add(out, SPAN("::"));
            colon = false;
            i += zeros - 1;
            continue;
        }
        add_format(out, colon ? ":%x" : "%x", word(bytes + 2 * i));
        colon = true;
    }
    if (ip4) {
        text_add(out, colon ? SPAN(":") : SPAN(""));
        add_ip4(out, bytes + 12);
    }
}

static void
add_sockaddr(struct text *out, struct span letters, address bytes)
{
    uint16_t family;
    memcpy(&family, bytes, sizeof family);
    bool port = span_has(letters, 'p');
    if (family == FAMILY_INET) {
        add_ip4(out, bytes + 4);
    } else if (family == FAMILY_INET6) {
        text_add(out, port ? SPAN("[") : SPAN(""));
        if (span_has(letters, 'c'))
            add_ip6_short(out, bytes + 8);
        else
            add_ip6(out, bytes + 8, true);
        text_add(out, port ? SPAN("]") : SPAN(""));
    } else {
        text_add(out, SPAN("(einval)")); /* the kernel prints this */
        return;
    }
    if (port)
        add_format(out, ":%u", word(bytes + 2));
}

static void
add_mac(struct text *out, struct span letters, address bytes)
{
    struct span separator = letters.ptr[0] == 'm'    ? SPAN("")
                            : span_has(letters, 'F') ? SPAN("-")
                                                     : SPAN(":");
    for (int i = 0; i < 6; i++) {
        if (i > 0)
            text_add(out, separator);
        add_format(out, "%02x", bytes[span_has(letters, 'R') ? 5 - i : i]);
    }
}

static void
add_uuid(struct text *out, struct span letters, address bytes)
{
    static const uint8_t little_endian[8] = {3, 2, 1, 0, 5, 4, 7, 6};
    bool little = span_has(letters, 'l') || span_has(letters, 'L');
    bool capitals = span_has(letters, 'L') || span_has(letters, 'B');
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text_add(out, SPAN("-"));
        unsigned byte = bytes[little && i < 8 ? little_endian[i] : i];
        add_format(out, capitals ? "%02X" : "%02x", byte);
    }
}

/* Append the address in the bytes. Missing bytes count as 0. */
static void
print_address(struct text *out, struct span letters, struct span bytes)
{
    uint8_t copy[ADDRESS_BYTES] = {0};
    if (bytes.len > 0)
        memcpy(copy, bytes.ptr, bytes.len < sizeof copy ? bytes.len : sizeof copy);
    char kind = letters.ptr[0];
    if (kind == 'M' || kind == 'm')
        add_mac(out, letters, copy);
    else if (kind == 'U')
        add_uuid(out, letters, copy);
    else if (letters.ptr[1] == 'S')
        add_sockaddr(out, letters, copy);
    else if (letters.ptr[1] == '4')
        add_ip4(out, copy);
    else if (span_has(letters, 'c'))
        add_ip6_short(out, copy);
    else
        add_ip6(out, copy, kind == 'I');
}

/* Return the bits of a number, without the bits above its size, which repeat the sign. */
static uint64_t
own_bits(uint64_t bits, struct number n)
{
    return n.type.size < 8 ? bits & ((UINT64_C(1) << n.type.size * 8) - 1) : bits;
}

/* Append the names of flags. An entry with several bits is printed if all of them are set; they are
 * then not printed again. Like perf, an entry without bits is the name of the value 0. */
static void
print_flags(struct text *out, const struct expr *e, struct span raw)
{
    struct number value = traceexpr_number(e->a, raw);
    uint64_t left = own_bits(value.bits, value);
    size_t start = out->len;
    for (const struct expr_entry *f = e->entries; f != NULL; f = f->next) {
        if (f->value == NULL)
            continue;
        uint64_t mask = own_bits(traceexpr_number(f->value, raw).bits, value);
        if ((left & mask) != mask || (mask == 0 && (left != 0 || out->len > start)))
            continue;
        TEXT_ADD(out, out->len > start ? e->text : SPAN(""), f->text);
        left &= ~mask;
    }
    if (left == 0)
        return;
    text_add(out, out->len > start ? e->text : SPAN(""));
    add_format(out, "0x%" PRIx64, left);
}

static void
print_symbolic(struct text *out, const struct expr *e, struct span raw)
{
    struct number value = traceexpr_number(e->a, raw);
    uint64_t bits = own_bits(value.bits, value);
    for (const struct expr_entry *s = e->entries; s != NULL; s = s->next) {
        if (s->value != NULL && own_bits(traceexpr_number(s->value, raw).bits, value) == bits) {
            text_add(out, s->text);
            return;
        }
    }
    add_format(out, "0x%" PRIx64, bits);
}

/* Return the first n bytes of an array, or all of them if it is shorter. */
static struct span
head(struct span bytes, uint64_t n)
{
    return n < bytes.len ? span_head(bytes, (size_t)n) : bytes;
}

static void
print_hex(struct text *out, struct span bytes, struct span separator)
{
    for (size_t i = 0; i < bytes.len; i++) {
        text_add(out, i > 0 ? separator : SPAN(""));
        add_format(out, "%02x", (unsigned char)bytes.ptr[i]);
    }
}

static void
print_array(struct text *out, const struct expr *e, struct span raw)
{
    struct span bytes = traceexpr_bytes(e->a, raw);
    uint64_t size = traceexpr_number(e->c, raw).bits;
    size = size == 2 || size == 4 || size == 8 ? size : 1;
    struct field_type type = {(uint8_t)size, true};
    uint64_t count = bytes.len / size;
    if (e->b != NULL && traceexpr_number(e->b, raw).bits < count)
        count = traceexpr_number(e->b, raw).bits;
    text_add(out, SPAN("{"));
    for (uint64_t i = 0; i < count; i++)
        add_format(out, i > 0 ? ",0x%" PRIx64 : "0x%" PRIx64,
                   traceexpr_element(bytes, i, type).bits);
    text_add(out, SPAN("}"));
}

/* Append words of 32 bits, the highest first, as the kernel's %*pb does: "3,00000001". */
static void
print_bitmask(struct text *out, struct span bytes)
{
    bool first = true;
    for (size_t n = bytes.len / 4; n > 0; n--) {
        uint64_t word = traceexpr_element(bytes, n - 1, (struct field_type){4, true}).bits;
        add_format(out, first ? "%08" PRIx64 : ",%08" PRIx64, word);
        first = false;
    }
}

static bool
has_bit(struct span bytes, uint64_t bit)
{
    return bit / 8 < bytes.len && ((unsigned char)bytes.ptr[bit / 8] >> bit % 8 & 1) != 0;
}

/* Append the numbers of bits that are set as ranges: "0-3,8". */
static void
print_bits(struct text *out, struct span bytes, uint64_t bits)
{
    size_t start = out->len;
    if (bits > (uint64_t)bytes.len * 8)
        bits = (uint64_t)bytes.len * 8;
    for (uint64_t from = 0, to; from < bits; from = to) {
        for (to = from; to < bits && has_bit(bytes, to);)
            to++;
        if (to == from) {
            to++;
            continue;
        }
        text_add(out, out->len > start ? SPAN(",") : SPAN(""));
        add_format(out, to - from > 1 ? "%" PRIu64 "-%" PRIu64 : "%" PRIu64, from, to - 1);
    }
}

/* Append the string at an address. A number printed by %s is the address of a constant string in
 * the kernel. */
static void
print_string_at(struct text *out, const struct tracing *t, uint64_t addr)
{
    struct span text;
    if (tracing_string(t, addr, &text))
        text_add(out, text);
    else
        add_format(out, "%" PRIx64, addr);
}

/* Append what %s prints for an expression: a string; an array of characters up to its NUL; the text
 * at an address (tracing_string), or if that is unknown the address, like perf; the names of
 * flags. */
static void
print_expr(struct text *out, const struct tracing *t, const struct expr *e, struct span raw)
{
    while (e->shape != SHAPE_NUMBER && (e->kind == EXPR_CAST || e->kind == EXPR_CONDITION)) {
        if (e->kind == EXPR_CAST)
            e = e->a;
        else
            e = traceexpr_number(e->a, raw).bits != 0 ? e->b : e->c;
    }
    if (e->shape == SHAPE_NUMBER) {
        print_string_at(out, t, traceexpr_number(e, raw).bits);
        return;
    }
    switch (e->kind) {
    case EXPR_STRING:
        text_add(out, e->text);
        break;
    case EXPR_FLAGS:
        print_flags(out, e, raw);
        break;
    case EXPR_SYMBOLIC:
        print_symbolic(out, e, raw);
        break;
    case EXPR_HEX:
    case EXPR_HEX_STR:
        print_hex(out, head(traceexpr_bytes(e->a, raw), traceexpr_number(e->b, raw).bits),
                  e->kind == EXPR_HEX ? SPAN(" ") : SPAN(""));
        break;
    case EXPR_ARRAY:
        print_array(out, e, raw);
        break;
    case EXPR_BITMASK:
        print_bitmask(out, traceexpr_array(e->field, raw));
        break;
    default: /* EXPR_FIELD */
        text_add(out, load_text(traceexpr_array(e->field, raw)));
    }
}

static bool
is_printable(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!(text.ptr[i] >= ' ' && text.ptr[i] <= '~') && !is_space(text.ptr[i]))
            return false;
    return true;
}

static void
print_array_field(struct text *out, const struct event_field *field, struct span raw)
{
    struct span bytes = traceexpr_array(field, raw);
    if (field->is_text && is_printable(load_text(bytes))) {
        text_add(out, load_text(bytes));
        return;
    }
    text_add(out, SPAN("ARRAY["));
    print_hex(out, bytes, SPAN(", "));
    text_add(out, SPAN("]"));
}

static void
print_number_field(struct text *out, const struct event_field *field, struct span raw)
{
    struct number n = traceexpr_field(field, raw);
    if (field->is_pointer || (field->is_long && n.type.is_unsigned))
        add_format(out, "0x%" PRIx64, n.bits);
    else if (n.type.is_unsigned)
        add_format(out, "%" PRIu64, n.bits);
    else
        add_format(out, "%" PRId64, (int64_t)n.bits);
}

/* Append the fields of a payload after the common ones: "name=value name=value". perf does this for
 * formats that it cannot evaluate. */
static void
print_fields(struct text *out, const struct event_format *f, struct span raw)
{
    for (size_t i = f->ncommon; i < f->nfields; i++) {
        const struct event_field *field = &f->fields[i];
        TEXT_ADD(out, i > f->ncommon ? SPAN(" ") : SPAN(""), field->name, SPAN("="));
        if (field->is_array)
            print_array_field(out, field, raw);
        else
            print_number_field(out, field, raw);
    }
}

/* Return a width or precision: the argument's value if there is one, limited to +/-WIDTH_MAX;
 * otherwise the constant. */
static int
width_of(int stated, const struct expr *arg, struct span raw)
{
    if (arg == NULL)
        return stated;
    int64_t value = (int64_t)traceexpr_number(arg, raw).bits;
    return value > WIDTH_MAX ? WIDTH_MAX : value < -WIDTH_MAX ? -WIDTH_MAX : (int)value;
}

static void
print_number(struct text *out, const struct piece *piece, struct span raw)
{
    char buf[2 * WIDTH_MAX];
    int width = width_of(piece->width, piece->width_arg, raw);
    int precision = width_of(piece->precision, piece->precision_arg, raw);
    uint64_t bits = traceexpr_convert(traceexpr_number(piece->arg, raw).bits, piece->type).bits;
    /* parse_number made this format for these three arguments; a signed one has the same bits. */
    int n =
        snprintf(buf, sizeof buf, piece->printf_format, width, precision, (unsigned long long)bits);
    text_add(out, span_of(buf, (size_t)n));
}

/* Append bytes for %*ph, in hexadecimal, separated by blanks; N: by nothing, C: by colons, D: by
 * dashes. */
static void
print_bytes(struct text *out, const struct piece *piece, struct span raw)
{
    struct span bytes = traceexpr_bytes(piece->arg, raw);
    int width = width_of(piece->width, piece->width_arg, raw);
    char letter = piece->letters.ptr[piece->letters.len - 1];
    char between = letter == 'C' ? ':' : letter == 'D' ? '-' : ' ';
    for (size_t i = 0; i < bytes.len && (int64_t)i < (width > 0 ? width : 1); i++) {
        if (i > 0 && letter != 'N')
            text_add(out, span_of(&between, 1));
        add_format(out, "%02x", (unsigned char)bytes.ptr[i]);
    }
}

/* Append the text without its padding. */
static void
print_text(struct text *out, struct traceprint *p, const struct piece *piece, struct span raw)
{
    uint64_t number = traceexpr_number(piece->arg, raw).bits;
    char c = (char)number;
    switch (piece->kind) {
    case PIECE_CHAR:
        text_add(out, span_of(&c, 1));
        break;
    case PIECE_POINTER:
    case PIECE_SYMBOL:
        if (number == 0 && piece->kind == PIECE_POINTER)
            text_add(out, SPAN("(nil)")); /* like glibc's printf */
        else
            add_format(out, "0x%" PRIx64, number);
        break;
    case PIECE_ADDRESS:
        print_address(out, piece->letters, traceexpr_bytes(piece->arg, raw));
        break;
    default: /* PIECE_STRING */
        print_expr(out, p->tracing, piece->arg, raw);
    }
}

static void
pad(struct text *out, size_t n)
{
    for (; n > 0; n--)
        text_add(out, SPAN(" "));
}

static void
print_padded(struct text *out, struct traceprint *p, const struct piece *piece, struct span raw)
{
    int width = width_of(piece->width, piece->width_arg, raw);
    int precision = width_of(piece->precision, piece->precision_arg, raw);
    if (width == 0 && precision < 0) {
        print_text(out, p, piece, raw);
        return;
    }
    p->scratch.len = 0;
    print_text(&p->scratch, p, piece, raw);
    struct span text = text_span(&p->scratch);
    if (piece->kind == PIECE_STRING && precision >= 0 && text.len > (size_t)precision)
        text.len = (size_t)precision;
    bool left = piece->left || width < 0;
    size_t wanted = (size_t)(width < 0 ? -width : width);
    size_t missing = wanted > text.len ? wanted - text.len : 0;
    pad(out, left ? 0 : missing);
    text_add(out, text);
    pad(out, left ? missing : 0);
}

static void
print_piece(struct text *out, struct traceprint *p, const struct piece *piece, struct span raw)
{
    text_add(out, piece->before);
    if (piece->kind == PIECE_TEXT)
        return; /* all other pieces have an argument */
    if (piece->arg->unknown) {
        text_add(out, SPAN("?"));
        return;
    }
    switch (piece->kind) {
    case PIECE_NUMBER:
        print_number(out, piece, raw);
        break;
    case PIECE_BYTES:
        print_bytes(out, piece, raw);
        break;
    case PIECE_BITS:
        print_bits(out, traceexpr_bytes(piece->arg, raw),
                   (uint64_t)width_of(piece->width, piece->width_arg, raw));
        break;
    default:
        print_padded(out, p, piece, raw);
    }
}

static const struct program *
program_of(struct traceprint *p, const struct event_format *f)
{
    struct program *program = &p->programs[f - p->tracing->formats.at];
    if (!program->parsed) {
        program->good = parse_format(f, p->tracing->long_size, &p->arena, &program->pieces);
        program->parsed = true;
    }
    return program;
}

void
traceprint_event(struct traceprint *p, const struct event_format *f, struct span raw,
                 struct text *out)
{
    const struct program *program = program_of(p, f);
    if (!program->good) {
        print_fields(out, f, raw);
        return;
    }
    size_t start = out->len;
    for (const struct piece *piece = program->pieces; piece != NULL && out->len - start < TEXT_MAX;
         piece = piece->next)
        print_piece(out, p, piece, raw);
}
