/* Leave to go on with work that may take long: what is read is a stranger's, or something waits
 * meanwhile. Loops count their steps, of some ten nanoseconds each, and end as if their input did when
 * there is no more leave.
 *
 *     while (more && !patience_is_over(p, 1))
 */
#ifndef BASE_PATIENCE_H
#define BASE_PATIENCE_H

#include <stdbool.h>
#include <stddef.h>

/* Steps between two questions: some ten to a hundred microseconds. */
enum { PATIENCE_STEPS = 4096 };

struct patience {
    /* Set by the caller: return true if the work may go on. It may do other things first. */
    bool (*ask)(void *ctx);
    void *ctx;
    bool over; /* the answer was no; it is not asked again until the caller sets this to false */
    unsigned waited; /* milliseconds in which another process worked: added up, for the caller */

    /* private */
    unsigned steps; /* since it was asked */
};

/* Count so many steps, at most some million. Return true if the work must end; NULL: never. */
static inline bool
patience_is_over(struct patience *p, unsigned steps)
{
    if (p == NULL)
        return false;
    p->steps += steps;
    if (p->steps >= PATIENCE_STEPS && !p->over) {
        p->steps = 0;
        p->over = !p->ask(p->ctx);
    }
    return p->over;
}

/* Count the wait of some milliseconds for another process. Return true if it must end. */
static inline bool
patience_is_over_after(struct patience *p, unsigned ms)
{
    if (p != NULL)
        p->waited += ms;
    return patience_is_over(p, PATIENCE_STEPS);
}

#endif
