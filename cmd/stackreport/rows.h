/* The counted nodes as rows in the order in which they are written. */
#ifndef STACKREPORT_ROWS_H
#define STACKREPORT_ROWS_H

#include "cmd/stackreport/count.h"

/* In the order of --sort's choices. */
enum sort { SORT_SELF, SORT_TOTAL, SORT_NAME };

struct row {
    struct span name;
    struct pair count;
    uint32_t group;
    uint32_t depth; /* below the root of its tree; 0: a root, as all rows of a table are */
};

struct rows {
    struct row *list;
    size_t count;
};

/* Fills *rows: each row is followed by those below it in its tree. Rows with one parent are sorted,
 * and of those only the first `top` are there, with all below them; top 0: all are. Names borrow
 * from the counter. Free the list. */
void rows_make(struct rows *rows, const struct counter *c, enum sort sort, size_t top);

#endif
