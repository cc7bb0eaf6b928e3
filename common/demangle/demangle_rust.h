/* The names of functions of Rust, as rustc mangles them: "_R..." (version 0) or "_ZN...17h<hash>E"
 * (legacy). */
#ifndef DEMANGLE_DEMANGLE_RUST_H
#define DEMANGLE_DEMANGLE_RUST_H

#include "common/base/text.h"
#include "common/demangle/limits.h"

/* Append the name to *out as `c++filt -i` prints it, with -p and without: Rust's names have no
 * parameters to leave out. Leave out hashes, crate disambiguators and a suffix that the compiler
 * appends (".llvm.123").
 *
 * Return false, with *out unchanged, if the name is not one of Rust or exceeds a limit:
 * DEMANGLE_MAX bytes of text, RUST_DEPTH types and paths inside each other, RUST_STEPS of them in
 * all, or PUNYCODE_MAX characters in an identifier that is not ASCII. */
bool demangle_rust(struct span name, struct text *out);

/* Do the same for a legacy name that a demangler of C++ has printed, "_$LT$T$GT$::f::h<hash>", or
 * one of Rust with its hash, "<T>::f::h<hash>". An offset after it stays, "+0x1f". */
bool demangle_rust_rest(struct span name, struct text *out);

/* Do either of these in a frame as profilers print it. A module before it and an offset after it
 * stay: "app`_ZN3app3run17h<hash>E+0x1f". */
bool demangle_rust_frame(struct span frame, struct text *out);

#endif
