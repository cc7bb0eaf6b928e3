/* Rust's names, as c++filt -i prints them. */
#include "common/demangle/demangle_rust.h"

#include "common/demangle/demangle.h"
#include "common/demangle/punycode.h"
#include "tests/unit/test.h"

static struct text out;

/* The demangled name; "-" if it is left as it is. */
static struct span
demangled(struct span name)
{
    out.len = 0;
    if (demangle_rust(name, &out))
        return text_span(&out);
    CHECK(out.len == 0);
    return SPAN("-");
}

#define CHECK_RUST(name, wanted) CHECK_TEXT(demangled(SPAN(name)), wanted)

TEST("a legacy name loses its hash and what the compiler appended")
{
    CHECK_RUST("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt");
    CHECK_RUST("_ZN4core3fmt17h0123456789abcdefE.llvm.42", "core::fmt");
    CHECK_RUST("_ZN4core3fmt17h0123456789abcdefE.llvm.42@@VERSION", "core::fmt");
}

TEST("a legacy name's escapes are characters")
{
    CHECK_RUST("_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$"
               "3bar17h930b740aa94f1d3aE",
               "<Test + 'static as foo::Bar<Test>>::bar");
    CHECK_RUST("_ZN32a$C$b$SP$c$BP$d$RF$e$LP$f$RP$g.h17h0123456789abcdefE", "a,b@c*d&e(f)g.h");
    CHECK_RUST("_ZN4a..b2cd17h0123456789abcdefE", "a::b::cd");
}

/* As demangled(), of a frame. */
static struct span
plain(struct span frame)
{
    out.len = 0;
    if (demangle_rust_frame(frame, &out))
        return text_span(&out);
    CHECK(out.len == 0);
    return SPAN("-");
}

#define CHECK_FRAME(frame, wanted) CHECK_TEXT(plain(SPAN(frame)), wanted)

TEST("what a demangler of C++ left to do is done, and hashes are cut")
{
    CHECK_FRAME("_$LT$Test$u20$as$u20$foo..Bar$GT$::test::h930b740aa94f1d3a",
                "<Test as foo::Bar>::test");
    CHECK_FRAME("core::ptr::drop_in_place$LT$alloc..string..String$GT$::h0123456789abcdef",
                "core::ptr::drop_in_place<alloc::string::String>");
    CHECK_FRAME("a::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef", "a::{{closure}}");
    CHECK_FRAME("<T as X>::f::h0123456789abcdef", "<T as X>::f");
    CHECK_FRAME("a::f::h0123456789abcdef (.llvm.42)", "a::f");
    CHECK_FRAME("a::f::h0123456789abcdef [clone .llvm.42] [clone .cold]", "a::f");
    CHECK_FRAME("a::f::h0123456789abcdef.llvm.42", "a::f");
}

TEST("a module and an offset stay around a frame's name")
{
    CHECK_FRAME("app`_ZN3app3run17h0123456789abcdefE+0x1f", "app`app::run+0x1f");
    CHECK_FRAME("app`__ZN3app3run17h0123456789abcdefE", "app`app::run");
    CHECK_FRAME("app::run::h0123456789abcdef+18", "app::run+18");
    CHECK_FRAME("_RNvCs1234_7mycrate3run", "mycrate::run");
}

TEST("a frame of another language stays")
{
    CHECK_FRAME("a::f::h0123012301230123", "-"); /* four different digits */
    CHECK_FRAME("a::f:h0123456789abcdef", "-");
    CHECK_FRAME("::h0123456789abcdef", "-");
    CHECK_FRAME("a::h0123456789abcde", "-");
    CHECK_FRAME("_ZN4node7LoadEnvEi", "-");
    CHECK_FRAME("app`main+0x1f", "-");
    CHECK_FRAME("+0x1f", "-");
    CHECK_FRAME("`", "-");
    CHECK_FRAME("", "-");
}

TEST("an unknown escape and what follows it are printed as they are")
{
    CHECK_RUST("_ZN9a$XY$b..c17h0123456789abcdefE", "a$XY$b..c");
    CHECK_RUST("_ZN8a$u80$..17h0123456789abcdefE", "a$u80$..");
    CHECK_RUST("_ZN3a$C17h0123456789abcdefE", "a$C");
}

