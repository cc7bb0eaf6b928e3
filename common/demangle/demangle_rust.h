/* Demangles names of Rust functions, as mangled by rustc: "_R..." (version 0) or "_ZN...17h<hash>E"
 * (legacy). */
#ifndef DEMANGLE_DEMANGLE_RUST_H
#define DEMANGLE_DEMANGLE_RUST_H

#include "common/base/text.h"
#include "common/demangle/limits.h"

/* Append the name to *out as `c++filt -i` prints it, with or without -p: Rust's names have no
 * parameters to omit. Omit hashes, crate disambiguators and suffixes that the compiler appends
 * (".llvm.123").
 *
 * Return false, with *out unchanged, if the name is not a mangled Rust name, or if it exceeds a
 * limit: DEMANGLE_MAX bytes of text, RUST_DEPTH nested types and paths, RUST_STEPS of them in all,
 * or PUNYCODE_MAX characters in an identifier that is not ASCII. */
bool demangle_rust(struct span name, struct text *out);

/* As demangle_rust, for a legacy name that another demangler has printed: by one for C++,
 * "_$LT$T$GT$::f::h<hash>", or by one for Rust that keeps the hash, "<T>::f::h<hash>". An offset
 * after it, "+0x1f", is kept. */
bool demangle_rust_rest(struct span name, struct text *out);

/* As both, for a frame as profilers print it. A module before the name and an offset after it are
 * kept: "app`_ZN3app3run17h<hash>E+0x1f". */
bool demangle_rust_frame(struct span frame, struct text *out);

#endif
