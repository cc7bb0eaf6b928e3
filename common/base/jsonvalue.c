/* What a program makes of the values of a JSON text. */
#include <stdlib.h>

#include "common/base/json.h"
#include "common/base/num.h"

enum json_item
json_scalar(struct json *j)
{
    enum json_item item = json_next(j);
    if ((item == JSON_OBJECT || item == JSON_ARRAY) && json_skip(j))
        j->item = item;
    return j->item;
}

bool
json_enter(struct json *j, enum json_item wanted)
{
    if (json_next(j) == wanted)
        return true;
    json_skip(j);
    return false;
}

size_t
json_which(const struct json *j, const struct span *names, size_t n)
{
    size_t i = 0;
    while (i < n && !(j->text.len == names[i].len && j->text.ptr[0] == names[i].ptr[0] &&
                      span_eq(j->text, names[i])))
        i++;
    return i;
}

/* The exponent at the end of a number, 0 if there is none; large ones are cut to 10,000, which no
 * decimal reaches. Takes it off the text. */
static int
take_exponent(struct span *text)
{
    enum { MOST = 10000 };
    uint64_t n = 0;
    size_t at = span_find(*text, 'e');
    if (at == SPAN_NONE)
        at = span_find(*text, 'E');
    if (at == SPAN_NONE)
        return 0;
    struct span digits = span_from(*text, at + 1);
    *text = span_head(*text, at);
    bool negative = span_starts(digits, SPAN("-"));
    if (negative || span_starts(digits, SPAN("+")))
        digits = span_from(digits, 1);
    num_u64(digits, &n);
    int exponent = n < MOST ? (int)n : MOST;
    return negative ? -exponent : exponent;
}

/* Multiplies by 10 and adds a digit; at most UINT64_MAX. */
static uint64_t
append_digit(uint64_t value, uint64_t digit)
{
    return value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
}

bool
json_decimal(const struct json *j, int shift, struct decimal *d)
{
    struct span text = j->text;
    if (j->item != JSON_NUMBER || text.ptr[0] == '-')
        return false;
    int exponent = take_exponent(&text) + shift;
    size_t point = span_find(text, '.');
    long place = (long)(point != SPAN_NONE ? point : text.len) + exponent;
    uint64_t unit = 1000000000000000000; /* of a decimal's fraction; of the digit before */
    *d = (struct decimal){0, 0};
    for (long zeros = -place; zeros > 0 && unit > 0; zeros--)
        unit /= 10;
    for (size_t i = 0; i < text.len; i++) {
        if (i == point)
            continue;
        uint64_t digit = (uint64_t)(text.ptr[i] - '0');
        if (place-- > 0)
            d->whole = append_digit(d->whole, digit);
        else
            d->fraction += digit * (unit /= 10);
    }
    for (; place > 0 && d->whole > 0 && d->whole < UINT64_MAX; place--)
        d->whole = append_digit(d->whole, 0);
    return true;
}

bool
json_u64(const struct json *j, uint64_t *value)
{
    return j->item == JSON_NUMBER && num_u64(j->text, value);
}

/* The digits as a whole number, and how many of them follow the point. False if the number has an
 * exponent, or more digits than a double holds exactly. */
static bool
short_number(struct span text, uint64_t *digits, size_t *places)
{
    enum { EXACT = 15 };
    *digits = 0;
    *places = 0;
    bool fraction = false;
    if (text.len > EXACT)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (!is_digit(text.ptr[i]) && text.ptr[i] != '.')
            return false;
        if (text.ptr[i] == '.')
            fraction = true;
        else
            *digits = *digits * 10 + (uint64_t)(text.ptr[i] - '0');
        *places += fraction && text.ptr[i] != '.';
    }
    return true;
}

bool
json_double(const struct json *j, double *value)
{
    /* These are exact, so that one division rounds once, as strtod does. */
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t digits;
    size_t places;
    if (j->item != JSON_NUMBER)
        return false;
    if (short_number(j->text, &digits, &places)) {
        *value = (double)digits / powers[places];
        return true;
    }
    char *end = j->lines->buf + (j->text.ptr + j->text.len - j->lines->buf), after = *end;
    *end = '\0';
    *value = strtod(j->text.ptr, NULL);
    *end = after;
    return true;
}
