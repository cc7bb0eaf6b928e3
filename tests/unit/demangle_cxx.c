/* What symbols of C++ stand for. The expected texts are those that GNU c++filt 2.40 prints, but for
 * names with C++20's constraints, which it leaves mangled: 2,270 of those in Node 26. There they are
 * what LLVM prints, without the constraints. */
#include "test.h"

#include "common/demangle/demangle_cxx.h"

struct row {
    const char *symbol, *name, *full; /* without full, it is the same as the name */
};

static void
check(const struct row *rows, size_t n)
{
    FREED(arena_free) struct arena a = {0};
    struct text out = {0};
    for (size_t i = 0; i < n; i++) {
        struct span symbol = span_cstr(rows[i].symbol);
        out.len = 0;
        CHECK(demangle_cxx(&a, symbol, DEMANGLE_SHORT, &out));
        CHECK_TEXT(text_span(&out), rows[i].name);
        out.len = 0;
        CHECK(demangle_cxx(&a, symbol, DEMANGLE_FULL, &out));
        CHECK_TEXT(text_span(&out), rows[i].full != NULL ? rows[i].full : rows[i].name);
        arena_reset(&a);
    }
    free(out.ptr);
}

#define CHECK_ROWS(rows) check(rows, sizeof(rows) / sizeof *(rows))

TEST("names of functions and variables, of their scopes, operators and constructors")
{
    static const struct row rows[] = {
        {"_Z1fv", "f", "f()"},
        {"_ZN1A1BILi3EE1fEv", "A::B<3>::f", "A::B<3>::f()"},
        {"_ZNK1A1fEv", "A::f", "A::f() const"},
        {"_ZNO1A1fEv", "A::f", "A::f() &&"},
        {"_ZNKR1A1fEv", "A::f", "A::f() const &"},
        {"_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f", "(anonymous namespace)::f()"},
        {"_ZL1f_0", "f", NULL},
        {"_ZN1AC1Ev", "A::A", "A::A()"},
        {"_ZN1AIiEC1IcEET_", "A<int>::A<char>", "A<int>::A<char>(char)"},
        {"_ZN1AD0Ev", "A::~A", "A::~A()"},
        {"_ZN1ACI11BEi", "A::B", "A::B(int)"},
        {"_ZN1AB3tagC1Ev", "A[abi:tag]::A", "A[abi:tag]::A()"},
        {"_ZN1AaSERKS_", "A::operator=", "A::operator=(A const&)"},
        {"_ZN1AnaEm", "A::operator new[]", "A::operator new[](unsigned long)"},
        {"_ZlsIiEvRK1A", "operator<< <int>", "void operator<< <int>(A const&)"},
        {"_ZN1AltIiEEvRKS_", "A::operator< <int>", "void A::operator< <int>(A const&)"},
        {"_Zli2_xPKc", "operator\"\" _x", "operator\"\" _x(char const*)"},
        {"_ZN1Av19__builtinEv", "A::operator __builtin", "A::operator __builtin()"},
        {"_ZN1AcvPFvvEEv", "A::operator void (*)()", "A::operator void (*)()()"},
        {"_ZN1AcvT_IPFvvEEEv", "A::operator void (*)()<void (*)()>",
         "A::operator void (*)()<void (*)()>()"},
        {"_ZN1AcvT_I1AIiEEEv", "A::operator A<int><A<int> >", "A::operator A<int><A<int> >()"},
        {"_ZN1ADC1a1bEE", "A::[a, b]", NULL},
        {"_Z1fvv", "f", "f(void, void)"},
        {"_Z1fiz", "f", "f(int, ...)"},
        {"_ZN1fEi", "f", "f(int)"},
    };
    CHECK_ROWS(rows);
}

