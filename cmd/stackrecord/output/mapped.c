#include "cmd/stackrecord/output/mapped.h"

static void
take(struct recordsink *sink, const struct record *r)
{
    struct mapped *m = (struct mapped *)sink; /* its first member */
    if (r->type == PERF_RECORD_SAMPLE || r->type == PERF_RECORD_TEXT_POKE)
        return; /* no names are looked up here */
    m->objects->see(m->objects, r);
    recordsource_take(&m->source, r);
}

void
mapped_init(struct mapped *m, const struct eventset *events,
            const struct recordsource_options *options, struct diag *diag)
{
    *m = (struct mapped){
        .sink.record = take, .objects = options->symbols.objects, .facts.events = *events};
    frametab_init(&m->frames, NULL);
    recordsource_init(&m->source, options, diag, &m->frames);
    recordsource_begin(&m->source, "the recording", &m->facts);
}
