/* Numbers as text, fast where a picture has a hundred thousand of them and otherwise by printf. */
#ifndef FLAMESVG_NUMBER_H
#define FLAMESVG_NUMBER_H

#include "common/base/span.h"

enum { NUMBER_TEXT = 512 }; /* the largest double has 309 digits, and commas between them */

/* As printf's "%.<places>f", to the byte; places is 1 or 2. The text stands in `text`. */
struct span number_fixed(char text[static NUMBER_TEXT], double value, int places);

/* The value that the text of number_fixed(value, 1) says. */
double number_tenths(double value);

/* The value that the text of number_commas(value) says; 0 is never -0. */
double number_whole(double value);

/* As printf's "%.15g", which is how Perl prints a number; a whole number is never given an
 * exponent. */
struct span number_plain(char text[static NUMBER_TEXT], double value);

/* As printf's "%.0f", with a comma before every three digits: "-12,345". */
struct span number_commas(char text[static NUMBER_TEXT], double value);

#endif
