/* measure is inlined at three places, one of them inside of another inlined function, and called
 * out of line. Before each call, main or the caller prints the arguments that its probe fetches.
 * At one place, a value exists only as a product, which the kernel cannot compute. One copy of
 * partly_empty has no instruction. */
#include <stdio.h>

#define INLINED  static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))
#define KEEP(x)  __asm__ volatile("nop" : : "g"(x) : "memory")

INLINED void
measure(const char *name, int len, long area)
{
    KEEP(name); /* the first line of measure */
    KEEP(len);
    (void)area;
}

INLINED void
twice(const char *name)
{
    measure(name, 2, 22);
}

NOINLINE void
first(const char *name, int len)
{
    printf("measure len=%d name=\"%s\" area=5\n", len, name);
    measure(name, len, 5);
    printf("measure len=2 name=\"%s\" area=22\n", name);
    twice(name);
}

NOINLINE void
second(const char *name, long width, long height)
{
    printf("measure len=-7 name=\"%s\"\n", name);
    measure(name, -7, width * height);
    KEEP(width);
    KEEP(height);
}

INLINED int
only_inlined(int n)
{
    KEEP(n);
    return n + 1;
}

NOINLINE int
third(int n)
{
    printf("only_inlined n=%d\nonly_inlined n=%d\n", n, n + 1);
    return only_inlined(n) + only_inlined(n + 1);
}

INLINED void
partly_empty(int n, int code)
{
    if (code)
        KEEP(n);
    else
        __asm__ volatile("" : : "g"(n));
}

static void (*volatile pointer)(const char *, int, long) = measure;

int
main(void)
{
    for (int i = 0; i < 3; i++) {
        first("first", i);
        second("second", i, 4);
    }
    printf("measure len=9 name=\"pointer\" area=-1\n");
    pointer("pointer", 9, -1);
    KEEP(third(40));
    printf("partly_empty n=8\n");
    partly_empty(7, 0);
    partly_empty(8, 1);
    return 0;
}
