#include "cmd/perf-script/datasource.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/num.h"

static enum source_item next(struct source *s);

void
datasource_init(struct datasource *d, const struct recordsource_options *options,
                const struct derive_options *derive, struct diag *diag, struct frametab *frames)
{
    *d = (struct datasource){.derive = derive};
    recordsource_init(&d->records, options, diag, frames);
    d->records.source.next = next;
    unwinding_init(&d->unwinding, &d->recording.data.events, recordsource_walker(&d->records));
    d->unwinding.keeps_callchains = options->symbols.as_perf;
    d->records.unwinding = &d->unwinding;
}

void
datasource_free(struct datasource *d)
{
    recordsource_free(&d->records);
    unwinding_free(&d->unwinding);
    free(d->why.ptr);
}

/* Report what is wrong with the recording, at an offset of the file. */
static void
report_fault(const struct datasource *d, const char *name, struct perfdata_fault fault)
{
    struct place place = {name, 0};
    if (fault.what == NULL)
        return;
    if (fault.offset == 0)
        diag_error(d->records.diag, place, "%s", fault.what);
    else
        diag_error(d->records.diag, place, "at byte %llu%s: %s", (unsigned long long)fault.offset,
                   fault.unpacked ? " of the decompressed records" : "", fault.what);
}

/* Report records of types that a later kernel, or perf, added. */
static void
report_unknown(const struct datasource *d)
{
    char count[NUM_COMMAS];
    const struct perfdata *data = &d->recording.data;
    if (data->unknown > 0)
        diag_note(d->records.diag,
                  "%s: %.*s records of types that are not known here were skipped; the first is of "
                  "type %u",
                  d->records.name, SPAN_ARG(num_commas(count, data->unknown)),
                  (unsigned)data->unknown_type);
}

bool
datasource_open(struct datasource *d, struct lines *lines, const char *name)
{
    bool opened = recording_open(&d->recording, lines);
    const struct perfdata *data = &d->recording.data;
    report_fault(d, name, opened ? data->section : data->fault);
    if (!opened) {
        recording_free(&d->recording);
        return false;
    }
    if (data->killed)
        diag_note(d->records.diag, "%s: the recorder did not finish it: what is there is read",
                  name);
    recordsource_begin(&d->records, name, data);
    queue_init(&d->queue);
    d->derives = d->ended = false;
    return true;
}

/* Give a record that cannot be decoded. */
static enum source_item
skip(struct datasource *d)
{
    char offset[64];
    const struct perfdata_fault *at = &d->recording.at;
    snprintf(offset, sizeof offset, "the record at byte %llu: ", (unsigned long long)at->offset);
    TEXT_SET(&d->why, span_cstr(offset), span_cstr(at->what));
    d->why.ptr[d->why.len] = '\0';
    d->records.source.why = d->why.ptr;
    d->records.source.text = SPAN("");
    return ITEM_SKIPPED;
}

/* Begin with the events of the recording, all of which come before its first sample. */
static void
begin_derived(struct datasource *d)
{
    const struct session session = {.events = d->recording.data.events,
                                    .tracing = d->recording.data.tracing};
    const char *problem = offcpu_init(&d->offcpu, &session, &d->queue.sink, d->derive->min_block);
    if (problem != NULL)
        diag_warn(d->records.diag, NULL, (struct place){d->records.name, 0}, "%s", problem);
    recordsource_show(&d->records, &d->offcpu.session.events);
    d->derives = true;
}

/* Put the record into the queue, or the samples that are made of it. */
static void
derive(struct datasource *d, const struct record *r)
{
    bool sample = r->type == PERF_RECORD_SAMPLE;
    if (!d->derives &&
        (sample || r->type == PERF_RECORD_SWITCH || r->type == PERF_RECORD_SWITCH_CPU_WIDE))
        begin_derived(d);
    struct recordsink *sink = d->derives ? &d->offcpu.sink : &d->queue.sink;
    if (sample && !offcpu_takes(&d->offcpu, r))
        d->others++;
    else
        sink->record(sink, r);
}

static enum recording_item
next_derived(struct datasource *d, struct record *r)
{
    while (!queue_next(&d->queue, r)) {
        if (d->ended || (d->derives && d->offcpu.refused))
            return RECORDING_END;
        enum recording_item got = recording_next(&d->recording, r);
        if (got == RECORDING_SKIPPED)
            return got;
        if (got == RECORDING_RECORD) {
            derive(d, r);
            continue;
        }
        d->ended = true;
        if (!d->derives)
            begin_derived(d);
        d->offcpu.sink.finish(&d->offcpu.sink);
    }
    return RECORDING_RECORD;
}

static void
end_derived(struct datasource *d)
{
    if (d->offcpu.refused)
        diag_error(d->records.diag, (struct place){d->records.name, 0},
                   "does not say when threads stop and run again: for --off-cpu, record with 'perf "
                   "record -c 1 -e context-switches -g --switch-events', 'perf record -e "
                   "sched:sched_switch -g' and -a or --switch-events, 'perf sched record', or "
                   "'stackrecord --off-cpu -o FILE'");
    d->too_short += d->offcpu.too_short;
    d->endless += d->offcpu.endless;
    offcpu_free(&d->offcpu);
    queue_free(&d->queue);
}

static enum source_item
next(struct source *s)
{
    struct datasource *d = (struct datasource *)s; /* the first member of its first member */
    struct record r;
    for (;;) {
        enum recording_item got =
            d->derive->off_cpu ? next_derived(d, &r) : recording_next(&d->recording, &r);
        if (got == RECORDING_END)
            break;
        enum source_item item =
            got == RECORDING_RECORD ? recordsource_take(&d->records, &r) : skip(d);
        if (item != ITEM_END)
            return item;
    }
    if (d->derive->off_cpu)
        end_derived(d);
    report_fault(d, d->records.name, d->recording.data.fault);
    report_unknown(d);
    recordsource_end(&d->records);
    recording_free(&d->recording);
    return ITEM_END;
}

void
datasource_explain(const struct datasource *d)
{
    char count[NUM_COMMAS];
    recordsource_explain(&d->records);
    if (d->too_short > 0)
        diag_note(d->records.diag, "%.*s waits shorter than --min-block=%llu are left out",
                  SPAN_ARG(num_commas(count, d->too_short)),
                  (unsigned long long)d->derive->min_block);
    if (d->endless > 0)
        diag_note(d->records.diag,
                  "%.*s waits are left out, since it was not recorded when they ended",
                  SPAN_ARG(num_commas(count, d->endless)));
    if (d->others > 0)
        diag_note(d->records.diag, "--off-cpu leaves %.*s samples of other events out",
                  SPAN_ARG(num_commas(count, d->others)));
}
