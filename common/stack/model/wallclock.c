#include "common/stack/model/wallclock.h"

#include <stdio.h>
#include <time.h>

#include "common/base/clock.h"
#include "common/base/num.h"
#include "common/stack/model/sample.h"

/* Remove a number of `digits` digits, and the character after it, from *s. */
static bool
take(struct span *s, size_t digits, char after, uint64_t *value)
{
    if (s->len <= digits || s->ptr[digits] != after || !num_u64(span_head(*s, digits), value))
        return false;
    *s = span_from(*s, digits + 1);
    return true;
}

/* Return the number of days from 1970-01-01 to a day of the Gregorian calendar, from 1970 on. */
static uint64_t
days(uint64_t year, uint64_t month, uint64_t day)
{
    static const uint64_t before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    uint64_t last = year - 1, leaps = last / 4 - last / 100 + last / 400;
    uint64_t until_1970 = 1969 / 4 - 1969 / 100 + 1969 / 400;
    return (year - 1970) * 365 + leaps - until_1970 + before[month - 1] + (leap && month > 2) +
           day - 1;
}

/* Parse "2026-11-28T22:51:08.250125Z" as nanoseconds since 1970. */
static bool
parse_date(struct span s, uint64_t *ns)
{
    uint64_t year, month, day, hour, minute, in_minute;
    if (!take(&s, 4, '-', &year) || !take(&s, 2, '-', &month) || !take(&s, 2, 'T', &day) ||
        !take(&s, 2, ':', &hour) || !take(&s, 2, ':', &minute) || !span_ends(s, SPAN("Z")) ||
        !perf_time_parse(span_head(s, s.len - 1), &in_minute))
        return false;
    if (year < 1970 || year > 2500 || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 ||
        minute > 59 || in_minute > 60 * CLOCK_SECOND)
        return false;
    *ns = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 * CLOCK_SECOND + in_minute;
    return true;
}

bool
wallclock_parse(struct wallclock *c, struct span comment)
{
    static const struct span start = SPAN("# monotonic clock : "), at = SPAN(" at ");
    struct wallclock new = {.known = true};
    size_t middle = span_search(comment, at);
    if (!span_starts(comment, start) || middle == SPAN_NONE || middle < start.len ||
        !perf_time_parse(span_from(span_head(comment, middle), start.len), &new.monotonic) ||
        !parse_date(span_from(comment, middle + at.len), &new.real))
        return false;
    *c = new;
    return true;
}

bool
wallclock_real(const struct wallclock *c, uint64_t ns, uint64_t *real)
{
    bool later = ns >= c->monotonic;
    uint64_t apart = later ? ns - c->monotonic : c->monotonic - ns;
    if (!c->known || (later ? apart > UINT64_MAX - c->real : apart > c->real))
        return false;
    *real = later ? c->real + apart : c->real - apart;
    return true;
}

/* Set *local, and set *ms to the milliseconds beyond it. Return false for a time before 1970. */
static bool
local_time(const struct wallclock *c, uint64_t ns, struct tm *local, unsigned *ms)
{
    uint64_t real;
    if (!wallclock_real(c, ns, &real))
        return false;
    time_t seconds = (time_t)(real / CLOCK_SECOND);
    *ms = (unsigned)(real % CLOCK_SECOND / CLOCK_MILLISECOND);
    return localtime_r(&seconds, local) != NULL;
}

const char *
wallclock_time(const struct wallclock *c, uint64_t ns, char text[static WALLCLOCK_TIME])
{
    struct tm t;
    unsigned ms;
    char seconds[sizeof "14:02:11"];
    text[0] = '\0';
    if (local_time(c, ns, &t, &ms) && strftime(seconds, sizeof seconds, "%H:%M:%S", &t) > 0)
        snprintf(text, WALLCLOCK_TIME, "%s.%03u", seconds, ms % 1000);
    return text;
}

const char *
wallclock_date(const struct wallclock *c, uint64_t ns, char text[static WALLCLOCK_DATE])
{
    struct tm t;
    unsigned ms;
    if (!local_time(c, ns, &t, &ms) ||
        strftime(text, WALLCLOCK_DATE, "%Y-%m-%d %H:%M:%S %z", &t) == 0)
        text[0] = '\0';
    return text;
}