TEST("local entities follow the function that they are in")
{
    static const struct row rows[] = {
        {"_ZZ1fvEs_0", "f()::string literal", NULL},
        {"_ZZ1fvE1x__12_", "f()::x", NULL},
        {"_ZZ1fIiEiT_E1x", "f<int>(int)::x", NULL},
        {"_ZZNK1A1fEvENKUlvE_clEv", "A::f() const::{lambda()#1}::operator()",
         "A::f() const::{lambda()#1}::operator()() const"},
        {"_ZZZ1fvENKUlvE_clEvENKUlvE_clEv",
         "f()::{lambda()#1}::operator()() const::{lambda()#1}::operator()",
         "f()::{lambda()#1}::operator()() const::{lambda()#1}::operator()() const"},
        {"_ZZN1A1fEiEd_NKUlvE_clEv", "A::f(int)::{default arg#1}::{lambda()#1}::operator() const",
         "A::f(int)::{default arg#1}::{lambda()#1}::operator()() const"},
        {"_ZZN1A1fEiEd0_UlvE_", "A::f(int)::{default arg#2}::{lambda()#1}", NULL},
        {"_ZN1A1xMUlvE_clES0_", "A::x::{lambda()#1}::operator()",
         "A::x::{lambda()#1}::operator()(A::x)"},
        {"_ZNK1AUt_1fEv", "A::{unnamed type#1}::f", "A::{unnamed type#1}::f() const"},
        {"_ZNUt1_1fEv", "{unnamed type#3}::f", "{unnamed type#3}::f()"},
        {"_Z1fN1AUt_ES_S0_", "f", "f(A::{unnamed type#1}, A, {unnamed type#1})"},
        {"_ZZ1fvENKUlT_T0_PS_RT_OT_DpT1_E_clEv",
         "f()::{lambda(auto:1, auto:2, auto:1*, auto:1&, auto:1&&, (auto:3)...)#1}::operator()",
         "f()::{lambda(auto:1, auto:2, auto:1*, auto:1&, auto:1&&, (auto:3)...)#1}::operator()() "
         "const"},
        {"_ZZ1fvENKUlTyTnT_TtTyETpTyT_T0_T1_DpT2_E_clEv",
         "f()::{lambda<typename $T0, $T0 $N1, template<typename> class $TT2, typename... $T3>($T0"
         ", $N1, $TT2, ($T3)...)#1}::operator()",
         "f()::{lambda<typename $T0, $T0 $N1, template<typename> class $TT2, typename... $T3>($T0"
         ", $N1, $TT2, ($T3)...)#1}::operator()() const"},
    };
    CHECK_ROWS(rows);
}

TEST("what compilers make has a description")
{
    static const struct row rows[] = {
        {"_ZTV1A", "vtable for A", NULL},
        {"_ZTT1A", "VTT for A", NULL},
        {"_ZTI1A", "typeinfo for A", NULL},
        {"_ZTSFivE", "typeinfo name for int ()", NULL},
        {"_ZTCN1AE16_N1BE", "construction vtable for B-in-A", NULL},
        {"_ZTh16_N1A1fEv", "non-virtual thunk to A::f()", NULL},
        {"_ZTv0_n16_N1A1fEv", "virtual thunk to A::f()", NULL},
        {"_ZTch0_v0_n16_N1A1fEv", "covariant return thunk to A::f()", NULL},
        {"_ZThn16_NK1A1fIiEEvT_", "non-virtual thunk to void A::f<int>(int) const", NULL},
        {"_ZGVZ1fvE1x", "guard variable for f()::x", NULL},
        {"_ZGR1x1", "reference temporary #1 for x", NULL},
        {"_ZTHN1A1xE", "TLS init function for A::x", NULL},
        {"_ZTWN1A1xE", "TLS wrapper function for A::x", NULL},
        {"_ZTAXtl1ALi1EEE", "template parameter object for A{1}", NULL},
        {"_ZGTtN1A1fEv", "transaction clone for A::f()", NULL},
        {"_ZGTnN1A1fEv", "non-transaction clone for A::f()", NULL},
        {"_ZGA1x", "hidden alias for x", NULL},
        {"_ZGIW3Foo", "initializer for module Foo", NULL},
        {"_GLOBAL__I_foo", "global constructors keyed to foo", NULL},
        {"_GLOBAL__D_foo", "global destructors keyed to foo", NULL},
        {"_GLOBAL__I__Z1fv", "global constructors keyed to f()", NULL},
    };
    CHECK_ROWS(rows);
}

