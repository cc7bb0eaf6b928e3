/* Rust's mangling of version 0. */
#ifndef DEMANGLE_RUST_V0_H
#define DEMANGLE_RUST_V0_H

#include "common/base/text.h"

/* Demangle the part after "_R", as in demangle_rust(). */
bool rust_v0_demangle(struct span body, struct text *out);

#endif
