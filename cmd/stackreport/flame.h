/* The profile as a flame graph of text, for terminals. */
#ifndef STACKREPORT_FLAME_H
#define STACKREPORT_FLAME_H

#include "cmd/stackreport/rows.h"
#include "common/base/out.h"

enum { FLAME_NARROWEST = 10, FLAME_WIDEST = 10000 }; /* columns */

struct flame_look {
    size_t width;        /* columns of a line, FLAME_NARROWEST to FLAME_WIDEST */
    size_t depth;        /* frames of a stack, from the root; 0: all */
    double least;        /* frames below this percentage of all samples are not drawn */
    enum row_order sort; /* from left to right */
    bool colour, utf8;   /* the terminal has colours; it shows UTF-8 */
};

/* Write the trees of a counter, SHAPE_CALLEES, the roots at the bottom. Below those that begin at
 * the root of the stacks there is a frame "all". Nothing is written of a profile without counts.
 * Frames of less than half a column are left out, and with a frame those above it. */
void flame_write(struct out *o, const struct counter *c, const struct flame_look *look);

#endif
