/* Function names without what only tells one call from another: argument lists. */
#ifndef STACKCOLLAPSE_TIDY_H
#define STACKCOLLAPSE_TIDY_H

#include "common/base/span.h"

/* Writes the tidied name to `to`, which has room for name.len bytes, and returns its length.
 *
 * tidy_perl cuts at the first parenthesis that does not begin "(anonymous namespace)", but for
 * names that look like a Go method's: "net/http.(*Client).Do".
 *
 * tidy_brackets cuts argument lists and what C++ prints behind them, and knows which brackets
 * belong to a name: "(anonymous namespace)::f(int)" -> "(anonymous namespace)::f",
 * "g(int)::{lambda(int)#1}::operator()(int) const" -> "g::{lambda(int)#1}::operator()". */
size_t tidy_perl(struct span name, char *to);
size_t tidy_brackets(struct span name, char *to);

#endif
