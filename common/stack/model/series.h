/* Iterates over the slices of time in which a stack was seen: those of a series (slice.h), or the
 * only one.
 *
 *     series_start(&s, &slice);
 *     while (series_next(&s))
 *         add(s.slice.ms, series_share(&s, count));
 */
#ifndef STACK_SERIES_H
#define STACK_SERIES_H

#include "common/base/decimal.h"
#include "common/stack/model/slice.h"

struct series {
    struct slice slice; /* the current one: a single slice */
    uint32_t count;     /* the series' count in it, at least 1 */
    struct span text;   /* that count as text, borrowed */
    uint32_t sum;       /* of all counts */

    /* private */
    struct span left;
    uint64_t time;   /* of the next slice */
    uint32_t step;   /* milliseconds */
    uint32_t before; /* sum of the counts before the current one */
};

/* Start before the first slice; the slice's text is borrowed. */
void series_start(struct series *s, const struct slice *slice);

/* Go to the next slice with a count. Return false if there is none. */
bool series_next(struct series *s);

/* Return the current slice's share of the stack's count. The shares add up to the stack's count. If
 * the series' counts add up to it, the shares are these counts. */
struct decimal series_share(const struct series *s, struct decimal count);

#endif