TEST("clones have their suffixes in the full style")
{
    static const struct row rows[] = {
        {"_Z1fv.part.0", "f", "f() [clone .part.0]"},
        {"_Z1fv.isra.0.cold", "f", "f() [clone .isra.0] [clone .cold]"},
        {"_Z1fv.cold.123.456", "f", "f() [clone .cold.123.456]"},
        {"_Z1fv.5", "f", "f() [clone .5]"},
        {"_ZTV1A.local", "vtable for A", "vtable for A [clone .local]"},
    };
    CHECK_ROWS(rows);
}

TEST("substitutions")
{
    static const struct row rows[] = {
        {"_ZNSsC1Ev",
         "std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string",
         "std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string()"},
        {"_ZNSo3fooEv", "std::ostream::foo", "std::ostream::foo()"},
        {"_ZNSt6vectorIbSaIbEEC2ERKS1_", "std::vector<bool, std::allocator<bool> >::vector",
         "std::vector<bool, std::allocator<bool> >::vector(std::vector<bool, std::allocator<bool>"
         " > const&)"},
        {"_Z1fSsB3fooS_", "f", "f(std::string[abi:foo], std::string[abi:foo])"},
        {"_Z1fSt3abcB3fooS_", "f", "f(std::abc[abi:foo], std::abc[abi:foo])"},
        {"_Z1fPSsPSoS_S0_", "f", "f(std::string*, std::ostream*, std::string*, std::ostream*)"},
        {"_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4sizeEv",
         "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::size",
         "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::size()"
         " const"},
        {"_Z1fu3fooPS_S0_S_", "f", "f(foo, foo*, foo*, foo)"},
    };
    CHECK_ROWS(rows);
}

TEST("types around names")
{
    static const struct row rows[] = {
        {"_Z1fPFPFvvEiE", "f", "f(void (*(*)(int))())"},
        {"_Z1gIiEPFvvET_", "g<int>", "void (*g<int>(int))()"},
        {"_Z1gIiERA4_iT_", "g<int>", "int (&g<int>(int)) [4]"},
        {"_Z1gIiEM1AFvvET_", "g<int>", "void (A::*g<int>(int))()"},
        {"_Z1fRA3_KA4_i", "f", "f(int const (&) [3][4])"},
        {"_Z1fPVKA3_A4_i", "f", "f(int const volatile (*) [3][4])"},
        {"_Z1fM1AKFivRE", "f", "f(int (A::*)() const &)"},
        {"_Z1fKM1Ai", "f", "f(int A::* const)"},
        {"_Z1fPKM1AFivE", "f", "f(int (A::* const*)())"},
        {"_Z1fPDoFivE", "f", "f(int (*)() noexcept)"},
        {"_Z1fPDOLb1EEFivE", "f", "f(int (*)() noexcept(true))"},
        {"_Z1fPDwicEFivE", "f", "f(int (*)() throw(int, char))"},
        {"_Z1fDv4_f", "f", "f(float __vector(4))"},
        {"_Z1fU8__vectori", "f", "f(int __vector)"},
        {"_Z1fCf", "f", "f(float _Complex)"},
        {"_Z1fVrKi", "f", "f(int const restrict volatile)"},
        {"_Z1fPrVKFivE", "f", "f(int (*)() const volatile restrict)"},
        {"_Z1fA_i", "f", "f(int [])"},
        {"_Z1fDF16_DF32xDF16b", "f", "f(_Float16, _Float32x, std::bfloat16_t)"},
        {"_Z1fDnDaDcDiDsDuDh", "f",
         "f(decltype(nullptr), auto, decltype(auto), char32_t, char16_t, char8_t, half)"},
        {"_Z1gIKA3_iEvRVT_", "g<int const [3]>",
         "void g<int const [3]>(int volatile const (&) [3])"},
        {"_Z1gIFivEEvRKT_", "g<int ()>", "void g<int ()>(int ( const&)())"},
        {"_Z1gIA3_iEvPT_", "g<int [3]>", "void g<int [3]>(int (*) [3])"},
        {"_Z1gIRiEvOT_", "g<int&>", "void g<int&>(int&)"},
        {"_Z1gIOiEvRT_", "g<int&&>", "void g<int&&>(int&)"},
        {"_Z1gIRA3_iEvOKT_", "g<int (&) [3]>", "void g<int (&) [3]>(int (& const&&) [3])"},
        {"_ZL1gIPFPvS0_iEES0_T_S0_", "g<void* (*)(void*, int)>",
         "void* g<void* (*)(void*, int)>(void* (*)(void*, int), void*)"},
        {"_Z1fIK1AEN1BIKT_E4typeEv", "f<A const>", "B<A const>::type f<A const>()"},
    };
    CHECK_ROWS(rows);
}

