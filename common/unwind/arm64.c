/* arm64: "DWARF for the Arm 64-bit Architecture" and "Procedure Call Standard for the Arm 64-bit
 * Architecture" by Arm; arch/arm64/include/uapi/asm/perf_regs.h and sigcontext.h of Linux. */
#include <elf.h>

#include "common/unwind/arch.h"

enum { X0, X19 = 19, X29 = 29, X30, SP, PC, COUNT };

#define BIT(reg) ((uint64_t)1 << (reg))

static const uint8_t perf[COUNT] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                    11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

/* The order in struct sigcontext, after fault_address: x0 to x30, sp, pc. */
static const uint8_t signal_order[COUNT] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                            11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                            22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

static uint32_t
instruction(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Recognize bl; blr; and the blr with authentication: blraa, blrab, blraaz, blrabz. */
static bool
is_call(const unsigned char *end, size_t n)
{
    if (n < 4)
        return false;
    uint32_t i = instruction(end - 4);
    return (i & 0xfc000000) == 0x94000000 || (i & 0xfffffc1f) == 0xd63f0000 ||
           (i & 0xfefff800) == 0xd63f0800;
}

static bool
call_target(const unsigned char *end, size_t n, uint64_t return_address, uint64_t *target)
{
    if (n < 4 || (instruction(end - 4) & 0xfc000000) != 0x94000000)
        return false;
    uint64_t words = instruction(end - 4) & 0x03ffffff; /* signed, relative to the bl itself */
    words = (words ^ 0x02000000) - 0x02000000;
    *target = return_address - 4 + words * 4;
    return true;
}

/* Not needed here: frame pointers lead up to the program's first instructions or, in threads, to
 * clone. */
static bool
is_outermost(const unsigned char *code, size_t n, uint64_t *jump)
{
    (void)code;
    (void)n;
    *jump = 0;
    return false;
}

/* Recognize mov x8, #139; svc #0. */
static bool
is_sigreturn(const unsigned char *code, size_t n)
{
    return n >= 8 && instruction(code) == 0xd2801168 && instruction(code + 4) == 0xd4000001;
}

static bool
find_frame(const unsigned char *code, size_t n, size_t before, struct arch_frame *frame)
{
    (void)code;
    (void)n;
    (void)before;
    (void)frame;
    return false;
}

const struct arch arch_arm64 = {
    .machine = EM_AARCH64,
    .name = {"aarch64", 7},
    .ip = PC,
    .sp = SP,
    .fp = X29,
    .registers = COUNT,
    .perf = perf,
    .preserved = (BIT(X30) - BIT(X19)) | BIT(SP),
    .kept = BIT(X29) | BIT(X30) | BIT(SP),
    .address = ((uint64_t)1 << 48) - 1,
    .is_call = is_call,
    .call_target = call_target,
    .is_outermost = is_outermost,
    .is_sigreturn = is_sigreturn,
    .signal_registers = 128 + 176 + 8, /* siginfo; ucontext up to sigcontext; fault_address */
    .signal_order = signal_order,
    .signal_count = COUNT,
    .find_frame = find_frame,
};
