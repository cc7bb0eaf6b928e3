/* Each function is called once. Before the call, main prints the arguments that its probe fetches,
 * as the kernel prints them; after it, the result. */
#include <stdio.h>
#include <stdint.h>

#ifdef __clang__
#define FUNCTION __attribute__((noinline))
#else
#define FUNCTION __attribute__((noinline, noclone))
#endif
#define KEEP(x) __asm__ volatile("" : : "g"(x) : "memory")

struct inner {
    int deep;
    const char *text;
};

struct request {
    unsigned id;
    const char *url;
    struct inner in;
    struct request *next;
    unsigned low : 3, high : 5;
    char name[16];
    int list[4];
};

static int global = 77;

FUNCTION int
sum(int a, short b, signed char c)
{
    KEEP(a);
    return a + b + c;
}
FUNCTION unsigned long
wide(unsigned long long a, unsigned char b)
{
    KEEP(a);
    return a + b;
}
FUNCTION const char *
text(const char *s)
{
    KEEP(s);
    return s + 1;
}
FUNCTION long
many(int a, int b, int c, int d, int e, int f, int g, long h)
{
    KEEP(a);
    return a + b + c + d + e + f + g + h;
}
FUNCTION struct request *
member(const struct request *r)
{
    KEEP(r);
    return r->next;
}
FUNCTION void
bits(struct request *r)
{
    KEEP(r);
}
FUNCTION int
element(const int *list, char **words)
{
    KEEP(list);
    return list[1] + words[0][0];
}
FUNCTION int
by_value(struct request r)
{
    KEEP(r.id);
    return r.list[3];
}

FUNCTION int
line(int n)
{
    int square = n * n;
    KEEP(square);
    int next = square + 1; /* the probe of a line */
    KEEP(next);
    return next;
}

static inline __attribute__((always_inline)) int
inlined(int n)
{
    __asm__ volatile("nop" : : "r"(n)); /* the probe of an inlined line */
    return n + global;
}

FUNCTION int
twice(int n)
{
    return inlined(n) + inlined(n + 1);
}

int
main(void)
{
    static struct request second = {.id = 2, .url = "/second"};
    static struct request first = {1, "/first", {-5, "inside"}, &second,
                                   5, 17,       "named",        {3, 1, 4, 15}};
    static int list[] = {10, -20, 30};
    char *words[] = {"zero", "one", NULL};
    printf("sum a=-1 b=-2 c=-3\n");
    printf("sum retval=%d\n", sum(-1, -2, -3));
    printf("wide a=18446744073709551615 b=200\n");
    printf("wide retval=%lu\n", wide(UINT64_MAX, 200));
    printf("text s=\"hello there\"\n");
    printf("text retval=\"%s\"\n", text("hello there"));
    printf("many a=1 f=6 g=7 h=-8\n");
    printf("many retval=%ld\n", many(1, 2, 3, 4, 5, 6, 7, -8));
    printf("member id=1 url=\"/first\" deep=-5 text=\"inside\" url_2=\"/second\" name=\"named\" "
           "list=15\n");
    printf("member url=\"%s\"\n", member(&first)->url);
    printf("bits low=5 high=17\n");
    bits(&first);
    printf("element list=-20 words=\"one\"\n");
    printf("element retval=%d\n", element(list, words));
    printf("by_value id=1 text=\"inside\"\n");
    printf("by_value retval=%d\n", by_value(first));
    printf("line square=144\n");
    KEEP(line(12));
    printf("inlined n=40\ninlined n=41\n");
    KEEP(twice(40));
    return 0;
}
