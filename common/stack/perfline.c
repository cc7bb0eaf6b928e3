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

/* Where the number that ends before `end` begins; `end` where there is none. perf prints -1 for the
 * id of something that it does not know. */
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
    h->cpu = SPAN("");
    if (*end == 0 || line.ptr[*end - 1] != ']')
        return;
    size_t start = number_before(line, *end - 1);
    if (start == *end - 1 || start == 0 || line.ptr[start - 1] != '[')
        return;
    h->cpu = span_of(line.ptr + start, *end - 1 - start);
    *end = skip_back(line, start - 1, is_space);
}

/* The fields left of `end`, read backwards: perhaps the CPU, "25607" or "24636/25607", the comm. */
static bool
parse_task(struct span line, size_t end, struct perf_header *h)
{
    end = skip_back(line, end, is_space);
    take_cpu(line, &end, h);
    size_t start = number_before(line, end);
    h->tid = span_of(line.ptr + start, end - start);
    h->pid = SPAN("");
    if (start < end && start > 0 && line.ptr[start - 1] == '/') {
        end = start - 1;
        start = number_before(line, end);
        h->pid = span_of(line.ptr + start, end - start);
    }
    if (start == end || start == 0 || !is_space(line.ptr[start - 1]))
        return false;
    h->comm = span_trim(span_head(line, start));
    return h->comm.len > 0;
}

/* The same where one word of flags ("d..1.") may stand behind them. */
static bool
parse_flagged_task(struct span line, size_t end, struct perf_header *h)
{
    if (parse_task(line, end, h))
        return true;
    struct span flags = token_before(line, end);
    return flags.len > 0 && flags.len <= 8 && parse_task(line, (size_t)(flags.ptr - line.ptr), h);
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

/* Perhaps a period, then the event and its colon: "104345 cycles:u:". */
static void
parse_event(struct span s, struct perf_header *h)
{
    size_t start = span_run(s, 0, is_space);
    size_t digits = span_run(s, start, is_digit);
    size_t blanks = digits > 0 ? span_run(s, start + digits, is_space) : 0;
    struct span token = token_after(span_from(s, blanks > 0 ? start + digits + blanks : start));
    h->period = h->event = SPAN("");
    if (token.len > 1 && token.ptr[token.len - 1] == ':') {
        if (blanks > 0)
            h->period = span_of(s.ptr + start, digits);
        h->event = span_head(token, token.len - 1);
        s = after(s, token);
    }
    h->rest = span_trim(s);
}

static bool
is_record(struct span s)
{
    return span_starts(s, SPAN("PERF_RECORD_")) || span_starts(s, SPAN("instruction trace error"));
}

/* A header whose time is printed. */
static bool
parse_timed(struct span line, struct perf_header *h)
{
    for (size_t at = 0; at < line.len; at++) {
        size_t start, step = span_find(span_from(line, at), ':');
        if (step == SPAN_NONE)
            return false;
        at += step;
        if (!time_before(line, at, &start) || !parse_flagged_task(line, start, h))
            continue;
        h->time = span_of(line.ptr + start, at - start);
        parse_event(span_from(line, at + 1), h);
        return true;
    }
    return false;
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
        h->time = SPAN("");
        parse_event(span_from(line, has_period ? (size_t)(period.ptr - line.ptr) : end), h);
        return true;
    }
    return false;
}

/* "  core.c:137", "  libc-2.33.so[27b25]" */
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
    return at < end && at > 1 && line.ptr[at - 1] == ':';
}

/* A header, or a record that begins as one. */
static enum perf_line
header_kind(const struct perf_header *h)
{
    return is_record(h->event) || is_record(h->rest) ? PERF_LINE_RECORD : PERF_LINE_HEADER;
}

enum perf_line
perf_line_parse(struct span line, struct perf_header *h)
{
    struct perf_frame f;
    struct span text = span_trim(line);
    if (text.len == 0)
        return PERF_LINE_BLANK;
    line = span_head(line, (size_t)(text.ptr + text.len - line.ptr));
    if (line.ptr[0] == '#')
        return PERF_LINE_COMMENT;
    if (is_record(text)) {
        *h = (struct perf_header){.rest = text};
        return PERF_LINE_RECORD;
    }
    if (parse_timed(line, h))
        return header_kind(h);
    if (perf_frame_parse(line, &f) && (f.dso.len > 0 || is_space(line.ptr[0])))
        return PERF_LINE_FRAME;
    if (parse_timeless(line, h))
        return header_kind(h);
    return is_srcline(line) ? PERF_LINE_SRCLINE : PERF_LINE_UNKNOWN;
}

bool
perf_line_is_perf(struct span line)
{
    struct perf_header h;
    enum perf_line kind = perf_line_parse(line, &h);
    return kind == PERF_LINE_HEADER || kind == PERF_LINE_FRAME || kind == PERF_LINE_RECORD;
}

/* Where the parenthesis opens that the last byte of s, a ")", closes, counting nested ones; where
 * they do not balance, the last one behind a blank. SPAN_NONE: there is none. */
static size_t
dso_open(struct span s)
{
    int depth = 0;
    for (size_t at = s.len; at-- > 0;) {
        if (s.ptr[at] == ')')
            depth++;
        else if (s.ptr[at] == '(' && --depth == 0)
            return at > 0 && is_space(s.ptr[at - 1]) ? at : SPAN_NONE;
    }
    for (size_t at = s.len; at-- > 1;)
        if (s.ptr[at] == '(' && is_space(s.ptr[at - 1]))
            return at;
    return SPAN_NONE;
}

/* Cuts a trailing "+0x12" off *sym. */
static struct span
take_offset(struct span *sym)
{
    size_t at = sym->len;
    while (at > 0 && is_hex(sym->ptr[at - 1]))
        at--;
    if (at == sym->len || at < 3 || memcmp(sym->ptr + at - 3, "+0x", 3) != 0)
        return SPAN("");
    struct span offset = span_from(*sym, at - 3);
    *sym = span_head(*sym, at - 3);
    return offset;
}

bool
perf_frame_parse(struct span text, struct perf_frame *f)
{
    size_t newline = span_find(text, '\n');
    f->srcline = SPAN("");
    if (newline != SPAN_NONE) {
        f->srcline = span_trim(span_from(text, newline + 1));
        text = span_head(text, newline);
    }
    text = span_trim(text);
    size_t digits = span_run(text, 0, is_hex);
    if (digits == 0 || digits > 16 || (digits < text.len && !is_space(text.ptr[digits])))
        return false;
    f->addr = span_head(text, digits);
    f->dso = SPAN("");
    struct span sym = span_from(text, digits);
    if (sym.len > 0 && sym.ptr[sym.len - 1] == ')') {
        size_t open = dso_open(sym);
        if (open != SPAN_NONE) {
            f->dso = span_of(sym.ptr + open + 1, sym.len - open - 2);
            sym = span_head(sym, open);
        }
    }
    f->sym = span_trim(sym);
    f->offset = take_offset(&f->sym);
    return true;
}

bool
perf_header_has_frame(const struct perf_header *h)
{
    struct perf_frame f;
    return h->rest.len > 0 && perf_frame_parse(h->rest, &f) && f.dso.len > 0;
}
