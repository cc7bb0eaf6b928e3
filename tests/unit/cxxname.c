/* The parts of C++ names, and of those of other languages that look alike. */
#include "test.h"

#include "common/stack/frames/cxxname.h"

struct row {
    const char *name, *own, *tidy;
};

static void
check(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct span name = span_cstr(rows[i].name);
        char *to = malloc(name.len + 1);
        CHECK_TEXT(cxxname_own(name), rows[i].own);
        CHECK_TEXT(span_of(to, cxxname_tidy(name, to)), rows[i].tidy);
        memcpy(to, name.ptr, name.len);
        CHECK_TEXT(span_of(to, cxxname_tidy(span_of(to, name.len), to)), rows[i].tidy);
        free(to);
    }
}

#define CHECK_ROWS(rows) check(rows, sizeof(rows) / sizeof *(rows))

TEST("a function's own name has no type, no arguments and nothing after them")
{
    static const struct row rows[] = {
        {"main", "main", "main"},
        {"", "", ""},
        {"int main(int)", "main", "int main"},
        {"a::b<c d>::e(f) const [clone .isra.0]", "a::b<c d>::e", "a::b<c d>::e"},
        {"a::f [clone .cold]", "a::f", "a::f [clone .cold]"},
        {"a::f() (.cold)", "a::f", "a::f"},
        {"f[abi:cxx11](int)", "f[abi:cxx11]", "f[abi:cxx11]"},
        {"non-virtual thunk to X::f()", "X::f", "non-virtual thunk to X::f"},
        {"f<(Enum)3>(int)", "f<(Enum)3>", "f<(Enum)3>"},
        {"void f<int ()>(int)", "f<int ()>", "void f<int ()>"},
        {"decltype (a+b) f<int>(int)", "f<int>", "decltype (a+b) f<int>"},
        {"decltype(x->y(0)) f(int)", "f", "decltype(x->y(0)) f"},
        {"undecltype(int)", "undecltype", "undecltype"},
        {"void (*signal(int))(int)", "(*signal(int))", "void (*signal(int))"},
        {"std::function<void (x y)", "std::function<void (x y)", "std::function<void (x y)"},
        {"f<a->b>(int)", "f<a->b>", "f<a->b>"},
    };
    CHECK_ROWS(rows);
}

TEST("what has no name of its own, or one inside a function, keeps its brackets")
{
    static const struct row rows[] = {
        {"(anonymous namespace)::f(int)", "(anonymous namespace)::f", "(anonymous namespace)::f"},
        {"void a::(anonymous namespace)::f()", "a::(anonymous namespace)::f",
         "void a::(anonymous namespace)::f"},
        {"void (anonymous class)::f(int)", "(anonymous class)::f", "void (anonymous class)::f"},
        {"{lambda(int)#1}::operator()() const", "{lambda(int)#1}::operator()",
         "{lambda(int)#1}::operator()"},
        {"g(int)::{lambda(int)#1}::operator()(int) const", "g", "g::{lambda(int)#1}::operator()"},
        {"X::g(int) const &::{lambda()#2}::f()", "X::g", "X::g::{lambda()#2}::f"},
        {"g()::'lambda'(int)::operator()(int) const", "g", "g::'lambda'::operator()"},
        {"main::$_0::operator()(int) const", "main::$_0::operator()", "main::$_0::operator()"},
    };
    CHECK_ROWS(rows);
}

TEST("an operator's sign is no bracket")
{
    static const struct row rows[] = {
        {"X::operator()(int) const", "X::operator()", "X::operator()"},
        {"void X::operator()<int>(int)", "X::operator()<int>", "void X::operator()<int>"},
        {"bool operator< <int>(b<int>)", "operator< <int>", "bool operator< <int>"},
        {"a& a::operator<< <int>(b)", "a::operator<< <int>", "a& a::operator<< <int>"},
        {"operator<=>(a, b)", "operator<=>", "operator<=>"},
        {"operator>>=(a, b)", "operator>>=", "operator>>="},
        {"X::operator->() const", "X::operator->", "X::operator->"},
        {"X::operator->*(int)", "X::operator->*", "X::operator->*"},
        {"X::operator[](int)", "X::operator[]", "X::operator[]"},
        {"operator new(unsigned long)", "operator new", "operator new"},
        {"operator new[](unsigned long)", "operator new[]", "operator new[]"},
        {"operator delete[](void*)", "operator delete[]", "operator delete[]"},
        {"operator \"\" _x(char const*)", "operator \"\" _x", "operator \"\" _x"},
        {"n::operator\"\" _x(char)", "n::operator\"\" _x", "n::operator\"\" _x"},
        {"X::operator bool() const", "X::operator bool", "X::operator bool"},
        {"X::operator std::vector<int>()", "X::operator std::vector<int>",
         "X::operator std::vector<int>"},
        {"X::operator unsigned long() const [clone .cold]", "X::operator unsigned long",
         "X::operator unsigned long"},
        {"f<&X::operator> >(int)", "f<&X::operator> >", "f<&X::operator> >"},
        {"f<&X::operator()>(int)", "f<&X::operator()>", "f<&X::operator()>"},
        {"void a::operators(b)", "a::operators", "void a::operators"},
        {"void my_operator(b)", "my_operator", "void my_operator"},
    };
    CHECK_ROWS(rows);
}

TEST("names of Go, Rust, Java and .NET have their parts too")
{
    static const struct row rows[] = {
        {"net/http.(*Client).Do", "net/http.(*Client).Do", "net/http.(*Client).Do"},
        {"main.(*T).f.func1", "main.(*T).f.func1", "main.(*T).f.func1"},
        {"<T as Trait>::f", "<T as Trait>::f", "<T as Trait>::f"},
        {"<fn(i32) -> u8 as Trait>::f", "<fn(i32) -> u8 as Trait>::f",
         "<fn(i32) -> u8 as Trait>::f"},
        {"core::ops::function::FnOnce::call_once{{vtable.shim}}",
         "core::ops::function::FnOnce::call_once{{vtable.shim}}",
         "core::ops::function::FnOnce::call_once{{vtable.shim}}"},
        {"int java.lang.String.hashCode()", "java.lang.String.hashCode",
         "int java.lang.String.hashCode"},
        {"void java.lang.Object.<init>()", "java.lang.Object.<init>",
         "void java.lang.Object.<init>"},
        {"byte[] a.B$C.d(int[], java.lang.String[][])", "a.B$C.d", "byte[] a.B$C.d"},
        {"StubRoutines (1)", "(1)", "StubRoutines (1)"},
        {"int32 [App] App.Program::Fib(int32)[Tier1]", "App.Program::Fib",
         "int32 [App] App.Program::Fib"},
    };
    CHECK_ROWS(rows);
}

TEST("a name cut anywhere is still handled")
{
    const struct span whole =
        SPAN("void (anonymous namespace)::f<decltype (a), &X::operator<=>, (E)1>(int)::"
             "{lambda()#1}::operator()() const::operator new[](b) [clone .cold]");
    for (size_t len = 0; len <= whole.len; len++) {
        char *cut = malloc(len + 1), *to = malloc(len + 1);
        memcpy(cut, whole.ptr, len);
        char *exact = realloc(cut, len > 0 ? len : 1); /* a sanitizer finds a byte read too far */
        CHECK(cxxname_own(span_of(exact, len)).len <= len);
        CHECK(cxxname_tidy(span_of(exact, len), to) <= len);
        free(exact);
        free(to);
    }
}
