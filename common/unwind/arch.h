/* What differs between machines in how calls are made, and in how perf and DWARF number the
 * registers. */
#ifndef UNWIND_ARCH_H
#define UNWIND_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/span.h"

enum { ARCH_REGISTERS = 33, ARCH_CODE = 16 };

/* A frame that its code shows, where nothing else is known of it: the offset of the CFA from the
 * stack pointer. The frame pointer is the caller's. */
struct arch_frame {
    uint8_t cfa;
};

/* Registers are those of DWARF's numbers. */
struct arch {
    unsigned machine;    /* EM_ of <elf.h> */
    struct span name;    /* as uname -m prints it, and perf.data's feature 6 */
    unsigned ip, sp, fp; /* ip may be a number that DWARF leaves free */
    unsigned registers;  /* how many there are, at most ARCH_REGISTERS */
    const uint8_t *perf; /* by register: its number in the event's mask */
    uint64_t preserved;  /* bit i: a called function leaves register i as it was */
    uint64_t kept;       /* bit i: the walk needs the rules of register i in all frames */
    uint64_t address;    /* the bits of an address; the others may hold an authentication code */
    bool pushes_return;  /* a call writes the return address to the stack */

    /* Return true if a call may end where the n bytes before a return address end. n is at most
     * ARCH_CODE. */
    bool (*is_call)(const unsigned char *end, size_t n);

    /* Find where the call that is_call() found goes to, if it says that itself. */
    bool (*call_target)(const unsigned char *end, size_t n, uint64_t return_address,
                        uint64_t *target);

    /* Return true if the n bytes of code, which a call returns to, are of the C library's function
     * that calls main or the first function of a thread: they exit, or keep the result. Else *jump
     * is how far from there they go on, if they jump; 0: they do not. */
    bool (*is_outermost)(const unsigned char *code, size_t n, uint64_t *jump);

    /* Return true if the n bytes of code, which is what a signal handler returns to, ask the kernel
     * to restore the registers. */
    bool (*is_sigreturn)(const unsigned char *code, size_t n);

    /* Return true if the n bytes of code, which no call is before, do nothing but end the
     * program: the first return address of a coroutine leads there. NULL: that is not known of
     * this machine. */
    bool (*ends_program)(const unsigned char *code, size_t n);
    size_t signal_registers;     /* from the stack pointer there to the saved registers */
    const uint8_t *signal_order; /* the registers there, eight bytes each; 255: none */
    size_t signal_count;

    /* Find the frame of the function in whose code the thread is, at the bytes `code`, `before` of
     * them before it, from its first or last instructions. */
    bool (*find_frame)(const unsigned char *code, size_t n, size_t before,
                       struct arch_frame *frame);

    /* Return true if the n bytes of code begin with what saves the caller's frame pointer and sets
     * the function's own. NULL: that is not needed, since callers are not found by the stack. */
    bool (*makes_frame)(const unsigned char *code, size_t n);

    /* Return true if the n bytes of code begin with what takes the return address off the
     * stack, and then does the same: it makes the frame of the function that it returns to.
     * NULL as above. */
    bool (*makes_callers_frame)(const unsigned char *code, size_t n);
};

/* Return the architecture of the machine that this runs on; NULL: it is not known here. */
const struct arch *arch_of_host(void);

extern const struct arch arch_x86_64, arch_arm64;

/* Return the architecture of an EM_ number, or with that name; NULL: it is not known here. */
const struct arch *arch_of_machine(unsigned machine);
const struct arch *arch_of_name(struct span name);

#endif
