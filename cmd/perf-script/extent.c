#include "cmd/perf-script/extent.h"

#include "cmd/perf-script/window.h"
#include "common/event/recording.h"
#include "common/stack/perftext.h"

struct extent {
    bool any;
    uint64_t first, last;
};

static void
note_time(struct extent *e, uint64_t ns)
{
    if (!e->any || ns < e->first)
        e->first = ns;
    if (!e->any || ns > e->last)
        e->last = ns;
    e->any = true;
}

/* Notes the sample's time, and wants no sample: its frames are passed over. */
static bool
accept(void *ctx, const struct perf_header *h)
{
    uint64_t ns;
    if (time_parse(h->field[PERF_TIME], &ns))
        note_time(ctx, ns);
    return false;
}

/* Notes the times of a perf.data file's samples. What is wrong with the file is reported when it is
 * read again. */
static void
measure_recording(struct extent *e, struct lines *lines, bool nanoseconds)
{
    struct recording recording;
    struct record r;
    bool open = recording_open(&recording, lines);
    for (enum recording_item item;
         open && (item = recording_next(&recording, &r)) != RECORDING_END;)
        if (item == RECORDING_RECORD && r.type == RECORD_SAMPLE && (r.has & SAMPLE_TIME))
            note_time(e, nanoseconds ? r.time : r.time - r.time % 1000);
    recording_free(&recording);
}

bool
extent_measure(struct diag *diag, const struct operands *operands, bool nanoseconds,
               uint64_t *first, uint64_t *last)
{
    struct extent e = {0};
    struct input in;
    struct perftext text;
    operands_start(&in, diag, operands);
    perftext_init(&text, &perf_rules, &in.lines);
    text.source.accept = accept;
    in.takes_recordings = true;
    text.source.ctx = &e;
    while (operands_next(&in, operands)) {
        if (in.recording)
            measure_recording(&e, &in.lines, nanoseconds);
        while (!in.recording && source_next(&text.source) != ITEM_END)
            ;
    }
    perftext_free(&text);
    input_free(&in);
    *first = e.first;
    *last = e.last;
    return e.any;
}
