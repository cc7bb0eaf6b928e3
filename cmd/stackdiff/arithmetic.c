#include "cmd/stackdiff/arithmetic.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/num.h"

static union number
exact_parse(struct span digits)
{
    union number n = {0};
    decimal_parse(digits, &n.exact);
    return n;
}

static union number
exact_add(union number a, union number b)
{
    return (union number){.exact = decimal_add(a.exact, b.exact)};
}

static double
exact_real(union number a)
{
    return decimal_double(a.exact);
}

static union number
exact_scale(union number a, union number from, union number to)
{
    if (from.exact.whole == to.exact.whole && from.exact.fraction == to.exact.fraction)
        return a;
    char text[64]; /* a <= from, so the result is at most `to`: 20 digits before the point */
    int n = snprintf(text, sizeof text, "%.6f", exact_real(a) / exact_real(from) * exact_real(to));
    return exact_parse(span_of(text, n > 0 ? (size_t)n : 0));
}

static struct span
exact_text(char text[static NUMBER_TEXT], union number a)
{
    return decimal_text(text, a.exact);
}

const struct arithmetic arithmetic_exact = {
    exact_parse, exact_add, exact_scale, exact_real, exact_text,
};

/* Perl's numbers. Up to this limit a double can represent every integer: NV_PRESERVES_UV_BITS in
 * perl's config.h. The functions below follow pp_add, pp_multiply, pp_divide and pp_int in its
 * pp.c. */
#define PERL_EXACT 9007199254740992u /* 2^53 */

static union number
perl_whole(uint64_t value)
{
    return (union number){.perl = {.whole = value}};
}

static union number
perl_double(double value)
{
    return (union number){.perl = {.real = value, .is_real = true}};
}

static double
perl_real(union number a)
{
    return a.perl.is_real ? a.perl.real : (double)a.perl.whole;
}

/* Perl treats a double as an integer if it is whole and below that limit. */
static union number
operand(union number a)
{
    bool whole = a.perl.is_real && a.perl.real < (double)PERL_EXACT && num_is_whole(a.perl.real);
    return whole ? perl_whole((uint64_t)a.perl.real) : a;
}

static union number
perl_parse(struct span digits)
{
    char *end;
    errno = 0;
    uint64_t whole = strtoull(digits.ptr, &end, 10);
    bool fits = errno == 0 && end == digits.ptr + digits.len;
    return fits ? perl_whole(whole) : perl_double(strtod(digits.ptr, NULL));
}

static union number
perl_add(union number a, union number b)
{
    a = operand(a); /* not b: a number parsed from text with a point is a double */
    if (a.perl.is_real || b.perl.is_real || a.perl.whole > UINT64_MAX - b.perl.whole)
        return perl_double(perl_real(a) + perl_real(b));
    return perl_whole(a.perl.whole + b.perl.whole);
}

static union number
perl_multiply(union number a, union number b)
{
    a = operand(a);
    b = operand(b);
    bool fits = !a.perl.is_real && !b.perl.is_real &&
                (a.perl.whole == 0 || b.perl.whole <= UINT64_MAX / a.perl.whole);
    return fits ? perl_whole(a.perl.whole * b.perl.whole)
                : perl_double(perl_real(a) * perl_real(b));
}

static union number
perl_divide(union number a, union number b)
{
    a = operand(a);
    b = operand(b);
    bool exact = !a.perl.is_real && !b.perl.is_real && a.perl.whole > PERL_EXACT &&
                 a.perl.whole % b.perl.whole == 0;
    return exact ? perl_whole(a.perl.whole / b.perl.whole)
                 : perl_double(perl_real(a) / perl_real(b));
}

static union number
perl_int(union number a)
{
    if (!a.perl.is_real)
        return a;
    bool fits = a.perl.real < (double)UINT64_MAX; /* as a double, that is 2^64 */
    return fits ? perl_whole((uint64_t)a.perl.real) : a;
}

static union number
perl_scale(union number a, union number from, union number to)
{
    from = operand(from);
    to = operand(to);
    bool equal = from.perl.is_real || to.perl.is_real ? perl_real(from) == perl_real(to)
                                                      : from.perl.whole == to.perl.whole;
    return equal ? a : perl_int(perl_divide(perl_multiply(a, to), from));
}

static struct span
perl_text(char text[static NUMBER_TEXT], union number a)
{
    double v = a.perl.real;
    int n;
    if (!a.perl.is_real)
        n = snprintf(text, NUMBER_TEXT, "%llu", (unsigned long long)a.perl.whole);
    else if (isfinite(v))
        n = snprintf(text, NUMBER_TEXT, "%.15g", v);
    else
        n = snprintf(text, NUMBER_TEXT, "%s", isnan(v) ? "NaN" : "Inf");
    return span_of(text, n > 0 ? (size_t)n : 0);
}

const struct arithmetic arithmetic_perl = {
    perl_parse, perl_add, perl_scale, perl_real, perl_text,
};
