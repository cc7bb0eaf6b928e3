/* The names nearest to one that does not exist, for its message. */
#ifndef STACKRECORD_SIMILAR_H
#define STACKRECORD_SIMILAR_H

#include "common/base/text.h"

enum { SIMILAR_SHOWN = 3 };

struct similar {
    struct span wanted;
    struct span best[SIMILAR_SHOWN]; /* the nearest first */
    size_t distance[SIMILAR_SHOWN];
    size_t count;
    struct arena *arena;
};

/* Start to look for names near to `wanted`, which is borrowed; they are kept in the arena. */
void similar_start(struct similar *n, struct span wanted, struct arena *a);

/* Offer a name; the wanted name itself, and one that was offered before, change nothing. It is near
 * if few letters have to be changed, or if it contains the wanted name, in whatever case. */
void similar_offer(struct similar *n, struct span name);

/* Append "; did you mean 'a', 'b' or 'c'?"; nothing if no name was near. */
void similar_explain(const struct similar *n, struct text *out);

#endif
