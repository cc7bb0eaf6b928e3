/* Arithmetic on counts, exact or as Perl does it. */
#ifndef STACKDIFF_ARITHMETIC_H
#define STACKDIFF_ARITHMETIC_H

#include "common/base/decimal.h"

/* A count. Which member is used depends on the arithmetic; {0} is zero in both. */
union number {
    struct decimal exact;
    struct perl_number {
        union {
            uint64_t whole; /* the value if !is_real */
            double real;    /* the value if is_real */
        };
        bool is_real;
    } perl;
};

enum { NUMBER_TEXT = DECIMAL_TEXT };

struct arithmetic {
    /* Return the value of "31" or "31.5". The byte after the span must be readable, and must not
     * continue the number. */
    union number (*parse)(struct span digits);
    union number (*add)(union number a, union number b);
    /* Return a * to / from; exactly a if `from` equals `to`. `from` must not be zero. */
    union number (*scale)(union number a, union number from, union number to);
    double (*real)(union number a);
    /* Return the number as it is printed, in the buffer `text`. */
    struct span (*text)(char text[static NUMBER_TEXT], union number a);
};

/* Exact decimal numbers (struct decimal). scale() rounds to six digits after the point. */
extern const struct arithmetic arithmetic_exact;

/* Perl 5's numbers: an unsigned integer while the result fits 64 bits, else a double, printed with
 * 15 digits. scale() truncates to a whole number. */
extern const struct arithmetic arithmetic_perl;

#endif
