/* All stacks of the input, in memory and in the order in which they are drawn. */
#ifndef FLAMESVG_STACKS_H
#define FLAMESVG_STACKS_H

#include "common/base/input.h"
#include "common/base/mem.h"
#include "common/base/pattern.h"

struct stack {
    size_t shared;    /* frames that it begins with like the stack before it */
    struct span rest; /* its other frames, ";" between them; ptr NULL: there are none */
    double count;     /* the second where there are two */
    double delta;     /* second less first; NAN where there is one */
    /* Private: the line that it was, in what it does not share with the line before. */
    size_t at; /* from this byte on */
    struct span text;
};

struct stacks {
    struct stack *list;
    size_t count, cap;
    double total;      /* of their counts */
    double max_delta;  /* the largest difference of two counts, at least 1 */
    size_t lines;      /* of the input that are among the stacks */
    size_t baseless;   /* lines left out: no frame matches `base` */
    const char *guess; /* what the first skipped line and those after it look like, see
                        * looks_like; NULL: unknown, or none was skipped */
    struct arena text; /* that the spans are of */
};

struct stacks_rules {
    const struct pattern *base; /* a stack begins at its first frame that matches; NULL: as it is */
    bool reverse;               /* leaf first */
    bool keep_order;            /* else sorted, so that equal beginnings meet */
    bool wakers;                /* mark the frames of wakers */
};

/* Reads all files of the input. Lines that are no folded stacks are reported to its diag and
 * skipped. The text stays in memory until the program ends. */
void stacks_read(struct stacks *s, struct input *in, const struct stacks_rules *rules);

#endif
