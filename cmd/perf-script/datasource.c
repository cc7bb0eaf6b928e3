#include "cmd/perf-script/datasource.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/num.h"

static enum source_item next(struct source *s);

static bool
is_derived(const struct datasource *d)
{
    return d->derive->off_cpu || d->derive->wall || d->derive->syscalls;
}

void
datasource_init(struct datasource *d, const struct recordsource_options *options,
                const struct derive_options *derive, struct diag *diag, struct frametab *frames)
{
    *d = (struct datasource){.derive = derive};
    recordsource_init(&d->records, options, diag, frames);
    d->records.source.next = next;
    unwinding_init(&d->unwinding, &d->recording.data.events, recordsource_walker(&d->records));
    d->unwinding.keeps_callchains = options->symbols.as_perf;
    d->records.unwinding = is_derived(d) ? NULL : &d->unwinding;
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

/* Report records whose types were added by a later kernel or perf. */
static void
report_unknown(const struct datasource *d)
{
    const struct perfdata *data = &d->recording.data;
    if (data->unknown > 0)
        diag_note(d->records.diag,
                  "%s: %s records of types that are not known here were skipped; the first is of "
                  "type %u",
                  d->records.name, NUM_TEXT(data->unknown), (unsigned)data->unknown_type);
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
    unwinding_restart(&d->unwinding);
    queue_init(&d->queue);
    d->derives = d->ended = false;
    return true;
}

/* Return a record that cannot be decoded as a skipped item. */
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

/* Begin reading the recording. All its events are described before its first sample. */
static void
begin_derived(struct datasource *d)
{
    const struct session session = {.events = d->recording.data.events,
                                    .tracing = d->recording.data.tracing,
                                    .machine = d->recording.data.arch};
    const char *problem;
    d->stage = derived_init(&d->derived, d->derive, &session, &d->queue.sink, &problem);
    if (problem != NULL)
        diag_warn(d->records.diag, NULL, (struct place){d->records.name, 0}, "%s", problem);
    recordsource_show(&d->records, &derived_session(&d->derived, &session)->events);
    d->derives = true;
}

/* Queue a record, or the samples that are derived from it. Deriving begins at the first sample or
 * switch; with --wall at the first record, since earlier records matter there, too. */
static void
derive(struct datasource *d, const struct record *r)
{
    if (!d->derives && (d->derive->wall || r->type == PERF_RECORD_SAMPLE ||
                        r->type == PERF_RECORD_SWITCH || r->type == PERF_RECORD_SWITCH_CPU_WIDE))
        begin_derived(d);
    struct recordsink *sink = d->derives ? d->stage : &d->queue.sink;
    if (d->derives && derived_is_refused(&d->derived))
        return;
    if (d->derives && !derived_takes(&d->derived, r))
        d->others++;
    else
        sink->record(sink, unwinding_complete(&d->unwinding, r));
}

static enum recording_item
next_derived(struct datasource *d, struct record *r)
{
    while (!queue_next(&d->queue, r)) {
        if (d->ended || (d->derives && derived_is_refused(&d->derived)))
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
        if (!derived_is_refused(&d->derived))
            sink_finish(d->stage);
    }
    return RECORDING_RECORD;
}

static void
end_derived(struct datasource *d)
{
    bool wall = d->derive->wall;
    if (derived_is_refused(&d->derived) && d->derive->syscalls)
        diag_error(d->records.diag, (struct place){d->records.name, 0},
                   "does not have every system call: for --syscalls, record with 'perf record -g "
                   "-e raw_syscalls:sys_enter,raw_syscalls:sys_exit' or 'stackrecord --syscalls "
                   "-o FILE'");
    else if (derived_is_refused(&d->derived))
        diag_error(d->records.diag, (struct place){d->records.name, 0},
                   "does not say when threads stop and run again: for %s, record with 'perf record "
                   "-c 1 -e context-switches -g --switch-events', 'perf record -e "
                   "sched:sched_switch -g' and %s--switch-events, %sor 'stackrecord %s -o FILE'",
                   wall ? "--wall" : "--off-cpu", wall ? "" : "-a or ",
                   wall ? "" : "'perf sched record', ", wall ? "--wall" : "--off-cpu");
    else if (derived_lacks_turns(&d->derived))
        diag_warn(d->records.diag, NULL, (struct place){d->records.name, 0},
                  "does not say when turns of event loops begin and end: for --turns, record with "
                  "'stackrecord --wall --turns -o FILE'");
    d->too_short += derived_too_short(&d->derived);
    d->endless += derived_endless(&d->derived);
    d->cut_turns += derived_cut_turns(&d->derived);
    d->unknown_calls += derived_unknown_calls(&d->derived);
    d->unended_calls += derived_unended_calls(&d->derived);
    derived_free(&d->derived);
    queue_free(&d->queue);
}

static enum source_item
next(struct source *s)
{
    struct datasource *d = (struct datasource *)s; /* the first member of its first member */
    struct record r;
    for (;;) {
        enum recording_item got =
            is_derived(d) ? next_derived(d, &r) : recording_next(&d->recording, &r);
        if (got == RECORDING_END)
            break;
        enum source_item item =
            got == RECORDING_RECORD ? recordsource_take(&d->records, &r) : skip(d);
        if (item != ITEM_END)
            return item;
    }
    const struct eventset *events = &d->recording.data.events;
    if (is_derived(d))
        end_derived(d);
    else
        for (size_t i = 0; i < events->count; i++)
            d->switches |= event_flag(&events->events[i], FLAG_CONTEXT_SWITCH);
    report_fault(d, d->records.name, d->recording.data.fault);
    report_unknown(d);
    recordsource_end(&d->records);
    recording_free(&d->recording);
    return ITEM_END;
}

void
datasource_explain(const struct datasource *d)
{
    recordsource_explain(&d->records);
    if (d->too_short > 0)
        diag_note(d->records.diag, "%s waits shorter than --min-block=%zu are left out",
                  NUM_TEXT(d->too_short), d->derive->min_block);
    if (d->endless > 0)
        diag_note(d->records.diag,
                  "%s waits are left out, since it was not recorded when they ended",
                  NUM_TEXT(d->endless));
    if (d->cut_turns > 0)
        diag_note(d->records.diag,
                  "%s turns of event loops are not known, since records were lost in them: stalls "
                  "may be missing",
                  NUM_TEXT(d->cut_turns));
    derived_explain_calls(d->unknown_calls, d->unended_calls, d->records.diag);
    if (d->others > 0)
        diag_note(d->records.diag, "%s leaves %s samples of other events out",
                  d->derive->syscalls ? "--syscalls" : "--off-cpu", NUM_TEXT(d->others));
}
