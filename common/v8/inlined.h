/* The calls that V8 inlined into optimized code, by return address.
 *
 * V8's own tables give the active calls at a return address (inlined.c). At other addresses they
 * may be missing, or those of an instruction nearby, so only return addresses are looked up. */
#ifndef V8_INLINED_H
#define V8_INLINED_H

#include "common/v8/place.h"

/* {0} is empty. */
struct inlined {
    /* private */
    struct addresses places;
    VEC(struct inlined_site) of; /* by number of the return address */
    struct intern labels;
    struct text text;
};

/* A return address. */
struct inlined_site {
    uint64_t made;     /* `made` of the place that contains it */
    uint64_t reported; /* the sink has the calls from this time on; UINT64_MAX: it has none */
    uint32_t label;    /* private */
};

/* Return true if the place is optimized code whose function is known. */
bool inlined_may_be(const struct place *p, const struct v8layout *l);

/* Return the entry of a return address in the place; NULL if there is none. Valid until
 * inlined_read. */
struct inlined_site *inlined_find(const struct inlined *t, const struct place *p, uint64_t pc);

/* Read the calls inlined at a return address in the place; there may be none. Then inlined_find
 * finds the address. V8_BAD: they cannot be read now. */
enum v8status inlined_read(struct inlined *t, struct heap *h, struct functions *f,
                           const struct place *p, uint64_t pc);

/* Return the names of the inlined functions, innermost first, as functions_label makes them,
 * separated by newlines. They have the tier of the code. Empty if no call was inlined. */
struct span inlined_labels(const struct inlined *t, const struct inlined_site *site);

/* Return the table's size in memory, in bytes. */
size_t inlined_size(const struct inlined *t);

/* Free the table; it is then empty, as {0}. */
void inlined_free(struct inlined *t);

#endif
