/* The base of each format's state: builds stacks. A format pushes frames, then emits the stack with
 * its count. */
#ifndef STACKCOLLAPSE_STACKER_H
#define STACKCOLLAPSE_STACKER_H

#include "cmd/stackcollapse/collapse.h"
#include "common/base/num.h"
#include "common/base/vec.h"

/* {0} is an empty VEC(uint32_t). */
struct u32vec {
    uint32_t *at;
    size_t n, cap;
};

/* {.c = c} has no frames. */
struct stacker {
    struct collapse *c;
    uint32_t *frames;  /* of the stack under construction: numbers of names in the profile */
    size_t n, cap;     /* set n to a smaller number to drop the frames pushed last */
    struct text name;  /* buffer to compose the name of a frame */
    struct text clean; /* private */
    uint64_t left_out; /* number of samples left out; the format's left_out says why */
    size_t lines;      /* number of lines passed to take(), including the current one */
    bool ended;        /* do not call take() any more */
    bool damaged;      /* the text of the JSON file has an error, which was reported */
};

/* The frame of a stack that is pushed first. */
enum stack_order { ROOT_FIRST, LEAF_FIRST };

/* The count of a stack that was sampled once. */
#define ONCE ((struct decimal){1, 0})

/* Return the number in the profile of a name, made suitable for folded text: ";" becomes ":", and a
 * newline or carriage return a blank; with profile.demangle the name is demangled. */
uint32_t stacker_name(struct stacker *s, struct span name);

/* Append a frame by the number of its name in the profile. */
static inline void
stacker_push_name(struct stacker *s, uint32_t name)
{
    MEM_ADD(s->frames, s->n, s->cap, name);
}

/* Append a frame, whose name is changed as by stacker_name. In dialect_perl a ";" splits the name
 * into several frames, as a reader of folded text takes it. */
void stacker_push(struct stacker *s, struct span name);

/* As stacker_push, for a stack whose leaf is pushed first: several frames are appended in that
 * order too. */
void stacker_push_leaf_first(struct stacker *s, struct span name);

/* Append the frames of folded text, "a;b;c", unchanged; empty parts are frames too. */
void stacker_push_folded(struct stacker *s, struct span stack);

/* Return "[app]", the name of a function without a symbol in the file "app". It is in s->name. */
struct span stacker_bracket(struct stacker *s, struct span file);

/* Reverse the order of the frames from the index `from` on. */
void stacker_reverse(struct stacker *s, size_t from);

/* Add the stack to the profile, and empty it. Return false if it has no frames. */
bool stacker_add(struct stacker *s, enum stack_order order, struct decimal count);

/* As stacker_add, and count a sample if the stack has frames. */
static inline bool
stacker_emit(struct stacker *s, enum stack_order order, struct decimal count)
{
    bool any = stacker_add(s, order, count);
    s->c->samples += any;
    return any;
}

/* Emit a stack, leaf first, with the count 1: the finish() of formats whose stacks have no count.
 */
void stacker_finish(struct stacker *s);

/* Count samples without frames. */
static inline void
stacker_add_empty(struct stacker *s, uint64_t n)
{
    s->c->samples = num_add(s->c->samples, n);
    s->c->without_frames = num_add(s->c->without_frames, n);
}

/* Report the line read last as skipped. */
static inline void
stacker_skip(struct stacker *s, const char *why)
{
    input_skip(&s->c->input, why);
}

/* Return the open file, for messages. */
static inline struct place
stacker_file(const struct stacker *s)
{
    return (struct place){s->c->input.name, 0};
}

/* Print the note "12 <what>", unless n is 0. */
void stacker_note(const struct stacker *s, uint64_t n, const char *what);

/* Warn that n samples of the open file are left out, unless n is 0: "<what>, left out: 12". */
void stacker_warn_left_out(const struct stacker *s, uint64_t n, const char *what);

/* Free the memory, not the profile. */
void stacker_free(struct stacker *s);

#endif
