#include "cmd/stackfilter/timerange.h"

#include <stdio.h>
#include <time.h>

#include "common/base/num.h"
#include "common/stack/model/slicefile.h"

enum { DAY = 24 * SLICEFILE_HOUR };

/* A time as given on the command line. */
struct moment {
    struct tm tm;
    bool dated, utc;
};

/* Take a number of `digits` digits, at most `most`, off *s. If `before` is not 0, that byte must
 * come first. */
static bool
take(struct span *s, char before, size_t digits, int most, int *value)
{
    uint64_t n;
    size_t skipped = before != '\0';
    if (s->len < digits + skipped || (skipped && s->ptr[0] != before) ||
        !num_u64(span_of(s->ptr + skipped, digits), &n) || n > (uint64_t)most)
        return false;
    *value = (int)n;
    *s = span_from(*s, digits + skipped);
    return true;
}

static bool
has_day(const struct tm *tm) /* tm_year is A.D., tm_mon from 1 */
{
    return (unsigned)tm->tm_mday <= slicefile_days((unsigned)tm->tm_year, (unsigned)tm->tm_mon);
}

static bool
parse(struct span s, struct moment *m)
{
    *m = (struct moment){.tm.tm_isdst = -1};
    struct tm *tm = &m->tm;
    m->dated = s.len > 10 && s.ptr[4] == '-';
    if (m->dated) {
        if (!take(&s, '\0', 4, 9999, &tm->tm_year) || !take(&s, '-', 2, 12, &tm->tm_mon) ||
            !take(&s, '-', 2, 31, &tm->tm_mday) || tm->tm_year < 1970 || tm->tm_mon < 1 ||
            tm->tm_mday < 1 || !has_day(tm) || s.len == 0 || s.ptr[0] != 'T')
            return false;
        tm->tm_year -= 1900;
        tm->tm_mon--;
        s = span_from(s, 1);
    }
    if (!take(&s, '\0', 2, 23, &tm->tm_hour) || !take(&s, ':', 2, 59, &tm->tm_min))
        return false;
    take(&s, ':', 2, 59, &tm->tm_sec);
    m->utc = span_eq(s, SPAN("Z"));
    return m->utc || s.len == 0;
}

/* Set the date of the moment to that of a time. */
static void
set_date(struct moment *m, uint64_t time)
{
    time_t t = (time_t)time;
    struct tm tm;
    if (m->utc)
        gmtime_r(&t, &tm);
    else
        localtime_r(&t, &tm);
    m->tm.tm_year = tm.tm_year;
    m->tm.tm_mon = tm.tm_mon;
    m->tm.tm_mday = tm.tm_mday;
}

static uint64_t
seconds(const struct moment *m)
{
    struct tm tm = m->tm;
    if (!m->utc)
        return (uint64_t)mktime(&tm);
    int second = (tm.tm_hour * 60 + tm.tm_min) * 60 + tm.tm_sec;
    return slicefile_seconds((unsigned)tm.tm_year + 1900, (unsigned)tm.tm_mon + 1, 1,
                             (unsigned)second) +
           (uint64_t)(tm.tm_mday - 1) * DAY;
}

/* Return the last time of that clock time up to now, for a moment without a date. */
static uint64_t
last_until(struct moment *m, uint64_t now)
{
    set_date(m, now);
    if (seconds(m) > now)
        m->tm.tm_mday--;
    return seconds(m);
}

/* Return the first one after another time. */
static uint64_t
first_after(struct moment *m, uint64_t from)
{
    set_date(m, from);
    if (seconds(m) <= from)
        m->tm.tm_mday++;
    return seconds(m);
}

const char *
timerange_parse(struct timerange *r, struct span text, uint64_t now)
{
    struct moment from, to;
    size_t at = span_search(text, SPAN(".."));
    if (at == SPAN_NONE || !parse(span_head(text, at), &from))
        return "not FROM..TO, such as 14:02..14:07 or 2026-11-27T14:02Z..2026-11-27T14:07Z";
    struct span end = span_from(text, at + 2);
    bool ends = end.len > 0;
    if (ends && !parse(end, &to))
        return "after .. there is no time such as 14:07 or 2026-11-27T14:07";
    if (ends && to.utc != from.utc)
        return "one of the times has a Z, for UTC, and the other has not";
    r->utc = from.utc;
    r->from = from.dated ? seconds(&from) : last_until(&from, now);
    r->to = !ends ? now : to.dated ? seconds(&to) : first_after(&to, r->from);
    return r->from < r->to ? NULL : "the time ends before it begins";
}

static void
add_time(char *text, size_t size, uint64_t time, bool utc)
{
    time_t t = (time_t)time;
    struct tm tm;
    text[0] = '\0';
    if (utc ? gmtime_r(&t, &tm) == NULL : localtime_r(&t, &tm) == NULL)
        return;
    strftime(text, size, utc ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%dT%H:%M:%S%z", &tm);
}

const char *
timerange_text(char text[static TIMERANGE_TEXT], const struct timerange *r)
{
    char from[TIMERANGE_TEXT / 2 - 4], to[TIMERANGE_TEXT / 2 - 4];
    add_time(from, sizeof from, r->from, r->utc);
    add_time(to, sizeof to, r->to, r->utc);
    snprintf(text, TIMERANGE_TEXT, "%s to %s", from, to);
    return text;
}
