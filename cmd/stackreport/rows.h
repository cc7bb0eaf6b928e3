/* The counted nodes as rows, in the order in which they are written. */
#ifndef STACKREPORT_ROWS_H
#define STACKREPORT_ROWS_H

#include "cmd/stackreport/count.h"

/* In the order of --sort's choices. */
enum row_order { SORT_SELF, SORT_TOTAL, SORT_NAME };

/* A node, to be sorted. */
struct row_item {
    const struct count_node *node;
    struct span name;     /* borrowed from the counter */
    enum frame_kind kind; /* functions of one name may differ in it */
};

/* Return the node `first` and those with the same parent, *n in all, sorted; free() it. NULL if
 * first is INTERN_NONE, and then *n is 0. */
struct row_item *rows_siblings(const struct counter *c, uint32_t first, enum row_order sort,
                               size_t *n);

struct row {
    const struct count_node *node;
    struct span name; /* borrowed from the counter */
    uint32_t depth;   /* below the root of its tree; 0: a root, as all rows of a table are */
};

struct rows {
    const struct counter *counter;
    enum row_order sort;
    size_t top; /* 0: all */

    /* private from here */
    struct level *levels; /* from the root to the last row, and the rows below it */
    size_t nlevels, cap;
};

/* Start the rows of a counter, which must stay as it is. Each row is followed by those below it in
 * its tree. Rows with the same parent are sorted, and only the first `top` of them are given. */
void rows_start(struct rows *r, const struct counter *c, enum row_order sort, size_t top);

/* Give the next row. Return false after the last one, and then all is freed. */
bool rows_next(struct rows *r, struct row *row);

#endif
