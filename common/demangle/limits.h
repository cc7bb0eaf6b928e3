/* The styles and limits of all languages' demanglers. */
#ifndef DEMANGLE_LIMITS_H
#define DEMANGLE_LIMITS_H

#include <stddef.h>

enum demangle_style {
    DEMANGLE_NONE,  /* names stay mangled */
    DEMANGLE_SHORT, /* as perf prints them: without parameters, return types and symbol versions
                     * (c++filt -p -i NAME) */
    DEMANGLE_FULL,  /* with all of that (c++filt -i) */
};

/* The most bytes of demangled text, whatever the name. */
enum { DEMANGLE_MAX = 64 * 1024 };

/* Return the most bytes of text for a mangled name of this length. One that would have more is left
 * mangled: in a few bytes a name can ask for any amount of text, by referring to parts of itself. Of
 * 150,000 names in node, libstdc++, LLVM and Chromium the text of none had more than 18 bytes for each
 * of the name's. */
static inline size_t
demangle_most(size_t len)
{
    size_t most = 4096 + 32 * len;
    return most < DEMANGLE_MAX ? most : DEMANGLE_MAX;
}

/* The longest mangled name of C++ that is demangled, in bytes; the limit of c++filt too. */
enum { DEMANGLE_CXX_NAME_MAX = 1024 };

/* The most types and paths inside each other in a name of Rust, and in all. */
enum { RUST_DEPTH = 1024, RUST_STEPS = 1 << 17 };

#endif
