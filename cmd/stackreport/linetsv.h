/* Writes source lines as tab-separated values, for --lines --format=tsv. A row without a line is of
 * a function as a whole; one without counts is a line near one with samples. With blanks for tabs:
 *
 *     self self_percent total total_percent inlined line file            note function source
 *     2    50.00        3     75.00                                           parse
 *                                                   11   /srv/app/parse.c     parse    {
 *     2    50.00        2     50.00                 12   /srv/app/parse.c     parse        while (*p)
 *     0    0.00         1     25.00         1       13   /srv/app/parse.c     parse        n += f(p);
 */
#ifndef STACKREPORT_LINETSV_H
#define STACKREPORT_LINETSV_H

#include "cmd/stackreport/linecount.h"
#include "common/base/out.h"

/* Write the titles of the columns. */
void linetsv_titles(struct out *o);

/* Write the row of a function. */
void linetsv_function(struct out *o, const struct linecount *c, const struct line_function *f);

/* A line of a source file. */
struct linetsv_line {
    uint64_t number;
    struct span file;
    struct span note; /* what is odd about the file; may be empty */
    struct span function;
    struct span source;
};

/* Write the row of a line; p is NULL for a line without samples. */
void linetsv_line(struct out *o, const struct linecount *c, const struct line_place *p,
                  const struct linetsv_line *line);

#endif
