/* The checks that fail a CI job: --max-growth, --max-total and --new. */
#ifndef STACKDIFF_GATE_H
#define STACKDIFF_GATE_H

#include "cmd/stackdiff/compare.h"

/* The options of the checks. */
struct gate {
    bool growth, total;             /* --max-growth, --max-total: were given */
    double max_growth;              /* in percentage points */
    const char *growth_limit;       /* its text, for messages */
    double max_total;               /* in percent */
    const char *total_limit;        /* its text */
    const char *expression;         /* --function: the text of comparison.function, or NULL */
    const struct pattern *appeared; /* --new: functions that may not appear; NULL: any may */
    const char *appeared_text;      /* its text */
    double min_share;               /* a new function with a smaller share may appear; in percent */
};

/* Report a --function that matches nothing: as an error if neither profile has such a function, so
 * that a misspelt one does not pass; as a warning if only the one before has. */
void gate_check_matches(const struct gate *g, const struct comparison *c, struct diag *diag);

/* Report as errors, the largest first, functions whose share of the samples (callees included) grew
 * by more than the gate allows and by more than the margin of error. Note functions that grew by
 * more than the gate allows, but within the margin of error. */
void gate_check_growth(const struct gate *g, const struct comparison *c, struct diag *diag);

/* Report as errors, the largest first, functions that have samples only after. */
void gate_check_new(const struct gate *g, const struct comparison *c, struct diag *diag);

/* Report as an error a total that grew by more than the gate allows and by more than the margin of
 * error. */
void gate_check_total(const struct gate *g, const struct comparison *c, struct diag *diag);

/* Warn if --max-growth or --max-total was given and each side has only one profile. */
void gate_check_runs(const struct profiles *p, struct diag *diag);

/* Warn about a side with too few samples to compare, and about counts that seem not to be samples.
 */
void gate_check_samples(const struct comparison *c, bool period_given, struct diag *diag);

#endif
