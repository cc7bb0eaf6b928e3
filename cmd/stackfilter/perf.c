/* Perf script text: perfline.h shows it. */
#include "cmd/stackfilter/filter.h"

/* Decides about a frame, and if it is renamed adds the frame that is written instead. */
static void
decide(struct filter *f, uint32_t number)
{
    struct frametab *frames = &f->perftext.frames;
    struct frame frame = *frametab_frame(frames, number), old = frame;
    struct decision *d = decisions_make(&f->perf_frames, number, &frame.sym, &frame.dso);
    bool renamed = !span_eq(frame.sym, old.sym);
    if (!renamed && span_eq(frame.dso, old.dso))
        return;
    if (renamed) {
        frame.offset = SPAN(""); /* it was the old symbol's */
        frame.sym_blanks = 0;
    }
    d->shown = frametab_add(frames, &frame);
}

/* Decides about the frames that were read since the last call. The frames that decide() adds need
 * no decision: they are only written. */
static void
decide_new(struct filter *f)
{
    const struct frametab *frames = &f->perftext.frames;
    size_t read = frametab_count(frames);
    if (f->decided == read)
        return;
    while (f->decided < read)
        decide(f, (uint32_t)f->decided++);
    f->decided = frametab_count(frames);
}

static void
filter_sample(struct filter *f)
{
    struct sample s = f->perftext.source.sample;
    size_t n = s.nframes;
    decide_new(f);
    f->stack = mem_grow(f->stack, &f->stack_cap, n + 1, sizeof *f->stack);
    if (n > 0)
        memcpy(f->stack, s.frames, n * sizeof *f->stack);
    if (f->rules->node)
        advice_add(&f->advice, &f->perf_frames, f->stack, n, s.header.field[PERF_COMM]);
    if (!filter_stack(f, &f->perf_frames, &n, (struct count){{{1, 0}, {0, 0}}}))
        return;
    for (size_t i = 0; i < n; i++)
        f->stack[i] = f->perf_frames.list[f->stack[i]].shown;
    s.frames = f->stack;
    s.nframes = n;
    /* A frame on the header line becomes a stack of its own, which may be empty now. */
    s.frame_in_header = s.header.no_callchain = false;
    s.blank = true;
    perfwrite_sample(&f->writer, &s);
}

void
filter_perf(struct filter *f)
{
    struct source *s = &f->perftext.source;
    f->perf = true;
    for (enum source_item item; (item = source_next(s)) != ITEM_END;) {
        f->usable += item == ITEM_SAMPLE || item == ITEM_RECORD;
        if (item == ITEM_SAMPLE)
            filter_sample(f);
        else
            filter_pass(f, s->text, item == ITEM_STRAY || item == ITEM_SKIPPED ? s->why : NULL);
    }
}
