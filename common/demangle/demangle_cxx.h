/* Demangles C++ names: _ZN1A1fEi is A::f(int). */
#ifndef DEMANGLE_DEMANGLE_CXX_H
#define DEMANGLE_DEMANGLE_CXX_H

#include "common/base/text.h"
#include "common/demangle/limits.h"

/* Append the C++ name that a symbol stands for to *out, the same bytes that GNU c++filt 2.40
 * prints: with -p -i for DEMANGLE_SHORT, with -i for DEMANGLE_FULL. C++20's constraints, which that
 * does not know, are left out. The arena is used for scratch memory, which the caller resets: about
 * 50 bytes for each byte of a compiler's name, a few MiB for the worst of texts. *out gets
 * DEMANGLE_MAX bytes of space whatever the name, so use one text for many names.
 *
 * Return false, with the text in *out unchanged, if `name` is no mangled C++ name, if it or its
 * text is too long, or if the style is DEMANGLE_NONE. A Rust name of the old kind (..17h, 16
 * digits, E) is a C++ name as well: look for those first. */
bool demangle_cxx(struct arena *a, struct span name, enum demangle_style style, struct text *out);

#endif
