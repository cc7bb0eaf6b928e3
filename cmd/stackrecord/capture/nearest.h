/* The names nearest to one that does not exist, for its message. */
#ifndef STACKRECORD_NEAREST_H
#define STACKRECORD_NEAREST_H

#include "common/base/text.h"

enum { NEAREST_SHOWN = 3 };

struct nearest {
    struct span wanted;
    struct span best[NEAREST_SHOWN]; /* the nearest first */
    size_t distance[NEAREST_SHOWN];
    size_t count;
    struct arena *arena;
};

/* Start to look for names near to `wanted`, which is borrowed; they are kept in the arena. */
void nearest_start(struct nearest *n, struct span wanted, struct arena *a);

/* Offer a name; the wanted name itself, and one that was offered before, change nothing. It is near
 * if few letters have to be changed, or if it contains the wanted name, in whatever case. */
void nearest_offer(struct nearest *n, struct span name);

/* Append "; did you mean 'a', 'b' or 'c'?"; nothing if no name was near. */
void nearest_explain(const struct nearest *n, struct text *out);

#endif
