#include "cmd/stackrecord/foldout.h"

#include "common/base/num.h"
#include "common/stack/measure.h"

static const struct fold_options as_stackcollapse = {
    .names = {.dialect = &foldname_native, .tidy = TIDY_BRACKETS}};

static struct decimal
weight(const struct perf_header *h)
{
    struct decimal w = {1, 0};
    if (measure_is_period(h->field[PERF_EVENT]))
        num_u64(h->field[PERF_PERIOD], &w.whole);
    return w;
}

/* Writes the stacks, and forgets them. */
static void
write_part(struct foldout *f)
{
    const struct frametab *frames = f->fold.frames;
    profile_write(&f->profile, f->out);
    out_flush(f->out);
    fold_free(&f->fold);
    profile_free(&f->profile);
    fold_init(&f->fold, &as_stackcollapse, frames, &f->profile);
}

static void
add(struct samplesink *s, const struct source *source)
{
    struct foldout *f = (struct foldout *)s; /* its first member */
    f->samples += fold_add(&f->fold, &source->sample, weight(&source->sample.header));
    if (f->limit > 0 && profile_size(&f->profile) + fold_size(&f->fold) > f->limit) {
        write_part(f);
        f->parts++;
    }
}

static void
end_round(struct samplesink *s)
{
    (void)s;
}

static void
finish(struct samplesink *s)
{
    write_part((struct foldout *)s);
}

static void
forget_frames(struct samplesink *s)
{
    fold_forget_frames(&((struct foldout *)s)->fold);
}

void
foldout_init(struct foldout *f, const struct frametab *frames, struct out *out)
{
    *f = (struct foldout){
        .sink = {add, end_round, finish, forget_frames}, .out = out, .profile.masks = true};
    fold_init(&f->fold, &as_stackcollapse, frames, &f->profile);
}

bool
foldout_is_full(const struct foldout *f)
{
    return profile_is_full(&f->profile);
}

void
foldout_free(struct foldout *f)
{
    fold_free(&f->fold);
    profile_free(&f->profile);
}
