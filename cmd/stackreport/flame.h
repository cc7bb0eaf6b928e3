/* The profile as a flame graph of text, for terminals. */
#ifndef STACKREPORT_FLAME_H
#define STACKREPORT_FLAME_H

#include "cmd/stackreport/rows.h"
#include "common/base/out.h"

enum { FLAME_NARROWEST = 10, FLAME_WIDEST = 10000 }; /* columns */

struct flame_look {
    size_t width;        /* columns of a line, FLAME_NARROWEST to FLAME_WIDEST */
    size_t depth;        /* maximum number of frames of a stack, from the root; 0: no limit */
    double least;        /* least size of a drawn frame, in percent of all samples */
    enum row_order sort; /* order from left to right */
    bool colour, utf8;   /* the terminal has colours; it shows UTF-8 */
};

/* Write the trees of a SHAPE_CALLEES counter, roots at the bottom. If they are not trees of chosen
 * functions, draw a frame "all" below the roots. Leave out frames narrower than half a column, and
 * what is above them. Write nothing if all counts are 0. */
void flame_write(struct out *o, const struct counter *c, const struct flame_look *look);

#endif
