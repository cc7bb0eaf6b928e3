// Templates and inlined calls with source lines, without the headers of a library.
#define NOINLINE __attribute__((noinline))
#define INLINED  inline __attribute__((always_inline))

static volatile double sink;

static INLINED double
wave(double x, int i)
{
    return x * i + x / (i + 1);
}

template <typename T>
static INLINED T
twice(T x, int i)
{
    return wave(x, i) + wave(x + 1, i);
}

template <typename T>
NOINLINE T
sum(T x)
{
    T s = 0;
    for (int i = 0; i < 200; i++)
        s += twice(x, i);
    return s;
}

template <typename F>
NOINLINE void
each(int n, F call)
{
    for (int i = 0; i < n; i++)
        call(i);
}

extern "C" void
_start()
{
    each(60000, [](int i) { sink = sink + sum(double(i)); });
    __asm__ volatile("mov $60, %eax\n xor %edi, %edi\n syscall");
}