TEST("a C++ name is not taken for a legacy one")
{
    CHECK_RUST("_ZN4core3fmtE", "-");
    CHECK_RUST("_ZN4core3fmt17h0123012301230123E", "-"); /* four different digits */
    CHECK_RUST("_ZN4core3fmt17h0123456789abcdeFE", "-");
    CHECK_RUST("_ZN4core3fmt17h0123456789abcdefEi", "-");
    CHECK_RUST("_ZN4core23abcd_17h0123456789abcdefE", "-");
    CHECK_RUST("_ZN17h0123456789abcdefE", "-");
    CHECK_RUST("_ZN4core017h0123456789abcdefE", "-");
    CHECK_RUST("_ZN99999999999999999999a17h0123456789abcdefE", "-");
    CHECK_RUST("_ZN", "-");
    CHECK_RUST("", "-");
    CHECK_RUST("main", "-");
}

TEST("paths of version 0")
{
    CHECK_RUST("_RNvCs1234_7mycrate3run", "mycrate::run");
    CHECK_RUST("_RNvCs1234_7mycrate3run.llvm.42", "mycrate::run");
    CHECK_RUST("_RNvNtC3std3mem4swap", "std::mem::swap");
    CHECK_RUST("_RNvC7mycrate3_1st", "mycrate::1st");
    CHECK_RUST("_RNCNCNvC1a1b00s_0B3_", "-");
    CHECK_RUST("_RNCNCNvC1a1b0s_0C1c", "a::b::{closure#0}::{closure#1}");
    CHECK_RUST("_RNSC1as0_6vtable", "a::{shim:vtable#2}");
    CHECK_RUST("_RNXC1a0", "a::{X#0}");
    CHECK_RUST("_RNvMs_C1aNtB4_1T1f", "<a::T>::f");
    CHECK_RUST("_RNvXC1ahNtB2_1T1f", "<u8 as a::T>::f");
    CHECK_RUST("_RNvYjNtC1a1T1f", "<usize as a::T>::f");
    CHECK_RUST("_RINvNtC3std3mem8align_ofjE", "std::mem::align_of::<usize>");
    CHECK_RUST("_RNvMC1aINtB2_1TlE1f", "<a::T<i32>>::f");
    CHECK_RUST("_RINvC1a1bjEC1c", "a::b::<usize>"); /* the crate c instantiates it */
}

TEST("types of version 0")
{
    CHECK_RUST("_RIC1aabcdefhijlmnopstuvxyzE",
               "a::<i8, bool, char, f64, str, f32, u8, isize, usize, i32, u32, i128, u128, _, i16, "
               "u16, (), ..., i64, u64, !>");
    CHECK_RUST("_RIC1aRhQhRL_hPhOhShAhj4_E",
               "a::<&u8, &mut u8, &u8, *const u8, *mut u8, [u8], [u8; 4]>");
    CHECK_RUST("_RIC1aTEThEThaEE", "a::<(), (u8,), (u8, i8)>");
    CHECK_RUST("_RIC1aFEuFhaEjFUKCEzFK8C_unwindEuE",
               "a::<fn(), fn(u8, i8) -> usize, unsafe extern \"C\" fn() -> !, "
               "extern \"C-unwind\" fn()>");
    CHECK_RUST("_RIC1aDNtB0_1TNtB0_4SendEL_E", "a::<dyn a::T + a::Send>");
    CHECK_RUST("_RIC1aDINtB0_1ThEp4ItemaEL_DNtB0_1Tp1XhEL_E",
               "a::<dyn a::T<u8, Item = i8>, dyn a::T<X = u8>>");
    CHECK_RUST("_RIC1aThaEB3_E", "a::<(u8, i8), (u8, i8)>");
}

