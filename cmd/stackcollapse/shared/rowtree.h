/* The common part of formats that are call trees: each line is a function, with its level in the
 * tree and the count of the function itself (self), or of it and its callees (total). */
#ifndef STACKCOLLAPSE_ROWTREE_H
#define STACKCOLLAPSE_ROWTREE_H

#include "cmd/stackcollapse/shared/stacker.h"

/* A function that may call the one in the next line. */
struct rowtree_function {
    size_t level;
    uint32_t stack; /* its stack in the tree */
    uint64_t total; /* count of the function and its callees */
    uint64_t below; /* the part of `total` in the lines of its callees */
    bool waits;     /* leave out its self count */
};

/* The state of such a format, all zero at first. */
struct rowtree {
    struct stacker base;
    struct stacktree tree;
    VEC(struct rowtree_function) path; /* of the last line: the function's callers, and itself */
    size_t top;                        /* the lowest level so far: the level of roots */
    bool rooted;                       /* `top` is set */
    bool inverted;                     /* callers are below their callees: see rowtree_total */
    int places;                        /* multiply counts by 10 to this power */
    size_t weight;                     /* column of the counts; SPAN_NONE: none */
    /* For comma-separated values: */
    char delimiter;          /* '\0': the line with the names of the columns was not read yet */
    size_t named;            /* column of the function's name, or else of its module's name */
    VEC(struct span) fields; /* fields of the line split last */
    struct text line;        /* copy of that line, without quotation marks around fields */
};

/* Members of each format's struct format. */
#define ROWTREE_FORMAT(type)                                                                       \
    .state_size = sizeof(type), .trees = MEMBERS(struct rowtree, tree),                            \
    .buffers = MEMBERS(struct rowtree, path, fields, line)

/* Put a function of this level on the path. Roots have the lowest level. Its caller is the last
 * function of any lower level. */
void rowtree_nest(struct rowtree *t, size_t level, struct span name);

/* Put a function of this level on the path. Its caller is the last function of the next lower
 * level. If there is none, report the line as skipped and return false. */
bool rowtree_enter(struct rowtree *t, size_t level, struct span name);

/* Report the line, whose function is of this level, as skipped; its callees will be skipped too. */
void rowtree_skip(struct rowtree *t, size_t level, const char *why);

/* Add a count to the function put on the path last, and one sample, unless the count is 0. */
void rowtree_count(struct rowtree *t, struct decimal count);

/* Set the total of the function put on the path last. The totals of its callees, in the lines that
 * follow, are subtracted; the rest is its self count, and counts as that many samples. In an
 * inverted tree the lines that follow are its callers; only those of the next level are subtracted,
 * and the rest counts as one sample. */
void rowtree_total(struct rowtree *t, uint64_t total);

/* Remove the functions of this level and of higher levels from the path. */
void rowtree_leave(struct rowtree *t, size_t level);

/* Add the counts to the profile: a finish(). The next line begins another tree. */
void rowtree_finish(struct stacker *f);

/* Split a line of comma-separated values (RFC 4180) into its fields, at least one. They may be in
 * quotation marks, in which a quotation mark is doubled; blanks before a field, also before its
 * quotation mark, are part of it. A quotation mark that is not closed lasts to the line's end. */
void rowtree_split(struct rowtree *t, struct span line, char delimiter);

/* Return a field of the line split last; an empty text if there are fewer. */
struct span rowtree_field(const struct rowtree *t, size_t i);

/* Return the index of the field that is this text, or SPAN_NONE. */
size_t rowtree_column(const struct rowtree *t, struct span text);

/* Return the delimiter of a line that begins with this field: a comma, a semicolon or a tab; '\0'
 * if the line begins with anything else. */
char rowtree_delimiter(struct span line, struct span first);

#endif
