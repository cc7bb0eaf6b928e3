/* What the formats of call trees have in common: each line is a function, with its level in the
 * tree and what was counted in the function itself, or in it and in what it calls. */
#ifndef STACKCOLLAPSE_ROWTREE_H
#define STACKCOLLAPSE_ROWTREE_H

#include "cmd/stackcollapse/shared/stacker.h"

/* A function that may call the one in the next line. */
struct rowtree_function {
    size_t level;
    uint32_t stack; /* in the tree, with its callers */
    uint64_t total; /* what was counted in it and in what it calls */
    uint64_t below; /* how much of that the lines of what it calls have */
    bool waits;     /* what is its own is left out */
};

/* The state of such a format, all zero at first. */
struct rowtree {
    struct stacker base;
    struct stacktree tree;
    VEC(struct rowtree_function) path; /* of the last line: the function's callers, and itself */
    size_t top;                        /* the lowest level so far, that of the tree's roots */
    bool rooted;                       /* `top` is set */
    bool inverted;                     /* a function is called by those below it: rowtree_total */
    int places;                        /* counts are times 10 to this power */
    size_t weight;                     /* the column of the counts; SPAN_NONE: there is none */
    /* Of those that are comma-separated values: */
    char delimiter;          /* '\0': the line of the columns' names was not read */
    size_t named;            /* the column with the function's name, or else with its module's */
    VEC(struct span) fields; /* of the line split last */
    struct text line;        /* a copy of it, without quotation marks around fields */
};

/* What the struct format of each has. */
#define ROWTREE_FORMAT(type)                                                                       \
    .state_size = sizeof(type), .trees = MEMBERS(struct rowtree, tree),                            \
    .buffers = MEMBERS(struct rowtree, path, fields, line)

/* Put a function of this level on the path; roots have the lowest level. Its caller is the last
 * function of a lower level, however much lower. */
void rowtree_nest(struct rowtree *t, size_t level, struct span name);

/* Put a function of this level on the path. Its caller is the last function of the next lower
 * level. If there is none, report the line as skipped and return false. */
bool rowtree_enter(struct rowtree *t, size_t level, struct span name);

/* Report the line, whose function is of this level, as skipped; what it calls will be too. */
void rowtree_skip(struct rowtree *t, size_t level, const char *why);

/* Add a count to the function put on the path last, and one sample, unless the count is 0. */
void rowtree_count(struct rowtree *t, struct decimal count);

/* Set what was counted in the function put on the path last and in those that it calls. Of that the
 * totals of the lines that follow, of the functions that it calls, are subtracted; the rest is its
 * own count, and as many samples. In an inverted tree the lines that follow are of its callers, and
 * only those of the next level are subtracted; the rest is one sample. */
void rowtree_total(struct rowtree *t, uint64_t total);

/* Take the functions of this and of higher levels off the path. */
void rowtree_leave(struct rowtree *t, size_t level);

/* Add what was counted to the profile: a finish(). The next line begins another tree. */
void rowtree_finish(struct stacker *f);

/* Split a line of comma-separated values (RFC 4180) into its fields, at least one. They may be in
 * quotation marks, in which a quotation mark is doubled; blanks before a field, also before its
 * quotation mark, are part of it. A quotation mark that is not closed lasts to the line's end. */
void rowtree_split(struct rowtree *t, struct span line, char delimiter);

/* Return a field of the line split last; an empty text if there are fewer. */
struct span rowtree_field(const struct rowtree *t, size_t i);

/* Return the index of the field that is this text, or SPAN_NONE. */
size_t rowtree_column(const struct rowtree *t, struct span text);

/* Return what separates the fields of a line that begins with this field: a comma, a semicolon or a
 * tab; '\0' if the line begins with something else. */
char rowtree_delimiter(struct span line, struct span first);

#endif
