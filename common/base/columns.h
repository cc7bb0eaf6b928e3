/* Columns of text for people, in lines that fit the terminal. */
#ifndef BASE_COLUMNS_H
#define BASE_COLUMNS_H

#include "common/base/out.h"
#include "common/base/text.h"

/* Set *columns and *lines to the terminal's size, if standard output is one. Otherwise return false
 * and change neither. */
bool columns_terminal(size_t *columns, size_t *lines);

/* Write n blanks. */
void columns_blanks(struct out *o, size_t n);

/* Write s right-aligned: with blanks before it, so that it ends after `width` columns unless it is
 * longer. */
void columns_right(struct out *o, size_t width, struct span s);

/* Write s left-aligned: with blanks after it. */
void columns_left(struct out *o, size_t width, struct span s);

/* Write a name in at most `most` columns, which is 5 or more, and return the number of columns. Of
 * a longer name write both ends, with "..." between them. Write "?" for bytes that could change a
 * terminal's state (utf8_mask) and for tabs. `scratch` is a buffer. */
size_t columns_name(struct out *o, struct text *scratch, struct span name, size_t most);

/* As columns_name, but cut a longer text at its start: "...;parse;next". */
size_t columns_end(struct out *o, struct text *scratch, struct span text, size_t most);

#endif
