#include "common/stack/text/perftext.h"

#include <stdlib.h>

#include "common/base/hash.h"
#include "common/base/num.h"

/* Return the slot of the frame line that begins here. It must have at least PREDICT_PREFIX
 * bytes. */
static inline uint32_t *
prefix_slot(struct predict *p, const char *text)
{
    uint64_t h = hash_mix(hash_mix(hash_load(text), hash_load(text + 8)), hash_load(text + 16));
    return &p->slots[h % PREDICT_SLOTS];
}

/* Return the slot of the prediction for the line after `frame`. */
static inline uint32_t *
predict_next(struct predict *p, uint32_t frame)
{
    if (frame >= p->count) {
        p->next = mem_grow(p->next, &p->cap, (size_t)frame + 1, sizeof *p->next);
        while (p->count <= frame)
            p->next[p->count++] = INTERN_NONE;
    }
    return &p->next[frame];
}

/* Return true if the text from `at` to `end` begins with the frame's line. */
static inline bool
frame_matches(const struct frametab *frames, uint32_t frame, const char *at, const char *end)
{
    if (frame == INTERN_NONE)
        return false;
    struct span text = frames->texts.texts[frame];
    return (size_t)(end - at) >= text.len && memcmp(at, text.ptr, text.len) == 0;
}

/* Return the frame whose line begins at `at`, or INTERN_NONE if neither prediction is right. *next
 * is the prediction by the callee; it is updated. */
static inline uint32_t
predict_frame(struct predict *p, const struct frametab *frames, uint32_t *next, const char *at,
              const char *end)
{
    if (frame_matches(frames, *next, at, end))
        return *next;
    if (end - at < PREDICT_PREFIX || *at == '\n')
        return INTERN_NONE;
    uint32_t frame = *prefix_slot(p, at) - 1;
    return frame_matches(frames, frame, at, end) ? (*next = frame) : INTERN_NONE;
}

const struct perf_rules perf_rules = {
    .line = perf_line_parse,
    .frame = perf_frame_parse,
    .srclines = NULL,
    .header_ends_sample = true,
    .blank_ends_sample = false,
    .end_ends_sample = true,
    .bare_headers = true,
};

void
perftext_free(struct perftext *t)
{
    frametab_free(&t->frames);
    free(t->predict.next);
    free(t->stack);
    free(t->text);
    free(t->joined);
}

void
perftext_forget_frames(struct perftext *t)
{
    frametab_empty(&t->frames);
    free(t->predict.next);
    memset(&t->predict, 0, sizeof t->predict);
    t->last = INTERN_NONE;
}

static void
push(struct perftext *t, uint32_t frame)
{
    struct sample *s = &t->source.sample;
    if (s->nframes == t->stack_cap)
        s->frames = t->stack = mem_grow(t->stack, &t->stack_cap, s->nframes + 1, sizeof *t->stack);
    t->stack[s->nframes++] = frame;
}

/* Remember that this frame followed the last line. */
static void
learn(struct perftext *t, uint32_t frame)
{
    if (t->last != INTERN_NONE)
        *predict_next(&t->predict, t->last) = frame;
    predict_next(&t->predict, frame);
    t->last = frame;
}

/* Take the frame lines that were predicted. Most lines of any input are read here, hence the local
 * copies. Frames of a skipped sample are written, too, but not used. */
static void
take_predicted(struct perftext *t)
{
    struct source *s = &t->source;
    const struct span ahead = lines_buffered(t->lines);
    const char *p = ahead.ptr, *end = p + ahead.len;
    uint32_t *first = t->stack + (s->open ? s->sample.nframes : 0), *to = first;
    uint32_t *full = t->stack + t->stack_cap;
    uint32_t frame, none = INTERN_NONE;
    uint32_t *next = t->last != INTERN_NONE ? &t->predict.next[t->last] : &none;
    while (to < full &&
           (frame = predict_frame(&t->predict, &t->frames, next, p, end)) != INTERN_NONE) {
        *to++ = frame;
        p += t->frames.texts.texts[frame].len;
        next = &t->predict.next[frame];
    }
    if (to == first)
        return;
    t->last = to[-1];
    if (s->open)
        s->sample.nframes = (size_t)(to - t->stack);
    lines_skip(t->lines, (size_t)(p - ahead.ptr), (size_t)(to - first));
}

