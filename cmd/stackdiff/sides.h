/* Which file of the command line belongs to which side:
 *
 *     before.folded after.folded
 *     --before a1.folded a2.folded --after b1.folded b2.folded */
#ifndef STACKDIFF_SIDES_H
#define STACKDIFF_SIDES_H

#include "cmd/stackdiff/profiles.h"
#include "common/base/opt.h"

/* {0} has no files; the owner frees runs. */
struct sides {
    struct run *runs;
    size_t nruns, cap;
    bool named;     /* by --before or --after */
    enum side side; /* if named: of the operands that follow */
    int taken;      /* operands that are in `runs` */
};

/* Takes the value of the option read last, --before or --after, and puts the operands that follow
 * on its side. */
void sides_name(struct sides *s, const struct opt_reader *r, enum side side);

/* Takes the operands that were read since the last call: to be called after each opt_next. */
void sides_take(struct sides *s, const struct opt_reader *r);

/* Checks the files once all are taken; a mistake is wrong usage. `gated`: the comparison could
 * fail, so both sides must not be the same file. */
void sides_check(struct sides *s, const struct opt_reader *r, const struct dialect *d, bool gated);

#endif
