/* Substitutions as sed's: s/RE/TEXT/g. */
#ifndef STACKFILTER_RENAME_H
#define STACKFILTER_RENAME_H

#include "common/base/pattern.h"
#include "common/base/text.h"

struct rename {
    struct pattern re;
    struct span text; /* "&" and "\1" are still in it */
    bool global;
};

/* Reads "s/RE/TEXT/flags", with any character for the slash; the text is copied into the arena.
 * False where it is none, and then `error`, PATTERN_ERROR bytes, says why. */
bool rename_parse(struct rename *r, const char *expression, struct arena *arena, char *error);

/* Puts s behind `to` with what matches replaced. False, and nothing put, where nothing matches. */
bool rename_apply(const struct rename *r, struct span s, struct text *to);

#endif
