#include "common/stack/perfline.h"

/* The token (no white space) that ends before `end`, after skipping white space backwards. */
static struct span
token_before(struct span line, size_t end)
{
    while (end > 0 && is_space(line.ptr[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 && !is_space(line.ptr[start - 1]))
        start--;
    return span_of(line.ptr + start, end - start);
}

/* The token at or after the start of s. */
static struct span
token_after(struct span s)
{
    size_t start = span_run(s, 0, is_space), end = start;
    while (end < s.len && !is_space(s.ptr[end]))
        end++;
    return span_of(s.ptr + start, end - start);
}

/* s from the end of its token on. */
static struct span
after(struct span s, struct span token)
{
    return span_from(s, (size_t)(token.ptr + token.len - s.ptr));
}

static size_t
skip_back(struct span s, size_t end, bool (*is)(char))
{
    while (end > 0 && is(s.ptr[end - 1]))
        end--;
    return end;
}

/* Where the number that ends before `end` begins; `end` if there is none. perf prints -1 for the id
 * of a task that it does not know. */
static size_t
number_before(struct span line, size_t end)
{
    size_t start = skip_back(line, end, is_digit);
    return start > 0 && start < end && line.ptr[start - 1] == '-' ? start - 1 : start;
}

/* "[000]" before *end, which moves in front of it. */
static void
take_cpu(struct span line, size_t *end, struct perf_header *h)
{
    h->field[PERF_CPU] = SPAN("");
    if (*end == 0 || line.ptr[*end - 1] != ']')
        return;
    size_t start = number_before(line, *end - 1);
    if (start == *end - 1 || start == 0 || line.ptr[start - 1] != '[')
        return;
    h->field[PERF_CPU] = span_of(line.ptr + start, *end - 1 - start);
    *end = skip_back(line, start - 1, is_space);
}

/* The fields left of `end`, read backwards: perhaps the CPU, "25607" or "24636/25607", the comm. */
static bool
parse_task(struct span line, size_t end, struct perf_header *h)
{
    end = skip_back(line, end, is_space);
    take_cpu(line, &end, h);
    size_t start = number_before(line, end);
    h->field[PERF_TID] = span_of(line.ptr + start, end - start);
    h->field[PERF_PID] = SPAN("");
    if (start < end && start > 0 && line.ptr[start - 1] == '/') {
        end = start - 1;
        start = number_before(line, end);
        h->field[PERF_PID] = span_of(line.ptr + start, end - start);
    }
    if (start == end || start == 0 || !is_space(line.ptr[start - 1]))
        return false;
    h->field[PERF_COMM] = span_trim(span_head(line, start));
    return h->field[PERF_COMM].len > 0;
}

/* parse_task, where one word of flags ("d..1.") may follow. */
static bool
parse_flagged_task(struct span line, size_t end, struct perf_header *h)
{
    if (parse_task(line, end, h))
        return true;
    struct span flags = token_before(line, end);
    h->field[PERF_FLAGS] = flags;
    return flags.len > 0 && flags.len <= 8 && parse_task(line, (size_t)(flags.ptr - line.ptr), h);
}

/* The same for a header printed without the thread id: perhaps the CPU, then the comm, which does
 * not end in a colon as an event does. */
static bool
parse_bare_task(struct span line, size_t end, struct perf_header *h)
{
    end = skip_back(line, end, is_space);
    take_cpu(line, &end, h);
    h->field[PERF_PID] = h->field[PERF_TID] = h->field[PERF_FLAGS] = SPAN("");
    /* Before trimming, which would pass the line's indentation again for each time in it. */
    if (end > 0 && line.ptr[end - 1] == ':')
        return false;
    h->field[PERF_COMM] = span_trim(span_head(line, end));
    return h->field[PERF_COMM].len > 0;
}

/* True where a time "digits.digits" ends before the colon at `colon`; *start is where it begins. */
static bool
time_before(struct span line, size_t colon, size_t *start)
{
    size_t at = colon;
    while (at > 0 && is_digit(line.ptr[at - 1]))
        at--;
    if (at == colon || at < 2 || line.ptr[at - 1] != '.')
        return false;
    size_t dot = --at;
    while (at > 0 && is_digit(line.ptr[at - 1]))
        at--;
    *start = at;
    return at < dot && at > 0 && is_space(line.ptr[at - 1]) &&
           (colon + 1 == line.len || is_space(line.ptr[colon + 1]));
}

/* What follows the task and the time: perhaps a period, then the event and its colon ("104345
 * cycles:u:"), or a lone period; then the rest. */
static void
parse_event(struct span s, struct perf_header *h)
{
    size_t start = span_run(s, 0, is_space);
    size_t digits = span_run(s, start, is_digit);
    size_t blanks = digits > 0 ? span_run(s, start + digits, is_space) : 0;
    struct span number = span_of(s.ptr + start, digits);
    struct span token = token_after(span_from(s, blanks > 0 ? start + digits + blanks : start));
    h->field[PERF_PERIOD] = h->field[PERF_EVENT] = SPAN("");
    if (token.len > 1 && token.ptr[token.len - 1] == ':') {
        if (blanks > 0)
            h->field[PERF_PERIOD] = number;
        h->field[PERF_EVENT] = span_head(token, token.len - 1);
        s = after(s, token);
    } else if (digits > 0 && start + digits + blanks == s.len) {
        h->field[PERF_PERIOD] = number;
        s = span_from(s, s.len);
    }
    h->field[PERF_REST] = s;
}

static const char *
end_of(struct span s)
{
    return s.ptr + s.len;
}

/* Notes how perf set the line: the event's padding, and the command's. */
static void
parse_layout(struct span line, struct perf_header *h)
{
    const struct span *f = h->field;
    const char *before = f[PERF_PERIOD].len > 0 ? end_of(f[PERF_PERIOD])
                         : f[PERF_TIME].len > 0 ? end_of(f[PERF_TIME]) + 1
                         : f[PERF_CPU].len > 0  ? end_of(f[PERF_CPU]) + 1
                                                : NULL;
    h->no_callchain = is_space(line.ptr[0]);
    h->event_width = 0;
    if (before == NULL || f[PERF_EVENT].len == 0)
        return;
    struct span blanks = span_of(before, (size_t)(f[PERF_EVENT].ptr - before));
    size_t width = blanks.len + f[PERF_EVENT].len - 1; /* one blank parts the fields */
    if (blanks.len > 1 && !span_has(blanks, '\t') && width <= UINT16_MAX)
        h->event_width = (uint16_t)width;
}

static bool
is_record(struct span s)
{
    return span_starts(s, SPAN("PERF_RECORD_")) || span_starts(s, SPAN("instruction trace error"));
}

/* A header that prints the time; `task` parses what stands before it. */
static bool
parse_timed(struct span line, struct perf_header *h,
            bool (*task)(struct span line, size_t end, struct perf_header *h))
{
    for (size_t at = 0; at < line.len; at++) {
        size_t start, step = span_find(span_from(line, at), ':');
        if (step == SPAN_NONE)
            return false;
        at += step;
        h->field[PERF_FLAGS] = SPAN("");
        if (!time_before(line, at, &start) || !task(line, start, h))
            continue;
        h->field[PERF_TIME] = span_of(line.ptr + start, at - start);
        parse_event(span_from(line, at + 1), h);
        return true;
    }
    return false;
}

/* A header that prints a time, no thread id, and at least a period or an event: such a line has
 * nothing else to be recognized by. */
static bool
parse_threadless(struct span line, struct perf_header *h)
{
    return parse_timed(line, h, parse_bare_task) &&
           (h->field[PERF_PERIOD].len > 0 || h->field[PERF_EVENT].len > 0);
}

/* A header without a time: "java 19983 [002] 1 cycles:"; the first word that ends in a colon is the
 * event. A record may stand in its place. */
static bool
parse_timeless(struct span line, struct perf_header *h)
{
    for (struct span token = token_after(line); token.len > 0;
         token = token_after(after(line, token))) {
        bool record = is_record(token);
        if (!record && (token.len == 1 || token.ptr[token.len - 1] != ':'))
            continue;
        size_t end = (size_t)(token.ptr - line.ptr);
        struct span period = token_before(line, end);
        bool has_period = span_run(period, 0, is_digit) == period.len &&
                          parse_task(line, (size_t)(period.ptr - line.ptr), h);
        if (!has_period && !parse_task(line, end, h))
            continue;
        h->field[PERF_TIME] = h->field[PERF_FLAGS] = SPAN("");
        parse_event(span_from(line, has_period ? (size_t)(period.ptr - line.ptr) : end), h);
        return true;
    }
    return false;
}

/* "  core.c:137", "  libc-2.33.so[27b25]", "  :0" of code whose file has no name */
static bool
is_srcline(struct span line)
{
    if (line.len < 3 || !is_space(line.ptr[0]))
        return false;
    line = span_trim(line);
    size_t end = line.len;
    if (end > 0 && line.ptr[end - 1] == ']') {
        size_t at = --end;
        while (at > 0 && is_hex(line.ptr[at - 1]))
            at--;
        return at < end && at > 1 && line.ptr[at - 1] == '[';
    }
    size_t at = end;
    while (at > 0 && is_digit(line.ptr[at - 1]))
        at--;
    return at < end && at > 0 && line.ptr[at - 1] == ':';
}

/* Completes a header, or a record that begins as one. */
static enum perf_line
header_kind(struct span line, struct perf_header *h)
{
    parse_layout(line, h);
    bool record = is_record(h->field[PERF_EVENT]) || is_record(span_trim(h->field[PERF_REST]));
    return record ? PERF_LINE_RECORD : PERF_LINE_HEADER;
}

/* What begins with "#": a comment, or the header of a thread named like "#1 worker". perf's own
 * comments have a blank after the "#". A thread may be named so too, to hide: its header is known
 * by the CPU, and of perf's comments only the command line could hold what looks like that. */
static enum perf_line
parse_comment(struct span line, struct perf_header *h)
{
    bool blank = line.len > 1 && is_space(line.ptr[1]);
    bool header = line.len > 1 && !span_starts(line, SPAN("# cmdline : ")) &&
                  parse_timed(line, h, parse_flagged_task) && h->field[PERF_EVENT].len > 0 &&
                  (!blank || h->field[PERF_CPU].len > 0);
    return header ? header_kind(line, h) : PERF_LINE_COMMENT;
}

enum perf_line
perf_line_parse(struct span line, struct perf_header *h)
{
    struct frame f;
    struct span text = span_trim(line);
    if (text.len == 0)
        return PERF_LINE_BLANK;
    line = span_head(line, (size_t)(text.ptr + text.len - line.ptr));
    if (line.ptr[0] == '#')
        return parse_comment(line, h);
    if (is_record(text)) {
        *h = (struct perf_header){.field[PERF_REST] = text};
        return PERF_LINE_RECORD;
    }
    if (parse_timed(line, h, parse_flagged_task))
        return header_kind(line, h);
    if (perf_frame_parse(line, &f) && (f.dso.len > 0 || is_space(line.ptr[0])))
        return PERF_LINE_FRAME;
    if (parse_threadless(line, h) || parse_timeless(line, h))
        return header_kind(line, h);
    return is_srcline(line) ? PERF_LINE_SRCLINE : PERF_LINE_UNKNOWN;
}

/* " 4" or " 4 5.5": a stack without frames in folded text, which sorts before the others, and not
 * an address: perf indents those by more. */
static bool
is_empty_stack(struct span line)
{
    bool only_numbers = line.len > 1 && line.ptr[0] == ' ' && is_digit(line.ptr[1]);
    for (size_t i = 1; i < line.len && only_numbers; i++)
        only_numbers = is_digit(line.ptr[i]) || span_find(SPAN(". \r"), line.ptr[i]) != SPAN_NONE;
    return only_numbers;
}

bool
perf_line_is_perf(struct span line)
{
    struct perf_header h;
    if (is_empty_stack(line))
        return false;
    enum perf_line kind = perf_line_parse(line, &h);
    return kind == PERF_LINE_HEADER || kind == PERF_LINE_FRAME || kind == PERF_LINE_RECORD;
}
