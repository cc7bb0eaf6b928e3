/* The different stacks of a profile and how often each was seen. A stack is an array of name
 * numbers; names are interned once, and sorting happens once, at the end. */
#ifndef STACKCOLLAPSE_STACKS_H
#define STACKCOLLAPSE_STACKS_H

#include "common/base/decimal.h"
#include "common/base/intern.h"
#include "common/base/out.h"

/* {0} is an empty one. */
struct stacks {
    struct intern names;    /* each with ";" behind it, as it stands before another frame */
    struct intern keys;     /* stacks: name numbers, root first, as bytes */
    struct decimal *counts; /* by stack number */
    size_t counts_cap;
    struct decimal *seconds; /* of the other profile, where there is one */
    size_t seconds_cap;
    bool two;      /* some stack has a second count */
    bool unsorted; /* some stack was not added by stacks_add_behind */
};

/* The number of a frame's name, which holds no ";". */
uint32_t stacks_name(struct stacks *s, struct span name);

/* The same where the byte behind the name is known to be ";". */
static inline uint32_t
stacks_name_before_semicolon(struct stacks *s, struct span name)
{
    return intern_add(&s->names, span_of(name.ptr, name.len + 1));
}

/* Adds n frames, root first, seen `count` times, and `second` times in the other profile (NULL:
 * there is none). */
void stacks_add(struct stacks *s, const uint32_t *frames, size_t n, struct decimal count,
                const struct decimal *second);

/* The same of a stack that comes behind all that were added before in byte order: it costs no
 * look-up as long as every stack does so. */
void stacks_add_behind(struct stacks *s, const uint32_t *frames, size_t n, struct decimal count,
                       const struct decimal *second);

/* Writes "root;caller;leaf count" lines in byte order of the stacks. The stacks cannot be added to
 * any more. */
void stacks_print(struct stacks *s, struct out *out);

#endif
