#include "cmd/stackrecord/symbolized.h"

/* True if frames take more memory than they may. Who prints them has each text once more. */
static bool
is_full(const struct symbolized *s)
{
    enum { FRAMES_MOST = 1 << 17 };
    return frametab_count(&s->frames) >= FRAMES_MOST ||
           (s->frames_limit > 0 &&
            2 * frametab_size(&s->frames) + symbolizer_frames_size(&s->source.symbolizer) >
                s->frames_limit);
}

/* Forgets all frames when there are very many: where processes come and go, each has JIT frames of
 * its own, without end. */
static void
limit_frames(struct symbolized *s)
{
    if (!is_full(s) || s->to->forget_frames == NULL)
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
