/* Demangles C++ names: _ZN1A1fEi is A::f(int). */
#ifndef DEMANGLE_DEMANGLE_CXX_H
#define DEMANGLE_DEMANGLE_CXX_H

#include "common/base/text.h"
#include "common/demangle/limits.h"

/* Append the demangled name to *out, with the same bytes that GNU c++filt 2.40 prints: with -p -i
 * for DEMANGLE_SHORT, with -i for DEMANGLE_FULL. C++20's constraints, which it does not know, are
 * omitted. The arena has scratch memory, which the caller resets: about 50 bytes for each byte of a
 * compiler's name, a few MiB for the worst texts. *out grows to hold DEMANGLE_MAX more bytes
 * whatever the name, so use one text for many names.
 *
 * Return false, with the text in *out unchanged, if `name` is not a mangled C++ name, if it or its
 * text is too long, or if the style is DEMANGLE_NONE. A legacy Rust name (..17h, 16 digits, E) is a
 * C++ name as well: try those first. */
bool demangle_cxx(struct arena *a, struct span name, enum demangle_style style, struct text *out);

#endif
