/* Folded stacks: "root;caller;leaf 12", or "root;caller;leaf 12 15" where two profiles are
 * compared. See folded(5). */
#ifndef STACK_FOLDED_H
#define STACK_FOLDED_H

#include "common/base/span.h"

/* A line, taken apart. All borrow from the line. */
struct folded {
    struct span stack;
    struct span count;  /* digits, perhaps a point and digits */
    struct span second; /* of the other profile; empty where there is one count only */
};

/* Takes a line apart that has `columns` counts: 1, 2, or 0 for as many as there are, up to two (a
 * frame whose name ends in a number then looks like a count). A carriage return at its end does not
 * count. False where it has fewer counts than that. */
bool folded_parse(struct span line, int columns, struct folded *f);

/* The frame's name without the mark that stackcollapse --all puts behind it: "_[k]" of the kernel,
 * "_[i]" inlined, "_[j]" compiled at run time; or flamesvg's "_[w]" of a waker. */
struct span folded_unmarked(struct span name);

/* Takes the first frame off *stack. An empty stack gives one empty frame and then ptr NULL. */
static inline struct span
folded_frame(struct span *stack)
{
    size_t semicolon = span_find(*stack, ';');
    if (semicolon == SPAN_NONE) {
        struct span last = *stack;
        *stack = (struct span){NULL, 0};
        return last;
    }
    struct span frame = span_head(*stack, semicolon);
    *stack = span_from(*stack, semicolon + 1);
    return frame;
}

#endif
