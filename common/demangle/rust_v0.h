/* Version 0 of Rust's mangling: what demangle_rust.c and the rust_v0*.c files share.
 *
 * The grammar is one of one-letter tags (RFC 2603; "Symbol Mangling" in the rustc book):
 *
 *     _RINvNtC3std3mem8align_ofjE
 *       I              E           std::mem::align_of::<usize>: generic arguments
 *        N v ...      a value      align_of, in
 *           N t ...   a type       mem, in
 *              C3std  a crate
 *                     j            usize
 *
 * The parser prints while it reads. A tag B refers to an earlier place of the name by its offset,
 * and the name is read again from there. What is not to be printed (the path of an impl, the
 * instantiating crate) is read with `silent` set; references in it are not followed. After a
 * mistake `failed` is set, and from then on nothing is read or printed. */
#ifndef DEMANGLE_RUST_V0_H
#define DEMANGLE_RUST_V0_H

#include <stdint.h>

#include "common/base/text.h"

struct v0 {
    struct span body; /* the name without "_R" and without a ".suffix" */
    size_t at;        /* where to read next, an offset in body */
    struct text *out;
    size_t start;       /* out->len at the start */
    uint64_t lifetimes; /* how many lifetimes the enclosing `for<...>` bind */
    int depth, steps;   /* so far: see RUST_DEPTH and RUST_STEPS */
    bool silent, failed;
};

/* An identifier; `punycode` is empty if it is ASCII. */
struct v0_identifier {
    struct span ascii, punycode;
};

/* Demangles what follows "_R", as demangle_rust does. */
bool v0_demangle(struct span body, struct text *out);

/* Reading (rust_v0_read.c) */

/* The next character, which is not consumed; NUL at the end or after a mistake. */
static inline char
v0_peek(const struct v0 *v)
{
    return !v->failed && v->at < v->body.len ? v->body.ptr[v->at] : '\0';
}

/* Consumes the next character. At the end, where there is none, it fails and gives NUL. */
static inline char
v0_next(struct v0 *v)
{
    char c = v0_peek(v);
    if (c == '\0')
        v->failed = true;
    else
        v->at++;
    return c;
}

/* Consumes the next character if it is c. */
static inline bool
v0_eat(struct v0 *v, char c)
{
    if (v0_peek(v) != c)
        return false;
    v->at++;
    return true;
}

/* A number in base 62: "_" is 0, "0_" is 1, "Z_" is 62, "10_" is 63. */
uint64_t v0_number(struct v0 *v);

/* A number after the tag, plus 1; 0 if the tag is not there. */
uint64_t v0_tagged(struct v0 *v, char tag);

/* "4main", "u8gdel_5qa", "0"; an underscore may come before the text: "3_1st". */
struct v0_identifier v0_identifier(struct v0 *v);

/* Lower-case hexadecimal digits, at least one, which end with an underscore. */
struct span v0_digits(struct v0 *v);

/* A list ends with E. True if there is another item; prints the separator before it, but not before
 * the first one, for which *count is 0, and counts it. */
bool v0_more(struct v0 *v, size_t *count, struct span separator);

/* Begins a path, type or constant; v0_leave ends it. False if it is one too many. */
bool v0_enter(struct v0 *v);
void v0_leave(struct v0 *v);

/* After the tag B: true if the reference is to be followed. Then reading goes on at its place, and
 * *back is where v->at must be set to afterwards. */
bool v0_jump(struct v0 *v, size_t *back);

/* Printing (rust_v0_read.c), which does nothing if v->silent */

void v0_print(struct v0 *v, struct span s);
void v0_print_number(struct v0 *v, uint64_t n);
void v0_print_identifier(struct v0 *v, struct v0_identifier id);

/* The grammar (rust_v0.c, rust_v0_type.c, rust_v0_const.c) */

/* A path. In a value generic arguments are written with "::<". */
void v0_path(struct v0 *v, bool in_value);

/* Generic arguments and the E that ends them. */
void v0_generic_arguments(struct v0 *v);

void v0_type(struct v0 *v);

/* A lifetime by its distance from the innermost one that is bound: 1 is the innermost, 0 is '_.
 * They are called 'a, 'b, ... from the outermost on. */
void v0_lifetime(struct v0 *v, uint64_t distance);

/* The name of a basic type; the empty text if the tag is not one. */
struct span v0_basic_type(char tag);

/* A constant. Inside another expression it needs no braces around it. */
void v0_constant(struct v0 *v, bool inside);

#endif
