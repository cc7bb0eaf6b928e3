/* Call frame information (CFI): for each address of an object's code, the rules that restore the
 * caller's registers. Reads .eh_frame and .debug_frame, and runs their instructions. */
#ifndef UNWIND_CFI_H
#define UNWIND_CFI_H

#include <stdint.h>

#include "common/base/span.h"

/* Registers have DWARF's numbers. Rules for higher numbers (vector registers) are ignored. */
enum { CFI_REGISTERS = 36 };

enum cfi_how {
    CFI_UNSPECIFIED,      /* no rule: the calling convention applies */
    CFI_UNDEFINED,        /* value is lost; for the return address: there is no caller */
    CFI_SAME,             /* unchanged */
    CFI_OFFSET,           /* in memory at CFA + n */
    CFI_VALUE,            /* CFA + n; in the rule of the CFA itself: register + n */
    CFI_REGISTER,         /* in another register */
    CFI_EXPRESSION,       /* in memory, at the address that an expression computes */
    CFI_VALUE_EXPRESSION, /* the value of an expression */
};

/* Flags in the `target` of a CFA's rule, if the rule was made from Go's table (gopclntab.h). */
enum {
    /* During its calls, the frame pointer points to the caller's frame pointer, saved below the
     * return address. */
    CFI_FRAMED = 1,
    CFI_SWITCHES = 2, /* its caller's frame may be on another stack */
    CFI_SYSTEM = 4,   /* its callee may begin a stack: the thread's own, or one entered from C */
    CFI_RESUMED = 8,  /* return addresses point to its first instruction, not after a call */
    /* Signal handlers return to it; the stack holds the registers as the kernel saved them. */
    CFI_SIGRETURN = 16,
};

/* The rule that restores one register of the caller, or gives the CFA. */
struct cfi_rule {
    uint8_t target; /* register to restore; in the rule of the CFA the flags above */
    uint8_t how;
    uint16_t reg; /* source register, for CFI_REGISTER and for the CFA */
    int32_t n;    /* offset; for an expression: section offset of its length, which precedes it */
};

/* The rules from an address on. The CFA (canonical frame address) is the stack pointer before the
 * call. */
struct cfi_row {
    struct cfi_rule cfa; /* CFI_VALUE, CFI_VALUE_EXPRESSION, or CFI_UNSPECIFIED if unknown */
    uint64_t set;        /* bit i: regs[i] is set; the others are uninitialized */
    struct cfi_rule regs[CFI_REGISTERS];
};

enum { CFI_CIES = 64 };

/* A section, with the base addresses of relative pointers in it; 0 if unknown. */
struct cfi {
    struct span bytes; /* borrowed */
    uint64_t addr;     /* address of the first byte */
    uint64_t text, data;
    bool is_debug; /* .debug_frame rather than .eh_frame */
    bool is64;
    uint64_t keep;   /* bit i: keep the rules of register i; signal frames keep all */
    bool terminated; /* an entry of length 0 ends the section; else skip it, as readelf does */

    /* private */
    uint64_t spent; /* bytes of CIEs read so far, including repeated reads */
    struct cfi_cie {
        size_t at; /* offset of the CIE plus 1; 0: free slot */
        bool usable, signal, augmented;
        uint8_t encoding; /* of the addresses in its FDEs */
        uint8_t address_size;
        uint16_t ra;
        uint64_t code_align;
        int64_t data_align;
        struct cfi_row row; /* result of its initial instructions */
    } cies[CFI_CIES];       /* a cache of recently read CIEs */
};

/* An entry for the code in [start, end). */
struct cfi_fde {
    uint64_t start, end;
    uint16_t ra;               /* the return address register */
    bool signal;               /* augmentation "S": signal handlers return to this code */
    const struct cfi_cie *cie; /* valid until the next FDE is read */
    struct span program;
};

/* Read the entry at offset *at and set *at to the next one. Return false if it is not an FDE, or is
 * damaged. Set *at to c->bytes.len at the end of the section or if its rest cannot be read. */
bool cfi_read(struct cfi *c, size_t *at, struct cfi_fde *fde);

/* Run the instructions of the last FDE read. Call row() for each row that may differ from the one
 * before, by ascending address. Return false at an invalid instruction: the rows before it are
 * valid. */
bool cfi_run(const struct cfi *c, const struct cfi_fde *fde,
             void (*row)(void *ctx, uint64_t start, const struct cfi_row *row), void *ctx);

struct cursor;

/* Read a pointer of c's section in a DW_EH_PE_* encoding; `function` is the base of
 * DW_EH_PE_funcrel. Return false if the pointer is omitted, indirect or truncated. */
bool cfi_pointer(const struct cfi *c, struct cursor *r, uint8_t encoding, uint64_t function,
                 uint64_t *pointer);

#endif