TEST("template arguments and packs of them")
{
    static const struct row rows[] = {
        {"_Z1fIiEvT_", "f<int>", "void f<int>(int)"},
        {"_Z1fIJEEvDpT_", "f<>", "void f<>()"},
        {"_Z1fIJicEEvDpRKT_", "f<int, char>", "void f<int, char>(int const&, char const&)"},
        {"_Z1fIJicEEvPFvPDpT_E", "f<int, char>", "void f<int, char>(void (*)(int, char*))"},
        {"_Z1fIJicEJPiPcEEvDpFvT_DpT0_E", "f<int, char, int*, char*>",
         "void f<int, char, int*, char*>(void (int, int*, char*), void (char, int*, char*))"},
        {"_Z3fooIJE1AIiEEvv", "foo<, A<int> >", "void foo<, A<int> >()"},
        {"_Z3fooI1AIiEJEEvv", "foo<A<int>>", "void foo<A<int>>()"},
        {"_Z1fIJLi1ELi2EEEv1AIXspT_EE", "f<1, 2>", "void f<1, 2>(A<1, 2>)"},
        {"_Z1fISt6vectorEvT_IiES2_", "f<std::vector>",
         "void f<std::vector>(std::vector<int>, std::vector<int>)"},
        {"_Z1fDpDa", "f", "f(auto...)"},
        {"_Z1fDpi", "f", "f((int)...)"},
    };
    CHECK_ROWS(rows);
}

TEST("literals and functions as template arguments")
{
    static const struct row rows[] = {
        {"_Z1fILb1ELb0ELb2EEvv", "f<true, false, (bool)2>", "void f<true, false, (bool)2>()"},
        {"_Z1fILin5ELj5ELl5ELm5ELx5ELy5EEvv", "f<-5, 5u, 5l, 5ul, 5ll, 5ull>",
         "void f<-5, 5u, 5l, 5ul, 5ll, 5ull>()"},
        {"_Z1fILsn5ELc97ELDi65EEvv", "f<(short)-5, (char)97, (char32_t)65>",
         "void f<(short)-5, (char)97, (char32_t)65>()"},
        {"_Z1fILd4014000000000000EEvv", "f<(double)[4014000000000000]>",
         "void f<(double)[4014000000000000]>()"},
        {"_Z1fILDnELDn0ELPv0EEvv", "f<decltype(nullptr), (decltype(nullptr))0, (void*)0>",
         "void f<decltype(nullptr), (decltype(nullptr))0, (void*)0>()"},
        {"_Z1fIXadL_Z1gvEEEvv", "f<&(g())>", "void f<&(g())>()"},
        {"_Z1fIXadL_ZN1A1gEvEEEvv", "f<&A::g>", "void f<&A::g>()"},
        {"_Z1fIL_Z1gvEEvv", "f<g()>", "void f<g()>()"},
        {"_Z1fIXclL_Z1gvELi1EEEEvv", "f<g(1)>", "void f<g(1)>()"},
    };
    CHECK_ROWS(rows);
}