/* Append `line` and a newline to the first len bytes of the joined text. Return the new length. */
static size_t
join(struct perftext *t, size_t len, struct span line)
{
    t->joined = mem_grow(t->joined, &t->joined_cap, len + line.len + 1, 1);
    memcpy(t->joined + len, line.ptr, line.len);
    t->joined[len + line.len] = '\n';
    return len + line.len + 1;
}

/* Return the text of the frame in t->line, including the source lines that follow it according to
 * the rules. */
static struct span
frame_text(struct perftext *t)
{
    size_t n = t->source.open && t->rules->srclines != NULL ? t->rules->srclines(t->line) : 0;
    if (n == 0)
        return span_of(t->line.ptr, t->line.len + 1);
    struct span line;
    size_t len = join(t, 0, t->line);
    while (n-- > 0 && lines_next(t->lines, &line))
        len = join(t, len, line);
    return span_of(t->joined, len);
}

/* Add a source line to the last frame. Return false if there is no frame, or if it already has
 * one. */
static bool
add_srcline(struct perftext *t, struct span line)
{
    struct sample *s = &t->source.sample;
    if (s->nframes == 0)
        return false;
    uint32_t *last = &t->stack[s->nframes - 1];
    if (frametab_frame(&t->frames, *last)->has_srcline)
        return false;
    struct span frame = frametab_text(&t->frames, *last);
    size_t len = join(t, 0, span_head(frame, frame.len - 1));
    len = join(t, len, line);
    *last = frametab_line(&t->frames, span_of(t->joined, len));
    return true;
}

/* Handle a frame line. Return false outside of samples. */
static bool
take_frame(struct perftext *t, uint32_t frame)
{
    if (!t->source.open && !t->passing)
        return false;
    if (t->source.open && t->blank) /* the blank line was a source line, not the sample's end */
        add_srcline(t, SPAN(""));
    if (frame == INTERN_NONE)
        frame = frametab_line(&t->frames, frame_text(t));
    /* Reading source lines may have moved the line; then predictions are not used. */
    if (t->rules->srclines == NULL && t->line.len >= PREDICT_PREFIX)
        *prefix_slot(&t->predict, t->line.ptr) = frame + 1;
    learn(t, frame);
    t->blank = false;
    if (t->source.open)
        push(t, frame);
    return true;
}

/* Handle a source line. Return false if there is no frame to which it could belong. */
static bool
take_srcline(struct perftext *t)
{
    return t->passing || (t->source.open && !t->blank && add_srcline(t, t->line));
}

/* Take the next line if it can be recognized without scanning for its newline: an empty line, or a
 * header that matches a template. Both occur only outside of stacks. */
static bool
take_template(struct perftext *t)
{
    struct span ahead = lines_buffered(t->lines);
    size_t len = 0;
    if (ahead.len > 0 && ahead.ptr[0] == '\n')
        t->kind = PERF_LINE_BLANK;
    else if ((!t->source.open || t->blank) &&
             (len = headercache_find(&t->headers, ahead, &t->header)) > 0)
        t->kind = PERF_LINE_HEADER;
    else
        return false;
    t->line = span_head(ahead, len);
    lines_skip(t->lines, len + 1, 1);
    return true;
}

/* Return true if the next line is a frame, so that t->line, parsed as `h`, is a header. If not, set
 * *ends to whether the next line is blank or missing. */
static bool
frame_follows(struct perftext *t, const struct perf_header *h, bool *ends)
{
    struct span next;
    bool found = lines_peek_next(t->lines, &t->line, &next);
    *ends = !found || span_trim(next).len == 0;
    return found && perf_line_is_first_frame(next, h);
}

/* Return the header's fields, except the rest, as bits. */
static unsigned
fields_of(const struct perf_header *h)
{
    unsigned fields = 1u << PERF_FIELDS;
    for (int i = 0; i < PERF_REST; i++)
        fields |= h->field[i].len > 0 ? 1u << i : 0;
    return fields;
}

/* Return true if the command, if any, and the address are aligned as perf prints them in a header
 * that contains a frame. */
static bool
is_aligned(struct span line, const struct perf_header *h)
{
    enum { COMM_WIDTH = 16 };
    struct span comm = h->field[PERF_COMM];
    return perf_header_is_aligned(h) &&
           (comm.len == 0 || comm.ptr + comm.len == line.ptr + COMM_WIDTH);
}

