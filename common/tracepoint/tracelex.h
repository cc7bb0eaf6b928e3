/* The words of C: identifiers, numbers, strings and operators. */
#ifndef TRACEPOINT_TRACELEX_H
#define TRACEPOINT_TRACELEX_H

#include <stdint.h>

#include "common/tracepoint/traceexpr.h"

enum token { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_OPERATOR, TOKEN_BAD };

struct lexer {
    struct span rest; /* after the token */
    size_t long_size;
    struct arena *arena;
    /* The token: */
    enum token token;
    struct span name;       /* a name */
    struct span string;     /* adjacent strings as one, escapes replaced, in the arena */
    uint64_t number;        /* a number or a character */
    struct field_type type; /* its type, by C's rules */
    int op;                 /* a character or an enum expr_op */
};

/* Read the next token. What is no token of C gives TOKEN_BAD, again and again. */
void lexer_next(struct lexer *l);

#endif
