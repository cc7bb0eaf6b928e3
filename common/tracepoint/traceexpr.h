/* Expressions in the arguments of a tracepoint's print format: a small part of C, with the kernel's
 * helpers such as __print_flags. Trees, and their values for a payload. */
#ifndef TRACEPOINT_TRACEEXPR_H
#define TRACEPOINT_TRACEEXPR_H

#include "common/tracepoint/eventformat.h"

enum expr_kind {
    EXPR_NUMBER,    /* 0x10UL, 'c', sizeof(u64) */
    EXPR_VARIABLE,  /* a variable of the kernel, jiffies: see struct expr's unknown */
    EXPR_STRING,    /* "text" */
    EXPR_FIELD,     /* REC->field, and __get_str, __get_dynamic_array of it */
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

/* What an expression gives. */
enum expr_shape {
    SHAPE_NUMBER,
    SHAPE_BYTES, /* an array in the payload */
    SHAPE_TEXT,  /* text that is made when it is printed */
    SHAPE_MIXED, /* one of these, by a condition */
};

/* Operators of two characters; those of one are that character. */
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
    /* The value depends on a variable of the kernel, which the recording does not hold; it counts
     * as 0. */
    bool unknown;
    uint64_t number;
    /* Of a number or a cast; of bytes: of their elements. A cast to a type that is not known has
     * size 0 and changes nothing. */
    struct field_type type;
    struct span text; /* a string; what stands between flags */
    const struct event_field *field;
    struct expr *a, *b, *c;
    struct expr_entry *entries;
};

/* { value, text } in a list of flags or symbols. */
struct expr_entry {
    struct expr *value; /* NULL: not known here, such as the name of an enum's constant */
    struct span text;
    struct expr_entry *next;
};

/* A number, converted to its type: the bits above its size repeat its sign, or are 0. */
struct number {
    uint64_t bits;
    struct field_type type;
};

/* Convert the bits of a number to a type. */
struct number traceexpr_convert(uint64_t bits, struct field_type type);

/* Return the n-th number of a type, of 1, 2, 4 or 8 bytes, in memory; 0 beyond the end of the
 * bytes. */
struct number traceexpr_element(struct span bytes, uint64_t n, struct field_type type);

/* Return the bytes of an array in the payload. They are empty if the payload is too short for it,
 * or if the payload claims a place beyond its end. */
struct span traceexpr_array(const struct event_field *field, struct span raw);

/* Return the value of a field that is a number; 0 if the payload is too short for it. */
struct number traceexpr_field(const struct event_field *field, struct span raw);

/* Return the value of an expression of SHAPE_NUMBER, by C's rules. What C leaves undefined, such as
 * a division by 0, gives 0. Other shapes are pointers, which C takes for true, and give 1. */
struct number traceexpr_number(const struct expr *e, struct span raw);

/* Return the bytes of an expression of SHAPE_BYTES. */
struct span traceexpr_bytes(const struct expr *e, struct span raw);

#endif
