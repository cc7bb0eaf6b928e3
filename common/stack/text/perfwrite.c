/*     V8 WorkerThread 24636/25607 [000] 4794564.109216:     104345 cycles:u:
 *     	    7f1e2215d058 uv_run+0x12 (/usr/bin/node)
 *       core.c:137
 *
 *                   sh 24121  1957.949451:    2004008 cpu-clock:      7fcac0d9b138 f+0x18 (/bin/sh)
 *
 * The second is an event without callchains: the command is right-aligned in 16 columns, the frame
 * follows the event, and there is no blank line. The widths are those of perf_sample__fprintf_start
 * and process_event in tools/perf/builtin-script.c of the Linux source. */
#include "common/stack/text/perfwrite.h"

#include "common/base/bytes.h"
#include "common/base/hash.h"
#include "common/base/utf8.h"
#include "common/stack/text/perfline.h"

enum {
    COMM_WIDTH = 16,
    ID_WIDTH = 5,
    CPU_WIDTH = 3,
    FLAGS_WIDTH = 6,
    SECONDS_WIDTH = 5,
    PERIOD_WIDTH = 10,
    ADDR_WIDTH = 16
};

void
perfwrite_init(struct perfwrite *w, struct out *out, const struct frametab *frames)
{
    *w = (struct perfwrite){.out = out, .frames = frames};
}

/* Return the number of columns that are missing to the width. */
static size_t
missing(size_t width, size_t len)
{
    return len < width ? width - len : 0;
}

/* Append s at *to, and advance *to. */
static void
put(char **to, struct span s)
{
    if (s.len > 0)
        memcpy(*to, s.ptr, s.len);
    *to += s.len;
}

static void
put_blanks(char **to, size_t n)
{
    memset(*to, ' ', n);
    *to += n;
}

/* Return the frame without the parts that are not written. */
static struct frame
shown_parts(const struct frame *frame, unsigned hidden)
{
    struct frame f = *frame;
    if (hidden & PERFWRITE_SYM) {
        f.sym = SPAN("");
        f.sym_blanks = 0;
        f.has_sym = false;
    }
    if (hidden & PERFWRITE_OFFSET)
        f.offset = SPAN("");
    if (hidden & PERFWRITE_DSO)
        f.dso = SPAN("");
    if (hidden & PERFWRITE_SRCLINE)
        f.has_srcline = false;
    return f;
}

/* Mask the text since `start`, and end the line. */
static void
end_line(char *start, char **to)
{
    utf8_mask(start, (size_t)(*to - start));
    *(*to)++ = '\n';
}

/* Return the frame's text in the arena: "\t    7f1e2215d058 uv_run+0x12 (/usr/bin/node)\n", and
 * "  core.c:137\n" if it has a source line. */
static struct span
compose(struct arena *arena, const struct frame *f)
{
    char digits[FRAME_ADDR];
    struct span addr = frame_addr(f, digits);
    size_t blanks = missing(ADDR_WIDTH, addr.len), marks = sizeof "\t  ()\n  \n";
    char *text = arena_text(arena, marks + blanks + addr.len + f->sym.len + f->sym_blanks +
                                       f->offset.len + f->dso.len + f->srcline.len);
    char *to = text;
    *to++ = '\t';
    put_blanks(&to, blanks);
    put(&to, addr);
    if (f->has_sym)
        *to++ = ' ';
    put(&to, f->sym);
    put_blanks(&to, f->sym_blanks);
    put(&to, f->offset);
    if (f->dso.len > 0) {
        put(&to, SPAN(" ("));
        put(&to, f->dso);
        *to++ = ')';
    }
    end_line(text + 1, &to); /* without tabs, utf8_mask is fast */
    if (f->has_srcline) {
        char *line = to;
        put(&to, f->srcline.len > 0 ? SPAN("  ") : SPAN(""));
        put(&to, f->srcline);
        end_line(line, &to);
    }
    return span_of(text, (size_t)(to - text));
}

/* Do the work of line_of for a frame whose text was not composed yet. */
static __attribute__((noinline)) struct span
new_line(struct perfwrite *w, uint32_t frame)
{
    if (frame >= w->count) {
        w->lines = mem_grow(w->lines, &w->cap, frametab_count(w->frames), sizeof *w->lines);
        memset(w->lines + w->count, 0, (w->cap - w->count) * sizeof *w->lines);
        w->count = w->cap;
    }
    struct frame f = shown_parts(frametab_frame(w->frames, frame), w->hidden_parts);
    return w->lines[frame] = compose(&w->arena, &f);
}

