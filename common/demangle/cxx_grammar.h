/* The parsers of a mangled C++ name that another file calls. Each consumes its part of the name,
 * and returns NULL if the text is not such a part.
 *
 * Grammar: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling */
#ifndef DEMANGLE_CXX_GRAMMAR_H
#define DEMANGLE_CXX_GRAMMAR_H

#include "common/demangle/cxx_words.h"

/* In demangle_cxx.c: a whole function or variable, its name, a type, and a template argument. */
struct node *cxx_encoding(struct cxx_parser *p);
struct node *cxx_name(struct cxx_parser *p);
struct node *cxx_type(struct cxx_parser *p);
struct node *cxx_template_argument(struct cxx_parser *p);

/* In cxx_special.c: entities that the compiler makes for classes, functions and variables. */
struct node *cxx_special_name(struct cxx_parser *p);

#endif
