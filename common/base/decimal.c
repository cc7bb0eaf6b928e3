#include "common/base/decimal.h"

#include "common/base/num.h"

static const uint64_t one = 1000000000000000000; /* 10^DECIMAL_DIGITS */

bool
decimal_parse(struct span s, struct decimal *d)
{
    size_t point = span_find(s, '.');
    struct decimal v = {0, 0};
    if (!num_u64(point != SPAN_NONE ? span_head(s, point) : s, &v.whole))
        return false;
    struct span digits = point != SPAN_NONE ? span_from(s, point + 1) : SPAN("");
    uint64_t unit = one; /* value of the previous digit; 0 after the last one that counts */
    for (size_t i = 0; i < digits.len; i++) {
        if (!is_digit(digits.ptr[i]))
            return false;
        unit /= 10;
        v.fraction += (uint64_t)(digits.ptr[i] - '0') * unit;
    }
    *d = v;
    return true;
}

struct decimal
decimal_add(struct decimal a, struct decimal b)
{
    struct decimal sum = {num_add(a.whole, b.whole), a.fraction + b.fraction};
    if (sum.fraction >= one) {
        sum.fraction -= one;
        sum.whole = num_add(sum.whole, 1);
    }
    return sum;
}

bool
decimal_subtract(struct decimal a, struct decimal b, struct decimal *difference)
{
    bool borrow = a.fraction < b.fraction;
    if (decimal_is_full(a)) {
        *difference = a;
        return true;
    }
    if (a.whole < b.whole || (a.whole == b.whole && borrow))
        return false;
    difference->whole = a.whole - b.whole - borrow;
    difference->fraction = a.fraction + (borrow ? one : 0) - b.fraction;
    return true;
}

struct decimal
decimal_shift(struct decimal d, int places)
{
    uint64_t power = 1;
    for (int i = places < 0 ? -places : places; i > 0; i--)
        power *= 10;
    uint64_t unit = one / power;
    if (decimal_is_full(d))
        return d;
    if (places < 0)
        return (struct decimal){d.whole / power, d.fraction / power + d.whole % power * unit};
    uint64_t digits = d.fraction / unit;
    d.whole = d.whole > (UINT64_MAX - digits) / power ? UINT64_MAX : d.whole * power + digits;
    d.fraction = d.fraction % unit * power;
    return d;
}

struct span
decimal_text(char text[static DECIMAL_TEXT], struct decimal d)
{
    char digits[NUM_DIGITS];
    struct span whole = num_decimal(digits, d.whole);
    memcpy(text, whole.ptr, whole.len);
    size_t len = whole.len;
    if (d.fraction > 0)
        text[len++] = '.';
    for (uint64_t unit = one / 10; d.fraction > 0; d.fraction %= unit, unit /= 10)
        text[len++] = (char)('0' + d.fraction / unit);
    return span_of(text, len);
}

struct span
decimal_commas(char text[static DECIMAL_COMMAS], struct decimal d)
{
    char digits[DECIMAL_TEXT];
    return num_group(text, decimal_text(digits, d));
}

double
decimal_double(struct decimal d)
{
    return (double)d.whole + (double)d.fraction / (double)one;
}
