#include "cmd/perf-script/trace.h"

#include <stdlib.h>

#include "common/base/utf8.h"
#include "common/stack/text/syscalltext.h"

/* Write a system call, and its result in the same column as perf trace. */
static void
put_call(struct trace *t, struct span rest)
{
    enum { RESULT_COLUMN = 70 }; /* trace.args_alignment in perf-config(1) */
    struct syscalltext call;
    t->text.len = 0;
    text_add(&t->text, rest);
    utf8_mask(t->text.ptr, t->text.len);
    if (!syscalltext_parse(text_span(&t->text), &call))
        call = (struct syscalltext){.call = text_span(&t->text)};
    out_span(t->out, call.call);
    for (size_t i = call.call.len; call.result.len > 0 && i < RESULT_COLUMN; i++)
        out_char(t->out, ' ');
    if (call.result.len > 0)
        out_format(t->out, " = %.*s", SPAN_ARG(call.result));
    out_char(t->out, '\n');
}

void
trace_sample(struct trace *t, const struct sample *s)
{
    enum { NEEDED = 1 << PERF_TIME | 1 << PERF_PERIOD | 1 << PERF_TID };
    const struct perf_header *h = &s->header;
    if (!span_eq(h->field[PERF_EVENT], SPAN("syscall")) || (h->has & NEEDED) != NEEDED) {
        t->others++;
        return;
    }
    uint64_t start = h->period < h->time ? h->time - h->period : 0;
    if (!t->began)
        t->origin = start;
    t->began = true;
    double ms = start >= t->origin ? (double)(start - t->origin) : -(double)(t->origin - start);
    t->text.len = 0;
    text_add(&t->text, h->field[PERF_COMM]);
    utf8_mask(t->text.ptr, t->text.len);
    out_format(t->out, "%10.3f (%6.3f ms): %.*s/%lld ", ms / 1e6, (double)h->period / 1e6,
               SPAN_ARG(text_span(&t->text)), (long long)h->tid);
    put_call(t, span_trim(h->field[PERF_REST]));
}

void
trace_free(struct trace *t)
{
    free(t->text.ptr);
}
