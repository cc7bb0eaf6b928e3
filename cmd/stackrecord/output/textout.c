#include "cmd/stackrecord/output/textout.h"

#include "common/stack/model/measure.h"

static const struct fold_options as_stackcollapse = {
    .names = {.dialect = &foldname_native, .tidy = TIDY_BRACKETS}};

/* Print the folded stacks, and forget them. */
static void
print_stacks(struct textout *t)
{
    profile_write(&t->profile, t->out);
    out_flush(t->out);
    fold_free(&t->fold);
    profile_free(&t->profile);
    fold_init(&t->fold, &as_stackcollapse, &t->frames, &t->profile);
}

static void
add_stack(struct textout *t, const struct sample *s)
{
    uint64_t no_period = 0;
    fold_add(&t->fold, s, measure_sample(WEIGHT_BY_EVENT, &s->header, &no_period));
    if (t->stacks_limit > 0 && profile_size(&t->profile) + fold_size(&t->fold) > t->stacks_limit) {
        print_stacks(t);
        t->parts++;
    }
}

/* Print a sample. A command that this program runs may write to the same output: so each sample is
 * written at once, if it is not very large. */
static void
print_sample(struct textout *t, const struct sample *s)
{
    enum { FULL = OUT_SIZE * 3 / 4 };
    perfwrite_sample(&t->writer, s);
    if (t->out->len > FULL)
        out_flush(t->out);
}

/* Return true if the frames take too much memory. The writer and the fold have another copy of each
 * text. */
static bool
is_full(const struct textout *t)
{
    enum { FRAMES_MAX = 1 << 17 };
    return frametab_count(&t->frames) >= FRAMES_MAX ||
           (t->frames_limit > 0 &&
            2 * frametab_size(&t->frames) + symbolizer_frames_size(&t->source.symbolizer) >
                t->frames_limit);
}

static void
take(struct recordsink *sink, const struct record *r)
{
    struct textout *t = (struct textout *)sink; /* its first member */
    if (recordsource_take(&t->source, r) != ITEM_SAMPLE)
        return;
    if (t->archive != NULL)
        archive_add(t->archive, &t->source.source.sample);
    else if (t->folded)
        add_stack(t, &t->source.source.sample);
    else
        print_sample(t, &t->source.source.sample);
    if (is_full(t)) /* where processes come and go, each adds JIT frames, without limit */
        frametab_empty(&t->frames);
}

static void
flush(struct recordsink *sink)
{
    struct textout *t = (struct textout *)sink;
    if (t->archive == NULL)
        out_flush(t->out);
}

static void
finish(struct recordsink *sink)
{
    struct textout *t = (struct textout *)sink;
    if (t->folded)
        print_stacks(t);
    if (t->archive != NULL)
        archive_finish(t->archive);
    else
        out_flush(t->out);
    recordsource_end(&t->source);
}

void
textout_init(struct textout *t, const struct session *session,
             const struct recordsource_options *options, struct out *out, struct diag *diag)
{
    *t = (struct textout){.sink = {take, flush, finish, NULL}, .out = out, .profile.masks = true};
    t->facts = (struct perfdata){.events = session->events, .tracing = session->tracing};
    frametab_init(&t->frames, NULL); /* no frame is added as a line of text */
    recordsource_init(&t->source, options, diag, &t->frames);
    recordsource_begin(&t->source, "the recording", &t->facts);
    perfwrite_init(&t->writer, out, &t->frames);
    fold_init(&t->fold, &as_stackcollapse, &t->frames, &t->profile);
}
