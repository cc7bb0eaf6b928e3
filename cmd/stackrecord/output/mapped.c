#include "cmd/stackrecord/output/mapped.h"

#include "common/symbolize/heldfiles.h"
#include "common/symbolize/liveprocs.h"

static void
take(struct recordsink *sink, const struct record *r)
{
    struct mapped *m = (struct mapped *)sink; /* its first member */
    if (r->type == PERF_RECORD_SAMPLE)
        return;
    heldfiles_see(liveprocs_files(m->source.symbolizer.options->live), r);
    recordsource_take(&m->source, r);
}

static void
ignore(struct recordsink *sink)
{
    (void)sink;
}

void
mapped_init(struct mapped *m, const struct eventset *events,
            const struct recordsource_options *options, struct diag *diag)
{
    *m = (struct mapped){.sink = {take, ignore, ignore}, .facts.events = *events};
    frametab_init(&m->frames, NULL);
    recordsource_init(&m->source, options, diag, &m->frames);
    recordsource_begin(&m->source, "the recording", &m->facts);
}
