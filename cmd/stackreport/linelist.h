/* Writes the source lines of functions with their shares, for --lines:
 *
 *     parse: self 40.00 %, total 60.00 %
 *         self   total      line  /srv/app/parse.c
 *                             11  parse(const char *p)
 *        40.00   40.00        12      while (*p++)
 *         0.00   20.00 >      13          total += weigh(p);
 */
#ifndef STACKREPORT_LINELIST_H
#define STACKREPORT_LINELIST_H

#include "cmd/stackreport/linecount.h"
#include "cmd/stackreport/sourcefile.h"
#include "common/base/out.h"

struct linelist {
    const struct linecount *count;
    struct sourcefiles *sources;
    size_t top;   /* maximum number of functions; 0: all */
    size_t width; /* maximum width of a line; 0: no limit */
    bool tsv;     /* write tab-separated values: see linetsv.h */
};

void linelist_write(const struct linelist *l, struct out *o);

#endif
