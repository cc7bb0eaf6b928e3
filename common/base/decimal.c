#include "common/base/decimal.h"

#include "common/base/digits.h"
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
    uint64_t unit = one; /* of the digit before; 0 after the last one that counts */
    for (size_t i = 0; i < digits.len; i++) {
        if (!is_digit(digits.ptr[i]))
            return false;
        unit /= 10;
        v.fraction += (uint64_t)(digits.ptr[i] - '0') * unit;
    }
    *d = v;
    return true;
}

const char *
decimal_read(const char *p, struct decimal *d)
{
    static const uint64_t unit[] = {/* of the last of so many decimal places */
                                    1000000000000000000, 100000000000000000, 10000000000000000,
                                    1000000000000000,    100000000000000,    10000000000000,
                                    1000000000000,       100000000000};
    uint64_t whole = 0, fraction;
    size_t n = 0;
    for (; n < 8 && is_digit(p[n]); n++)
        whole = whole * 10 + (uint64_t)(p[n] - '0');
    size_t places = n > 0 && p[n] == '.' ? digits_read(p + n + 1, &fraction) : 0;
    if (places > 0 && places < 8) { /* as most numbers are */
        *d = (struct decimal){whole, fraction * unit[places]};
        return p + n + 1 + places;
    }
    const char *end = digits_end(p);
    if (end > p && *end == '.')
        end = digits_end(end + 1);
    return decimal_parse(span_of(p, (size_t)(end - p)), d) ? end : NULL;
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
    if (a.whole < b.whole || (a.whole == b.whole && borrow))
        return false;
    difference->whole = a.whole - b.whole - borrow;
    difference->fraction = a.fraction + (borrow ? one : 0) - b.fraction;
    return true;
}

struct decimal
decimal_shift(struct decimal d, int places)
{
    for (; places > 0; places--) {
        uint64_t digit = d.fraction / (one / 10);
        d.whole = d.whole > (UINT64_MAX - digit) / 10 ? UINT64_MAX : d.whole * 10 + digit;
        d.fraction = d.fraction % (one / 10) * 10;
    }
    for (; places < 0; places++) {
        d.fraction = d.fraction / 10 + d.whole % 10 * (one / 10);
        d.whole /= 10;
    }
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

double
decimal_double(struct decimal d)
{
    return (double)d.whole + (double)d.fraction / (double)one;
}
