/* Prints the tree of a mangled C++ name like GNU c++filt 2.40. For demangle_cxx.c. */
#ifndef DEMANGLE_CXX_PRINT_H
#define DEMANGLE_CXX_PRINT_H

#include "common/demangle/cxx_tree.h"

/* Append the text of the tree to *out. Return false, with *out unchanged, if a template parameter
 * has no meaning, if the text exceeds `most` bytes, which are at most DEMANGLE_MAX, or if another
 * limit is reached. */
bool cxx_print(struct arena *a, struct node *tree, size_t most, struct text *out);

#endif
