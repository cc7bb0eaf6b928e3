/* Two functions, without any library. */
static volatile long n;

__attribute__((noinline)) void
inner_loop(long times)
{
    for (long i = 0; i < times; i++)
        n += i;
}

void
_start(void)
{
    inner_loop(100000000);
    __asm__ volatile("mov $60, %eax\n xor %edi, %edi\n syscall");
}
