/* What is said at the end about the input that is not in the output. */
#ifndef STACKCOLLAPSE_REPORT_H
#define STACKCOLLAPSE_REPORT_H

#include "cmd/stackcollapse/collapse.h"

/* Report, once all is read and written, what the diag held back, counts that are full, samples
 * without frames, and skipped lines; and if there was nothing to report and no sample, that. */
void report(const struct collapse *c);

#endif
