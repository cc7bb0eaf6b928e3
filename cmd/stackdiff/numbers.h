/* Counts, added up in one of two ways. */
#ifndef STACKDIFF_NUMBERS_H
#define STACKDIFF_NUMBERS_H

#include "common/base/decimal.h"

/* {0} is zero either way. */
union number {
    struct decimal exact;
    struct perl_number {
        uint64_t whole;
        double real; /* the value where is_real, else unused */
        bool is_real;
    } perl;
};

enum { NUMBER_TEXT = DECIMAL_TEXT };

struct numbers {
    /* The value of "31" or "31.5". The byte behind the span is readable and no part of a number. */
    union number (*parse)(struct span digits);
    union number (*add)(union number a, union number b);
    /* a * to / from, and a itself where both are equal; from is not zero. */
    union number (*scale)(union number a, union number from, union number to);
    double (*real)(union number a);
    /* The number as it is printed; the text stands in `text`. */
    struct span (*text)(char text[static NUMBER_TEXT], union number a);
};

/* Decimal and exact; what is scaled is rounded at the sixth digit behind the point. */
extern const struct numbers numbers_exact;

/* As Perl 5 adds them up: whole while the result fits 64 bits, otherwise as a double, printed with
 * 15 digits; what is scaled is cut to a whole number. */
extern const struct numbers numbers_perl;

#endif
