#include "cmd/stackrecord/symbolized.h"

/* Forgets all frames when there are very many: where processes come and go, each has JIT frames of
 * its own, without end. */
static void
limit_frames(struct symbolized *s)
{
    if (!frametab_is_full(&s->frames) || s->to->forget_frames == NULL)
        return;
    s->to->forget_frames(s->to);
    frametab_free(&s->frames);
    frametab_init(&s->frames, NULL);
    symbolizer_forget_frames(&s->source.symbolizer);
}

static void
take(struct recordsink *sink, const struct record *r)
{
    struct symbolized *s = (struct symbolized *)sink; /* its first member */
    if (recordsource_take(&s->source, r) == ITEM_SAMPLE) {
        s->to->sample(s->to, &s->source.source);
        limit_frames(s);
    }
}

static void
end_round(struct recordsink *sink)
{
    struct symbolized *s = (struct symbolized *)sink;
    s->to->round(s->to);
}

static void
finish(struct recordsink *sink)
{
    struct symbolized *s = (struct symbolized *)sink;
    s->to->finish(s->to);
    recordsource_end(&s->source);
}

void
symbolized_init(struct symbolized *s, const struct session *session,
                const struct recordsource_options *options, struct samplesink *to,
                struct diag *diag)
{
    *s = (struct symbolized){.sink = {take, end_round, finish}, .to = to};
    s->facts = (struct perfdata){.events = session->events, .tracing = session->tracing};
    frametab_init(&s->frames, NULL); /* no frame is added as a line */
    recordsource_init(&s->source, options, diag, &s->frames);
    recordsource_begin(&s->source, "the recording", &s->facts);
}

void
symbolized_free(struct symbolized *s)
{
    recordsource_free(&s->source);
    frametab_free(&s->frames);
}
