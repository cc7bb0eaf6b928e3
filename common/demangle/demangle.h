/* Demangles the names of functions.
 *
 *     _ZN4node7LoadEnvEi                          node::LoadEnv(int)      C++ (Itanium ABI)
 *     _RNvCs1234_7mycrate3run                     mycrate::run            Rust, version 0
 *     _ZN4core3fmt5Write17h0123456789abcdefE      core::fmt::Write        Rust, legacy
 *     core::fmt::Write::h0123456789abcdef         core::fmt::Write        the same, by c++filt
 *
 * Names of other languages (D, Swift, OCaml) are not changed. */
#ifndef DEMANGLE_DEMANGLE_H
#define DEMANGLE_DEMANGLE_H

#include "common/base/text.h"
#include "common/demangle/limits.h"

/* Append the demangled name to *out. Return false, with *out unchanged, if the name is not mangled,
 * if it exceeds a limit of its language's demangler (demangle_cxx.h, demangle_rust.h), or if the
 * style is DEMANGLE_NONE. The arena has scratch memory only: the caller may reset it after each
 * name. */
bool demangle(struct arena *a, struct span name, enum demangle_style style, struct text *out);

#endif
