/* inner() is inlined in visible(). */
static inline __attribute__((always_inline)) void inner(volatile long *p) { for (int i = 0; i < 100000; i++) *p += i; }

void __attribute__((noinline)) visible(volatile long *p) { inner(p); }

int main(void)
{
    volatile long x = 1;
    for (int i = 0; i < 5000; i++)
        visible(&x);
    return 0;
}
