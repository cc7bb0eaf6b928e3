/* --lines: the source lines of functions, from a file that stackreport --lines --format=tsv has
 * written. */
#ifndef FLAMESVG_SOURCELINES_H
#define FLAMESVG_SOURCELINES_H

#include "common/base/diag.h"
#include "common/base/intern.h"
#include "common/base/vec.h"

/* Limits for a page: lines of all functions, and bytes of the text of a line. */
enum { SOURCELINES_MAX = 200 * 1000, SOURCELINES_TEXT = 200 };

/* Shares of all samples, in hundredths of a percent. */
struct shares {
    bool known; /* false for a line without samples */
    uint32_t self, total;
};

struct source_line {
    uint64_t number;
    uint32_t file; /* number in `files` */
    struct shares shares;
    bool inlined; /* a call in this line was inlined */
    struct span text;

    /* private */
    size_t next; /* next line of the function, or SPAN_NONE */
};

struct line_function {
    struct shares shares;
    size_t first, last; /* private: see sourcelines_next */
};

/* {0} is empty. */
struct sourcelines {
    struct intern files; /* path, with what is odd about the file in parentheses */
    struct intern names;
    VEC(struct line_function) functions; /* by number in `names` */
    VEC(struct source_line) lines;
    struct arena arena; /* holds the texts */
};

/* Read the file. A line that is not one of such a file is left out, with a warning. Return false,
 * and report an error, if the file cannot be read, or does not begin as such a file does. */
bool sourcelines_read(struct sourcelines *s, struct diag *diag, const char *file);

/* Return the function that a frame's name means, also with a suffix such as "_[i]" that marks an
 * inlined call; NULL if the file has no lines of it. */
const struct line_function *sourcelines_find(const struct sourcelines *s, struct span name);

/* Return the line after this one, or with NULL the first line, of a function; NULL at the end. The
 * order is that of the file. */
const struct source_line *sourcelines_next(const struct sourcelines *s,
                                           const struct line_function *f,
                                           const struct source_line *line);

#endif