TEST("expressions")
{
    static const struct row rows[] = {
        {"_Z1fIXgtLi1ELi2EEXrsLi1ELi2EEEvv", "f<((1)>(2)), (1)>>(2)>",
         "void f<((1)>(2)), (1)>>(2)>()"},
        {"_Z1fIiEvDTmlplT_Li2ELi3EE", "f<int>", "void f<int>(decltype (((int)+(2))*(3)))"},
        {"_Z1fIiEvDTpp_fp_EDTppfp_E", "f<int>",
         "void f<int>(decltype (++{parm#1}), decltype ({parm#1}++))"},
        {"_Z1fIiEvDTquLb1Efp_Li2EE", "f<int>", "void f<int>(decltype ((true)?{parm#1} : (2)))"},
        {"_Z1fIiEvDTgsnw_ipifp_EE", "f<int>", "void f<int>(decltype (::new int({parm#1})))"},
        {"_Z1fIiEvDTnwfp__iilfp_EE", "f<int>",
         "void f<int>(decltype (new ({parm#1}) int{{parm#1}}))"},
        {"_Z1fIiEvDTna_A3_iEE", "f<int>", "void f<int>(decltype (new int [3]))"},
        {"_Z1fIiEvDTgsdlfp_E", "f<int>", "void f<int>(decltype (::delete {parm#1}))"},
        {"_Z1fIiEvDTptfp_3fooIiEE", "f<int>", "void f<int>(decltype ({parm#1}->(foo<int>)))"},
        {"_Z1fIiEvDTixfp_fp_E", "f<int>", "void f<int>(decltype ({parm#1}[{parm#1}]))"},
        {"_Z1fIiEvDTcl1gfp_Li2EEE", "f<int>", "void f<int>(decltype (g({parm#1}, 2)))"},
        {"_Z1fIiEvDTcvifp_EDTcvi_fp_fp_EE", "f<int>",
         "void f<int>(decltype ((int){parm#1}), decltype ((int)({parm#1}, {parm#1})))"},
        {"_Z1fIiEvDTscPifp_E", "f<int>", "void f<int>(decltype (static_cast<int*>({parm#1})))"},
        {"_Z1fIiEvDTstiEDTszfp_E", "f<int>",
         "void f<int>(decltype (sizeof (int)), decltype (sizeof {parm#1}))"},
        {"_Z1fIiEvDTtrEDTtwfp_E", "f<int>",
         "void f<int>(decltype (throw), decltype (throw {parm#1}))"},
        {"_Z1fIJicEEvDTsZT_EDTsPicEE", "f<int, char>",
         "void f<int, char>(decltype (2), decltype (2))"},
        {"_Z1fIJicEEDTfLplT_fp_EDpT_", "f<int, char>",
         "decltype (((int, char)+...+{parm#1})) f<int, char>(int, char)"},
        {"_Z1fIJicEEDTflplT_EDTfrplT_EDpT_", "f<int, char>",
         "decltype ((...+(int, char))) f<int, char>(decltype (((int, char)+...)), int, char)"},
        {"_Z1fIXtl1Adi3foodi3bardi3bazLi2EdxLi0ELi3EEEEvv", "f<A{.foo.bar.baz=(2), [0]=(3)}>",
         "void f<A{.foo.bar.baz=(2), [0]=(3)}>()"},
        {"_Z1fIXtl1AdXLi0ELi1ELi3EEEEvv", "f<A{[0 ... 1]=(3)}>", "void f<A{[0 ... 1]=(3)}>()"},
        {"_Z1fIiEvDTclgs1gfp_EE", "f<int>", "void f<int>(decltype ((::g)({parm#1})))"},
        {"_Z1fIiEvDTclonplfp_EE", "f<int>", "void f<int>(decltype ((operator+)({parm#1})))"},
        {"_Z1fIiEvDTu3fooXfp_EEE", "f<int>", "void f<int>(decltype (foo({parm#1})))"},
        {"_Z1fIiEvDTfpTE", "f<int>", "void f<int>(decltype (this))"},
        {"_Z1fIiEvDTilspfp_EE", "f<int>", "void f<int>(decltype ({{parm#1}...}))"},
        {"_Z1fIXsr3FooE3barEEvv", "f<Foo::bar>", "void f<Foo::bar>()"},
        {"_Z1fIXsr1A1bEEvv", "f<A::b>", "void f<A::b>()"},
        {"_Z1fIXsr1A1bIiEEEvv", "f<A::b<int> >", "void f<A::b<int> >()"},
        {"_Z1fIiEvDTclsrT_1bIiEfp_EE", "f<int>", "void f<int>(decltype ((int::b<int>)({parm#1})))"},
    };
    CHECK_ROWS(rows);
}

