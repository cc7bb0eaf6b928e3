/* What awk makes of text, for the scripts replaced that are written in it. */
#ifndef STACKCOLLAPSE_AWK_H
#define STACKCOLLAPSE_AWK_H

#include "common/base/span.h"

/* Takes the next word, which blanks and tabs separate, off *rest; false if there is none. */
bool awk_word(struct span *rest, struct span *word);

/* True if awk takes the text for true: it is neither empty nor a number that is zero. */
bool awk_is_true(struct span text);

#endif
