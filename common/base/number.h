/* Writes floating-point numbers as text, like printf, but faster for the numbers that are frequent
 * in pictures and tables. On node-http number_fixed saves 44 % of flamesvg's instructions and 10 %
 * of stackreport's, and number_plain 58 % of flamesvg's. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include "common/base/span.h"

enum { NUMBER_TEXT = 512 }; /* the largest double has 309 digits, and commas between them */

/* Write exactly as printf's "%.<places>f"; places is 1 or 2. The functions with a `text` write to
 * it and return a span of it. */
struct span number_fixed(char text[static NUMBER_TEXT], double value, int places);

/* Return the number that number_fixed(value, 1) writes. */
double number_tenths(double value);

/* Return the number that number_commas(value) writes; 0 is never -0. */
double number_whole(double value);

/* Write as printf's "%.15g", as Perl prints a number, but without an exponent for whole numbers. */
struct span number_plain(char text[static NUMBER_TEXT], double value);

/* Write as printf's "%.0f", with a comma before every three digits: "-12,345". */
struct span number_commas(char text[static NUMBER_TEXT], double value);

#endif
