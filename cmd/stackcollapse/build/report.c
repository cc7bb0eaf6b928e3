#include "cmd/stackcollapse/build/report.h"

#include "common/base/num.h"

void
report(const struct collapse *c)
{
    char some[NUM_COMMAS], all[NUM_COMMAS];
    uint64_t n = c->samples + c->stacks;
    const char *what = c->stacks == 0 ? "sample" : c->samples == 0 ? "folded line" : "item";
    diag_finish(c->diag);
    if (profile_is_full(&c->profile) || c->samples == UINT64_MAX)
        diag_error(c->diag, NOWHERE, DECIMAL_FULL);
    if (c->without_frames > 0)
        diag_note(c->diag, "%.*s of %.*s samples have no frames and are left out",
                  SPAN_ARG(num_commas(some, c->without_frames)),
                  SPAN_ARG(num_commas(all, c->samples)));
    input_say_skipped(&c->input, n, what);
    if (c->diag->status != 0)
        return;
    if (c->has_text && profile_is_empty(&c->profile))
        diag_error(c->diag, NOWHERE,
                   n == 0 ? "no samples in the input" : "no sample of the input is left to fold");
    else if (n == 0 && c->input.skipped == 0)
        diag_note(c->diag, "no samples in the input");
}
