/* Columns of text for people, in lines that fit the terminal. */
#ifndef BASE_COLUMNS_H
#define BASE_COLUMNS_H

#include "common/base/out.h"
#include "common/base/text.h"

/* Set *columns and *lines to the size of the terminal that standard output is. Return false, with
 * both unchanged, if it is none. */
bool columns_terminal(size_t *columns, size_t *lines);

/* Write n blanks. */
void columns_blanks(struct out *o, size_t n);

/* Write s with blanks before it, so that it ends after `width` columns if it has no more. */
void columns_right(struct out *o, size_t width, struct span s);

/* The same with the blanks after it. */
void columns_left(struct out *o, size_t width, struct span s);

/* Write a name and return how many columns it takes: at most `most`, which is 5 or more. Of a
 * longer name both ends are written, with "..." between them. What could change a terminal's state
 * is written as "?" (utf8_mask), and so is a tab. `scratch` is a buffer for it. */
size_t columns_name(struct out *o, struct text *scratch, struct span name, size_t most);

/* The same, but a longer text is cut at its beginning: "...;parse;next". */
size_t columns_end(struct out *o, struct text *scratch, struct span text, size_t most);

#endif
