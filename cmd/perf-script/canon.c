/*     V8 WorkerThread 24636/25607 [000] 4794564.109216:     104345 cycles:u:
 *     	    7f1e2215d058 uv_run+0x12 (/usr/bin/node)
 *       core.c:137
 *
 *                   sh 24121  1957.949451:    2004008 cpu-clock:      7fcac0d9b138 f+0x18 (/bin/sh)
 *
 * The second is what perf prints for an event without callchains: the command is set right in 16
 * columns, the frame stands behind the event, and no blank line follows. The widths are those of
 * perf_sample__fprintf_start and process_event in tools/perf/builtin-script.c. */
#include "cmd/perf-script/canon.h"

enum {
    COMM_WIDTH = 16,
    ID_WIDTH = 5,
    CPU_WIDTH = 3,
    FLAGS_WIDTH = 6,
    SECONDS_WIDTH = 5,
    PERIOD_WIDTH = 10,
    ADDR_WIDTH = 16
};

static size_t
missing(size_t width, size_t len)
{
    return len < width ? width - len : 0;
}

/* Starts a frame line: tab and address. */
static void
begin_frame(struct text *to, struct span addr)
{
    to->len = 0;
    text_add(to, SPAN("\t"));
    text_add(to, span_of("                ", missing(ADDR_WIDTH, addr.len)));
    text_add(to, addr);
}

/* Ends a frame line, and adds its source line, which may be blank. */
static void
end_frame(struct text *to, bool has_srcline, struct span srcline)
{
    text_add(to, SPAN("\n"));
    if (!has_srcline)
        return;
    if (srcline.len > 0)
        text_add(to, SPAN("  "));
    text_add(to, srcline);
    text_add(to, SPAN("\n"));
}

void
canon_frame(struct text *to, struct span text)
{
    struct perf_frame f;
    size_t newline = span_find(text, '\n');
    bool has_srcline = newline + 1 < text.len;
    perf_frame_parse(text, &f);
    begin_frame(to, f.addr);
    struct span addr_on = span_from(span_head(text, newline), (size_t)(f.addr.ptr - text.ptr));
    struct span rest = span_from(span_trim(addr_on), f.addr.len);
    struct span words = span_trim(rest);
    if (words.len > 0)
        text_add(to, SPAN(" "));
    /* Two blanks: perf had a symbol to print, and it was empty. */
    if (f.sym.len == 0 && f.offset.len == 0 && rest.len - words.len > 1)
        text_add(to, SPAN(" "));
    text_add(to, words);
    end_frame(to, has_srcline, f.srcline);
}

void
canon_named(struct text *to, const struct perf_frame *f, bool has_srcline, struct span name,
            uint64_t offset, struct span dso)
{
    char digits[16];
    size_t at = sizeof digits;
    do
        digits[--at] = "0123456789abcdef"[offset % 16];
    while ((offset /= 16) > 0);
    begin_frame(to, f->addr);
    text_add(to, SPAN(" "));
    text_add(to, name);
    text_add(to, SPAN("+0x"));
    text_add(to, span_of(digits + at, sizeof digits - at));
    text_add(to, SPAN(" ("));
    text_add(to, dso);
    text_add(to, SPAN(")"));
    end_frame(to, has_srcline, f->srcline);
}

static void
pad(struct out *o, size_t width, size_t len)
{
    for (size_t n = missing(width, len); n > 0; n--)
        out_char(o, ' ');
}

static void
right(struct out *o, size_t width, struct span s)
{
    pad(o, width, s.len);
    out_span(o, s);
}

static void
left(struct out *o, size_t width, struct span s)
{
    out_span(o, s);
    pad(o, width, s.len);
}

static struct span
between(const char *from, const char *to)
{
    return span_of(from, (size_t)(to - from));
}

static const char *
end_of(struct span s)
{
    return s.ptr + s.len;
}

static void
put_ids(struct out *o, const struct perf_header *h)
{
    if (h->pid.len > 0) {
        right(o, ID_WIDTH, h->pid);
        out_char(o, '/');
        left(o, ID_WIDTH, h->tid);
    } else {
        right(o, ID_WIDTH, h->tid);
    }
    out_char(o, ' ');
}

/* "[001] ". "-1", no CPU, stays as it is. */
static void
put_cpu(struct out *o, struct span cpu)
{
    out_char(o, '[');
    for (size_t n = is_digit(cpu.ptr[0]) ? missing(CPU_WIDTH, cpu.len) : 0; n > 0; n--)
        out_char(o, '0');
    out_span(o, cpu);
    out_text(o, "] ");
}

/* "1957.949451: ", and before it the words that perf_line_parse passes over ("K", "d..1."). */
static void
put_time(struct out *o, struct span flags, struct span time)
{
    if (flags.len > 0) {
        left(o, FLAGS_WIDTH, flags);
        if (flags.len >= FLAGS_WIDTH)
            out_char(o, ' ');
    }
    pad(o, SECONDS_WIDTH, span_find(time, '.'));
    out_span(o, time);
    out_char(o, ':');
}

/* "     104345 cycles:u:" from what stands behind the time. Perf pads the events of a
 * recording to the longest one's length, which its beginning does not tell: the padding stays. */
static void
put_event(struct out *o, struct span before, const struct perf_header *h)
{
    if (h->period.len > 0) {
        right(o, PERIOD_WIDTH, h->period);
        out_char(o, ' ');
        before = between(end_of(h->period), h->event.ptr);
    }
    if (before.len > 1 && span_find(before, '\t') == SPAN_NONE)
        pad(o, before.len - 1, 0);
    out_span(o, h->event);
    out_char(o, ':');
}

void
canon_header(struct out *o, const struct perf_sample *s, struct span first)
{
    const struct perf_header *h = &s->header;
    const char *at = end_of(h->tid), *end = end_of(s->line);
    if (is_space(s->line.ptr[0])) {
        /* The blank in front is what tells this form, also for a command that fills its columns. */
        pad(o, h->comm.len < COMM_WIDTH ? COMM_WIDTH : h->comm.len + 1, h->comm.len);
    }
    out_span(o, h->comm);
    out_char(o, ' ');
    put_ids(o, h);
    if (h->cpu.len > 0 && span_trim(between(at, h->cpu.ptr)).len == 1) {
        put_cpu(o, h->cpu);
        at = end_of(h->cpu) + 1;
    }
    if (h->time.len > 0) {
        put_time(o, span_trim(between(at, h->time.ptr)), h->time);
        at = end_of(h->time) + 1;
    }
    if (h->event.len > 0) {
        if (h->time.len > 0)
            out_char(o, ' ');
        bool anchored = h->time.len > 0 || h->cpu.len > 0; /* else it may be the thread's padding */
        put_event(o, anchored ? between(at, h->event.ptr) : SPAN(""), h);
        at = end_of(h->event) + 1;
    }
    while (end > at && is_space(end[-1]))
        end--;
    if (first.len > 0) {
        out_text(o, "  ");
        out_span(o, span_from(first, 1));
        return;
    }
    out_span(o, end > at ? between(at, end) : SPAN(" "));
    out_char(o, '\n');
}
