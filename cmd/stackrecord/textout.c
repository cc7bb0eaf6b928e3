#include "cmd/stackrecord/textout.h"

/* A command that we run may write to the same output. So only whole samples are written at once,
 * if they are not very large. */
static void
take(struct samplesink *sink, const struct source *source)
{
    enum { FULL = OUT_SIZE * 3 / 4 };
    struct textout *t = (struct textout *)sink; /* its first member */
    perfwrite_sample(&t->writer, &source->sample);
    if (t->out->len > FULL)
        out_flush(t->out);
}

static void
flush(struct samplesink *sink)
{
    out_flush(((struct textout *)sink)->out);
}

static void
forget_frames(struct samplesink *sink)
{
    perfwrite_forget_frames(&((struct textout *)sink)->writer);
}

void
textout_init(struct textout *t, struct out *out, const struct frametab *frames)
{
    *t = (struct textout){.sink = {take, flush, flush, forget_frames}, .out = out};
    perfwrite_init(&t->writer, out, frames);
}

void
textout_free(struct textout *t)
{
    perfwrite_free(&t->writer);
}
