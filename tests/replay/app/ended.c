/* Calls the kernel, and ends with the label etext, as old linkers put it. */
static volatile int n;

static void
call_kernel(void)
{
    long result = 110; /* getppid */
    __asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
}

void
_start(void)
{
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 1000; k++)
            call_kernel();
        for (int k = 0; k < 200000; k++)
            n++;
    }
    __asm__ volatile("mov $60, %eax\n xor %edi, %edi\n syscall");
}
