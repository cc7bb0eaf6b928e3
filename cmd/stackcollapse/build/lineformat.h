/* What the formats of text lines have in common: each has a function that takes one line, builds a
 * stack and emits it. */
#ifndef STACKCOLLAPSE_LINEFORMAT_H
#define STACKCOLLAPSE_LINEFORMAT_H

#include "cmd/stackcollapse/formats.h"
#include "cmd/stackcollapse/build/stackbuild.h"

/* The first member of each such format's state. */
struct lineformat {
    struct collapse *c;
    struct stackbuild stack;
    bool script;      /* give the answer of the script replaced, to the byte */
    struct text name; /* for a frame's name that take() puts together */
};

/* The state of a format: what *state points to, or if it is NULL, `size` new bytes, which begin
 * with a struct lineformat and are else zero. */
void *lineformat_state(struct collapse *c, void **state, size_t size);

/* Folds the lines of the open file: calls take() for each, with lineformat_state(). Formats with
 * .take in struct format are folded so; one that looks at the file first calls it itself. */
void lineformat_fold(struct collapse *c, void **state, size_t size,
                     void (*take)(void *state, struct span line));

/* Appends a frame. For a script a ";" in the name is not replaced: it makes two frames of one. */
void lineformat_push(struct lineformat *f, struct span name);

/* The same for input whose stacks begin with the leaf, where the caller reverses the stack before
 * it is emitted. */
void lineformat_push_leaf_first(struct lineformat *f, struct span name);

/* Appends a frame as the scripts do that keep the stack as one text: there an empty name is no
 * frame as long as no other was pushed. */
void lineformat_prepend(struct lineformat *f, struct span name);

/* Counts a sample and adds the stack, root first, to the profile; a stack without frames only if
 * it is a script's. */
void lineformat_emit(struct lineformat *f, struct decimal count);

/* Reverses the stack, whose leaf was pushed first, and emits it with the count 1, if it has frames:
 * what most formats do where a stack ends. */
void lineformat_emit_reversed(struct lineformat *f);

/* The finish() of such a format. */
void lineformat_finish(void *state);

/* Counts a sample and prints the stack, root first, at once: what scripts do that neither sum nor
 * sort. */
void lineformat_print(struct lineformat *f, struct span count);

/* Frees the state, but not what the format added to it. */
void lineformat_end(void *state);

/* The count of a stack that stands for one sample. */
#define LINEFORMAT_ONCE ((struct decimal){1, 0})

#endif
