#include "common/base/number.h"

#include <math.h>
#include <stdio.h>

#include "common/base/num.h"

/* Below this, a number times 100 has an error below 1 as a double, and fits into 64 bits. */
static const double small = 1e13;

static struct span
printed(char text[static NUMBER_TEXT], const char *format, int digits, double value)
{
    int n = snprintf(text, NUMBER_TEXT, format, digits, value);
    return span_of(text, n > 0 ? (size_t)n : 0);
}

static bool
is_small(double value)
{
    return value < small && !signbit(value);
}

/* Return value * scale, rounded like printf: to the nearest, a tie to the even one. The product is
 * a rounded double, and can be a tie even if the exact product is none; `lost` is the exact product
 * minus the rounded one. */
static uint64_t
scaled(double value, double scale)
{
    double product = value * scale;
    int64_t n = (int64_t)product; /* signed, because x86-64 converts to that in one instruction */
    double half = product - (double)n - 0.5;
    if (half != 0)
        return (uint64_t)n + (half > 0);
    double high = (float)value, low = value - high; /* times 100, both are exact: Dekker, 1971 */
    double lost = high * scale - product + low * scale;
    return (uint64_t)n + (lost > 0 || (lost == 0 && n % 2 == 1));
}

struct span
number_fixed(char text[static NUMBER_TEXT], double value, int places)
{
    if (!is_small(value))
        return printed(text, "%.*f", places, value);
    uint64_t n = places == 1 ? 10 * scaled(value, 10) : scaled(value, 100);
    struct span whole = num_decimal(text, n / 100);
    char *end = text + (whole.ptr - text) + whole.len;
    end[0] = '.';
    end[1] = (char)('0' + n / 10 % 10);
    end[2] = (char)('0' + n % 10);
    return span_of(whole.ptr, whole.len + 1 + (size_t)places);
}

double
number_tenths(double value)
{
    return is_small(value) ? (double)scaled(value, 10) / 10 : value;
}

double
number_whole(double value)
{
    if (value < 0)
        return 0 - number_whole(-value);
    return value < 0x1p53 ? (double)scaled(value, 1) : value; /* from there on, doubles are whole */
}

struct span
number_plain(char text[static NUMBER_TEXT], double value)
{
    if (is_small(value) && num_is_whole(value))
        return num_decimal(text, (uint64_t)value);
    if (is_small(value) && num_is_whole(value * 2))
        return number_fixed(text, value, 1); /* "8.5" */
    return num_is_whole(value) ? printed(text, "%.*f", 0, value) : printed(text, "%.*g", 15, value);
}

struct span
number_commas(char text[static NUMBER_TEXT], double value)
{
    if (is_small(value))
        return num_commas(text, scaled(value, 1));
    char digits[NUMBER_TEXT];
    return num_group(text, printed(digits, "%.*f", 0, value));
}
