/* All stacks of the input in memory, in the order in which they are drawn. */
#ifndef FLAMESVG_STACKS_H
#define FLAMESVG_STACKS_H

#include "cmd/flamesvg/slices.h"
#include "common/base/mem.h"
#include "common/base/pattern.h"
#include "common/stack/text/input.h"

#define COUNT_MOST 1e200 /* the largest count: sums stay finite */

/* Lengths of lines, which are at most LINES_MOST, fit 32 bits. */
struct stack {
    uint32_t shared; /* how many frames, from the root, it shares with the stack before it */
    /* Private: the part of the line that it does not share with the line before, where it begins
     * in the line, the length of the line without its counts, and how many bytes it shares with the
     * line before, which may end within a name. */
    uint32_t text_len, at, len, common;
    const char *text;
    double count; /* public, too: the second one if there are two, or the first if it is gone */
    double delta; /* second minus first; NAN if there is one count */
};

/* Return the frames that the stack does not share with the one before it, joined by ";"; ptr NULL:
 * there are none. */
struct span stack_rest(const struct stack *stack);

struct stacks {
    struct stack *list;
    size_t count, cap;
    double total;         /* of their counts */
    double gone;          /* the part of it that stacks have that are gone */
    bool cut;             /* some count is cut to COUNT_MOST */
    bool compared;        /* some have a delta */
    double max_delta;     /* the largest difference of two counts, at least 1 */
    size_t lines;         /* of the input that are among the stacks */
    size_t baseless;      /* lines left out: no frame matches `base` */
    struct span guess;    /* what the first file with a skipped line looks like, see looks_like */
    struct slices slices; /* if the rules ask for them: which slices the stacks were seen in */
    size_t sliced;     /* lines that began with the frame of a slice, which the list is without */
    struct arena text; /* that the spans point into */
};

struct stacks_rules {
    const struct pattern
        *base;       /* begin a stack at its first frame that matches; NULL: at its root */
    bool reverse;    /* leaf first */
    bool keep_order; /* else sorted, so that stacks with the same callers are neighbours: if they
                      * stand in the order of their bytes, few are moved */
    bool wakers;     /* mark the frames of wakers */
    bool slices;     /* fill in stacks.slices */
    bool gone;       /* draw stacks that are gone, see gone.h; else they have no width */
    /* Each line has as many counts as it seems to have, as in flamegraph.pl. Else all lines of a
     * file have the same number, see foldedtext_columns. Nor does it know slices. */
    bool line_decides;
};

/* Read all files of the input. Lines that are not folded stacks are skipped and reported. The text
 * stays in memory until the program ends. */
void stacks_read(struct stacks *s, struct input *in, const struct stacks_rules *rules);

#endif
