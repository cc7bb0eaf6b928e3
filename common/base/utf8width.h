/* The number of terminal columns of a character. */
#ifndef BASE_UTF8WIDTH_H
#define BASE_UTF8WIDTH_H

#include <stdint.h>

/* Return the columns of a character that is not a control character: 2 for East Asian scripts and
 * for emoji, 0 for combining marks, else 1. Unlike wcwidth(3), it does not depend on the locale. */
unsigned utf8_width(uint32_t c);

#endif
