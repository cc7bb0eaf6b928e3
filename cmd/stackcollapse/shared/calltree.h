/* What the formats of call trees have in common: each line is a function, with its level in the
 * tree and what was counted in the function itself, or in it and in what it calls. */
#ifndef STACKCOLLAPSE_CALLTREE_H
#define STACKCOLLAPSE_CALLTREE_H

#include "cmd/stackcollapse/shared/stacker.h"

/* A function that may call the one in the next line. */
struct calltree_function {
    size_t level;
    uint32_t stack; /* in the tree, with its callers */
    uint64_t total; /* what was counted in it and in what it calls */
    uint64_t below; /* how much of that the lines of what it calls have */
    bool waits;     /* what is its own is left out */
};

/* The state of such a format, all zero at first. The reader's tree has the stacks. */
struct calltree {
    struct stacker base;
    VEC(struct calltree_function) path; /* of the last line: the function's callers, and itself */
    size_t top;                         /* the lowest level so far, that of the tree's roots */
    bool rooted;                        /* `top` is set */
    bool inverted;                      /* a function is called by those below it: calltree_total */
    int places;                         /* counts are times 10 to this power */
    size_t weight;                      /* the column of the counts; SPAN_NONE: there is none */
    /* Of those that are comma-separated values: */
    char delimiter;          /* '\0': the line of the columns' names was not read */
    size_t named;            /* the column with the function's name, or else with its module's */
    VEC(struct span) fields; /* of the line split last */
    struct text line;        /* a copy of it, without quotation marks around fields */
};

/* What the struct format of each has. */
#define CALLTREE_FORMAT .state_size = sizeof(struct calltree), .end = calltree_end

/* Put a function of this level on the path; roots have the lowest level. Its caller is the last
 * function of a lower level, however much lower. */
void calltree_nest(struct calltree *t, size_t level, struct span name);

/* Put a function of this level on the path. Its caller is the last function of the next lower
 * level. If there is none, report the line as skipped and return false. */
bool calltree_enter(struct calltree *t, size_t level, struct span name);

/* Report the line, whose function is of this level, as skipped; what it calls will be too. */
void calltree_skip(struct calltree *t, size_t level, const char *why);

/* Add a count to the function put on the path last, and one sample, unless the count is 0. */
void calltree_count(struct calltree *t, struct decimal count);

/* Set what was counted in the function put on the path last and in those that it calls. Of that the
 * totals of the lines that follow, of the functions that it calls, are subtracted; the rest is its
 * own count, and as many samples. In an inverted tree the lines that follow are of its callers, and
 * only those of the next level are subtracted; the rest is one sample. */
void calltree_total(struct calltree *t, uint64_t total);

/* Take the functions of this and of higher levels off the path. */
void calltree_leave(struct calltree *t, size_t level);

/* Add what was counted to the profile, and set f->started to false; for a format's finish(). The
 * next line begins another tree. */
void calltree_finish(struct stacker *f);

/* Free what is not in `base`: an end(). */
void calltree_end(struct stacker *f);

/* Split a line of comma-separated values (RFC 4180) into its fields, at least one. They may be in
 * quotation marks, in which a quotation mark is doubled; blanks before a field, also before its
 * quotation mark, are part of it. A quotation mark that is not closed lasts to the line's end. */
void calltree_split(struct calltree *t, struct span line, char delimiter);

/* Return a field of the line split last; an empty text if there are fewer. */
struct span calltree_field(const struct calltree *t, size_t i);

/* Return the index of the field that is this text, or SPAN_NONE. */
size_t calltree_column(const struct calltree *t, struct span text);

/* Return what separates the fields of a line that begins with this field: a comma, a semicolon or a
 * tab; '\0' if the line begins with something else. */
char calltree_delimiter(struct span line, struct span first);

#endif
