/* What to do about what --check found. */
#ifndef PERF_SCRIPT_ADVICE_H
#define PERF_SCRIPT_ADVICE_H

#include "cmd/perf-script/check.h"

enum { ADVICE_TEXT = 1024 };

/* Writes the next advice that applies, from *at = 0 on. False: there is no more. */
bool advice_next(const struct check *c, size_t *at, char text[static ADVICE_TEXT]);

#endif