TEST("lifetimes have letters from the outermost for<...> on")
{
    CHECK_RUST("_RIC1aFG_RL0_hEuE", "a::<for<'a> fn(&'a u8)>");
    CHECK_RUST("_RIC1aFG0_RL0_hRL_hFG_RL0_hRL2_hEuEuE",
               "a::<for<'a, 'b> fn(&'b u8, &u8, for<'c> fn(&'c u8, &'a u8))>");
    CHECK_RUST("_RIC1aFG0_RL0_hRL_hFG_RL0_hRL3_hEuEuE", "-"); /* only three are bound */
    CHECK_RUST("_RIC1aL_E", "a::<'_>");
    CHECK_RUST("_RIC1aL0_E", "-");
    CHECK_RUST("_RIC1aDG_NtB0_1TEL_E", "a::<dyn for<'a> a::T>");
    CHECK_RUST("_RIC1aFGq_RL_hRL0_hEuE",
               "a::<for<'a, 'b, 'c, 'd, 'e, 'f, 'g, 'h, 'i, 'j, 'k, 'l, 'm, 'n, 'o, 'p, 'q, 'r, "
               "'s, 't, 'u, 'v, 'w, 'x, 'y, 'z, '_26, '_27> fn(&u8, &'_27 u8)>");
}

TEST("constants of version 0")
{
    CHECK_RUST("_RIC1aKj1f_Kan1_Kb0_Kb1_KpE", "a::<31, -1, false, true, _>");
    CHECK_RUST("_RIC1aKc41_Kc22_Kca_Kc9_Kcd_Kc20_Kc7e_Kce9_E",
               "a::<'A', '\"', '\\n', '\\t', '\\r', '\\u{20}', '\\u{7e}', '\\u{e9}'>");
    CHECK_RUST("_RIC1aKyffffffffffffffff_E", "a::<18446744073709551615>");
    CHECK_RUST("_RIC1aKj4_KB5_E", "-");
    CHECK_RUST("_RIC1aKj4_KB4_E", "a::<4, 4>");
    CHECK_RUST("_RIC1aKb2_E", "-");
    CHECK_RUST("_RIC1aKj_E", "-");
}

TEST("constants that c++filt 2.40 does not know or prints wrongly")
{
    CHECK_RUST("_RIC1aKo10000000000000000_E", "a::<0x10000000000000000>");
    CHECK_RUST("_RIC1aKRe6120220a005c_KRe_Ke61_E", "a::<\"a \\\"\\n\\0\\\\\", \"\", {*\"a\"}>");
    CHECK_RUST("_RIC1aKRAh1_h2_EKQh1_KTEKTh1_EE", "a::<{&[1, 2]}, {&mut 1}, {()}, {(1,)}>");
    CHECK_RUST("_RIC1aKVNtB0_1TUKVNtB0_1TTh1_b1_EKVNtB0_1TS1xh1_1ya2_EE",
               "a::<{a::T}, {a::T(1, true)}, {a::T { x: 1, y: 2 }}>");
    CHECK_RUST("_RIC1aAhRe61_E", "a::<[u8; \"a\"]>");
    CHECK_RUST("_RIC1aKRe6_E", "-");
}

TEST("identifiers that are not ASCII")
{
    CHECK_RUST("_RNvCu8gdel_5qa4main", "g\xc3\xb6"
                                       "del::main");
    CHECK_RUST("_RNvC1au7fiq228c", "a::\xe4\xb8\xad\xe6\x96\x87");
    CHECK_RUST("_RNvC1au3_zz", "-");
    CHECK_RUST("_RNvC1au4abc_", "-");
}

TEST("a name that is cut, or goes on, is left as it is")
{
    static const char name[] = "_RINvMs_NtC1a1bINtB5_1TKj1f_E1fDG_NtB5_1SEL_EC1c";
    CHECK_RUST("_RINvMs_NtC1a1bINtB5_1TKj1f_E1fDG_NtB5_1SEL_EC1c",
               "<a::b::T<31>>::f::<dyn for<'a> a::b::S>");
    for (size_t len = 0; len < sizeof name - 1; len++)
        CHECK(len == sizeof name - 4 || span_eq(demangled(span_of(name, len)), SPAN("-")));
    CHECK_RUST("_RNvC1a1bC1cC1d", "-");
    CHECK_RUST("_RNvC1a1b-", "-");
    CHECK_RUST("_RNvC1a1b@@V", "-");
    CHECK_RUST("_R0NvC1a1b", "-");
    CHECK_RUST("__RNvC1a1b", "-");
}

