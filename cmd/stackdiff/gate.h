/* The gate for continuous integration: which functions take a larger share than before. */
#ifndef STACKDIFF_GATE_H
#define STACKDIFF_GATE_H

#include "cmd/stackdiff/profiles.h"
#include "common/base/pattern.h"

struct gate {
    double max_growth;              /* in percentage points */
    const struct pattern *function; /* whose growth matters; NULL: everyone's */
};

/* Reports, as errors and the largest growth first, each function whose share of the samples
 * (callees included) grew by more than the gate allows; and a profile without samples. */
void gate_check(const struct gate *g, const struct profiles *p, struct diag *diag);

#endif
