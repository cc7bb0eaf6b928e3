#include "common/tracepoint/traceprint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/tracepoint/traceaddr.h"
#include "common/tracepoint/traceeval.h"
#include "common/tracepoint/traceformat.h"
#include "common/tracepoint/tracetext.h"

/* The length, in bytes, from which on a text is cut. */
enum { TEXT_MOST = 64 * 1024 };

/* The parsed print format of an event; parsed when the event is printed first. */
struct program {
    bool parsed;
    bool good; /* else the fields are printed */
    struct piece *pieces;
};

struct traceprint {
    const struct tracing *tracing;
    struct traceprint_symbols symbols;
    struct program *programs; /* of tracing->formats */
    struct arena arena;
    struct text scratch; /* a text before it is padded */
};

struct traceprint *
traceprint_new(const struct tracing *t, struct traceprint_symbols symbols)
{
    struct traceprint *p = mem_alloc(sizeof *p);
    *p = (struct traceprint){.tracing = t, .symbols = symbols};
    p->programs = mem_alloc((t->count + 1) * sizeof *p->programs);
    for (size_t i = 0; i < t->count; i++)
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

/* A width or precision: of the argument, if there is one, within WIDTH_MOST either way. */
static int
width_of(int stated, const struct expr *arg, struct span raw)
{
    if (arg == NULL)
        return stated;
    int64_t value = (int64_t)traceeval_number(arg, raw).bits;
    return value > WIDTH_MOST ? WIDTH_MOST : value < -WIDTH_MOST ? -WIDTH_MOST : (int)value;
}

static void
print_number(struct text *out, const struct piece *piece, struct span raw)
{
    char buf[2 * WIDTH_MOST];
    int width = width_of(piece->width, piece->width_arg, raw);
    int precision = width_of(piece->precision, piece->precision_arg, raw);
    uint64_t bits = traceeval_cast(traceeval_number(piece->arg, raw), piece->type).bits;
    /* Made by traceformat.c of these three arguments; a signed one is the same bits. */
    int n =
        snprintf(buf, sizeof buf, piece->printf_format, width, precision, (unsigned long long)bits);
    text_add(out, span_of(buf, (size_t)n));
}

static void
print_symbol(struct text *out, const struct traceprint *p, const struct piece *piece, uint64_t addr)
{
    struct span name;
    uint64_t start;
    if (p->symbols.find == NULL || !p->symbols.find(p->symbols.table, addr, &name, &start)) {
        tracetext_format(out, "0x%" PRIx64, addr);
        return;
    }
    text_add(out, name);
    if (piece->offset)
        tracetext_format(out, "+0x%" PRIx64, addr - start);
}

/* %*ph: bytes in hexadecimal; N: nothing between them, C: colons, D: dashes. */
static void
print_bytes(struct text *out, const struct piece *piece, struct span raw)
{
    struct span bytes = traceeval_bytes(piece->arg, raw);
    int width = width_of(piece->width, piece->width_arg, raw);
    char letter = piece->letters.ptr[piece->letters.len - 1];
    char between = letter == 'C' ? ':' : letter == 'D' ? '-' : ' ';
    for (size_t i = 0; i < bytes.len && (int64_t)i < (width > 0 ? width : 1); i++) {
        if (i > 0 && letter != 'N')
            text_add(out, span_of(&between, 1));
        tracetext_format(out, "%02x", (unsigned char)bytes.ptr[i]);
    }
}

/* Appends the text without its padding. */
static void
print_text(struct text *out, struct traceprint *p, const struct piece *piece, struct span raw)
{
    uint64_t number = traceeval_number(piece->arg, raw).bits;
    char c = (char)number;
    switch (piece->kind) {
    case PIECE_CHAR:
        text_add(out, span_of(&c, 1));
        break;
    case PIECE_POINTER:
        if (number == 0)
            text_add(out, SPAN("(nil)")); /* as glibc's printf */
        else
            tracetext_format(out, "0x%" PRIx64, number);
        break;
    case PIECE_SYMBOL:
        print_symbol(out, p, piece, number);
        break;
    case PIECE_ADDRESS:
        traceaddr_print(out, piece->letters, traceeval_bytes(piece->arg, raw));
        break;
    default: /* PIECE_STRING */
        tracetext_print(out, p->tracing, piece->arg, raw);
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
    if (piece->arg != NULL && piece->arg->unknown) {
        text_add(out, SPAN("?"));
        return;
    }
    switch (piece->kind) {
    case PIECE_TEXT:
        break;
    case PIECE_NUMBER:
        print_number(out, piece, raw);
        break;
    case PIECE_BYTES:
        print_bytes(out, piece, raw);
        break;
    case PIECE_BITS:
        tracetext_bits(out, traceeval_bytes(piece->arg, raw),
                       (uint64_t)width_of(piece->width, piece->width_arg, raw));
        break;
    default:
        print_padded(out, p, piece, raw);
    }
}

static const struct program *
program_of(struct traceprint *p, const struct event_format *f)
{
    struct program *program = &p->programs[f - p->tracing->formats];
    if (!program->parsed) {
        program->good = traceformat_parse(f, p->tracing->long_size, &p->arena, &program->pieces);
        program->parsed = true;
    }
    return program;
}

bool
traceprint_evaluates(struct traceprint *p, const struct event_format *f)
{
    return program_of(p, f)->good;
}

void
traceprint_event(struct traceprint *p, const struct event_format *f, struct span raw,
                 struct text *out)
{
    const struct program *program = program_of(p, f);
    if (!program->good) {
        tracetext_fields(out, f, raw);
        return;
    }
    size_t start = out->len;
    for (const struct piece *piece = program->pieces; piece != NULL && out->len - start < TEXT_MOST;
         piece = piece->next)
        print_piece(out, p, piece, raw);
}
