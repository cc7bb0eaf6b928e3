#include "common/stack/perftext.h"

#include <stdlib.h>

#include "common/base/hash.h"

const struct perf_rules perf_rules = {
    .line = perf_line_parse,
    .srclines = NULL,
    .header_ends_sample = true,
    .blank_ends_sample = false,
    .end_ends_sample = true,
};

/* So many bytes tell where to look a line up: the address, and a little more. */
enum { START = 24 };

void
perftext_init(struct perftext *t, const struct perf_rules *rules, struct lines *lines)
{
    *t = (struct perftext){.rules = rules, .lines = lines};
    t->last = INTERN_NONE;
    t->sample.frames = t->stack = mem_grow(NULL, &t->stack_cap, 1, sizeof *t->stack);
}

void
perftext_free(struct perftext *t)
{
    intern_free(&t->frames);
    free(t->next);
    free(t->stack);
    free(t->text);
    free(t->joined);
}

static void
push(struct perftext *t, uint32_t frame)
{
    struct perf_sample *s = &t->sample;
    if (s->nframes == t->stack_cap)
        s->frames = t->stack = mem_grow(t->stack, &t->stack_cap, s->nframes + 1, sizeof *t->stack);
    t->stack[s->nframes++] = frame;
}

/* The number of a frame text; a new one gets its row in `next`. */
static uint32_t
frame_number(struct perftext *t, struct span text)
{
    uint32_t frame;
    if (intern_put(&t->frames, text, &frame)) {
        t->next = mem_grow(t->next, &t->next_cap, t->frames.count, sizeof *t->next);
        t->next[frame] = INTERN_NONE;
    }
    return frame;
}

/* Remembers that the frame followed the line read last. */
static void
follow(struct perftext *t, uint32_t frame)
{
    if (t->last != INTERN_NONE)
        t->next[t->last] = frame;
    t->last = frame;
}

/* Where the number of the frame line that begins like the text is remembered, plus one. */
static uint32_t *
start_of(struct perftext *t, const char *text)
{
    uint64_t h = hash_mix(hash_mix(hash_load(text), hash_load(text + 8)), hash_load(text + 16));
    return &t->starts[h % PERF_STARTS];
}

/* Whether the text from p to end goes on with the frame. */
static inline bool
stands(const struct perftext *t, uint32_t frame, const char *p, const char *end)
{
    if (frame == INTERN_NONE)
        return false;
    struct span text = t->frames.texts[frame];
    return (size_t)(end - p) >= text.len && memcmp(p, text.ptr, text.len) == 0;
}

/* The frame that the text goes on with, where that can be told without looking for the line's end:
 * below a callee mostly stands the caller that stood there last time (*next, which is set right),
 * and else a line that begins like a known one mostly is that line. */
static inline uint32_t
foretold(struct perftext *t, uint32_t *next, const char *p, const char *end)
{
    if (stands(t, *next, p, end))
        return *next;
    if (end - p < START || *p == '\n')
        return INTERN_NONE;
    uint32_t frame = *start_of(t, p) - 1;
    return stands(t, frame, p, end) ? (*next = frame) : INTERN_NONE;
}

/* Takes the frame lines that are foretold. Most lines of any input are read here, hence the local
 * copies. Of a sample that is passed over the frames are put down too, and forgotten. */
static void
take_foretold(struct perftext *t)
{
    const struct span ahead = lines_buffered(t->lines);
    const char *p = ahead.ptr, *end = p + ahead.len;
    uint32_t *first = t->stack + (t->open ? t->sample.nframes : 0), *to = first;
    uint32_t *full = t->stack + t->stack_cap;
    uint32_t frame, none = INTERN_NONE;
    uint32_t *next = t->last != INTERN_NONE ? &t->next[t->last] : &none;
    while (to < full && (frame = foretold(t, next, p, end)) != INTERN_NONE) {
        *to++ = frame;
        p += t->frames.texts[frame].len;
        next = &t->next[frame];
    }
    if (to == first)
        return;
    t->last = to[-1];
    if (t->open)
        t->sample.nframes = (size_t)(to - t->stack);
    lines_skip(t->lines, (size_t)(p - ahead.ptr), (size_t)(to - first));
}

