#include "cmd/perf-script/extent.h"

#include "cmd/perf-script/window.h"
#include "common/stack/perftext.h"

struct extent {
    bool any;
    uint64_t first, last;
};

/* Notes the sample's time, and wants no sample: its frames are passed over. */
static bool
note_time(void *ctx, const struct perf_header *h)
{
    struct extent *e = ctx;
    uint64_t ns;
    if (!time_parse(h->field[PERF_TIME], &ns))
        return false;
    if (!e->any || ns < e->first)
        e->first = ns;
    if (!e->any || ns > e->last)
        e->last = ns;
    e->any = true;
    return false;
}

bool
extent_measure(struct diag *diag, struct operands *operands, uint64_t *first, uint64_t *last)
{
    struct extent e = {0};
    struct input in;
    struct perftext text;
    operands_start(&in, diag, operands);
    perftext_init(&text, &perf_rules, &in.lines);
    text.source.accept = note_time;
    text.source.ctx = &e;
    size_t readable = 0;
    while (operands_next(&in, operands)) {
        operands->names[readable] = operands->names[in.at - 1];
        operands->labels[readable++] = operands->labels[in.at - 1];
        while (source_next(&text.source) != ITEM_END)
            ;
    }
    operands->count = readable;
    perftext_free(&text);
    input_free(&in);
    *first = e.first;
    *last = e.last;
    return e.any;
}