/* Return true if the line, a header, contains a frame, and not a word of a log line: its address
 * has at least eight digits, or is aligned as perf prints it. */
static bool
has_frame(struct span line, const struct perf_header *h)
{
    enum { LONG = 8 };
    struct frame f;
    struct span frame = perf_header_frame(h);
    return frame.len > 0 && perf_frame_parse(frame, &f) &&
           (f.addr.len >= LONG || is_aligned(line, h));
}

/* Return true if the name contains a letter or digit, or is empty. A ">" or "|" before a frame is
 * not a command, but a mark of quoted text. */
static bool
is_command(struct span comm)
{
    size_t signs = 0;
    while (signs < comm.len && !is_word(comm.ptr[signs]) && (unsigned char)comm.ptr[signs] < 0x80)
        signs++;
    return comm.len == 0 || signs < comm.len;
}

/* A line that may be a header, with its fields; 0: it is not. */
struct above {
    struct perf_header header;
    unsigned fields;
};

static bool
ends_at_frame(void *ctx, struct span line)
{
    struct above *a = ctx;
    if (a->fields != 0 && perf_line_is_first_frame(line, &a->header))
        return true;
    bool bare = perf_line_parse(line, &a->header) == PERF_LINE_BARE;
    a->fields = bare ? fields_of(&a->header) : 0;
    return false;
}

/* Set t->bare_fields from the first header with frames, if other headers precede it. */
static void
look_for_fields(struct perftext *t)
{
    struct above a = {.fields = 0};
    if (!t->looked && lines_peek_from(t->lines, &t->line, ends_at_frame, &a))
        t->bare_fields = a.fields;
    t->looked = true;
}

/* Return true if t->line is a header with few fields. It must contain a frame, or be followed by
 * one; without a stack, it must have the same fields as such a header before it in the file. But
 * any text may precede a frame. So below the frames of another sample, it must have an event; and
 * if other headers of the file have an event or a time, it must have one of them. */
static bool
is_bare_header(struct perftext *t)
{
    const struct source *s = &t->source;
    bool ends, between = !s->open || t->blank || s->sample.frame_in_header;
    if (!t->rules->bare_headers || !perf_bare_parse(t->line, &t->header))
        return false;
    bool frame = frame_follows(t, &t->header, &ends);
    if (ends && t->bare_fields == 0 && perf_header_is_full(&t->header))
        look_for_fields(t);
    if (!perf_bare_parse(t->line, &t->header)) /* once more, since the line may have moved */
        return false;
    frame |= has_frame(t->line, &t->header);
    if (!frame && !ends)
        return false;
    bool event = t->header.field[PERF_EVENT].len > 0, time = t->header.field[PERF_TIME].len > 0;
    if (!event && !time && !is_command(t->header.field[PERF_COMM]))
        return false;
    unsigned fields = fields_of(&t->header);
    bool same = t->bare_fields == fields;
    if (frame ? !(event || (between && (time || !t->has_headers))) : !same || !between)
        return false;
    t->bare_fields = fields;
    return true;
}

/* Return the column, from 1, of the end of the frame line's address. */
static size_t
address_end(struct span line, struct span addr)
{
    size_t tab = span_starts(line, SPAN("\t")) ? PERF_TAB - 1 : 0;
    return (size_t)(addr.ptr + addr.len - line.ptr) + tab;
}

/* Return the kind of a line that looks like a frame without the tab. In text without headers, it is
 * a sample if its address is in the column in which perf prints the address of a sample without a
 * callchain. A number alone is a header ("  1234 ") if it is between samples and a frame follows,
 * and a detail (a physical address) if it is below frames that are indented further. Otherwise it
 * is a frame. */
static enum perf_line
classify_number(struct perftext *t)
{
    const struct sample *s = &t->source.sample;
    struct span above = SPAN("");
    struct frame f, last;
    if (!perf_frame_parse(t->line, &f))
        return PERF_LINE_FRAME;
    if (address_end(t->line, f.addr) == PERF_LONE_FRAME_COLUMN && !t->has_headers &&
        (!t->source.open || s->frame_in_header) && perf_bare_parse(t->line, &t->header))
        return PERF_LINE_HEADER;
    if (f.dso.len > 0)
        return PERF_LINE_FRAME;
    if (t->source.open && !t->blank && s->nframes > 0)
        above = frametab_text(&t->frames, s->frames[s->nframes - 1]);
    if (above.len > 0 && f.sym.len == 0 && perf_frame_parse(above, &last) &&
        (above.ptr[0] == '\t' || address_end(above, last.addr) == PERF_FRAME_COLUMN) &&
        address_end(t->line, f.addr) < PERF_FRAME_COLUMN)
        return PERF_LINE_DETAIL;
    bool between = !t->source.open || t->blank;
    return between && is_bare_header(t) ? PERF_LINE_HEADER : PERF_LINE_FRAME;
}

