/* Finds the names most similar to a misspelt one, for the message about it. */
#ifndef MACHINE_SIMILAR_H
#define MACHINE_SIMILAR_H

#include "common/base/text.h"

enum { SIMILAR_SHOWN = 3 };

struct similar {
    struct span wanted;
    struct span best[SIMILAR_SHOWN]; /* most similar first */
    size_t distance[SIMILAR_SHOWN];  /* of each of them */
    size_t count;                    /* number of them */
    struct arena *arena;
};

/* Start a search for names similar to `wanted`, which is borrowed; the names are stored in the
 * arena. */
void similar_start(struct similar *n, struct span wanted, struct arena *a);

/* Offer a name. An empty name, the wanted name itself, and one that was offered before, are
 * ignored. A name is similar if few letters have to be changed, or if it contains the wanted name;
 * case is ignored. */
void similar_offer(struct similar *n, struct span name);

/* Append "; did you mean 'a', 'b' or 'c'?"; nothing if no name was similar. */
void similar_explain(const struct similar *n, struct text *out);

#endif
