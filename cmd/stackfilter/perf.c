/* Perf script text: perfline.h shows it. */
#include "cmd/stackfilter/filter.h"

static void
add_frame(struct frames *frames, struct span text)
{
    struct perf_frame f;
    if (!perf_frame_parse(text, &f)) /* it was one for the reader */
        f = (struct perf_frame){.sym = span_head(text, 0)};
    frames_add(frames, &(struct frame_parts){text, f.sym, f.offset, f.dso});
}

/* A header that holds its frame ends before it. */
static struct span
header_line(const struct perf_sample *s)
{
    if (!s->frame_in_header)
        return s->line;
    size_t end = (size_t)(s->header.rest.ptr - s->line.ptr);
    while (end > 0 && is_space(s->line.ptr[end - 1]))
        end--;
    return span_head(s->line, end);
}

static void
filter_sample(struct filter *f)
{
    const struct perf_sample *s = &f->perftext.sample;
    struct frames *frames = &f->perf_frames;
    size_t n = s->nframes;
    while (frames->count < f->perftext.frames.count)
        add_frame(frames, perftext_frame(&f->perftext, (uint32_t)frames->count));
    f->stack = mem_grow(f->stack, &f->stack_cap, n + 1, sizeof *f->stack);
    if (n > 0)
        memcpy(f->stack, s->frames, n * sizeof *f->stack);
    if (!filter_stack(f, frames, &n, (struct count){{{1, 0}, {0, 0}}}))
        return;
    out_span(&f->out, header_line(s));
    out_char(&f->out, '\n');
    for (size_t i = 0; i < n; i++) {
        struct span text = frames->list[f->stack[i]].text;
        if (s->frame_in_header && !is_space(text.ptr[0]))
            out_char(&f->out, '\t');
        out_span(&f->out, text);
    }
    out_char(&f->out, '\n');
}

void
filter_perf(struct filter *f)
{
    struct perftext *t = &f->perftext;
    for (;;) {
        switch (perftext_next(t)) {
        case PERF_SAMPLE:
            filter_sample(f);
            break;
        case PERF_OTHER:
            filter_pass(f, t->line, NULL);
            break;
        case PERF_STRAY:
            filter_pass(f, t->line, "a frame outside of any sample");
            break;
        case PERF_UNKNOWN:
            filter_pass(f, t->line, "not a line of perf script text");
            break;
        case PERF_END:
            return;
        }
    }
}
