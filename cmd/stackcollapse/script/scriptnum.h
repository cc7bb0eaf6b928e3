/* Numbers and words as awk, Perl and PHP read them from text. */
#ifndef STACKCOLLAPSE_SCRIPTNUM_H
#define STACKCOLLAPSE_SCRIPTNUM_H

#include "common/base/span.h"

/* Return the length of the decimal number that the text begins with; 0 if it begins with none. */
size_t scriptnum_length(struct span text);

/* Return its value, of at most 63 characters; 0 if there is none. */
double scriptnum(struct span text);

/* Match / *([^ ]*) ([^ ]*) /: words[] are n words with a blank after each, which may be empty.
 * Blanks before the first that are not needed after a word are passed over. */
bool script_words(struct span text, struct span *words, size_t n);

/* Match "java  4567/8603 ": a command name, white space, digits, any slashes, perhaps digits, white
 * space; the shortest command name of two characters and more that a match allows. */
bool script_task(struct span line, struct span *comm, struct span *pid, struct span *tid);

/* Take awk's next word, which blanks and tabs separate, off *rest; false if there is none. */
bool awk_word(struct span *rest, struct span *word);

/* Return true if awk takes the text for true: it is neither empty nor a number that is zero. */
bool awk_is_true(struct span text);

#endif
