/* A table of source lines in a jitdump: which line the code from an address on belongs to.
 *
 *     address[8] | line[4] | column[4] | file name NUL
 *
 * is an entry; the file name "\xff" repeats the entry's before it. */
#ifndef SYM_JITLINES_H
#define SYM_JITLINES_H

#include <stdint.h>

#include "common/base/span.h"

/* V8 adds it to each address, for a perf whose ELF files had their code at 64. */
enum { JITLINES_V8_OFFSET = 64 };

/* {0} is an empty table. */
struct jitlines {
    struct span entries; /* whole ones only */
    uint64_t addr;       /* of the code that they were written for */
};

/* A place in the source. */
struct jitline {
    struct span file; /* inside the table */
    uint32_t line, column;
};

/* The table of code at `addr`: the first `count` entries of these bytes, or as many as there are.
 * It borrows the bytes. */
struct jitlines jitlines_of(struct span bytes, uint64_t count, uint64_t addr);

/* How far from the start of the code the lowest address of an entry is; UINT64_MAX if there is
 * none. */
uint64_t jitlines_least(const struct jitlines *t);

/* The line of the code `offset` bytes after its start, where entries lie `shift` bytes too high.
 * False if no entry is at or before it. */
bool jitlines_find(const struct jitlines *t, uint64_t offset, uint64_t shift,
                   struct jitline *found);

#endif
