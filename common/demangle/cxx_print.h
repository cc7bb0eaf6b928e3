/* Prints the tree of a mangled C++ name as GNU c++filt 2.40 does. For demangle_cxx.c. */
#ifndef DEMANGLE_CXX_PRINT_H
#define DEMANGLE_CXX_PRINT_H

#include "common/demangle/cxx_tree.h"

/* Append the text of the tree to *out. Return false, with *out unchanged, where a template
 * parameter means nothing, the text has more than `most` bytes, which are DEMANGLE_MAX at most, or
 * another limit is reached. */
bool cxx_print(struct arena *a, struct node *tree, size_t most, struct text *out);

#endif
