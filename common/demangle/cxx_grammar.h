/* The parts of a mangled C++ name that are parsed in one file and asked for in another. Each function
 * consumes its part of the name, and returns NULL where the text is not such a part.
 *
 * Grammar: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling */
#ifndef DEMANGLE_CXX_GRAMMAR_H
#define DEMANGLE_CXX_GRAMMAR_H

#include "common/demangle/cxx_words.h"

/* In demangle_cxx.c: a whole function or variable, the name of one, a type, and an argument of a
 * template. */
struct node *cxx_encoding(struct cxx_parser *p);
struct node *cxx_name(struct cxx_parser *p);
struct node *cxx_type(struct cxx_parser *p);
struct node *cxx_template_argument(struct cxx_parser *p);

/* In cxx_special.c: what the compiler makes for classes, functions and variables. */
struct node *cxx_special_name(struct cxx_parser *p);

#endif
