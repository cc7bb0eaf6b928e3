#include "common/base/stats.h"

double
stats_root(double x)
{
    double root = x > 1 ? x : 1, next;
    if (x <= 0)
        return 0;
    /* Newton's method: approach from above until rounding stops it. */
    while ((next = (root + x / root) / 2) < root)
        root = next;
    return root;
}

/* For an even number of degrees of freedom, the distribution is a finite sum (Abramowitz and
 * Stegun, Handbook of Mathematical Functions, 26.7.4): with sin^2 = t^2 / (f + t^2),
 *
 *     P(-t < T < t) = sin (1 + 1/2 cos^2 + (1 3)/(2 4) cos^4 + ... to cos^(f - 2)) */
double
stats_tail(double t, unsigned freedom)
{
    double f = freedom, sine = t / stats_root(f + t * t), cosine2 = f / (f + t * t);
    double sum = 1, term = 1;
    for (unsigned i = 2; i < freedom; i += 2) {
        term *= cosine2 * (i - 1) / i;
        sum += term;
    }
    double outside = 1 - sine * sum;
    return outside > 0 ? outside / 2 : 0;
}

double
stats_quantile(double probability, unsigned freedom)
{
    double low = 0, high = 1e6;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (stats_tail(middle, freedom) > probability)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Satterthwaite, An approximate distribution of estimates of variance components, 1946: a sum of
 * two variances v1, v2, estimated with f1, f2 degrees of freedom, has about
 *
 *     (v1 + v2)^2 / (v1^2 / f1 + v2^2 / f2)
 *
 * degrees of freedom. */
static unsigned
even_freedom(double freedom)
{
    if (freedom >= STATS_MAX_FREEDOM)
        return STATS_MAX_FREEDOM;
    return freedom < 2 ? 2 : (unsigned)freedom & ~1u;
}

unsigned
stats_freedom(size_t runs, double dispersion, double least)
{
    /* Treat the least dispersion as if it had been observed in this many additional runs.
     * Otherwise, margins are so wide that a comparison of a few runs finds nothing. */
    enum { KNOWN = 40 };
    double seen = (double)runs - 2, excess = dispersion - least;
    double spread = least * least / (seen + KNOWN) + (excess > 0 ? excess * excess / seen : 0);
    return even_freedom(dispersion * dispersion / spread + 0.5);
}

/* Return the part of the variance of the ratio that comes from the mean before, times the square of
 * that mean. The part from the mean after is its variance. */
static double
part_before(const struct stats_mean *before, const struct stats_mean *after)
{
    double ratio = after->mean / before->mean;
    return ratio * ratio * before->variance;
}

void
stats_growth(const struct stats_mean *before, const struct stats_mean *after, double *growth,
             double *error)
{
    *growth = 100 * (after->mean / before->mean - 1);
    *error = 100 * stats_root(after->variance + part_before(before, after)) / before->mean;
}

unsigned
stats_growth_freedom(const struct stats_mean *before, const struct stats_mean *after)
{
    double a = part_before(before, after), b = after->variance;
    double spread = a * a / ((double)before->runs - 1) + b * b / ((double)after->runs - 1);
    return even_freedom(spread > 0 ? (a + b) * (a + b) / spread + 0.5 : STATS_MAX_FREEDOM);
}

double
stats_share_variance(double count, double total, double dispersion)
{
    /* Add one sample that is in the function and one that is not: Agresti and Caffo, Simple and
     * effective confidence intervals for proportions, 2000. */
    double n = total / dispersion + 2, p = (count / dispersion + 1) / n;
    return p * (1 - p) / n;
}
