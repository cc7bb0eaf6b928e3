#include "common/stack/perfline.h"

/* Return where the parenthesis opens that the last byte of s, a ")", closes, counting nested ones;
 * if they do not balance, where the last one after a blank does; or SPAN_NONE. */
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

/* Cut a trailing "+0x12" off *sym. */
static struct span
take_offset(struct span *sym)
{
    size_t at = span_run_before(*sym, sym->len, is_hex);
    if (at == sym->len || at < 3 || memcmp(sym->ptr + at - 3, "+0x", 3) != 0)
        return SPAN("");
    struct span offset = span_from(*sym, at - 3);
    *sym = span_head(*sym, at - 3);
    return offset;
}

/* Cut " (/usr/bin/node)" off *sym. Empty parentheses belong to the symbol: "A::operator ()". */
static struct span
take_dso(struct span *sym)
{
    if (sym->len == 0 || sym->ptr[sym->len - 1] != ')')
        return SPAN("");
    size_t open = dso_open(*sym);
    if (open == SPAN_NONE || open + 2 == sym->len)
        return SPAN("");
    struct span dso = span_of(sym->ptr + open + 1, sym->len - open - 2);
    *sym = span_head(*sym, open);
    return dso;
}

bool
perf_frame_parse(struct span text, struct frame *f)
{
    size_t newline = span_find(text, '\n');
    f->srcline = SPAN("");
    f->has_srcline = newline != SPAN_NONE && newline + 1 < text.len;
    if (newline != SPAN_NONE) {
        f->srcline = span_trim(span_from(text, newline + 1));
        text = span_head(text, newline);
    }
    text = span_trim(text);
    size_t digits = span_run(text, 0, is_hex);
    if (digits == 0 || digits > 16 || (digits < text.len && !is_space(text.ptr[digits])))
        return false;
    f->addr = span_head(text, digits);
    struct span sym = span_from(text, digits);
    f->dso = take_dso(&sym);
    struct span name = sym.len > 0 ? span_from(sym, 1) : sym; /* past the blank that parts them */
    if (f->dso.len > 0 && name.len > 0)
        name.len--;
    f->offset = take_offset(&name);
    f->sym = span_trim(name);
    const char *end = name.ptr + name.len;
    f->sym_blanks = f->sym.len > 0 ? (uint32_t)((size_t)(end - f->sym.ptr) - f->sym.len) : 0;
    /* Two blanks: perf printed a symbol that is empty. */
    f->has_sym = f->sym.len > 0 || f->offset.len > 0 || sym.len > 1;
    return true;
}

/* Return the token (no white space) that ends before `end`, after skipping white space
 * backwards. */
static struct span
token_before(struct span line, size_t end)
{
    end = span_run_before(line, end, is_space);
    size_t start = end;
    while (start > 0 && !is_space(line.ptr[start - 1]))
        start--;
    return span_of(line.ptr + start, end - start);
}

/* Return the token at or after the start of s. */
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

/* Return where the number that ends before `end` begins; `end` if there is none. perf prints -1 for
 * the id of a task that it does not know. */
static size_t
number_before(struct span line, size_t end)
{
    size_t start = span_run_before(line, end, is_digit);
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
    *end = span_run_before(line, start - 1, is_space);
}

/* Parse the fields left of `end` backwards: perhaps the CPU, "25607" or "24636/25607", the comm. */
static bool
parse_task(struct span line, size_t end, struct perf_header *h)
{
    end = span_run_before(line, end, is_space);
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
    end = span_run_before(line, end, is_space);
    take_cpu(line, &end, h);
    h->field[PERF_PID] = h->field[PERF_TID] = h->field[PERF_FLAGS] = SPAN("");
    /* Before trimming, which would pass the line's indentation again for each time in it. */
    if (end > 0 && line.ptr[end - 1] == ':')
        return false;
    h->field[PERF_COMM] = span_trim(span_head(line, end));
    return h->field[PERF_COMM].len > 0;
}

/* Return true where a time "digits.digits" ends before the colon at `colon`; *start is where it
 * begins. */
static bool
time_before(struct span line, size_t colon, size_t *start)
{
    size_t at = span_run_before(line, colon, is_digit);
    if (at == colon || at < 2 || line.ptr[at - 1] != '.')
        return false;
    size_t dot = at - 1;
    *start = at = span_run_before(line, dot, is_digit);
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

/* Note how perf set the line: the event's padding, and the command's. */
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

/* Parse a header that prints the time; `task` parses what stands before it. */
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

/* Parse a header that prints a time, no thread id, and at least a period or an event: such a line
 * has nothing else to be recognized by. */
static bool
parse_threadless(struct span line, struct perf_header *h)
{
    return parse_timed(line, h, parse_bare_task) &&
           (h->field[PERF_PERIOD].len > 0 || h->field[PERF_EVENT].len > 0);
}

/* Parse a header without a time: "java 19983 [002] 1 cycles:"; the first word that ends in a colon
 * is the event. A record may stand in its place. */
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
        size_t at = span_run_before(line, --end, is_hex);
        return at < end && at > 1 && line.ptr[at - 1] == '[';
    }
    size_t at = span_run_before(line, end, is_digit);
    return at < end && at > 0 && line.ptr[at - 1] == ':';
}

