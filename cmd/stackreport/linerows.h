/* The order in which functions and their places are listed, and the columns of their counts. */
#ifndef STACKREPORT_LINEROWS_H
#define STACKREPORT_LINEROWS_H

#include "cmd/stackreport/linecount.h"
#include "common/base/out.h"

struct linerows {
    const struct linecount *count;
    uint32_t *functions; /* those to list, in that order */
    size_t nfunctions;
    uint32_t *places; /* all, by function, file and number */
    size_t *first;    /* by function: index in `places` of its first place; one more at the end */
};

/* Order what was counted, which is borrowed and must not change. Functions with the most self time
 * come first; without a pattern, those without self time are left out. At most `top`; 0: all. */
void linerows_start(struct linerows *r, const struct linecount *c, size_t top);

/* Return the i-th place of the order. */
const struct line_place *linerows_place(const struct linerows *r, size_t i);

/* Write the share that a count has of all, in percent, right-aligned in a column of this width. */
void linerows_percent(struct out *o, size_t width, const struct linecount *c, struct decimal count);

/* Write the line of a function: its name and its counts. */
void linerows_function(struct out *o, const struct linecount *c, const struct line_function *f);

/* Write the counts of a place in percent, and a mark. NULL: blanks. */
void linerows_counts(struct out *o, const struct linecount *c, const struct line_place *p,
                     char mark);

/* Write a name or text from the input, masked. */
void linerows_text(struct out *o, struct span text);

/* Write the titles of the columns, "self  total", with blanks up to what follows. */
void linerows_titles(struct out *o);

void linerows_free(struct linerows *r);

#endif
