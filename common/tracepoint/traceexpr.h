/* The arguments of a tracepoint's print format, parsed: a small part of C, with the kernel's
 * helpers such as __print_flags. */
#ifndef TRACEPOINT_TRACEEXPR_H
#define TRACEPOINT_TRACEEXPR_H

#include "common/tracepoint/tracelex.h"

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

enum { EXPR_HEIGHT = 200 };

struct expr {
    enum expr_kind kind;
    enum expr_shape shape;
    int op;     /* as struct lexer's */
    int height; /* of the tree, at most EXPR_HEIGHT */
    /* The value depends on a variable of the kernel, of which the recording does not hold the
     * value; it counts as 0. */
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

/* { value, text }, of flags and symbols */
struct expr_entry {
    struct expr *value; /* NULL: not known here, such as the name of an enum's constant */
    struct span text;
    struct expr_entry *next;
};

/* Parses the whole of what follows "print fmt: " in a format: *format is the format string with its
 * escapes replaced, args[0 .. *nargs - 1] are its arguments. All of it is in the arena, where it
 * takes some multiple of the text's size; fields are borrowed from f. False if the text has
 * something that is not known here, such as the call of a function of the kernel. */
bool traceexpr_parse(const struct event_format *f, size_t long_size, struct arena *arena,
                     struct span *format, struct expr ***args, size_t *nargs);

#endif
