/* Call frame information: for each address of an object's code, how the registers of the calling
 * function are found. Reads .eh_frame and .debug_frame, and runs their instructions. */
#ifndef UNWIND_CFI_H
#define UNWIND_CFI_H

#include <stdint.h>

#include "common/base/span.h"

/* Registers are those of DWARF's numbers; what is said of higher numbers (vectors) is left out. */
enum { CFI_REGISTERS = 36 };

enum cfi_how {
    CFI_UNSPECIFIED,      /* nothing is said: what the machine's calling convention says */
    CFI_UNDEFINED,        /* cannot be known; a return address: there is no caller */
    CFI_SAME,             /* not changed */
    CFI_OFFSET,           /* in memory at CFA + n */
    CFI_VALUE,            /* CFA + n; as the rule of the CFA itself: register + n */
    CFI_REGISTER,         /* in another register */
    CFI_EXPRESSION,       /* in memory where an expression says */
    CFI_VALUE_EXPRESSION, /* what an expression says */
};

/* What may be said of a frame in the rule of its CFA, where the rules are by Go's table. */
enum {
    /* While it calls others, the frame pointer points to the caller's, which is kept below the
     * return address. */
    CFI_FRAMED = 1,
    CFI_SWITCHES = 2, /* its caller may be on another stack */
    CFI_SYSTEM = 4,   /* a stack may begin with what it calls: the thread's, or what C has called */
    CFI_RESUMED = 8,  /* functions return to its first instruction */
    /* Signal handlers do; on the stack are the registers, as the kernel has them. */
    CFI_SIGRETURN = 16,
};

/* How one value of the calling function is found. */
struct cfi_rule {
    uint8_t target; /* the register; in the rule of the CFA CFI_FRAMED and such, else 0 */
    uint8_t how;
    uint16_t reg; /* of CFI_REGISTER and of the CFA */
    int32_t n;    /* of an expression: where it begins in the section, with its length */
};

/* What holds from an address on. The CFA (canonical frame address) is the stack pointer before the
 * call. */
struct cfi_row {
    struct cfi_rule cfa; /* CFI_VALUE, CFI_VALUE_EXPRESSION, or CFI_UNSPECIFIED: there is none */
    uint64_t set;        /* bit i: regs[i] is specified; the others must not be looked at */
    struct cfi_rule regs[CFI_REGISTERS];
};

enum { CFI_CIES = 64 };

/* A section, with the addresses that pointers in it may be relative to; 0 where there is none. */
struct cfi {
    struct span bytes; /* borrowed */
    uint64_t addr;     /* of its first byte */
    uint64_t text, data;
    bool is_debug; /* .debug_frame, not .eh_frame */
    bool is64;
    uint64_t keep;   /* bit i: rules of register i are wanted; of signal frames all are */
    bool terminated; /* a length of 0 ends it; else it is skipped, as readelf does */

    /* private */
    uint64_t spent; /* bytes of CIEs that were read, again and again if there are many */
    struct cfi_cie {
        size_t at; /* the entry's offset plus 1; 0: none */
        bool usable, signal, augmented;
        uint8_t encoding; /* of addresses in its FDEs */
        uint8_t address_size;
        uint16_t ra;
        uint64_t code_align;
        int64_t data_align;
        struct cfi_row row; /* by its instructions */
    } cies[CFI_CIES];       /* those read last */
};

/* An entry for the code from `start` to before `end`. */
struct cfi_fde {
    uint64_t start, end;
    uint16_t ra;               /* the register that stands for the return address */
    bool signal;               /* the code is what the kernel makes signal handlers return to */
    const struct cfi_cie *cie; /* valid until the next FDE is read */
    struct span program;
};

/* Read the entry at an offset and set *at to the next one. False: it is no FDE, or is damaged. At
 * the end of the section, and where its rest cannot be read, *at becomes c->bytes.len. */
bool cfi_read(struct cfi *c, size_t *at, struct cfi_fde *fde);

/* Run the instructions of the FDE read last, and call row() with each new row and its address, in
 * the order of addresses; each time something has changed, or may have. Return false if an
 * instruction is wrong: the rows before it hold. */
bool cfi_run(const struct cfi *c, const struct cfi_fde *fde,
             void (*row)(void *ctx, uint64_t start, const struct cfi_row *row), void *ctx);

struct cursor;

/* Read a pointer, encoded as one of DW_EH_PE_ says, in c's section; `function` is what it may be
 * relative to. False if it is omitted, lies in memory that is not at hand, or is cut. */
bool cfi_pointer(const struct cfi *c, struct cursor *r, uint8_t encoding, uint64_t function,
                 uint64_t *pointer);

#endif
