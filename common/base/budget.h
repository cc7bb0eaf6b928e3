/* A share of memory that stores of one kind have together, such as the perf maps of all processes.
 * Each store tells how much it takes, and asks for room before it grows; without room it gives up
 * what it would have added, and says so.
 *
 * Who comes first is served first: one store may take half of the memory, and all of them three
 * quarters. The last quarter is for those that come later, in equal parts, so that no store can
 * leave others without any. */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

struct budget {
    size_t limit;  /* bytes; 0: there is none */
    size_t stores; /* the most that there are at a time; not 0 */
    size_t used;   /* bytes that all stores take, as they told */
};

/* Count a store that now takes `now` bytes; *told is what it told last, at first 0. */
static inline void
budget_tell(struct budget *b, size_t *told, size_t now)
{
    b->used += now - *told;
    *told = now;
}

/* Return true if a store may grow that told `told` last and takes `now` bytes. */
static inline bool
budget_has_room(const struct budget *b, size_t told, size_t now)
{
    size_t all = b->used - told + now;
    return b->limit == 0 || now < b->limit / 4 / b->stores ||
           (now < b->limit / 2 && all < b->limit / 4 * 3);
}

#endif
