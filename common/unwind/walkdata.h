/* What a walk, the unwinding of one stack, begins with, and what it finds. */
#ifndef UNWIND_WALKDATA_H
#define UNWIND_WALKDATA_H

#include "common/unwind/arch.h"

struct walk_thread {
    uint64_t regs[ARCH_REGISTERS]; /* by DWARF's numbers */
    uint64_t known;                /* bit i: regs[i] was recorded */
    struct span stack;             /* the copy, from the stack pointer on; borrowed */
    const uint64_t *chain; /* what the kernel found by frame pointers, leaf first; borrowed */
    size_t nchain;         /* 0: there is none */
};

enum walk_end {
    WALK_ROOT, /* the thread's outermost function is there */
    WALK_CUT,  /* the copy of the stack was too short */
    WALK_LOST, /* nothing is known of the code, or it led to what is no return address */
};

struct walk_result {
    /* Leaf first: the address that was sampled, then return addresses. Valid until the next walk. */
    const uint64_t *addrs;
    /* Whether an address is of an instruction that was about to run: the leaf's, what a signal
     * interrupted, and where a context of makecontext(3) starts. The others are return addresses: the
     * call is before them, and may be the last instruction of the function before. */
    const bool *exact;
    /* What the frame pointer's register was in each frame; 0: that is not known, as of
     * addresses that are from the kernel's chain. A frame of V8 has its function and its
     * bytecode below that. */
    const uint64_t *fps;
    size_t count;
    uint64_t sp; /* where the copy of the stack begins */
    enum walk_end end;
    uint64_t where; /* unless at the root: the address whose caller was not found */
};

#endif
