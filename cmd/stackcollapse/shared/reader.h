/* What all input formats have in common: a state, and the stack that is built from line to line, or
 * from value to value, and emitted. */
#ifndef STACKCOLLAPSE_READER_H
#define STACKCOLLAPSE_READER_H

#include "cmd/stackcollapse/shared/stackbuild.h"
#include "cmd/stackcollapse/collapse.h"
#include "common/base/json.h"
#include "common/base/vec.h"

/* {0} is an empty VEC(uint32_t). */
struct numbers {
    uint32_t *at;
    size_t n, cap;
};

/* The first member of each format's state, or all of it. What follows `c` is for the format to use,
 * and is freed for it. */
struct reader {
    struct collapse *c;
    struct stackbuild stack;
    struct stacktree tree; /* for stacks whose counts change until they are added to the profile */
    struct json json;      /* of a file that is JSON */
    struct text name;      /* for a frame's name that is put together */
    struct text kept[6];   /* for what is kept of earlier lines: a process, a count */
    struct intern ids;     /* for what the input identifies frames or threads by */
    struct numbers list;   /* for numbers by id */
    struct decimal count;  /* of the stack under construction */
    uint64_t left_out;     /* samples that are left out; the format's left_out says why */
    size_t lines;          /* passed to take() so far, with this one */
    size_t depth;          /* of the last line in a call tree */
    int part;              /* of the text, by an enum of the format: where take() is */
    bool started;          /* the part of the text that has stacks */
    bool open;             /* a stack has begun, or the line was read that its frames follow */
    bool ended;            /* take() is not called any more */
};

/* Return a new state of `size` bytes, which begins with a struct reader and is else zero. */
struct reader *reader_new(struct collapse *c, size_t size);

/* Fold the lines of the open file: call take() for each until f->ended. */
void reader_fold(struct reader *f, void (*take)(struct reader *f, struct span line));

/* Append a frame to a stack that begins with its root. As stackbuild_push, but in
 * dialect_perl a ";" in the name makes it several frames, as it does in what that program prints. */
void reader_push(struct reader *f, struct span name);

/* The same for a stack that begins with its leaf, and is reversed before it is emitted. */
void reader_push_leaf_first(struct reader *f, struct span name);

/* Return "[app]", as a function without a symbol is called by its file, in f->name. */
struct span reader_bracket(struct reader *f, struct span file);

/* Count a sample and add the stack, root first, to the profile, unless it has no frames. */
void reader_emit(struct reader *f, struct decimal count);

/* Reverse the stack, whose leaf was pushed first, and emit it. */
void reader_emit_reversed(struct reader *f, struct decimal count);

/* Reverse the stack and emit it with the count 1: the finish() of formats whose stacks have no
 * count. */
void reader_finish(struct reader *f);

/* Report the line read last as skipped. */
static inline void
reader_skip(struct reader *f, const char *why)
{
    input_skip(&f->c->input, why);
}

/* Return the open file, for messages. */
static inline struct place
reader_file(const struct reader *f)
{
    return (struct place){f->c->input.name, 0};
}

/* Print the note "12 <what>", unless n is 0. */
void reader_note(const struct reader *f, uint64_t n, const char *what);

/* Warn that n samples of the open file are left out, unless n is 0: "<what>, left out: 12". */
void reader_warn_left_out(const struct reader *f, uint64_t n, const char *what);

/* Free the state, but not what the format added to it. */
void reader_free(struct reader *f);

/* The count to emit a stack with that was sampled once. */
#define READER_ONCE ((struct decimal){1, 0})

#endif
