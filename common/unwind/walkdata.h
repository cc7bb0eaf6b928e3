/* Input and result of a walk, the unwinding of one stack. */
#ifndef UNWIND_WALKDATA_H
#define UNWIND_WALKDATA_H

#include "common/unwind/arch.h"

struct walk_thread {
    uint64_t regs[ARCH_REGISTERS]; /* by DWARF's numbers */
    uint64_t known;                /* bit i: regs[i] was recorded */
    struct span stack;             /* the copy, from the stack pointer on; borrowed */
    const uint64_t *chain; /* the kernel's callchain, by frame pointers, leaf first; borrowed */
    size_t nchain;         /* 0: no callchain */
};

enum walk_end {
    WALK_ROOT, /* reached the thread's outermost function */
    WALK_CUT,  /* the copy of the stack was too short */
    WALK_LOST, /* unknown code, or the rule led to no return address */
};

struct walk_result {
    /* Leaf first: the sampled address, then return addresses. Valid until the next walk. */
    const uint64_t *addrs;
    /* exact[i]: addrs[i] is the next instruction to run, as in the leaf, code that a signal
     * interrupted, and the start of a makecontext(3) context. Other addresses are return addresses:
     * the call precedes them, and may be the last instruction of the function. */
    const bool *exact;
    /* Frame pointer register in each frame; 0 if unknown, as for addresses from the kernel's
     * callchain. A frame of V8 stores its function and bytecode below that address. */
    const uint64_t *fps;
    size_t count;
    uint64_t sp; /* stack pointer: start of the copy */
    enum walk_end end;
    uint64_t where; /* unless WALK_ROOT: the address whose caller was not found */
};

#endif