TEST("a reference must point to an earlier place")
{
    CHECK_RUST("_RNvB_1a", "-");
    CHECK_RUST("_RIC1aB3_E", "-");
    CHECK_RUST("_RIC1aBzzzzzzzzzzzzz_E", "-");
    CHECK_RUST("_RIC1aFGzzzzzzzz_EuE", "-");
}

/* A name made of `head`, n times `part`, and `tail`. */
static struct span
repeated(const char *head, const char *part, size_t n, const char *tail)
{
    static struct text name;
    name.len = 0;
    text_add(&name, span_cstr(head));
    for (size_t i = 0; i < n; i++)
        text_add(&name, span_cstr(part));
    text_add(&name, span_cstr(tail));
    return text_span(&name);
}

TEST("types inside each other are read up to the limit, and refused past it")
{
    CHECK(demangled(repeated("_RIC1a", "R", RUST_DEPTH - 1, "hE")).len > RUST_DEPTH);
    CHECK_TEXT(demangled(repeated("_RIC1a", "R", RUST_DEPTH, "hE")), "-");
    CHECK_TEXT(demangled(repeated("_RIC1a", "S", 1000000, "hE")), "-");
    CHECK_TEXT(demangled(repeated("_R", "NvMC1a", 1000000, "h")), "-");
}

/* "_RIC1a", and then n + 1 tuples: "ThhE", and each of the others holds the one before it twice. */
static struct span
doubled(char name[4096], size_t n)
{
    size_t len = (size_t)snprintf(name, 4096, "_RIC1aThhE"), last = len - 2 - 4;
    for (size_t i = 0; i < n; i++) {
        static const char digits[] =
            "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        char ref[16];
        size_t to = last - 1;
        last = len - 2;
        snprintf(ref, sizeof ref, "B%.*s%c_", to >= 62, &digits[to / 62], digits[to % 62]);
        len += (size_t)snprintf(name + len, 4096 - len, "T%s%sE", ref, ref);
    }
    name[len++] = 'E';
    return span_of(name, len);
}

TEST("a short name that asks for endless text is refused")
{
    char name[4096];
    CHECK_TEXT(demangled(doubled(name, 2)), "a::<(u8, u8), ((u8, u8), (u8, u8)), "
                                            "(((u8, u8), (u8, u8)), ((u8, u8), (u8, u8)))>");
    CHECK(demangled(doubled(name, 8)).len > 6000);
    CHECK_TEXT(demangled(doubled(name, 9)), "-");
    CHECK_TEXT(demangled(doubled(name, 200)), "-");
    CHECK_TEXT(demangled(repeated("_RIC1a", "Rh", DEMANGLE_MAX / 2, "E")), "-");
    CHECK(demangled(repeated("_RIC1a", "h", DEMANGLE_MAX / 4 - 4, "E")).len <= DEMANGLE_MAX);
}

TEST("long identifiers are read up to the limits")
{
    CHECK(demangled(repeated("_ZN40000", "a", 40000, "17h0123456789abcdefE")).len == 40000);
    CHECK_TEXT(demangled(repeated("_ZN", "1a", 30000, "17h0123456789abcdefE")), "-");
    char code[32];
    snprintf(code, sizeof code, "_RCu%d", PUNYCODE_MAX);
    CHECK(demangled(repeated(code, "a", PUNYCODE_MAX, "")).len == 2 * PUNYCODE_MAX);
    snprintf(code, sizeof code, "_RCu%d", PUNYCODE_MAX + 1);
    CHECK_TEXT(demangled(repeated(code, "a", PUNYCODE_MAX + 1, "")), "-");
}

TEST("the name is appended, or the text stays as it was")
{
    out.len = 0;
    text_add(&out, SPAN("x"));
    CHECK(demangle_rust(SPAN("_RNvC1a1b"), &out));
    CHECK(!demangle_rust(SPAN("_RNvC1a1bC"), &out));
    CHECK(!demangle_rust(SPAN("_RC1au3_zz"), &out));
    CHECK_TEXT(text_span(&out), "xa::b");
}
