/* --max-growth, a gate for continuous integration: which functions have a larger share of the
 * samples than before. */
#ifndef STACKDIFF_GATE_H
#define STACKDIFF_GATE_H

#include "cmd/stackdiff/profiles.h"
#include "common/base/pattern.h"

struct gate {
    double max_growth;              /* in percentage points */
    const char *limit;              /* the text of `max_growth`, for messages */
    const struct pattern *function; /* check only functions that match; NULL: all */
    const char *expression;         /* the text of `function`, for messages */
};

/* Reports as an error each function whose share of the samples (callees included) grew by more than
 * the gate allows, the largest growth first; a profile whose total is 0; and a `function` that
 * matches nothing. Warns where the result says little. */
void gate_check(const struct gate *g, const struct profiles *p, struct diag *diag);

#endif
