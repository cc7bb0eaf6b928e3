/* The functions of the profiles, each with the sum of the counts of all stacks that it is in, in
 * each run. */
#ifndef STACKDIFF_FUNCTIONS_H
#define STACKDIFF_FUNCTIONS_H

#include "cmd/stackdiff/profiles.h"

/* {0} is empty. */
struct functions {
    struct intern names;
    struct function *list; /* by the name's number */
    size_t cap;
    double *counts; /* [name's number * runs + run] */
    size_t counts_cap;
};

struct function {
    size_t last_stack; /* the last one that was counted, as its number + 1; 0: none yet */
    /* Of its stacks those whose shares grew and shrank most, and by how many percentage points. */
    uint32_t grown, shrunk;
    double growth, loss;
};

/* Counts the functions of profiles, of which both sides have counts. A stack counts once for a
 * function, also if the function called itself. */
void functions_count(struct functions *f, const struct profiles *p);

/* Frees all but the names. */
void functions_forget(struct functions *f);

void functions_free(struct functions *f);

#endif
