/* The source positions of code and bytecode, as V8 keeps them for error messages and profilers. */
#ifndef V8_POSITIONS_H
#define V8_POSITIONS_H

#include "common/v8/heap.h"

/* An array of bytes or words in the memory of the process. */
struct v8array {
    uint64_t addr; /* address of the first element */
    int32_t length;
};

/* Set *a to the array at a tagged address, and *type to its type. */
enum v8status positions_array(struct v8array *a, struct heap *h, uint64_t word, uint16_t *type);

/* As positions_array. V8_BAD: it is not an array of bytes. */
enum v8status positions_bytes(struct v8array *a, struct heap *h, uint64_t word);

/* Set *position to the SourcePosition at an offset in instructions or bytecode of `size` bytes; 0
 * if none is known. `table` is their table of source positions, tagged. */
enum v8status positions_find(uint64_t *position, struct heap *h, uint64_t table, uint64_t offset,
                             uint64_t size);

/* Return the inlining id of a SourcePosition; 0: it is in the function's own source. */
static inline uint32_t
positions_inlining(uint64_t position)
{
    enum { SHIFT = 31, MASK = 0xffff };
    return (uint32_t)(position >> SHIFT) & MASK;
}

/* Return the offset of a SourcePosition in its script, plus 1; 0: it is unknown. */
static inline uint32_t
positions_offset(uint64_t position)
{
    enum { EXTERNAL = 1, SHIFT = 1, MASK = 0x3fffffff };
    return (position & EXTERNAL) == 0 ? (uint32_t)(position >> SHIFT) & MASK : 0;
}

/* V8 compiles each bytecode of a function to a piece of baseline code. Find the bytecode of the
 * piece that contains `offset` in the baseline code, and set *found to its offset in the
 * BytecodeArray; 0 if `offset` is before the first piece. `table` is the code's table of offsets,
 * `bytecode` the BytecodeArray, both tagged. V8_BAD: there is no such bytecode. */
enum v8status positions_baseline(uint64_t *found, struct heap *h, uint64_t table, uint64_t offset,
                                 uint64_t bytecode);

#endif
