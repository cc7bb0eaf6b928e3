/* Times, in nanoseconds, and what lies between two of them. */
#ifndef PERF_SCRIPT_WINDOW_H
#define PERF_SCRIPT_WINDOW_H

#include <stdint.h>

#include "common/base/span.h"

/* Seconds as text, "4794564.109216". Digits past the ninth behind the point are dropped; a time
 * past 64 bits (584 years) is the latest there is. False on anything else. */
bool time_parse(struct span s, uint64_t *ns);

/* One side of a window. */
struct bound {
    enum { BOUND_OPEN, BOUND_TIME, BOUND_BEFORE, BOUND_PERCENT } kind;
    uint64_t value; /* ns; millionths of a percent */
};

/* Both ends belong to it, but for the later one where that is a percent less than 100: so slices of
 * an input have each sample once. */
struct window {
    struct bound from, to;
};

/* "10,20", "10.5,", "10%,20%", ",90%". False where it is none of these. */
bool window_parse(struct span s, struct window *w);

static inline bool
window_is_open(const struct window *w)
{
    return w->from.kind == BOUND_OPEN && w->to.kind == BOUND_OPEN;
}

static inline bool
window_has_percent(const struct window *w)
{
    return w->from.kind == BOUND_PERCENT || w->to.kind == BOUND_PERCENT;
}

/* Turns percents into times, for an input that reaches from `first` to `last`. */
void window_resolve(struct window *w, uint64_t first, uint64_t last);

/* True where the time is in it; percents must be resolved. */
bool window_holds(const struct window *w, uint64_t ns);

#endif
