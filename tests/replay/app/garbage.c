/* Runs with a frame whose caller is at an impossible address. */
static volatile unsigned long frame[2];

void
_start(void)
{
    frame[1] = -16UL;
    __asm__ volatile(
        "push %%rbp\n lea %0, %%rbp\n mov $200000000, %%rcx\n1: dec %%rcx\n jnz 1b\n pop %%rbp"
        :
        : "m"(frame)
        : "rcx", "memory");
    __asm__ volatile("mov $60, %eax\n xor %edi, %edi\n syscall");
}
