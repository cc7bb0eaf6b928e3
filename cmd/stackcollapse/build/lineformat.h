/* What the formats of text lines have in common: each has a function that takes one line, builds a
 * stack and emits it. */
#ifndef STACKCOLLAPSE_LINEFORMAT_H
#define STACKCOLLAPSE_LINEFORMAT_H

#include "cmd/stackcollapse/build/stackbuild.h"
#include "cmd/stackcollapse/collapse.h"

/* The first member of each such format's state. */
struct lineformat {
    struct collapse *c;
    struct stackbuild stack;
    struct text name;    /* for a frame's name that take() puts together */
    struct text kept[2]; /* for what take() keeps of earlier lines: a process, a count */
};

/* Return the state of a format: what *state points to, or if it is NULL, `size` new bytes, which
 * begin with a struct lineformat and are else zero. */
void *lineformat_state(struct collapse *c, void **state, size_t size);

/* Fold the lines of the open file: call take() for each, with lineformat_state(). Formats with
 * .take in struct format are folded so; one that looks at the file first calls it itself. */
void lineformat_fold(struct collapse *c, void **state, size_t size,
                     void (*take)(void *state, struct span line));

/* Count a sample and add the stack, root first, to the profile, unless it has no frames. */
void lineformat_emit(struct lineformat *f, struct decimal count);

/* Reverse the stack, whose leaf was pushed first, and emit it. */
void lineformat_emit_reversed(struct lineformat *f, struct decimal count);

/* Reverse the stack and emit it with the count 1: the finish() of most formats. */
void lineformat_finish(void *state);

/* Free the state, but not what the format added to it. */
void lineformat_end(void *state);

/* The count to emit a stack with that was sampled once. */
#define LINEFORMAT_ONCE ((struct decimal){1, 0})

#endif
