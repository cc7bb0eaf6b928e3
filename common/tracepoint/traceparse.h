/* What the two halves of the parser of expressions share: traceexpr.c has C's operators,
 * tracecall.c the kernel's helpers. For these two only. */
#ifndef TRACEPOINT_TRACEPARSE_H
#define TRACEPOINT_TRACEPARSE_H

#include "common/tracepoint/traceexpr.h"

struct expr_parser {
    struct lexer lex; /* at the next token */
    const struct event_format *format;
    struct arena *arena;
    int nest;      /* brackets and operators before an operand that are open */
    bool in_entry; /* of a list of flags or symbols: no such list is inside */
};

/* All functions that parse go over what they parse. They return NULL, or false, where something is
 * not as expected; then the lexer is somewhere in it. */

/* Goes over the operator, a character or an enum lexer_pair, if it is next. */
bool traceparse_skip(struct expr_parser *p, int op);

static inline bool
traceparse_at(const struct expr_parser *p, int op)
{
    return p->lex.token == TOKEN_OPERATOR && p->lex.op == op;
}

struct expr *traceparse_new(struct expr_parser *p, enum expr_kind kind, enum expr_shape shape);

/* Sets the operands, NULL: none, and returns e, of which all else must be set: if the operands are
 * constants, it is replaced by its value. NULL if the tree is too high. */
struct expr *traceparse_operands(struct expr *e, struct expr *a, struct expr *b, struct expr *c);

/* An expression, and one whose shape is SHAPE_NUMBER. */
struct expr *traceparse_expr(struct expr_parser *p);
struct expr *traceparse_number(struct expr_parser *p);

/* The field of that name. */
struct expr *traceparse_field(struct expr_parser *p, struct span name);

/* "arguments)" of a helper such as __print_flags, after "(". */
struct expr *traceparse_call(struct expr_parser *p, struct span helper);

#endif
