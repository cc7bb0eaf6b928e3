/* The tokens of mangled C++ names: the parts of the grammar without names, types and expressions
 * inside. For demangle_cxx.c and cxx_special.c. */
#ifndef DEMANGLE_CXX_WORDS_H
#define DEMANGLE_CXX_WORDS_H

#include "common/demangle/cxx_tree.h"
#include "common/demangle/limits.h"

struct cxx_parser {
    const char *at, *end;
    struct arena *arena;
    struct node **substitutions;
    size_t substitution_count;
    struct node *last_name; /* last class name, for its constructors and destructors */
    size_t types_left;      /* number of types that may still be read */
    bool in_expression;     /* cv is a cast, not the name of an operator */
    bool in_conversion;     /* in the type of such a name */
    bool old_scopes;        /* parse sr3Foo3bar as older compilers meant it */
    bool has_scopes;        /* the name has a part that could be parsed that way */
};

/* Return the next byte, or the one after it; NUL at the end. */
static inline char
cxx_peek(const struct cxx_parser *p)
{
    return p->at < p->end ? *p->at : '\0';
}

static inline char
cxx_peek_second(const struct cxx_parser *p)
{
    return p->end - p->at > 1 ? p->at[1] : '\0';
}

/* Consume the next byte and return it; NUL at the end. */
static inline char
cxx_next(struct cxx_parser *p)
{
    return p->at < p->end ? *p->at++ : '\0';
}

/* If c is next, consume it and return true. */
static inline bool
cxx_take(struct cxx_parser *p, char c)
{
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

/* As cxx_take, for two bytes. */
static inline bool
cxx_take_two(struct cxx_parser *p, const char text[static 2])
{
    if (cxx_peek(p) != text[0] || cxx_peek_second(p) != text[1])
        return false;
    p->at += 2;
    return true;
}

static inline bool
cxx_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool
cxx_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Return the rest of the name. */
static inline struct span
cxx_rest(const struct cxx_parser *p)
{
    return span_of(p->at, (size_t)(p->end - p->at));
}

/* Return a new node. */
struct node *cxx_node(struct cxx_parser *p, enum node_kind kind, struct node *left,
                      struct node *right);
struct node *cxx_text(struct cxx_parser *p, enum node_kind kind, struct span text);

/* Return a new node, or NULL if the number is negative. */
struct node *cxx_numbered(struct cxx_parser *p, enum node_kind kind, struct node *left,
                          long number);

/* Return a new node, or NULL if one of the children is NULL. */
struct node *cxx_one(struct cxx_parser *p, enum node_kind kind, struct node *left);
struct node *cxx_two(struct cxx_parser *p, enum node_kind kind, struct node *left,
                     struct node *right);

/* Make n the next substitution, unless it is NULL, and return it. */
struct node *cxx_remember(struct cxx_parser *p, struct node *n);

/* Each function below consumes its part of the name. Those that return a node return NULL if the
 * text is not such a part. */

/* Return a decimal number, with n for a minus; 0 without digits, -1 if there are more than nine. */
long cxx_number(struct cxx_parser *p);

/* Return a number that counts from 0: "_" is 0, "0_" is 1. Return -1 if the text is not such a
 * number. */
long cxx_compact_number(struct cxx_parser *p);

/* 3foo. Compilers name an anonymous namespace _GLOBAL__N_ and more. */
struct node *cxx_source_name(struct cxx_parser *p);

/* Add the tags to the name, if there are any: B5cxx11. */
struct node *cxx_abi_tags(struct cxx_parser *p, struct node *name);

/* _0, __12_ or nothing: distinguishes local entities with the same name, and is not printed. Return
 * false if it is invalid. */
bool cxx_discriminator(struct cxx_parser *p);

/* W3Foo, WP3Bar: the module of the name that follows. Set *module, which is its parent or NULL
 * before, if there is one. Return false if it is invalid. */
bool cxx_module_name(struct cxx_parser *p, struct node **module);

/* S_, S0_, SA_: the first, second, twelfth substitution. St, Ss: a standard name. As a `prefix`,
 * before a constructor or a destructor, it is printed in full. */
struct node *cxx_substitution(struct cxx_parser *p, bool prefix);

/* A type of the language, or of the compiler: u6foobar. */
struct node *cxx_builtin(struct cxx_parser *p);

/* T_, T0_; TL0__ for a parameter of a template that is itself a parameter. */
struct node *cxx_template_param(struct cxx_parser *p);

/* After fp: T is `this`, _ the first parameter, 0_ the second. */
struct node *cxx_function_param(struct cxx_parser *p);

/* Return the kind of a qualifier: r, V or K. */
enum node_kind cxx_cv_qualifier(char c);

/* Return true if a qualifier of a type or of a function is next. */
bool cxx_at_qualifier(const struct cxx_parser *p);

/* .part.0: an optional word, and numbers. Return a node around the encoding. */
struct node *cxx_clone_suffix(struct cxx_parser *p, struct node *encoding);

/* After h or v: 16_ or 0_n8_, the offset by which a thunk moves `this`. Return false if it is
 * invalid, or if the letter is another one. */
bool cxx_call_offset(struct cxx_parser *p, char letter);

/* W3FooW3Bar, W3FooWP3Bar. */
struct node *cxx_module(struct cxx_parser *p);

#endif
