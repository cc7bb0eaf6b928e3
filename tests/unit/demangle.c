/* Which demangler a name is for. */
#include "common/demangle/demangle.h"

#include "tests/unit/test.h"

static struct arena arena;
static struct text out;

/* The demangled name; "-" if it is left as it is. */
static struct span
demangled(const char *name, enum demangle_style style)
{
    out.len = 0;
    arena_reset(&arena);
    if (demangle(&arena, span_cstr(name), style, &out))
        return text_span(&out);
    CHECK(out.len == 0);
    return SPAN("-");
}

TEST("C++ names, with parameters and without")
{
    CHECK_TEXT(demangled("_ZN4node7LoadEnvEi", DEMANGLE_SHORT), "node::LoadEnv");
    CHECK_TEXT(demangled("_ZN4node7LoadEnvEi", DEMANGLE_FULL), "node::LoadEnv(int)");
}

TEST("Rust names have no parameters, and a legacy name is not taken for one of C++")
{
    static const char legacy[] = "_ZN4core3fmt5Write17h0123456789abcdefE";
    CHECK_TEXT(demangled(legacy, DEMANGLE_SHORT), "core::fmt::Write");
    CHECK_TEXT(demangled(legacy, DEMANGLE_FULL), "core::fmt::Write");
    CHECK_TEXT(demangled("_RNvCs1234_7mycrate3run", DEMANGLE_SHORT), "mycrate::run");
    CHECK_TEXT(demangled("_RNvCs1234_7mycrate3run", DEMANGLE_FULL), "mycrate::run");
    CHECK_TEXT(demangled("_ZN4core3fmt17h0000000000000000E", DEMANGLE_SHORT),
               "core::fmt::h0000000000000000");
}

TEST("a symbol's version is left out of the short form, as perf does")
{
    CHECK_TEXT(demangled("_ZNSo3putEc@@GLIBCXX_3.4", DEMANGLE_SHORT), "std::ostream::put");
    CHECK_TEXT(demangled("_ZNSo3putEc@@GLIBCXX_3.4", DEMANGLE_FULL),
               "std::ostream::put(char)@@GLIBCXX_3.4");
    CHECK_TEXT(demangled("memcpy@@GLIBC_2.14", DEMANGLE_SHORT), "-");
}

TEST("the entry of a procedure linkage table stays one")
{
    CHECK_TEXT(demangled("_Znwm@plt", DEMANGLE_SHORT), "operator new@plt");
    CHECK_TEXT(demangled("_Znwm@plt", DEMANGLE_FULL), "operator new(unsigned long)@plt");
}

TEST("names of C, D and Swift, and all names where none are to be demangled, stay")
{
    static const char *const names[] = {"main",
                                        "",
                                        "_",
                                        "_Z",
                                        "_R",
                                        "__libc_start_main",
                                        "_D3std5stdio7writelnFZv",
                                        "$s4main3fooyyF",
                                        "_Dmain",
                                        "_start",
                                        "memcpy@plt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK_TEXT(demangled(names[i], DEMANGLE_SHORT), "-");
        CHECK_TEXT(demangled(names[i], DEMANGLE_FULL), "-");
    }
    CHECK_TEXT(demangled("_ZN4node7LoadEnvEi", DEMANGLE_NONE), "-");
    CHECK_TEXT(demangled("_RNvCs1234_7mycrate3run", DEMANGLE_NONE), "-");
}
