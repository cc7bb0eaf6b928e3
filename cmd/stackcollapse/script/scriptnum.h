/* Numbers and words as awk, Perl and PHP read them from text. */
#ifndef STACKCOLLAPSE_SCRIPTNUM_H
#define STACKCOLLAPSE_SCRIPTNUM_H

#include "common/base/span.h"

/* The length of the decimal number that the text begins with; 0 if it begins with none. */
size_t scriptnum_length(struct span text);

/* Its value, of at most 63 characters; 0 if there is none. */
double scriptnum(struct span text);

/* Match / *([^ ]*) ([^ ]*) /: words[] are n words with a blank after each, which may be empty.
 * Blanks before the first that are not needed after a word are passed over. */
bool script_words(struct span text, struct span *words, size_t n);

#endif
