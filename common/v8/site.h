/* What V8's own tables say of an address in a function: the calls that were inlined into optimized
 * code there, and the lines of the source.
 *
 * The tables are exact at calls. At other addresses inlined calls may be missing, or be those of an
 * instruction nearby, so they are looked up for return addresses only. The line at a sampled
 * address may be that of an instruction nearby, too, as in V8's own profiles: it is in the function
 * that the code belongs to, even if the code there was inlined. Measured with 4,000 calls whose
 * lines are known, in code of all tiers of Node 18 to 26: two had another line, besides those in
 * loops of Maglev (site.c), which now have none. */
#ifndef V8_SITE_H
#define V8_SITE_H

#include "common/v8/place.h"

/* {0} is empty. */
struct sites {
    /* private */
    struct addresses places;
    VEC(struct site) of; /* by number of the address */
    struct intern texts;
    struct text label, lines;
};

/* What is known of an address. */
struct site {
    uint64_t made;         /* `made` of the place that contains it */
    uint64_t reported;     /* the sink has it from this time on; UINT64_MAX: it does not */
    uint32_t label, lines; /* private */
};

/* What is wanted of an address of an instruction or bytecode. */
struct site_wish {
    uint64_t addr;
    bool inlined; /* it is that of a call, and inlined calls are wanted */
    bool lines;
};

/* Return true if there may be something at the address in the place. */
bool sites_may_be(const struct place *p, const struct v8layout *l, const struct site_wish *w);

/* Return what is known of an address in the place; NULL if it was not read. Valid until
 * sites_read. */
struct site *sites_find(const struct sites *t, const struct place *p, uint64_t addr);

/* Read what is wanted of an address for which sites_may_be is true; there may be nothing. Then
 * sites_find finds the address. V8_BAD: it cannot be read now. */
enum v8status sites_read(struct sites *t, struct heap *h, struct functions *f,
                         const struct place *p, const struct site_wish *w);

/* Return the names of the inlined functions, innermost first, as functions_label makes them,
 * separated by newlines. They have the tier of the code. Empty if no call was inlined. */
struct span sites_labels(const struct sites *t, const struct site *site);

/* Return the source lines, such as "/srv/app.js:12", each empty if unknown: first those of the
 * inlined functions, if they were wanted, each followed by a newline, then that of the place's
 * function. */
struct span sites_lines(const struct sites *t, const struct site *site);

/* Return the table's size in memory, in bytes. */
size_t sites_size(const struct sites *t);

/* Free the table; it is then empty, as {0}. */
void sites_free(struct sites *t);

#endif
