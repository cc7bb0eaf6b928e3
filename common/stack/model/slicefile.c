#include "common/stack/model/slicefile.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/base/num.h"

enum { DAY = 24 * SLICEFILE_HOUR, YEAR_LAST = 9999 };

static bool
is_leap(unsigned year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

unsigned
slicefile_days(unsigned year, unsigned month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

/* Return the number of days from 1970 to the first day of the year. */
static uint64_t
days_before(unsigned year)
{
    uint64_t y = year - 1, epoch = 1969;
    return (y * 365 + y / 4 - y / 100 + y / 400) -
           (epoch * 365 + epoch / 4 - epoch / 100 + epoch / 400);
}

uint64_t
slicefile_seconds(unsigned year, unsigned month, unsigned day, unsigned second)
{
    uint64_t days = days_before(year) + day - 1;
    for (unsigned m = 1; m < month; m++)
        days += slicefile_days(year, m);
    return days * DAY + second;
}

/* Remove `digits` digits and the byte after them from *s. */
static bool
take_number(struct span *s, size_t digits, char after, unsigned *value)
{
    uint64_t number;
    if (s->len <= digits || s->ptr[digits] != after || !num_u64(span_head(*s, digits), &number))
        return false;
    *value = (unsigned)number;
    *s = span_from(*s, digits + 1);
    return true;
}

/* Remove "-2" from *s if it begins with that. */
static bool
take_again(struct span *s, uint32_t *number)
{
    uint64_t value;
    *number = 1;
    if (s->len == 0 || s->ptr[0] != '-')
        return true;
    size_t digits = span_run(*s, 1, is_digit);
    if (!num_u64(span_of(s->ptr + 1, digits), &value) || value < 2 || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    *s = span_from(*s, 1 + digits);
    return true;
}

bool
slicefile_parse(struct span name, struct slicefile *f)
{
    unsigned year, month, day, hour, minute = 0, second = 0;
    struct slicefile new = {0};
    if (!take_number(&name, 4, '-', &year) || !take_number(&name, 2, '-', &month) ||
        !take_number(&name, 2, 'T', &day))
        return false;
    new.hour = take_number(&name, 2, 'Z', &hour);
    if (!new.hour && (!take_number(&name, 2, ':', &hour) || !take_number(&name, 2, ':', &minute) ||
                      !take_number(&name, 2, 'Z', &second)))
        return false;
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > slicefile_days(year, month) ||
        hour > 23 || minute > 59 || second > 59 || !take_again(&name, &new.number))
        return false;
    if (!span_eq(name, SPAN(".folded")) && !span_eq(name, SPAN(".folded.gz")) &&
        !span_eq(name, SPAN(".folded.zst")))
        return false;
    new.begin = slicefile_seconds(year, month, day, (hour * 60 + minute) * 60 + second);
    *f = new;
    return true;
}

const char *
slicefile_name(char text[static SLICEFILE_NAME], struct slicefile f)
{
    uint64_t days = f.begin / DAY;
    unsigned second = (unsigned)(f.begin % DAY), month = 1;
    unsigned year = 1970 + (unsigned)(days / 366);
    while (year < YEAR_LAST && days_before(year + 1) <= days)
        year++;
    days -= days_before(year);
    for (; month < 12 && days >= slicefile_days(year, month); month++)
        days -= slicefile_days(year, month);
    int n = snprintf(text, SLICEFILE_NAME, "%04u-%02u-%02uT%02u", year, month, (unsigned)days + 1,
                     second / SLICEFILE_HOUR);
    if (!f.hour)
        n += snprintf(text + n, SLICEFILE_NAME - (size_t)n, ":%02u:%02u", second / 60 % 60,
                      second % 60);
    n += snprintf(text + n, SLICEFILE_NAME - (size_t)n, "Z");
    if (f.number > 1)
        snprintf(text + n, SLICEFILE_NAME - (size_t)n, "-%" PRIu32, f.number);
    return text;
}

struct slicefile
slicefile_hour(struct slicefile slice)
{
    slice.begin -= slice.begin % SLICEFILE_HOUR;
    slice.hour = true;
    return slice;
}

int
slicefile_compare(const struct slicefile *a, const struct slicefile *b)
{
    if (a->begin != b->begin)
        return (a->begin > b->begin) - (a->begin < b->begin);
    if (a->hour != b->hour)
        return b->hour - a->hour;
    return (a->number > b->number) - (a->number < b->number);
}

bool
slicefile_is_merged(struct slicefile_hours *hours, struct slicefile file)
{
    const struct slicefile hour = slicefile_hour(file);
    bool merged = false;
    if (file.hour && hours->list.n > 0 && hours->list.at[0].begin != file.begin)
        hours->list.n = 0;
    if (file.hour) {
        VEC_ADD(hours->list, file);
        return false;
    }
    for (size_t i = 0; i < hours->list.n; i++)
        merged |= slicefile_compare(&hours->list.at[i], &hour) == 0;
    return merged;
}
