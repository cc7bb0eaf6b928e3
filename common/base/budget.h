/* A memory budget shared by stores of one kind, such as the perf maps of all processes. Each store
 * charges what it uses, and asks for room before it grows. Without room it drops what it would have
 * added, and reports that.
 *
 * First come, first served: one store may use half of the budget, and all together three quarters.
 * The last quarter is reserved for later stores, in equal parts, so that no store can leave others
 * without memory. */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

struct budget {
    size_t limit;  /* bytes; 0: unlimited */
    size_t stores; /* maximum number of stores at a time; not 0 */
    size_t used;   /* bytes charged by all stores */
};

/* Change a store's charge from *charged bytes, at first 0, to `now` bytes, and set *charged to
 * that. */
static inline void
budget_charge(struct budget *b, size_t *charged, size_t now)
{
    b->used += now - *charged;
    *charged = now;
}

/* Return true if a store may grow that has charged `charged` bytes and now uses `now` bytes. */
static inline bool
budget_has_room(const struct budget *b, size_t charged, size_t now)
{
    size_t all = b->used - charged + now;
    return b->limit == 0 || now < b->limit / 4 / b->stores ||
           (now < b->limit / 2 && all < b->limit / 4 * 3);
}

#endif
