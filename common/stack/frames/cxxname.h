/* The parts of a demangled C++ function name, as c++filt and perf print it:
 *
 *     void a::(anonymous namespace)::f<(Enum)3>(int, b<c>&) const [clone .cold]
 *     ^type ^name                              ^arguments   ^qualifiers
 *
 * Names of Rust (<T as Trait>::f, call_once{{vtable.shim}}), Go (net/http.(*Client).Do) and Java
 * (int java.lang.String.hashCode()) have the same parts. */
#ifndef STACK_CXXNAME_H
#define STACK_CXXNAME_H

#include "common/base/span.h"

/* Return the function's own name, a part of `sym`: "v8::internal::Heap::Scavenge" of "void
 * v8::internal::Heap::Scavenge(int)", without a preceding type or "non-virtual thunk to", and
 * without the arguments and what follows them. */
struct span cxxname_own(struct span sym);

/* Write the name without argument lists and what follows them to `to`, which has room for name.len
 * bytes and may be name.ptr. Return its length. The type is kept: "void (anonymous
 * namespace)::f(int)" becomes "void (anonymous namespace)::f",
 * "g(int)::{lambda(int)#1}::operator()(int) const" becomes "g::{lambda(int)#1}::operator()". */
size_t cxxname_tidy(struct span name, char *to);

#endif
