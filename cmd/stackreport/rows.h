/* Iterates over the nodes of a counter as rows, in the order in which they are written. */
#ifndef STACKREPORT_ROWS_H
#define STACKREPORT_ROWS_H

#include "cmd/stackreport/count.h"

/* In the order of --sort's choices. */
enum row_order { SORT_SELF, SORT_TOTAL, SORT_NAME };

/* A node with its sort keys. */
struct row_item {
    const struct count_node *node;
    struct span name;     /* borrowed from the counter */
    enum frame_kind kind; /* sort key of functions with the same name */
};

/* Return the node `first` and its siblings, sorted, and set *n to their number. The caller frees
 * the array. If `first` is INTERN_NONE, return NULL and set *n to 0. */
struct row_item *rows_siblings(const struct counter *c, uint32_t first, enum row_order sort,
                               size_t *n);

struct row {
    const struct count_node *node;
    struct span name; /* borrowed from the counter */
    uint32_t depth;   /* distance from the root of its tree; 0 for all rows of a table */
};

struct rows {
    const struct counter *counter;
    enum row_order sort;
    size_t top; /* maximum number of rows with the same parent; 0: no limit */

    /* private from here */
    struct level *levels; /* stack of the siblings that are still to be returned, by depth */
    size_t nlevels, cap;
};

/* Start iterating over a counter, which is borrowed and must not change. Each row is followed by
 * its descendants. Rows with the same parent are sorted, and only the first `top` of them are
 * returned. */
void rows_start(struct rows *r, const struct counter *c, enum row_order sort, size_t top);

/* Set *row to the next row. After the last one, free everything and return false. */
bool rows_next(struct rows *r, struct row *row);

#endif