/* Puts `line` and its newline behind the first len bytes of the joined text. */
static size_t
join(struct perftext *t, size_t len, struct span line)
{
    t->joined = mem_grow(t->joined, &t->joined_cap, len + line.len + 1, 1);
    memcpy(t->joined + len, line.ptr, line.len);
    t->joined[len + line.len] = '\n';
    return len + line.len + 1;
}

/* The text of the frame in t->line, with the source lines that the rules say follow it. */
static struct span
frame_text(struct perftext *t)
{
    size_t n = t->open && t->rules->srclines != NULL ? t->rules->srclines(t->line) : 0;
    if (n == 0)
        return span_of(t->line.ptr, t->line.len + 1);
    struct span line;
    size_t len = join(t, 0, t->line);
    while (n-- > 0 && lines_next(t->lines, &line))
        len = join(t, len, line);
    return span_of(t->joined, len);
}

/* Gives the frame read last its source line; false where there is none that lacks one. */
static bool
add_srcline(struct perftext *t, struct span line)
{
    struct perf_sample *s = &t->sample;
    if (s->nframes == 0)
        return false;
    struct span frame = perftext_frame(t, t->stack[s->nframes - 1]);
    if (span_find(frame, '\n') != frame.len - 1)
        return false;
    size_t len = join(t, 0, span_head(frame, frame.len - 1));
    len = join(t, len, line);
    t->stack[s->nframes - 1] = frame_number(t, span_of(t->joined, len));
    return true;
}

/* A frame line; false where no sample wants it. */
static bool
take_frame(struct perftext *t, uint32_t frame)
{
    if (!t->open && !t->passing)
        return false;
    if (t->open && t->blank) /* so the blank line did not end the sample: it was a source line */
        add_srcline(t, SPAN(""));
    if (frame == INTERN_NONE)
        frame = frame_number(t, frame_text(t));
    if (t->line.len >= START)
        *start_of(t, t->line.ptr) = frame + 1;
    follow(t, frame);
    t->blank = false;
    if (t->open)
        push(t, frame);
    return true;
}

/* A source line; false where no frame wants it. */
static bool
take_srcline(struct perftext *t)
{
    return t->passing || (t->open && !t->blank && add_srcline(t, t->line));
}

/* Takes the next line where it can be told without looking for its end: an empty one, or a header
 * like an earlier one. Both stand outside of stacks. */
static bool
take_short(struct perftext *t)
{
    struct span ahead = lines_buffered(t->lines);
    size_t len = 0;
    if (ahead.len > 0 && ahead.ptr[0] == '\n')
        t->kind = PERF_LINE_BLANK;
    else if ((!t->open || t->blank) &&
             (len = perf_headers_find(&t->headers, ahead, &t->header)) > 0)
        t->kind = PERF_LINE_HEADER;
    else
        return false;
    t->line = span_head(ahead, len);
    lines_skip(t->lines, len + 1, 1);
    return true;
}

/* What kind of line t->line is; of a frame that is known, its number. */
static enum perf_line
classify(struct perftext *t, uint32_t *frame)
{
    bool blank = t->line.len > 0 && is_space(t->line.ptr[0]);
    *frame = INTERN_NONE;
    if (blank && t->rules->srclines == NULL)
        *frame = intern_find(&t->frames, span_of(t->line.ptr, t->line.len + 1));
    if (*frame != INTERN_NONE)
        return PERF_LINE_FRAME;
    enum perf_line kind = t->rules->line(t->line, &t->header);
    if (kind == PERF_LINE_HEADER)
        perf_headers_add(&t->headers, t->line, &t->header);
    return kind;
}

