/* The styles and limits of all languages' demanglers. */
#ifndef DEMANGLE_LIMITS_H
#define DEMANGLE_LIMITS_H

enum demangle_style {
    DEMANGLE_NONE,  /* names stay mangled */
    DEMANGLE_SHORT, /* as perf prints them: without parameters, return types and symbol versions
                     * (c++filt -p -i NAME) */
    DEMANGLE_FULL,  /* with all of that (c++filt -i) */
};

/* A name whose demangled text would be longer, in bytes, is left mangled: in a few bytes a name can
 * ask for any amount of text, by referring to parts of itself. */
enum { DEMANGLE_MAX = 64 * 1024 };

/* The longest mangled name of C++ that is demangled, in bytes; the limit of c++filt too. */
enum { DEMANGLE_CXX_NAME_MAX = 1024 };

/* The most types and paths inside each other in a name of Rust, and in all. */
enum { RUST_DEPTH = 1024, RUST_STEPS = 1 << 17 };

#endif
