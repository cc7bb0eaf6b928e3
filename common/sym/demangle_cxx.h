/* Demangles C++ names: _ZN1A1fEi is A::f(int). */
#ifndef SYM_DEMANGLE_CXX_H
#define SYM_DEMANGLE_CXX_H

#include "common/base/text.h"
#include "common/sym/demangle.h"

/* A longer mangled name is left alone, as c++filt leaves it; so is one that would print more. */
enum { DEMANGLE_CXX_NAME_MAX = 1024, DEMANGLE_CXX_OUTPUT_MAX = 256 * 1024 };

/* Appends the name that the mangled one stands for to *out, the same bytes that GNU c++filt 2.40
 * prints: with -p -i for DEMANGLE_SHORT, with -i for DEMANGLE_FULL. The arena is used for scratch
 * memory; reset it when you like. False, and *out is unchanged, if `name` is no mangled C++ name,
 * if it is over one of the limits above, or if the style is DEMANGLE_NONE. */
bool demangle_cxx(struct arena *a, struct span name, enum demangle_style style, struct text *out);

#endif