/* Complete a header, or a record that begins as one. */
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

/* Return how many bytes from the start of s the first frame with a DSO takes, "7f12 f+0x3 (/lib)";
 * 0: s does not begin with one. */
static size_t
frame_length(struct span s)
{
    enum { TRIES = 64 }; /* each costs the length of s, which hostile input decides */
    struct frame f;
    for (size_t at = 0, tries = 0; at < s.len && tries < TRIES; at++) {
        size_t step = span_find(span_from(s, at), ')');
        if (step == SPAN_NONE)
            return 0;
        at += step;
        if (at + 1 < s.len && !is_space(s.ptr[at + 1]))
            continue;
        tries++;
        if (perf_frame_parse(span_head(s, at + 1), &f) && f.dso.len > 0)
            return at + 1;
    }
    return 0;
}

/* Return where the last address inside a symbol begins, as in "55d15a3c main". Any number is one at
 * the symbol's start or right after an address, elsewhere only one that is no likely word.
 * SPAN_NONE: it holds none. */
static size_t
inner_address(struct span sym)
{
    enum { LONG = 8 };
    size_t found = SPAN_NONE;
    size_t least = 1;
    for (size_t at = 0, end; at < sym.len; at = end + span_run(sym, end, is_space)) {
        size_t digits = span_run(sym, at, is_hex);
        for (end = at + digits; end < sym.len && !is_space(sym.ptr[end]); end++)
            ;
        bool address = end == at + digits && end < sym.len && digits >= least && digits <= 16;
        least = address ? 1 : LONG;
        if (address)
            found = at;
    }
    return found;
}

/* A data address (perf script -F +addr) may stand before the frame's own, "7f0012 55d1 main+0x4
 * (/bin/x)", and other fields between the two. Return the text from the frame's own address on. */
static struct span
skip_data_address(struct span text)
{
    struct frame f;
    size_t at = perf_frame_parse(text, &f) ? inner_address(f.sym) : SPAN_NONE;
    return at != SPAN_NONE ? span_from(text, (size_t)(f.sym.ptr - text.ptr) + at) : text;
}

/* perf mem's words about a data address stand before the frame, with a weight or two after them:
 *
 *     7f0012  68100142 |OP LOAD|LVL L3 or Remote Cache (1 hop) hit|SNP None|LCK No   56 0  401136 f
 *
 * Gives the text from the first number after the last of these words on. */
static struct span
skip_data_source(struct span rest)
{
    static const struct span parts[] = {SPAN("|OP "),  SPAN("|LVL "), SPAN("|SNP "),
                                        SPAN("|TLB "), SPAN("|LCK "), SPAN("|BLK ")};
    size_t at = span_search(rest, parts[0]), digits = 0;
    if (at == SPAN_NONE)
        return rest;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t found = span_search(rest, parts[i]);
        rest = found != SPAN_NONE ? span_from(rest, found + parts[i].len) : rest;
    }
    for (at = 0; at < rest.len; at += span_run(rest, at, is_space)) {
        digits = span_run(rest, at, is_hex);
        if (digits > 0 && (at + digits == rest.len || is_space(rest.ptr[at + digits])))
            break;
        while (at < rest.len && !is_space(rest.ptr[at]))
            at++;
    }
    return span_from(rest, at);
}

/*     7f12 f+0x3 (/lib)                              a frame alone
 *     7f0012 data+0x8 (/lib)     55d1 f+0x3 (/lib)   after a data address (-F +addr)
 *     7f12 f+0x3 (/lib) => 7f34 g+0x0 (/lib)         of a branch: it starts in f
 *     7f12 f+0x3 (/lib) 0x7f12/0x7f34/P/-/-/0        before a branch stack (-F +brstack) */
struct span
perf_header_frame(const struct perf_header *h)
{
    struct span rest = skip_data_source(span_trim(h->field[PERF_REST]));
    struct span frame = span_head(rest, 0);
    for (size_t len; rest.len > 0 && (len = frame_length(rest)) > 0;) {
        frame = skip_data_address(span_head(rest, len));
        rest = span_trim(span_from(rest, len));
    }
    return frame;
}
