/* A time limit for work on untrusted input, or while something else waits. The limit itself is the
 * caller's: a loop counts its steps, of about ten nanoseconds each, and every PATIENCE_STEPS steps
 * asks the caller if it may go on. If not, the loop ends as if its input had ended.
 *
 *     while (more && !patience_is_over(p, 1))
 */
#ifndef BASE_PATIENCE_H
#define BASE_PATIENCE_H

#include <stdbool.h>
#include <stddef.h>

/* Steps between two calls of `ask`: about 10 to 100 microseconds. */
enum { PATIENCE_STEPS = 4096 };

struct patience {
    /* Set by the caller. Return true if the work may go on; it may also do other things, such as
     * emptying ring buffers. */
    bool (*ask)(void *ctx);
    void *ctx;
    bool over;       /* `ask` returned false; it is not called until the caller resets this */
    unsigned waited; /* milliseconds spent waiting for other processes; the caller resets it */

    /* private */
    unsigned steps; /* since the last call of `ask` */
};

/* Count steps, at most a few million. Return true if the work must end. If p is NULL there is no
 * limit: return false. */
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

/* Count milliseconds for which the caller has waited for another process, and call `ask`. Return
 * true if the work must end. */
static inline bool
patience_is_over_after(struct patience *p, unsigned ms)
{
    if (p != NULL)
        p->waited += ms;
    return patience_is_over(p, PATIENCE_STEPS);
}

#endif