/* Return the kind of t->line. For a known frame line, set *frame to its number. */
static enum perf_line
classify(struct perftext *t, uint32_t *frame)
{
    bool indented = t->line.len > 0 && is_space(t->line.ptr[0]);
    *frame = INTERN_NONE;
    if (indented && t->rules->srclines == NULL && !t->no_prediction)
        *frame = frametab_find(&t->frames, span_of(t->line.ptr, t->line.len + 1));
    if (*frame != INTERN_NONE)
        return PERF_LINE_FRAME;
    enum perf_line kind = t->rules->line(t->line, &t->header);
    if (kind == PERF_LINE_HEADER) {
        headercache_add(&t->headers, t->line, &t->header);
    } else if (kind == PERF_LINE_BARE) {
        return is_bare_header(t) ? PERF_LINE_HEADER : PERF_LINE_UNKNOWN;
    } else if (kind == PERF_LINE_FRAME && t->rules->bare_headers && indented &&
               t->line.ptr[0] != '\t') {
        return classify_number(t);
    }
    return kind;
}

/* Handle lines before t->line that were too long to be read. Inside a stack, they were frames.
 * After the end of a stack, one of them was a header: return true then, since the following lines
 * belong to no sample. */
static bool
lose_lines(struct perftext *t)
{
    static const struct span unknown = SPAN("\t               0 [unknown] ([unknown])\n");
    size_t lost = t->lines->too_long - t->too_long;
    t->too_long += lost;
    if (t->blank && lost > 0)
        t->passing = false;
    for (; lost > 0 && t->source.open && !t->blank; lost--)
        push(t, frametab_line(&t->frames, unknown));
    return t->blank && lost > 0;
}

/* Read up to the next line that is not part of a stack. Return false at the end of the file. */
static bool
read_line(struct perftext *t)
{
    for (;;) {
        if ((t->source.open || t->passing) && !t->blank && t->rules->srclines == NULL &&
            !t->no_prediction)
            take_predicted(t);
        if (!t->no_prediction && take_template(t))
            return true;
        bool found = lines_next(t->lines, &t->line);
        bool astray = t->too_long < t->lines->too_long && lose_lines(t);
        if (!found)
            return false;
        uint32_t frame;
        t->kind = classify(t, &frame);
        bool taken = astray                         ? false
                     : t->kind == PERF_LINE_FRAME   ? take_frame(t, frame)
                     : t->kind == PERF_LINE_SRCLINE ? take_srcline(t)
                                                    : false;
        if (!taken)
            return true;
    }
}

/* Copy the header's line, so that it outlives the block that was read. */
static void
keep_header(struct perftext *t)
{
    struct perf_header *h = &t->source.sample.header;
    t->text = mem_grow(t->text, &t->text_cap, t->line.len + 1, 1);
    memcpy(t->text, t->line.ptr, t->line.len + 1);
    *h = t->header;
    for (int i = 0; i < PERF_FIELDS; i++)
        if (h->field[i].len > 0)
            h->field[i].ptr = t->text + (h->field[i].ptr - t->line.ptr);
}

/* If the header's rest contains a frame, make it the first frame of the sample. */
static void
take_header_frame(struct perftext *t)
{
    struct sample *s = &t->source.sample;
    struct span *rest = &s->header.field[PERF_REST];
    struct span text = rest->len > 0 ? perf_header_frame(&s->header) : *rest;
    s->frame_in_header = text.len > 0;
    if (text.len == 0)
        return;
    size_t before = (size_t)(text.ptr - rest->ptr);
    s->tail = span_from(*rest, before + text.len);
    *rest = span_head(*rest, before);
    size_t len = join(t, 0, text);
    push(t, frametab_line(&t->frames, span_of(t->joined, len)));
}