/* Return the text of a frame, with its newlines. */
static inline struct span
line_of(struct perfwrite *w, uint32_t frame)
{
    return frame < w->count && w->lines[frame].ptr != NULL ? w->lines[frame] : new_line(w, frame);
}

/* Append s, right- or left-aligned in `width` columns. */
static void
put_right(char **to, size_t width, struct span s)
{
    put_blanks(to, missing(width, s.len));
    put(to, s);
}

static void
put_left(char **to, size_t width, struct span s)
{
    put(to, s);
    put_blanks(to, missing(width, s.len));
}

/* Append "            node ". Return the name as it was put. */
static struct span
put_comm(char **to, const struct perf_header *h)
{
    struct span comm = h->field[PERF_COMM];
    /* This form is recognized by a blank at the start, so put one even if the command fills its
     * columns. */
    if (h->no_callchain)
        put_blanks(to, comm.len < COMM_WIDTH ? COMM_WIDTH - comm.len : 1);
    put(to, comm);
    *(*to)++ = ' ';
    return span_of(*to - 1 - comm.len, comm.len);
}

/* Append "24636/25607 ", or one of the two numbers. */
static void
put_ids(char **to, struct span pid, struct span tid)
{
    if (tid.len == 0 && pid.len == 0)
        return;
    if (tid.len == 0) {
        put_right(to, ID_WIDTH, pid);
    } else if (pid.len > 0) {
        put_right(to, ID_WIDTH, pid);
        *(*to)++ = '/';
        put_left(to, ID_WIDTH, tid);
    } else {
        put_right(to, ID_WIDTH, tid);
    }
    *(*to)++ = ' ';
}

/* Append "[001] ". "-1", which means no CPU, is not changed. */
static void
put_cpu(char **to, struct span cpu)
{
    if (cpu.len == 0)
        return;
    *(*to)++ = '[';
    for (size_t n = is_digit(cpu.ptr[0]) ? missing(CPU_WIDTH, cpu.len) : 0; n > 0; n--)
        *(*to)++ = '0';
    put(to, cpu);
    put(to, SPAN("] "));
}

/* Append "d..1.  1957.949451:". */
static void
put_time(char **to, struct span flags, struct span time)
{
    if (time.len == 0)
        return;
    if (flags.len > 0) {
        put_left(to, FLAGS_WIDTH, flags);
        if (flags.len >= FLAGS_WIDTH)
            *(*to)++ = ' ';
    }
    put_blanks(to, missing(SECONDS_WIDTH, span_find(time, '.')));
    put(to, time);
    *(*to)++ = ':';
}

/* Append "     104345 cycles:u:". Return the event as it was put. */
static struct span
put_event(char **to, const struct perf_header *h)
{
    struct span period = h->field[PERF_PERIOD], event = h->field[PERF_EVENT];
    if (h->field[PERF_TIME].len > 0 && (period.len > 0 || event.len > 0))
        *(*to)++ = ' ';
    if (period.len > 0) {
        put_right(to, PERIOD_WIDTH, period);
        if (event.len > 0)
            *(*to)++ = ' ';
    }
    if (event.len > 0) {
        put_right(to, h->event_width, event);
        *(*to)++ = ':';
    }
    return span_of(*to - (event.len > 0) - event.len, event.len);
}

/* Return bytes that are not all 0 if a masked name contains white space. 16 bytes after the name
 * must be readable. One step is enough for most names; compared with a loop over the bytes, this
 * saves 2 % of perf-script's instructions for the recording system-wide. */
static inline bytes
white_space(struct span name)
{
    static const char beyond[] = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0~~~~~~~~~~~~~~~~";
    bytes found = {0};
    for (size_t at = 0; at < name.len; at += sizeof found) {
        size_t left = name.len - at < sizeof found ? name.len - at : sizeof found;
        bytes text = bytes_load(name.ptr + at) | bytes_load(beyond + sizeof found - left);
        found |= (bytes)(text <= ' ');
    }
    return found;
}

static inline bool
is_record(struct span name)
{
    return span_starts(name, SPAN("PERF_RECORD_"));
}

static void
join_words(char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        text[i] = is_space(text[i]) ? '_' : text[i];
}

/* Replace everything in a name in the header that could be misread. */
static void
make_plain(struct span name)
{
    char *text = (char *)name.ptr;
    if (span_starts(name, SPAN("#")) || is_record(name))
        text[0] = '_'; /* otherwise, the line would be a comment or a record */
    join_words(text, name.len);
}

