#include "common/stack/model/slice.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/base/decimal.h"
#include "common/base/num.h"

bool
slice_time(struct span time, uint64_t *ms)
{
    const uint64_t part = 1000000000000000; /* fractions are in units of 10^-18 */
    struct decimal d;
    if (!decimal_parse(time, &d) || d.whole > UINT64_MAX / 1000 - 1)
        return false;
    *ms = d.whole * 1000 + d.fraction / part;
    return true;
}

struct span
slice_frame(char text[static SLICE_TEXT], struct slice s)
{
    int n = snprintf(text, SLICE_TEXT, "@%" PRIu64 ".%03u", s.ms / 1000, (unsigned)(s.ms % 1000));
    if (s.length > 0)
        n += snprintf(text + n, SLICE_TEXT - (size_t)n, "+%u.%03u%s", s.length / 1000,
                      s.length % 1000, s.goes_on ? ".." : "");
    if (s.length > 0 && s.stopped > 0)
        n += snprintf(text + n, SLICE_TEXT - (size_t)n, "-%u.%03u", s.stopped / 1000,
                      s.stopped % 1000);
    if (s.length > 0)
        n += snprintf(text + n, SLICE_TEXT - (size_t)n, "/%u", s.tid);
    if (s.step > 0)
        n += snprintf(text + n, SLICE_TEXT - (size_t)n, "/%u:", s.step / 1000);
    return span_of(text, n > 0 ? (size_t)n : 0);
}

/* Parse the byte `sign` at *at and seconds with three decimal places, as milliseconds. Advance *at
 * past them. */
static bool
take_seconds(struct span stack, char sign, size_t *at, uint64_t *ms)
{
    enum { PLACES = 3 };
    if (*at >= stack.len || stack.ptr[*at] != sign)
        return false;
    size_t from = *at + 1, point = from + span_run(stack, from, is_digit);
    if (point == from || point >= stack.len || stack.ptr[point] != '.' ||
        span_run(stack, point + 1, is_digit) != PLACES ||
        !slice_time(span_of(stack.ptr + from, point + 1 + PLACES - from), ms))
        return false;
    *at = point + 1 + PLACES;
    return true;
}

/* Parse the length of a turn and what follows, "+0.412/4242" or "+0.412..-0.200/4242". */
static bool
take_turn(struct span stack, size_t *at, struct slice *slice)
{
    static const struct span goes_on = SPAN("..");
    uint64_t length, stopped = 0, tid;
    if (!take_seconds(stack, '+', at, &length) || length == 0 || length > UINT32_MAX)
        return false;
    slice->goes_on = span_starts(span_from(stack, *at), goes_on);
    *at += slice->goes_on ? goes_on.len : 0;
    if (*at < stack.len && stack.ptr[*at] == '-' &&
        (!take_seconds(stack, '-', at, &stopped) || stopped > length))
        return false;
    if (*at >= stack.len || stack.ptr[*at] != '/')
        return false;
    size_t digits = span_run(stack, *at + 1, is_digit);
    if (digits == 0 || !num_u64(span_of(stack.ptr + *at + 1, digits), &tid) || tid > UINT32_MAX)
        return false;
    slice->length = (uint32_t)length;
    slice->stopped = (uint32_t)stopped;
    slice->tid = (uint32_t)tid;
    *at += 1 + digits;
    return true;
}

/* Add up the counts of a series. Return false if one is no number, or if the sum is 0 or has more
 * than 32 bits. */
static bool
add_up(struct span counts, uint32_t *sum)
{
    uint64_t all = 0;
    while (counts.len > 0) {
        uint64_t n = 0;
        struct span count = span_take(&counts, ',');
        if (count.len > 0 && !num_u64(count, &n))
            return false;
        all = num_add(all, n);
    }
    *sum = (uint32_t)all;
    return all > 0 && all <= UINT32_MAX;
}

/* Parse the length and the counts of a series, "/60:3,,2". */
static bool
take_series(struct span stack, size_t *at, struct slice *slice)
{
    const uint64_t longest = 3600, latest = UINT64_MAX / 2; /* so that no time overflows */
    uint64_t step;
    size_t digits = span_run(stack, *at + 1, is_digit), colon = *at + 1 + digits;
    if (!num_u64(span_of(stack.ptr + *at + 1, digits), &step) || step == 0 || step > longest ||
        slice->ms > latest || colon >= stack.len || stack.ptr[colon] != ':')
        return false;
    struct span rest = span_from(stack, colon + 1);
    size_t end = span_find(rest, ';');
    if (end == SPAN_NONE || !add_up(span_head(rest, end), &slice->sum))
        return false;
    slice->step = (uint32_t)step * 1000;
    slice->counts = span_head(rest, end);
    *at = colon + 1 + end;
    return true;
}

bool
slice_take(struct span *stack, struct slice *slice)
{
    struct slice s = {0};
    size_t at = 0;
    if (!take_seconds(*stack, '@', &at, &s.ms))
        return false;
    if (at < stack->len && stack->ptr[at] == '+' && !take_turn(*stack, &at, &s))
        return false;
    if (at < stack->len && stack->ptr[at] == '/' && s.length == 0 && !take_series(*stack, &at, &s))
        return false;
    if (at >= stack->len || stack->ptr[at] != ';')
        return false;
    *slice = s;
    *stack = span_from(*stack, at + 1);
    return true;
}

/* Return true for a thread's number such as "4242", and for "?", which means that the text of the
 * samples has none. */
static bool
is_id(struct span s)
{
    return (s.len > 0 && span_run(s, 0, is_digit) == s.len) || span_eq(s, SPAN("?"));
}

bool
slice_thread(struct span frame, struct span *comm, struct span *process)
{
    size_t tid = span_rfind(frame, '/');
    size_t pid = tid != SPAN_NONE ? span_rfind(span_head(frame, tid), '-') : SPAN_NONE;
    if (pid == SPAN_NONE || !is_id(span_from(span_head(frame, tid), pid + 1)) ||
        !is_id(span_from(frame, tid + 1)))
        return false;
    *comm = span_head(frame, pid);
    *process = span_head(frame, tid);
    return true;
}

bool
slice_take_host(struct slice slice, struct span *stack, struct span *host)
{
    const uint64_t calendar = 1000000000000; /* the year 2001; no machine has run for such a time */
    struct span comm, process;
    size_t end = span_find(*stack, ';');
    if (slice.ms < calendar || end == SPAN_NONE)
        return false;
    struct span rest = span_from(*stack, end + 1);
    size_t next = span_find(rest, ';');
    if (!slice_thread(span_head(rest, next != SPAN_NONE ? next : rest.len), &comm, &process))
        return false;
    *host = span_head(*stack, end);
    *stack = rest;
    return true;
}

struct span
slice_off(struct span stack)
{
    struct slice slice;
    struct span host;
    if (slice_take(&stack, &slice))
        slice_take_host(slice, &stack, &host);
    return stack;
}
