/* Times in nanoseconds, and windows of time. */
#ifndef PERF_SCRIPT_WINDOW_H
#define PERF_SCRIPT_WINDOW_H

#include <stdint.h>

#include "common/base/span.h"

enum { TIME_TEXT = 32 };

/* Write a time in seconds: with six decimal places if that is exact, else with nine. */
void time_format(uint64_t ns, char text[static TIME_TEXT]);

/* One end of a window. BOUND_BEFORE: the time itself is excluded. */
struct bound {
    enum { BOUND_OPEN, BOUND_TIME, BOUND_BEFORE, BOUND_PERCENT } kind;
    uint64_t value; /* ns; millionths of a percent */
};

/* A window includes both ends, except a later end that is a percentage below 100: so each sample is
 * in only one slice of an input. */
struct window {
    struct bound from, to;
};

/* Parse "10,20", "10.5,", "10%,20%" or ",90%". Return NULL, or what is wrong: "not FROM,TO". */
const char *window_parse(struct span s, struct window *w);

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

/* Convert percentages to times, for an input whose samples are from `first` to `last`. */
void window_resolve(struct window *w, uint64_t first, uint64_t last);

/* Return true if the time is in the window, whose percents must be resolved. */
bool window_holds(const struct window *w, uint64_t ns);

#endif
