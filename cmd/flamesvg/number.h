/* Numbers as text: as printf writes them, but faster for those that pictures are full of. */
#ifndef FLAMESVG_NUMBER_H
#define FLAMESVG_NUMBER_H

#include "common/base/span.h"

enum { NUMBER_TEXT = 512 }; /* the largest double has 309 digits, and commas between them */

/* As printf's "%.<places>f", to the byte; places is 1 or 2. All functions here write to `text` and
 * return a span of it. */
struct span number_fixed(char text[static NUMBER_TEXT], double value, int places);

/* The number that number_fixed(value, 1) writes. */
double number_tenths(double value);

/* The number that number_commas(value) writes; 0 is never -0. */
double number_whole(double value);

/* As printf's "%.15g", which is how Perl prints a number, but without an exponent for whole
 * numbers. */
struct span number_plain(char text[static NUMBER_TEXT], double value);

/* As printf's "%.0f", with a comma before every three digits: "-12,345". */
struct span number_commas(char text[static NUMBER_TEXT], double value);

/* As the pictures' script writes a number, withCommas in describe.js: as number_commas, but below
 * 100 with up to two digits after the point. */
struct span number_short(char text[static NUMBER_TEXT], double value);

#endif
