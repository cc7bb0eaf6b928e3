/* A stack under construction: the parsers push frame names one by one, and emit the stack with its
 * count into a profile. */
#ifndef STACKCOLLAPSE_STACKBUILD_H
#define STACKCOLLAPSE_STACKBUILD_H

#include "common/base/text.h"
#include "common/stack/model/profile.h"

/* {.profile = p} is an empty one; the profile is borrowed. Read `n` to know how many frames there
 * are, and set it to a smaller number to drop the frames pushed last. */
struct stackbuild {
    struct profile *profile;
    uint32_t *frames; /* name numbers of the profile */
    size_t n, cap;
    struct text clean; /* of a name */
};

/* Return the number in the profile of a name as it may stand in folded text: ";" becomes ":", and a
 * newline or carriage return a blank; with profile.demangle it is demangled. */
uint32_t stackbuild_name(struct stackbuild *b, struct span name);

/* Append a frame; its name becomes that of stackbuild_name. */
void stackbuild_push(struct stackbuild *b, struct span name);

/* Append the frames of folded text, "a;b;c": each part as it is; empty parts are frames too. */
void stackbuild_push_folded(struct stackbuild *b, struct span stack);

/* Append a frame by the number of its name in the profile. */
static inline void
stackbuild_push_name(struct stackbuild *b, uint32_t name)
{
    b->frames = mem_grow(b->frames, &b->cap, b->n + 1, sizeof *b->frames);
    b->frames[b->n++] = name;
}

/* Reverse the order of the frames from the index `from` on, for input whose stacks begin with the
 * leaf. */
void stackbuild_reverse(struct stackbuild *b, size_t from);

/* Add the stack, which is root first, to the profile and empty it. Do nothing, and return
 * false, if there is no frame. */
bool stackbuild_emit(struct stackbuild *b, struct decimal count);

/* Empty the stack. */
static inline void
stackbuild_clear(struct stackbuild *b)
{
    b->n = 0;
}

/* Free the memory, not the profile. */
void stackbuild_free(struct stackbuild *b);

#endif
