/* The styles and limits of all languages' demanglers. */
#ifndef DEMANGLE_LIMITS_H
#define DEMANGLE_LIMITS_H

#include <stddef.h>

enum demangle_style {
    DEMANGLE_NONE, /* keep names mangled */
    /* As perf prints them: without parameters, return types and symbol versions (c++filt -p -i
     * NAME). */
    DEMANGLE_SHORT,
    DEMANGLE_FULL, /* with all of these (c++filt -i) */
};

/* Maximum number of bytes of demangled text. */
enum { DEMANGLE_MAX = 64 * 1024 };

/* Return the maximum number of bytes of text for a mangled name of this length; names with more are
 * left mangled. By referring to parts of itself, a name of a few bytes can expand to any amount of
 * text. Of 150,000 names in node, libstdc++, LLVM and Chromium, the text of none had more than 18
 * bytes for each byte of the name. */
static inline size_t
demangle_most(size_t len)
{
    size_t most = 4096 + 32 * len;
    return most < DEMANGLE_MAX ? most : DEMANGLE_MAX;
}

/* Maximum length of a mangled C++ name that is demangled, in bytes; also c++filt's limit. */
enum { DEMANGLE_CXX_NAME_MAX = 1024 };

/* Maximum number of nested types and paths in a Rust name, and of all. */
enum { RUST_DEPTH = 1024, RUST_STEPS = 1 << 17 };

#endif
