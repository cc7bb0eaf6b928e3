/* What to do about what --check found. */
#ifndef PERF_SCRIPT_ADVICE_H
#define PERF_SCRIPT_ADVICE_H

#include "cmd/perf-script/check.h"

/* A piece of advice: the text is `before`, `name`, `after`. */
struct advice {
    struct span before, name, after;
};

/* Gives the next piece that applies, from *at = 0 on. False: no more. */
bool advice_next(const struct check *c, size_t *at, struct advice *a);

#endif