/* Reads on to the next line that is not part of a stack. False at the end of the file. */
static bool
read_line(struct perftext *t)
{
    for (;;) {
        if ((t->open || t->passing) && !t->blank && t->rules->srclines == NULL)
            take_foretold(t);
        if (take_short(t))
            return true;
        if (!lines_next(t->lines, &t->line))
            return false;
        uint32_t frame;
        t->kind = classify(t, &frame);
        bool taken = t->kind == PERF_LINE_FRAME     ? take_frame(t, frame)
                     : t->kind == PERF_LINE_SRCLINE ? take_srcline(t)
                                                    : false;
        if (!taken)
            return true;
    }
}

/* Makes a field that borrows from one text borrow from its copy. */
static void
move(struct span *field, const char *from, const char *to)
{
    if (field->len > 0)
        field->ptr = to + (field->ptr - from);
}

/* Copies the header's line to where it outlives the block that it was read in. */
static void
keep_header(struct perftext *t)
{
    struct perf_sample *s = &t->sample;
    t->text = mem_grow(t->text, &t->text_cap, t->line.len + 1, 1);
    memcpy(t->text, t->line.ptr, t->line.len + 1);
    s->line = span_of(t->text, t->line.len);
    s->header = t->header;
    struct perf_header *h = &s->header;
    move(&h->comm, t->line.ptr, t->text);
    move(&h->pid, t->line.ptr, t->text);
    move(&h->tid, t->line.ptr, t->text);
    move(&h->cpu, t->line.ptr, t->text);
    move(&h->time, t->line.ptr, t->text);
    move(&h->period, t->line.ptr, t->text);
    move(&h->event, t->line.ptr, t->text);
    move(&h->rest, t->line.ptr, t->text);
}

/* Acts on the header in t->line. */
static void
begin(struct perftext *t)
{
    struct perf_sample *s = &t->sample;
    if (t->accept != NULL && !t->accept(t->ctx, &t->header)) {
        t->passing = !t->open;
        t->last = INTERN_NONE;
        t->blank = false;
        return;
    }
    if (!t->open)
        s->nframes = 0;
    t->open = true;
    t->passing = t->blank = false;
    t->last = INTERN_NONE;
    s->number = t->lines->number;
    keep_header(t);
    s->frame_in_header = perf_header_has_frame(&s->header);
    if (s->frame_in_header) {
        const char *rest = s->header.rest.ptr;
        push(t, frame_number(t, span_of(rest, (size_t)(s->line.ptr + s->line.len + 1 - rest))));
    }
}

/* Ends the sample; true where there was one. */
static bool
finish(struct perftext *t)
{
    bool was = t->open;
    t->sample.blank = t->blank;
    t->open = t->passing = t->blank = false;
    return was;
}

enum perf_item
perftext_next(struct perftext *t)
{
    for (;;) {
        if (!t->held && !read_line(t))
            return t->rules->end_ends_sample && finish(t) ? PERF_SAMPLE : PERF_END;
        t->held = false;
        if (t->kind == PERF_LINE_BLANK && !t->rules->blank_ends_sample) {
            t->blank = true;
            continue;
        }
        bool ends = t->kind == PERF_LINE_BLANK    ? true
                    : t->kind == PERF_LINE_HEADER ? t->rules->header_ends_sample
                                                  : t->blank;
        if (ends && finish(t)) {
            t->held = true;
            return PERF_SAMPLE;
        }
        switch (t->kind) {
        case PERF_LINE_BLANK:
            break;
        case PERF_LINE_HEADER:
            begin(t);
            break;
        case PERF_LINE_COMMENT:
        case PERF_LINE_RECORD:
            return PERF_OTHER;
        case PERF_LINE_FRAME:
        case PERF_LINE_SRCLINE:
            return PERF_STRAY;
        case PERF_LINE_UNKNOWN:
            return PERF_UNKNOWN;
        }
    }
}
