/* Substitutions as in sed(1): s/RE/TEXT/g. */
#ifndef FILTER_RENAME_H
#define FILTER_RENAME_H

#include "common/base/pattern.h"
#include "common/base/text.h"

struct rename {
    struct pattern re;
    struct span text; /* TEXT as given: rename_apply expands "&" and "\1" */
    bool global;
};

/* Parse "s/RE/TEXT/flags", with any character for the slash, and copy the text into the arena.
 * Return false if it is invalid; `error`, PATTERN_ERROR bytes, then says why. */
bool rename_parse(struct rename *r, const char *expression, struct arena *arena, char *error);

/* Append s to `to` with its matches replaced. Return false, and append nothing, if nothing
 * matches. */
bool rename_apply(const struct rename *r, struct span s, struct text *to);

#endif
