#include "cmd/perf-script/datasource.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/num.h"

static enum source_item next(struct source *s);

void
datasource_init(struct datasource *d, const struct recordsource_options *options, struct diag *diag,
                struct frametab *frames)
{
    *d = (struct datasource){0};
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

static enum source_item
next(struct source *s)
{
    struct datasource *d = (struct datasource *)s; /* the first member of its first member */
    struct record r;
    for (enum recording_item got; (got = recording_next(&d->recording, &r)) != RECORDING_END;) {
        enum source_item item =
            got == RECORDING_RECORD ? recordsource_take(&d->records, &r) : skip(d);
        if (item != ITEM_END)
            return item;
    }
    report_fault(d, d->records.name, d->recording.data.fault);
    report_unknown(d);
    recordsource_end(&d->records);
    recording_free(&d->recording);
    return ITEM_END;
}