/* Handle the header in t->line. */
static void
begin(struct perftext *t)
{
    struct source *s = &t->source;
    t->last = INTERN_NONE;
    t->blank = false;
    t->has_headers |= t->header.field[PERF_TIME].len + t->header.field[PERF_EVENT].len > 0;
    perf_header_parse(&t->header, s->numbers);
    if (s->accept != NULL && !s->accept(s->ctx, &t->header)) {
        t->passing = !s->open;
        return;
    }
    if (!s->open)
        s->sample.nframes = 0;
    s->open = true;
    t->passing = false;
    s->sample.number = t->lines->number;
    keep_header(t);
    take_header_frame(t);
}

/* End the sample. Return true if there was one. */
static bool
finish(struct perftext *t)
{
    bool was = t->source.open;
    t->source.sample.blank = t->blank;
    t->source.open = t->passing = t->blank = false;
    return was;
}

/* Return the number in "PERF_RECORD_LOST lost 12". */
static uint64_t
lost_samples(struct span record)
{
    uint64_t n = 0;
    size_t at = span_search(record, SPAN("PERF_RECORD_LOST"));
    size_t word = at != SPAN_NONE ? span_search(span_from(record, at), SPAN("lost ")) : SPAN_NONE;
    if (word == SPAN_NONE)
        return 0;
    struct span number = span_from(record, at + word + strlen("lost "));
    num_u64(span_head(number, span_run(number, 0, is_digit)), &n);
    return n;
}

/* Return t->line as an item that is not a sample. */
static enum source_item
other_item(struct perftext *t)
{
    struct source *s = &t->source;
    s->text = t->line;
    if (t->kind == PERF_LINE_COMMENT)
        return ITEM_COMMENT;
    if (t->kind == PERF_LINE_RECORD) {
        perf_header_parse(&t->header, s->numbers);
        s->header = t->header;
        s->lost = lost_samples(t->line);
        return ITEM_RECORD;
    }
    bool unknown = t->kind == PERF_LINE_UNKNOWN;
    s->why = unknown ? "not a line of perf script text" : "a frame outside of any sample";
    return unknown ? ITEM_SKIPPED : ITEM_STRAY;
}

static enum source_item
end_of_file(struct perftext *t)
{
    t->bare_fields = 0;
    t->has_headers = t->looked = false;
    return ITEM_END;
}

/* Return true if a blank line is a header, and set t->header: with -F ip,sym, perf prints no field
 * above the frames, and a blank line below them. */
static bool
is_empty_header(struct perftext *t)
{
    bool ends;
    if (t->kind != PERF_LINE_BLANK || t->has_headers || !t->rules->bare_headers ||
        (t->source.open && !t->blank))
        return false;
    t->header = (struct perf_header){0};
    return frame_follows(t, &t->header, &ends);
}

static enum source_item
next(struct source *s)
{
    struct perftext *t = (struct perftext *)s; /* the first member */
    for (;;) {
        if (!t->held && !read_line(t))
            return t->rules->end_ends_sample && finish(t) ? ITEM_SAMPLE : end_of_file(t);
        t->held = false;
        if (is_empty_header(t))
            t->kind = PERF_LINE_HEADER;
        bool blank = t->kind == PERF_LINE_BLANK && !t->rules->blank_ends_sample;
        if (blank || t->kind == PERF_LINE_DETAIL) { /* a detail replaces the blank line */
            t->blank = true;
            continue;
        }
        bool ends = t->kind == PERF_LINE_BLANK    ? true
                    : t->kind == PERF_LINE_HEADER ? t->rules->header_ends_sample
                                                  : t->blank;
        if (ends && finish(t)) {
            t->held = true;
            return ITEM_SAMPLE;
        }
        if (t->kind == PERF_LINE_HEADER)
            begin(t);
        else if (t->kind != PERF_LINE_BLANK)
            return other_item(t);
    }
}

void
perftext_init(struct perftext *t, const struct perf_rules *rules, struct lines *lines)
{
    *t = (struct perftext){.source.next = next, .rules = rules, .lines = lines};
    frametab_init(&t->frames, rules->frame);
    t->source.frames = &t->frames;
    t->last = INTERN_NONE;
    t->source.sample.frames = t->stack = mem_grow(NULL, &t->stack_cap, 1, sizeof *t->stack);
}
