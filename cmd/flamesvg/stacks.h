/* All stacks of the input in memory, in the order in which they are drawn. */
#ifndef FLAMESVG_STACKS_H
#define FLAMESVG_STACKS_H

#include "cmd/flamesvg/slices.h"
#include "common/base/mem.h"
#include "common/base/pattern.h"
#include "common/stack/text/input.h"

#define COUNT_MAX 1e200 /* the largest count: sums stay finite */

/* Lengths of lines, which are at most LINES_MAX, fit 32 bits. */
struct stack {
    uint32_t shared; /* number of frames, from the root, in common with the previous stack */
    /* Private. `text`, of text_len bytes, is the part of the line that differs from the previous
     * line, and begins at offset `at` of the line. `len` is the length of the line without its
     * counts. `common` is the number of bytes in common with the previous line, which may end
     * within a name. */
    uint32_t text_len, at, len, common;
    const char *text;
    double count; /* public: the second count if there are two, or the first of a gone stack */
    double delta; /* public: second minus first count; NAN if there is one */
};

/* Return the frames that are not in common with the previous stack, joined by ";"; ptr is NULL if
 * there are none. */
struct span stack_rest(const struct stack *stack);

struct stacks {
    struct stack *list;
    size_t count, cap;
    double total;         /* sum of the counts */
    double gone;          /* part of `total` from stacks that are gone */
    bool cut;             /* some count was cut to COUNT_MAX */
    bool compared;        /* some stack has a delta */
    double max_delta;     /* largest difference of two counts, at least 1 */
    size_t lines;         /* number of lines of the input that are in the list */
    size_t baseless;      /* number of lines left out because no frame matches `base` */
    struct span guess;    /* apparent format of the first file with a skipped line: looks_like */
    struct slices slices; /* if the rules ask for them: the slices in which stacks were seen */
    size_t sliced;        /* number of lines with the frame of a slice, which is removed */
    struct arena text;    /* holds the texts of the stacks */
};

struct stacks_rules {
    const struct pattern *base; /* begin a stack at its first matching frame; NULL: at its root */
    bool reverse;               /* leaf first */
    bool keep_order; /* do not sort. Sorting makes stacks with the same callers neighbours; it moves
                      * few stacks if they are in the order of their bytes */
    bool wakers;     /* mark the frames of wakers */
    bool slices;     /* set stacks.slices */
    bool gone;       /* draw stacks that are gone, see gone.h; otherwise they have no width */
    /* Decide for each line how many counts it has, and ignore slices, as flamegraph.pl does.
     * Otherwise all lines of a file have the same number of counts: see foldedtext_columns. */
    bool line_decides;
};

/* Read all files of the input. Lines that are not folded stacks are skipped and reported. The text
 * stays in memory until the program ends. */
void stacks_read(struct stacks *s, struct input *in, const struct stacks_rules *rules);

#endif
