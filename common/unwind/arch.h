/* Machine-specific parts of unwinding: how calls are made, and how perf and DWARF number the
 * registers. */
#ifndef UNWIND_ARCH_H
#define UNWIND_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/span.h"

enum { ARCH_REGISTERS = 33, ARCH_CODE = 16 };

/* The leaf's frame, derived from its code where no other rule is known: offset of the CFA from the
 * stack pointer, in bytes. The frame pointer still holds the caller's value. */
struct arch_frame {
    uint8_t cfa;
};

/* Registers have DWARF's numbers. */
struct arch {
    unsigned machine;    /* EM_* of <elf.h> */
    struct span name;    /* as uname -m and perf.data's HEADER_ARCH (feature 6) give it */
    unsigned ip, sp, fp; /* DWARF may leave the number of ip unused */
    unsigned registers;  /* number of registers, at most ARCH_REGISTERS */
    const uint8_t *perf; /* by register: its bit number in sample_regs_user */
    uint64_t preserved;  /* bit i: register i is callee-saved */
    uint64_t kept;       /* bit i: a walk needs the rule of register i in every frame */
    uint64_t address; /* mask of address bits; the others may hold a pointer authentication code */
    bool pushes_return; /* a call pushes the return address to the stack */

    /* Return true if the n bytes that end at `end`, a return address, may end in a call
     * instruction. n is at most ARCH_CODE. */
    bool (*is_call)(const unsigned char *end, size_t n);

    /* Find the target of the call that is_call() found. Return false unless the instruction encodes
     * it. */
    bool (*call_target)(const unsigned char *end, size_t n, uint64_t return_address,
                        uint64_t *target);

    /* Return true if the n bytes of code at a return address belong to the C library's function
     * that calls main or a thread's start routine: they pass the result to exit() or store it.
     * Otherwise set *jump to the distance of the jump that they begin with; 0 if they do not. */
    bool (*is_outermost)(const unsigned char *code, size_t n, uint64_t *jump);

    /* Return true if the n bytes of code, to which a signal handler returns, call sigreturn(2). */
    bool (*is_sigreturn)(const unsigned char *code, size_t n);

    /* Return true if the n bytes of code, which follow no call, only end the program: the outermost
     * return address of a coroutine points there. NULL if no such code is known for this
     * machine. */
    bool (*ends_program)(const unsigned char *code, size_t n);
    size_t signal_registers;     /* bytes from the stack pointer there to the saved registers */
    const uint8_t *signal_order; /* saved registers in order, 8 bytes each; 255: no register */
    size_t signal_count;

    /* Find the leaf's frame if the thread is at the first or last instructions of a function. The n
     * bytes `code` surround the sampled address, which is code + before. */
    bool (*find_frame)(const unsigned char *code, size_t n, size_t before,
                       struct arch_frame *frame);

    /* Return true if the n bytes of code begin with a prologue: save the caller's frame pointer,
     * then set the function's own. NULL where calls do not push the return address, since then
     * callers are not searched on the stack. */
    bool (*makes_frame)(const unsigned char *code, size_t n);

    /* Return true if the n bytes of code pop the return address and then run a prologue: the code
     * sets up the frame of the function that it returns to. NULL as above. */
    bool (*makes_callers_frame)(const unsigned char *code, size_t n);
};

/* Return the architecture of this machine. Return NULL if it is not supported. */
const struct arch *arch_of_host(void);

extern const struct arch arch_x86_64, arch_arm64;

/* Return the architecture with an EM_* number, or with a name as in struct arch. Return NULL if it
 * is not supported. */
const struct arch *arch_of_machine(unsigned machine);
const struct arch *arch_of_name(struct span name);

#endif
