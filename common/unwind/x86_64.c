/* x86-64: System V ABI, AMD64 supplement, figure 3.36 (DWARF's numbers) and 3.2 (calls);
 * arch/x86/include/uapi/asm/perf_regs.h and sigcontext.h of Linux. */
#include <elf.h>

#include "common/unwind/arch.h"

enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R12 = 12, R15 = 15, RIP };

#define BIT(reg) ((uint64_t)1 << (reg))

/* The order of perf: ax bx cx dx si di bp sp ip flags, six segment registers, r8 to r15. */
static const uint8_t perf[] = {0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8};

/* The order in struct sigcontext: r8 to r15, di, si, bp, bx, dx, ax, cx, sp, ip. */
static const uint8_t signal_order[] = {R8,  9,   10,  11,  R12, 13,  14,  R15, RDI,
                                       RSI, RBP, RBX, RDX, RAX, RCX, RSP, RIP};

/* Recognize e8 and four bytes; ff /2 with any operand: a register, or memory of up to seven
 * bytes. */
static bool
is_call(const unsigned char *end, size_t n)
{
    enum { OPCODE_CALL = 0xe8, OPCODE_GROUP = 0xff, SIB = 4, IP_RELATIVE = 5 };
    if (n >= 5 && end[-5] == OPCODE_CALL)
        return true;
    for (size_t len = 2; len <= 7 && len <= n; len++) {
        const unsigned char *at = end - len;
        unsigned mode = at[1] >> 6, memory = at[1] & 7;
        if (at[0] != OPCODE_GROUP || (at[1] >> 3 & 7) != 2)
            continue;
        size_t size = 2;
        if (mode != 3 && memory == SIB)
            size++;
        if (mode == 1)
            size++;
        else if (mode == 2 || (mode == 0 && memory == IP_RELATIVE) ||
                 (mode == 0 && memory == SIB && len >= 3 && (at[2] & 7) == 5))
            size += 4;
        if (size == len)
            return true;
    }
    return false;
}

static bool
call_target(const unsigned char *end, size_t n, uint64_t return_address, uint64_t *target)
{
    int32_t by;
    if (n < 5 || end[-5] != 0xe8)
        return false;
    memcpy(&by, end - sizeof by, sizeof by);
    *target = return_address + (uint64_t)(int64_t)by;
    return true;
}

/* Recognize mov $15, %rax; syscall: as in glibc and musl, and with 32 bits. */
static bool
is_sigreturn(const unsigned char *code, size_t n)
{
    static const unsigned char wide[] = {0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05},
                               narrow[] = {0xb8, 15, 0, 0, 0, 0x0f, 0x05};
    return (n >= sizeof wide && memcmp(code, wide, sizeof wide) == 0) ||
           (n >= sizeof narrow && memcmp(code, narrow, sizeof narrow) == 0);
}

/* Recognize xor %rdi, %rdi; call _exit; hlt: the end of make_fcontext of Boost.Context. */
static bool
ends_program(const unsigned char *code, size_t n)
{
    static const unsigned char zero[] = {0x48, 0x31, 0xff, 0xe8};
    enum { HLT = 0xf4, END = sizeof zero + 4 };
    return n > END && memcmp(code, zero, sizeof zero) == 0 && code[END] == HLT;
}

/* Recognize the code after the call of main or of a thread's first function. exit(main(...))
 * continues with mov %eax, %edi; call. A thread's result is stored in the thread's data: mov %rax,
 * %fs:number, after cltq if it is an int. */
static bool
is_outermost(const unsigned char *code, size_t n, uint64_t *jump)
{
    static const unsigned char exits[] = {0x89, 0xc7, 0xe8},
                               keeps[] = {0x64, 0x48, 0x89, 0x04, 0x25};
    enum { JMP = 0xe9, CLTQ = 0x98, WIDE = 0x48 };
    int32_t by;
    *jump = 0;
    if (n >= 2 && code[0] == WIDE && code[1] == CLTQ) {
        code += 2;
        n -= 2;
    }
    if (n >= 1 + sizeof by && code[0] == JMP) {
        memcpy(&by, code + 1, sizeof by);
        *jump = 1 + sizeof by + (uint64_t)(int64_t)by;
    }
    return (n >= sizeof exits && memcmp(code, exits, sizeof exits) == 0) ||
           (n >= sizeof keeps && memcmp(code, keeps, sizeof keeps) == 0);
}

/* Recognize push %rbp; mov %rsp, %rbp. */
static bool
makes_frame(const unsigned char *code, size_t n)
{
    static const unsigned char push[] = {0x55, 0x48, 0x89, 0xe5},
                               push2[] = {0x55, 0x48, 0x8b, 0xec};
    return n >= sizeof push &&
           (memcmp(code, push, sizeof push) == 0 || memcmp(code, push2, sizeof push2) == 0);
}

/* Recognize a pop of %r8 to %r15, then push %rbp; mov %rsp, %rbp. V8's BaselineOutOfLinePrologue
 * pops %r15 or %r11. */
static bool
makes_callers_frame(const unsigned char *code, size_t n)
{
    enum { REX_B = 0x41, POP = 0x58, NUMBER = 7, SIZE = 2 };
    return n > SIZE && code[0] == REX_B && (code[1] & ~NUMBER) == POP &&
           makes_frame(code + SIZE, n - SIZE);
}

/* Recognize the start of a function, push %rbp; mov %rsp, %rbp, and its end, ret. */
static bool
find_frame(const unsigned char *code, size_t n, size_t before, struct arch_frame *frame)
{
    enum { RET = 0xc3, RET_N = 0xc2 };
    const unsigned char *at = code + before;
    size_t after = n - before;
    bool enters = makes_frame(at, after), moves = before >= 1 && makes_frame(at - 1, after + 1);
    frame->cfa = moves ? 16 : 8;
    return enters || moves || (after >= 1 && (at[0] == RET || at[0] == RET_N));
}

const struct arch arch_x86_64 = {
    .machine = EM_X86_64,
    .name = {"x86_64", 6},
    .ip = RIP,
    .sp = RSP,
    .fp = RBP,
    .registers = sizeof perf,
    .perf = perf,
    .preserved = BIT(RBX) | BIT(RBP) | BIT(RSP) | BIT(R12) | BIT(13) | BIT(14) | BIT(R15),
    .kept = BIT(RBP) | BIT(RSP) | BIT(RIP),
    .address = UINT64_MAX,
    .pushes_return = true,
    .is_call = is_call,
    .call_target = call_target,
    .is_outermost = is_outermost,
    .is_sigreturn = is_sigreturn,
    .ends_program = ends_program,
    .signal_registers = 40,
    .signal_order = signal_order,
    .signal_count = sizeof signal_order,
    .find_frame = find_frame,
    .makes_frame = makes_frame,
    .makes_callers_frame = makes_callers_frame,
};