TEST("the constraints and parameter declarations of C++20 are left out")
{
    static const struct row rows[] = {
        {"_Z1fITk1CiEvT_", "f<int>", "void f<int>(int)"},
        {"_Z1fITk1CIlEiEvT_", "f<int>", "void f<int>(int)"},
        {"_Z1fITyiTnPiLPv0ETtTyTpTnlE1ATpTyJicEEvT_", "f<int, (void*)0, A, int, char>",
         "void f<int, (void*)0, A, int, char>(int)"},
        {"_Z1fIiQsr1AIT_EE5valueEvT_", "f<int>", "void f<int>(int)"},
        {"_Z1fIJiEQ1vIDpT_EEvv", "f<int>", "void f<int>()"},
        {"_Z1fI1AQ1vITL0__ITL0_0_EEEvv", "f<A>", "void f<A>()"},
        {"_Z1fIiEvT_QaaLb1E1vIS0_E", "f<int>", "void f<int>(int)"},
        {"_Z1fIZ1gvEUlTk1CQLb1ET_QLb1EE_Evv", "f<g()::{lambda<C $T0>($T0)#1}>",
         "void f<g()::{lambda<C $T0>($T0)#1}>()"},
        {"_Z1fIiQrqXLi1ENR1CTNT_4typeEQLb1EEEvv", "f<int>", "void f<int>()"},
        {"_Z1fIiXrQT_PS0__XplfL0p_fL0p0_EEEvv", "f<int, requires{...}>",
         "void f<int, requires{...}>()"},
        {"_ZN2v88internal6String11SlowFlattenINS0_12DirectHandleEQsr3stdE16is_convertible_vIT_IS1_"
         "ENS3_IS1_EEEEES5_"
         "PNS0_7IsolateES4_INS0_10ConsStringEE",
         "v8::internal::String::SlowFlatten<v8::internal::DirectHandle>",
         "v8::internal::DirectHandle<v8::internal::String> "
         "v8::internal::String::SlowFlatten<v8::internal::DirectHandle>(v8::internal::Isolate*, "
         "v8::internal::DirectHandle<v8::internal::ConsString>)"},
        {"_ZNK1A1BIiEcvNS0_IT_EEIiEEv", "A::B<int>::operator A::B<int><int>",
         "A::B<int>::operator A::B<int><int>() const"},
    };
    CHECK_ROWS(rows);
}

TEST("names of modules")
{
    static const struct row rows[] = {
        {"_ZW3FooWP3Bar3barv", "bar@Foo:Bar", "bar@Foo:Bar()"},
        {"_ZW3FooW3Bar3barW3FooWP3Baz1AS_1xS0_1yS1_1zS2_1w", "bar@Foo.Bar",
         "bar@Foo.Bar(A@Foo:Baz, x@Foo, y@Foo.Bar, z@Foo, w@Foo:Baz)"},
        {"_ZNW3Foo1A1bEv", "A@Foo::b", "A@Foo::b()"},
    };
    CHECK_ROWS(rows);
}

