#include "cmd/stackreport/callfiles.h"

#include "common/base/num.h"
#include "common/stack/text/lookslike.h"

#define RECORD_THEM "record with: stackrecord --syscalls -p PID"

/* Reject each sample after taking its header: the stacks are not needed. */
static bool
accept(void *ctx, const struct perf_header *h)
{
    struct callfiles *r = ctx;
    r->samples++;
    if (calls_wants(h))
        calls_add(&r->calls, h);
    return false;
}

void
callfiles_init(struct callfiles *r, struct diag *diag)
{
    *r = (struct callfiles){.diag = diag};
    perftext_init(&r->perf, &perf_rules, &r->input.lines);
    r->perf.source.accept = accept;
    r->perf.source.ctx = r;
    r->perf.source.numbers = PERF_NUMBERS;
}

void
callfiles_read(struct callfiles *r)
{
    struct source *from = &r->perf.source;
    if (looks_format(&r->input.lines) == INPUT_FOLDED) {
        diag_error(r->diag, (struct place){r->input.name, 0},
                   "folded stacks have no system calls: give sample text; " RECORD_THEM);
        return;
    }
    for (enum source_item item; (item = source_next(from)) != ITEM_END;)
        if (item == ITEM_SKIPPED || item == ITEM_STRAY)
            input_skip(&r->input, from->why);
    input_warn_cut(&r->input);
}

void
callfiles_report(struct callfiles *r)
{
    if (r->calls.incomplete > 0)
        diag_error(r->diag, NOWHERE,
                   "%s samples of system calls lack the thread, the period, or the call's text",
                   NUM_TEXT(r->calls.incomplete));
    else if (r->calls.all.count == 0 && r->diag->status == 0)
        diag_error(r->diag, NOWHERE,
                   "no samples of the event syscall, which --syscalls needs: " RECORD_THEM);
    diag_finish(r->diag);
    input_say_skipped(&r->input, r->samples, "sample");
}

void
callfiles_free(struct callfiles *r)
{
    calls_free(&r->calls);
    perftext_free(&r->perf);
}
