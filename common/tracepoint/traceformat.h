/* The format string of a tracepoint's print format, parsed together with its arguments. */
#ifndef TRACEPOINT_TRACEFORMAT_H
#define TRACEPOINT_TRACEFORMAT_H

#include "common/tracepoint/traceexpr.h"

/* WIDTH_MOST limits widths and precisions, which may come from a payload. */
enum { WIDTH_MOST = 1000 };

enum piece_kind {
    PIECE_TEXT,    /* only the text before */
    PIECE_NUMBER,  /* %d and so on */
    PIECE_CHAR,    /* %c */
    PIECE_STRING,  /* %s */
    PIECE_POINTER, /* %p, %px */
    PIECE_SYMBOL,  /* %ps, %pS: a function, whose address is printed: its name is not known */
    PIECE_ADDRESS, /* %pI4 and so on: see traceaddr.h */
    PIECE_BYTES, /* %*ph: width bytes in hexadecimal; letters: what separates them, N C D or none */
    PIECE_BITS,  /* %*pbl: the numbers of the bits that are set, of width bits */
};

/* One conversion, "%-10.*llx", and the text before it. */
struct piece {
    enum piece_kind kind;
    struct span before;
    char printf_format[16]; /* of a number: for printf with width, precision, long long */
    struct field_type type; /* of a number */
    int width, precision;   /* precision -1: none; in printf_format they are "*" */
    struct expr *width_arg, *precision_arg; /* NULL: as stated */
    bool left;                              /* flag "-" */
    struct span letters;                    /* after %p */
    const struct expr *arg;
    struct piece *next;
};

/* Parse the print format of f; the pieces are in the arena. Return false if it has something that
 * we do not evaluate, or fewer arguments than conversions. */
bool traceformat_parse(const struct event_format *f, size_t long_size, struct arena *arena,
                       struct piece **pieces);

#endif
