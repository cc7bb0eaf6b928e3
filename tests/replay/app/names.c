/* Functions whose names only a demangler of C++20 reads, and names of Rust, old and new; called through the PLT of a
 * library: names.c is both, the library with -DLIBRARY. */
#define CALLED(f, name) void f(void) __asm__(name)
CALLED(constrained, "_Z5firstITk8integraliEvT_");
CALLED(required, "_Z6secondIiQ8integralIT_EEvS0_");
CALLED(old_rust, "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE");
CALLED(rust, "_RNvCs1234_7mycrate3foo");
CALLED(cold, "_ZN2ns4workEi.part.0");

#ifdef LIBRARY
#define WORK                                                                                       \
    for (volatile int i = 0; i < 10000000; i++)                                                    \
        continue;

void
constrained(void)
{
    WORK
}
void
required(void)
{
    WORK
}
void
old_rust(void)
{
    WORK
}
void
rust(void)
{
    WORK
}
void
cold(void)
{
    WORK
}
#else
int
main(void)
{
    for (int i = 0; i < 5; i++) {
        constrained();
        required();
        old_rust();
        rust();
        cold();
    }
    return 0;
}
#endif