/* Return true if two headers of the same length have their fields at the same offsets. */
static bool
are_read_alike(const char *a, const char *b, size_t len)
{
    struct perf_header x, y;
    enum perf_line kind = perf_line_parse(span_of(a, len), &x);
    if (perf_line_parse(span_of(b, len), &y) != kind)
        return false;
    for (int i = 0; i < PERF_FIELDS && (kind == PERF_LINE_HEADER || kind == PERF_LINE_BARE); i++)
        if (x.field[i].len != y.field[i].len ||
            (x.field[i].len > 0 && x.field[i].ptr - a != y.field[i].ptr - b))
            return false;
    return true;
}

/* Return true if the header is parsed differently than with a plain name. */
static bool
misleads(struct perfwrite *w, struct span comm)
{
    text_set(&w->plain, span_of(w->header, w->header_len));
    make_plain(span_of(w->plain.ptr + (comm.ptr - w->header), comm.len));
    return !are_read_alike(w->header, w->plain.ptr, w->header_len);
}

/* Return the cached decision about a name, for headers with the same fields: the values of numbers
 * do not change how a header is parsed. Return NULL if other text matters, too. */
static struct perfwrite_name *
kept_decision(struct perfwrite *w, const struct perf_header *h, struct span comm)
{
    struct perfwrite_name key = {.fields = 1u << PERF_FIELDS | (unsigned)h->no_callchain};
    if (comm.len > sizeof key.text || h->field[PERF_FLAGS].len > 0)
        return NULL;
    for (int i = PERF_PID; i < PERF_REST; i++)
        key.fields |= h->field[i].len > 0 ? 1u << i : 0;
    memcpy(key.text, comm.ptr, comm.len);
    uint64_t hash = hash_mix(hash_load(key.text), hash_load(key.text + 8));
    struct perfwrite_name *kept = &w->names[hash % PERFWRITE_NAMES];
    if (kept->fields != key.fields || memcmp(kept->text, key.text, sizeof key.text) != 0)
        *kept = key;
    return kept;
}

/* If the header would be parsed differently with the command's name, write a plain one. */
static __attribute__((noinline)) void
settle_name(struct perfwrite *w, const struct perf_header *h, struct span comm)
{
    struct perfwrite_name unkept = {0}, *name = kept_decision(w, h, comm);
    name = name != NULL ? name : &unkept;
    if (name->decision == PERFWRITE_UNDECIDED)
        name->decision = misleads(w, comm) ? PERFWRITE_PLAIN : PERFWRITE_AS_IT_IS;
    if (name->decision == PERFWRITE_PLAIN)
        make_plain(comm);
}

/* Ensure that the header is parsed as intended, whatever names it contains. */
static inline void
settle_names(struct perfwrite *w, const struct perf_header *h, struct span comm, struct span event)
{
    if (bytes_any(white_space(event)) || is_record(event))
        make_plain(event);
    if (bytes_any(white_space(comm)) || span_starts(comm, SPAN("#")) || is_record(comm))
        settle_name(w, h, comm);
}

/* Write everything up to the rest. */
static void
put_header(struct perfwrite *w, const struct perf_header *h)
{
    enum {
        PADDING = COMM_WIDTH + 2 * ID_WIDTH + CPU_WIDTH + FLAGS_WIDTH + SECONDS_WIDTH +
                  PERIOD_WIDTH + 16 /* separators of the fields */
    };
    size_t most = PADDING + h->event_width + sizeof(bytes); /* see white_space */
    for (int i = 0; i < PERF_FIELDS; i++)
        most += h->field[i].len;
    w->header = mem_grow(w->header, &w->header_cap, most, 1);
    char *to = w->header;
    struct span comm = SPAN("");
    if (h->field[PERF_COMM].len > 0 || (w->as_perf && (w->hidden >> PERF_COMM & 1) == 0))
        comm = put_comm(&to, h);
    put_ids(&to, h->field[PERF_PID], h->field[PERF_TID]);
    put_cpu(&to, h->field[PERF_CPU]);
    put_time(&to, h->field[PERF_FLAGS], h->field[PERF_TIME]);
    struct span event = put_event(&to, h);
    w->header_len = (size_t)(to - w->header);
    utf8_mask(w->header, w->header_len);
    if (!w->as_perf)
        settle_names(w, h, comm, event);
    out_span(w->out, span_of(w->header, w->header_len));
}

/* Return true if the line so far does not end with a blank; perf puts one after each field. */
static bool
lacks_blank(const struct perfwrite *w)
{
    return w->header_len > 0 && w->header[w->header_len - 1] != ' ';
}

