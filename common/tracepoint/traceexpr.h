/* Expressions in the arguments of a tracepoint's print format: a small part of C, with the kernel's
 * helpers such as __print_flags. Their trees, and their values for a payload. */
#ifndef TRACEPOINT_TRACEEXPR_H
#define TRACEPOINT_TRACEEXPR_H

#include "common/tracepoint/eventformat.h"

enum expr_kind {
    EXPR_NUMBER,    /* 0x10UL, 'c', sizeof(u64) */
    EXPR_VARIABLE,  /* a kernel variable such as jiffies: see struct expr's `unknown` */
    EXPR_STRING,    /* "text" */
    EXPR_FIELD,     /* REC->field, __get_str(field), __get_dynamic_array(field) */
    EXPR_LENGTH,    /* __get_dynamic_array_len(field): in bytes */
    EXPR_ELEMENT,   /* a[b], *a */
    EXPR_CAST,      /* (type)a */
    EXPR_UNARY,     /* op a */
    EXPR_BINARY,    /* a op b */
    EXPR_CONDITION, /* a ? b : c */
    EXPR_FLAGS,     /* __print_flags(a, text, entries) */
    EXPR_SYMBOLIC,  /* __print_symbolic(a, entries) */
    EXPR_HEX,       /* __print_hex(a, b) */
    EXPR_HEX_STR,   /* __print_hex_str(a, b) */
    EXPR_ARRAY,     /* __print_array(a, b, c), __print_dynamic_array(a, c) */
    EXPR_BITMASK,   /* __get_bitmask(field), __get_cpumask(field) */
};

/* The kind of an expression's value. */
enum expr_shape {
    SHAPE_NUMBER,
    SHAPE_BYTES, /* an array in the payload */
    SHAPE_TEXT,  /* text that is computed when it is printed */
    SHAPE_MIXED, /* one of these, depending on a condition */
};

/* Operators of two characters. Those of one character are represented by it. */
enum expr_op {
    OP_EQUAL = 256,
    OP_UNEQUAL,
    OP_AT_MOST,
    OP_AT_LEAST,
    OP_LEFT,
    OP_RIGHT,
    OP_AND,
    OP_OR,
    OP_ARROW,
};

enum { EXPR_HEIGHT = 200 };

struct expr {
    enum expr_kind kind;
    enum expr_shape shape;
    int op;     /* a character or an enum expr_op */
    int height; /* of the tree, at most EXPR_HEIGHT */
    /* The value depends on a kernel variable, which is not in the recording. It is taken as 0. */
    bool unknown;
    uint64_t number;
    /* Type of a number or cast, or of the elements of bytes. A cast to an unknown type has size 0
     * and changes nothing. */
    struct field_type type;
    struct span text; /* a string; the separator of flags */
    const struct event_field *field;
    struct expr *a, *b, *c;
    struct expr_entry *entries;
};

/* An entry { value, text } in a list of flags or symbols. */
struct expr_entry {
    struct expr *value; /* NULL: unknown, such as an enum constant */
    struct span text;
    struct expr_entry *next;
};

/* A number, converted to its type: the bits above its size are copies of its sign bit, or 0. */
struct number {
    uint64_t bits;
    struct field_type type;
};

/* Convert the bits of a number to a type. */
struct number traceexpr_convert(uint64_t bits, struct field_type type);

/* Return the n-th number in the bytes, of a type of 1, 2, 4 or 8 bytes; 0 beyond their end. */
struct number traceexpr_element(struct span bytes, uint64_t n, struct field_type type);

/* Return the bytes of an array in the payload. They are empty if the payload is too short, or if
 * the array's claimed place is beyond its end. */
struct span traceexpr_array(const struct event_field *field, struct span raw);

/* Return the value of a number field; 0 if the payload is too short. */
struct number traceexpr_field(const struct event_field *field, struct span raw);

/* Return the value of an expression of SHAPE_NUMBER, by C's rules. Undefined results, such as those
 * of a division by 0, are 0. Other shapes are pointers, which are true in C: return 1. */
struct number traceexpr_number(const struct expr *e, struct span raw);

/* Return the bytes of an expression of SHAPE_BYTES. */
struct span traceexpr_bytes(const struct expr *e, struct span raw);

#endif
