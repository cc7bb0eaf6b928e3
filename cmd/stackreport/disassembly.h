/* The instructions of a function, as objdump(1) prints them. */
#ifndef STACKREPORT_DISASSEMBLY_H
#define STACKREPORT_DISASSEMBLY_H

#include <stdint.h>

#include "common/base/vec.h"

struct instruction {
    uint64_t offset; /* in the function */
    struct span text;
};

/* {0} is empty. */
struct disassembly {
    VEC(struct instruction) list; /* by offset */

    /* private */
    struct arena arena;
};

enum { DISASSEMBLY_MAX = 1 << 20 };

/* Disassemble the function from its start, an address as perf prints it, up to and with the
 * instruction at the offset `last`. Return NULL, or why that cannot be done: then the list is
 * empty. */
const char *disassembly_read(struct disassembly *d, struct span dso, uint64_t start, uint64_t last);

void disassembly_free(struct disassembly *d);

#endif