/* Write the empty columns of a sample's flags. They end with a blank. */
static void
put_sample_flags(struct perfwrite *w)
{
    if (lacks_blank(w))
        out_char(w->out, ' ');
    out_text(w->out, "                        ");
    w->header_len = 0;
}

/* End the header line: write the rest, and the frame and its tail if there is one. */
static void
put_rest(struct perfwrite *w, const struct sample *s)
{
    struct span rest = s->header.field[PERF_REST];
    rest.len = span_run_before(rest, rest.len, is_space);
    if (!lacks_blank(w) && span_starts(rest, SPAN(" ")))
        rest = span_from(rest, 1);
    out_span(w->out, rest.len > 0     ? utf8_masked(&w->masked, rest)
                     : lacks_blank(w) ? SPAN(" ")
                                      : SPAN(""));
    if (!s->frame_in_header) {
        out_char(w->out, '\n');
        return;
    }
    struct span frame = span_from(line_of(w, s->frames[0]), 1);
    out_char(w->out, ' ');
    if (s->tail.len > 0) {
        size_t end = span_find(frame, '\n');
        out_span(w->out, span_head(frame, end));
        out_span(w->out, utf8_masked(&w->masked, s->tail));
        frame = span_from(frame, end);
    }
    out_span(w->out, frame);
}

/* Set the texts of numbers that have none. Clear the fields that are not to be written. */
static void
set_texts(struct perfwrite *w, struct perf_header *h)
{
    unsigned numbers = h->is_text ? 0 : h->has & ~w->hidden;
    for (int i = PERF_PID; numbers >> i != 0 && i < PERF_EVENT; i++)
        if (numbers >> i & 1)
            h->field[i] = perf_header_text(h, (enum perf_field)i, w->numbers[i]);
    for (int i = 0; w->hidden >> i != 0 && i < PERF_FIELDS; i++)
        if (w->hidden >> i & 1)
            h->field[i] = SPAN("");
    h->no_callchain |= (w->hidden_parts & PERFWRITE_ADDR) != 0;
}

/* Return a record's text, masked. If the line, after the header, would not be parsed as a record,
 * join the words: the text may contain the name of a thread or a file. */
static struct span
record_text(struct perfwrite *w, struct span text)
{
    struct perf_header h;
    size_t start = w->header_len + 1;
    TEXT_SET(&w->plain, span_of(w->header, w->header_len), SPAN(" "), text);
    utf8_mask(w->plain.ptr + start, text.len);
    if (!w->as_perf && perf_line_parse(text_span(&w->plain), &h) != PERF_LINE_RECORD)
        join_words(w->plain.ptr + start, text.len);
    return span_from(text_span(&w->plain), start);
}

void
perfwrite_record(struct perfwrite *w, const struct perf_header *h, struct span text)
{
    struct perf_header shown = *h;
    set_texts(w, &shown);
    put_header(w, &shown);
    if (lacks_blank(w))
        out_char(w->out, ' ');
    out_span(w->out, record_text(w, text));
    out_char(w->out, '\n');
}

void
perfwrite_line(struct perfwrite *w, struct span line)
{
    out_span(w->out, utf8_masked(&w->masked, line));
    out_char(w->out, '\n');
}

/* Return true if any part of the sample is written. */
static bool
is_shown(const struct sample *s)
{
    if (s->nframes > 0)
        return true;
    for (int i = 0; i < PERF_FIELDS; i++)
        if (s->header.field[i].len > 0)
            return true;
    return false;
}

void
perfwrite_sample(struct perfwrite *w, const struct sample *s)
{
    struct sample shown = *s;
    s = &shown;
    if (frametab_was_emptied(w->frames, &w->generation)) {
        arena_free(&w->arena);
        w->count = 0;
    }
    set_texts(w, &shown.header);
    if (w->hidden_parts & PERFWRITE_ADDR) {
        shown.nframes = 0;
        shown.frame_in_header = shown.blank = false;
    }
    /* For a sample with an empty callchain, perf prints two blank lines if it prints no header. */
    if (!is_shown(s) && !(w->as_perf && s->blank))
        return;
    size_t first = s->frame_in_header;
    put_header(w, &s->header);
    if (w->sample_flags)
        put_sample_flags(w);
    put_rest(w, s);
    for (size_t i = first; i < s->nframes; i++)
        out_span(w->out, line_of(w, s->frames[i]));
    /* stackcollapse-perf.pl would take a blank line after an event without callchains for the end
     * of a sample, so write one only if one was read. */
    if (s->nframes > first || s->blank)
        out_char(w->out, '\n');
}
