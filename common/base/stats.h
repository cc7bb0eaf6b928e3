/* How much shares and totals of profiles vary by chance.
 *
 * If samples were independent of each other, a share p of n samples would vary by chance with the
 * variance p (1 - p) / n, and a total of n samples with the variance n. Samples of real programs
 * vary more: they come in bursts, and no two runs are equal. The dispersion is the factor by which
 * the variance is larger; n samples are worth only n / dispersion independent ones. It is computed
 * from the spread between runs, of the function and as the median of all functions, but is never
 * below stats_dispersion: a few runs may agree by luck. */
#ifndef BASE_STATS_H
#define BASE_STATS_H

#include <stddef.h>

/* The minimum dispersion, and the one assumed if there is one run on each side. Of the functions in
 * recordings of a Node program, half had less than 1; its own functions had up to 2.5, the time
 * after its start 4, and the interrupts of a busy machine 10 and more. */
static const double stats_dispersion = 1.5;

/* Return the square root of a number from 0 on; the last bit may differ from sqrt(3)'s. No program
 * is linked with libm, which takes time to load (see num_floor). */
double stats_root(double x);

/* Return the probability that Student's t with `freedom` degrees of freedom, an even number from 2
 * on, is above t, which is 0 or more. The error is about 1e-15. */
double stats_tail(double t, unsigned freedom);

/* Return the t, at most 1e6, for which stats_tail() is that probability, which is above 0 and at
 * most 0.5. */
double stats_quantile(double probability, unsigned freedom);

enum { STATS_MAX_FREEDOM = 1000 };

/* Return the degrees of freedom of a dispersion, an even number from 2 to STATS_MAX_FREEDOM, for
 * this number of runs on both sides together. The least dispersion is known well; the more the
 * dispersion exceeds it, the more it depends on the spread of these runs alone. With two runs, pass
 * the least one as `dispersion`. */
unsigned stats_freedom(size_t runs, double dispersion, double least);

/* The mean of a number of runs, and its variance, estimated from these runs. */
struct stats_mean {
    double mean, variance; /* of the mean, not of the runs */
    size_t runs;
};

/* Set *growth to the growth from `before` to `after`, in percent of `before`, and *error to its
 * standard error. The mean before must be above 0. */
void stats_growth(const struct stats_mean *before, const struct stats_mean *after, double *growth,
                  double *error);

/* Return the degrees of freedom of that error, an even number from 2 to STATS_MAX_FREEDOM. The
 * variances must be estimated from the runs: two or more on each side. */
unsigned stats_growth_freedom(const struct stats_mean *before, const struct stats_mean *after);

/* Return the variance of the share count / total, with `total` above 0, for a dispersion. It is
 * above 0 even for a share of 0 or 1, which is not certain either. */
double stats_share_variance(double count, double total, double dispersion);

#endif