/* True if neither style takes the text for a name, and *out is as it was. */
static bool
left_alone(struct span symbol)
{
    struct arena a = {0};
    struct text out = {0};
    text_add(&out, SPAN("before"));
    bool done = demangle_cxx(&a, symbol, DEMANGLE_SHORT, &out) ||
                demangle_cxx(&a, symbol, DEMANGLE_FULL, &out);
    bool same = span_eq(text_span(&out), SPAN("before"));
    free(out.ptr);
    arena_free(&a);
    return !done && same;
}

TEST("what is no mangled C++ name is left alone")
{
    static const char *const texts[] = {
        "",           "f",           "_Z",
        "_Z1",        "_ZN1f",       "_Z99999999999999999999f",
        "_RNvC1a1f",  "_ZNE",        "_GLOBAL__sub_I_f",
        "_ZTC1A_",    "_ZN1AC9Ev",   "_ZN1AIXplLi1EEE1fEv",
        "_Z1fIT_Evv", "_Z1fIL1A123", "_ZZ1fvE1x__12",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!left_alone(span_cstr(texts[i]))) {
            printf("# %s\n", texts[i]);
            CHECK(false);
        }
}

TEST("parameters that mean nothing are an error in the full style alone")
{
    FREED(arena_free) struct arena a = {0};
    struct text out = {0};
    CHECK(!demangle_cxx(&a, SPAN("_Z1fT_"), DEMANGLE_FULL, &out));
    CHECK(out.len == 0);
    CHECK(demangle_cxx(&a, SPAN("_Z1fT_"), DEMANGLE_SHORT, &out));
    CHECK_TEXT(text_span(&out), "f");
    CHECK(!demangle_cxx(&a, SPAN("_Z1fv"), DEMANGLE_NONE, &out));
    free(out.ptr);
}

TEST("a name is appended, so that one text can hold many")
{
    FREED(arena_free) struct arena a = {0};
    struct text out = {0};
    CHECK(demangle_cxx(&a, SPAN("_Z1fv"), DEMANGLE_FULL, &out));
    CHECK(demangle_cxx(&a, SPAN("_Z1gIiEvv"), DEMANGLE_SHORT, &out));
    CHECK_TEXT(text_span(&out), "f()g<int>");
    free(out.ptr);
}

TEST("names that are too long, in mangled form or printed, are left alone at once")
{
    char name[DEMANGLE_CXX_NAME_MAX + 2];
    memset(name, 'P', sizeof name);
    memcpy(name, "_Z1f", 4);
    name[DEMANGLE_CXX_NAME_MAX - 1] = 'i';
    struct arena a = {0};
    struct text out = {0};
    CHECK(demangle_cxx(&a, span_of(name, DEMANGLE_CXX_NAME_MAX), DEMANGLE_SHORT, &out));
    CHECK(left_alone(span_of(name, DEMANGLE_CXX_NAME_MAX + 1)));
    free(out.ptr);
    arena_free(&a);

    /* S1_ is A<int, int>, S2_ is A<S1_, S1_>: each is twice as long as the one before. */
    size_t len = (size_t)snprintf(name, sizeof name, "_Z1fI1AIiiE");
    for (const char *c = "123456789ABCDEFGHIJKLMNOPQRSTUVWXY"; *c != '\0'; c++)
        len += (size_t)snprintf(name + len, sizeof name - len, "S0_IS%c_S%c_E", *c, *c);
    snprintf(name + len, sizeof name - len, "Evv");
    CHECK(left_alone(span_cstr(name)));
}

/* T_I..E can be the type, or T_ the type and I..E the operator's arguments: at each level again. */
TEST("a name that can be read in very many ways is left alone at once")
{
    char name[DEMANGLE_CXX_NAME_MAX] = "_ZN1Acv";
    size_t len = strlen(name);
    for (int i = 0; i < 200; i++)
        len += (size_t)snprintf(name + len, sizeof name - len, "T_I");
    name[len++] = 'i';
    memset(name + len, 'E', 200);
    len += 200;
    memcpy(name + len, "IiEEv", 5);
    CHECK(left_alone(span_of(name, len + 5)));
}
