/* The options on the command line, and the profiles, which are named in one of two ways:
 *
 *     before.folded after.folded
 *     --before a1.folded a2.folded --after b1.folded b2.folded */
#ifndef STACKDIFF_OPTIONS_H
#define STACKDIFF_OPTIONS_H

#include "cmd/stackdiff/gate.h"
#include "cmd/stackdiff/write.h"
#include "common/base/opt.h"

extern const struct opt options_table[];

/* {0}: no option is given. */
struct options {
    struct run *runs; /* .file and .side of each profile */
    size_t nruns;
    struct changes changes;
    bool strip_hex, exact_names, strict, quiet;
    enum diff_format format;
    size_t top, width; /* as in struct listing */
    struct gate gate;
    double period; /* value of --period; 0: not given */
    bool width_given;
    struct pattern function, appeared; /* compiled from --function and --new */

    /* private from here */
    size_t runs_cap;
    bool named;     /* --before or --after was given */
    enum side side; /* if so, the side of the operands that follow */
    int taken;      /* number of operands that are in `runs` */
};

/* Read the command line from r, which has been started. Wrong usage ends the program. */
void options_read(struct options *o, struct opt_reader *r, const struct diff_dialect *d);

/* Return true if an option is set that can make the comparison fail. */
static inline bool
options_gated(const struct options *o)
{
    return o->gate.growth || o->gate.total || o->gate.appeared != NULL;
}

#endif
