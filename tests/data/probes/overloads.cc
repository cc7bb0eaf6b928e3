/* Functions with the same name: one probe samples them all. Before each call, main prints the
 * arguments that the probe fetches. */
#include <cstdio>

#define NOINLINE __attribute__((noinline))
#define KEEP(x)  __asm__ volatile("nop" : : "g"(x) : "memory")

namespace shop
{

NOINLINE void
area(int n)
{
    KEEP(n);
}
NOINLINE void
area(unsigned char n, int height)
{
    KEEP(n + height);
}
NOINLINE void
area(const char *text)
{
    KEEP(text);
}
static inline __attribute__((always_inline)) void
area(long n, const char *text)
{
    KEEP(n);
    KEEP(text);
}

} // namespace shop

int
main()
{
    std::printf("shop::area n=-3\nshop::area n=200 height=5\nshop::area\nshop::area n=-5000000000\n");
    std::fflush(stdout);
    shop::area(-3);
    shop::area(static_cast<unsigned char>(200), 5);
    shop::area("text");
    shop::area(-5000000000, "text");
    return 0;
}
