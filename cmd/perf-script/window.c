#include "cmd/perf-script/window.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/base/decimal.h"
#include "common/stack/model/sample.h"

enum { SECOND = 1000000000 };

/* A percentage is stored in millionths, so 12.345678% is exact. */
enum { PERCENT = 1000000, WHOLE = 100 * PERCENT };

void
time_format(uint64_t ns, char text[static TIME_TEXT])
{
    unsigned part = (unsigned)(ns % SECOND);
    bool micro = part % 1000 == 0;
    snprintf(text, TIME_TEXT, "%" PRIu64 ".%0*u", ns / SECOND, micro ? 6 : 9,
             micro ? part / 1000 : part);
}

static bool
parse_percent(struct span s, uint64_t *value)
{
    struct decimal d;
    if (!decimal_parse(s, &d) || d.whole > 100 || (d.whole == 100 && d.fraction > 0))
        return false;
    *value = d.whole * PERCENT + d.fraction / 1000000000000; /* from units of 10^-18 to 10^-6 */
    return true;
}

static bool
parse_bound(struct span s, struct bound *b)
{
    if (s.len == 0) {
        b->kind = BOUND_OPEN;
        return true;
    }
    if (s.ptr[s.len - 1] == '%') {
        b->kind = BOUND_PERCENT;
        return parse_percent(span_head(s, s.len - 1), &b->value);
    }
    b->kind = BOUND_TIME;
    return perf_time_parse(s, &b->value);
}

const char *
window_parse(struct span s, struct window *w)
{
    size_t comma = span_find(s, ',');
    if (comma == SPAN_NONE || !parse_bound(span_head(s, comma), &w->from) ||
        !parse_bound(span_from(s, comma + 1), &w->to))
        return "not FROM,TO";
    if (window_is_open(w))
        return "neither FROM nor TO";
    bool comparable = w->from.kind != BOUND_OPEN && w->from.kind == w->to.kind;
    return comparable && w->from.value > w->to.value ? "FROM is after TO" : NULL;
}

static void
resolve(struct bound *b, uint64_t first, uint64_t span)
{
    if (b->kind != BOUND_PERCENT)
        return;
    /* span * value / WHOLE, without overflow of 64 bits. */
    b->value = first + span / WHOLE * b->value + span % WHOLE * b->value / WHOLE;
    b->kind = BOUND_TIME;
}

void
window_resolve(struct window *w, uint64_t first, uint64_t last)
{
    bool before = w->to.kind == BOUND_PERCENT && w->to.value < WHOLE;
    resolve(&w->from, first, last - first);
    resolve(&w->to, first, last - first);
    if (before)
        w->to.kind = BOUND_BEFORE;
}

bool
window_holds(const struct window *w, uint64_t ns)
{
    return (w->from.kind == BOUND_OPEN || ns >= w->from.value) &&
           (w->to.kind == BOUND_OPEN || ns < w->to.value ||
            (w->to.kind == BOUND_TIME && ns == w->to.value));
}
