/* Goes 200 calls deep, which is more than the kernel's 127 frames a stack: the root is cut off. */
#include <stdio.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void
leaf(void)
{
    for (unsigned long i = 0; i < 200000; i++)
        sink += i;
}

__attribute__((noinline)) static int
descend(int depth)
{
    if (depth == 0) {
        leaf();
        return 0;
    }
    return 1 + descend(depth - 1); /* the addition keeps this from becoming a jump */
}

int
main(void)
{
    int frames = 0;
    for (int i = 0; i < 600; i++)
        frames += descend(i % 2 == 0 ? 200 : 20);
    printf("%d\n", frames);
    return 0;
}
