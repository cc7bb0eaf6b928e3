/* The base of each format's state: builds stacks. From line to line, or from value to value, frames
 * are pushed, and the stack is emitted with its count. */
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

/* {.c = c} is one without frames. */
struct stacker {
    struct collapse *c;
    uint32_t *frames;  /* of the stack under construction, by their names' numbers in the profile */
    size_t n, cap;     /* set n to a smaller number to drop the frames pushed last */
    struct text name;  /* for a frame's name that is put together */
    struct text clean; /* private */
    uint64_t left_out; /* samples that are left out; the format's left_out says why */
    size_t lines;      /* passed to take() so far, with this one */
    bool ended;        /* take() is not called any more */
    bool damaged;      /* the text of the JSON file has an error, which was reported */
};

/* Which frame of a stack is pushed first. */
enum stack_order { ROOT_FIRST, LEAF_FIRST };

/* The count of a stack that was sampled once. */
#define ONCE ((struct decimal){1, 0})

/* Return the number in the profile of a name as it may stand in folded text: ";" becomes ":", and a
 * newline or carriage return a blank; with profile.demangle it is demangled. */
uint32_t stacker_name(struct stacker *s, struct span name);

/* Append a frame by the number of its name in the profile. */
static inline void
stacker_push_name(struct stacker *s, uint32_t name)
{
    MEM_ADD(s->frames, s->n, s->cap, name);
}

/* Append a frame; its name becomes that of stacker_name. In dialect_perl a ";" in the name makes it
 * several frames, as it does in what that program prints. */
void stacker_push(struct stacker *s, struct span name);

/* The same for a stack whose leaf is pushed first: several frames are in that order, too. */
void stacker_push_leaf_first(struct stacker *s, struct span name);

/* Append the frames of folded text, "a;b;c": each part as it is; empty parts are frames too. */
void stacker_push_folded(struct stacker *s, struct span stack);

/* Return "[app]", as a function without a symbol is called by its file, in s->name. */
struct span stacker_bracket(struct stacker *s, struct span file);

/* Reverse the order of the frames from the index `from` on. */
void stacker_reverse(struct stacker *s, size_t from);

/* Add the stack to the profile, and empty it. Return false if it has no frames. */
bool stacker_add(struct stacker *s, enum stack_order order, struct decimal count);

/* The same, and count it as a sample if it has frames. */
static inline bool
stacker_emit(struct stacker *s, enum stack_order order, struct decimal count)
{
    bool any = stacker_add(s, order, count);
    s->c->samples += any;
    return any;
}

/* Emit a stack, leaf first, with the count 1: the finish() of formats whose stacks have no count. */
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
