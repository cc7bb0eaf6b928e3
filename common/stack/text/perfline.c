#include "common/stack/text/perfline.h"

#include "common/base/num.h"

/* Return the offset of the parenthesis that matches the last byte of s, a ")". Nested ones are
 * counted; if they do not balance, return the last one that follows a blank. Return SPAN_NONE if
 * there is none. */
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

/* Remove a trailing "+0x12" from *sym. */
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

/* Remove " (/usr/bin/node)" from *sym. Empty parentheses belong to the symbol: "A::operator ()". */
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
    size_t digits = 0;
    uint64_t ip = 0;
    for (; digits < text.len && is_hex(text.ptr[digits]); digits++)
        ip = ip << 4 | num_hex_digit(text.ptr[digits]);
    if (digits == 0 || digits > 16 || (digits < text.len && !is_space(text.ptr[digits])))
        return false;
    f->addr = span_head(text, digits);
    f->ip = ip;
    f->has_ip = true;
    f->doubtful = false;
    struct span sym = span_from(text, digits);
    f->dso = take_dso(&sym);
    struct span name = sym.len > 0 ? span_from(sym, 1) : sym; /* without the separating blank */
    if (f->dso.len > 0 && name.len > 0)
        name.len--;
    f->offset = take_offset(&name);
    f->sym = span_trim(name);
    const char *end = name.ptr + name.len;
    f->sym_blanks = f->sym.len > 0 ? (uint32_t)((size_t)(end - f->sym.ptr) - f->sym.len) : 0;
    /* With two blanks, perf has printed an empty symbol. */
    f->has_sym = f->sym.len > 0 || f->offset.len > 0 || sym.len > 1;
    return true;
}

/* Return the token (without white space) that ends before `end`. Skip white space before `end`. */
static struct span
token_before(struct span line, size_t end)
{
    end = span_run_before(line, end, is_space);
    size_t start = end;
    while (start > 0 && !is_space(line.ptr[start - 1]))
        start--;
    return span_of(line.ptr + start, end - start);
}

/* Return the first token of s. */
static struct span
token_after(struct span s)
{
    size_t start = span_run(s, 0, is_space), end = start;
    while (end < s.len && !is_space(s.ptr[end]))
        end++;
    return span_of(s.ptr + start, end - start);
}

/* Return s from the end of its token on. */
static struct span
after(struct span s, struct span token)
{
    return span_from(s, (size_t)(token.ptr + token.len - s.ptr));
}

/* Return the offset of the number that ends before `end`, or `end` if there is none. For the id of
 * an unknown task, perf prints -1. */
static size_t
number_before(struct span line, size_t end)
{
    size_t start = span_run_before(line, end, is_digit);
    return start > 0 && start < end && line.ptr[start - 1] == '-' ? start - 1 : start;
}

/* Parse "[000]" before *end, and move *end in front of it. */
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

/* Parse "24636/25607", or one of the two numbers, before *end, and move *end in front of it. */
static void
take_ids(struct span line, size_t *end, struct perf_header *h)
{
    size_t start = number_before(line, *end);
    h->field[PERF_PID] = SPAN("");
    h->field[PERF_TID] = span_of(line.ptr + start, *end - start);
    if (start < *end && start > 0 && line.ptr[start - 1] == '/') {
        *end = start - 1;
        start = number_before(line, *end);
        h->field[PERF_PID] = span_of(line.ptr + start, *end - start);
    }
    if (start == *end) /* "/12" is not a pair */
        h->field[PERF_TID] = SPAN("");
    *end = start;
}

enum { MACHINE_MAX = 64 }; /* size of a guest's machine; two numbers need far fewer bytes */

/* Trim the command's name. For a guest, perf prints its machine before the name (-F
 * +machine_pid,+vcpu): "VM:13376 VCPU:003            uname". */
static struct span
trim_comm(struct span comm)
{
    static const struct span machine[] = {SPAN("VM:"), SPAN("VCPU:")};
    comm = span_trim(comm);
    for (size_t i = 0; i < sizeof machine / sizeof *machine; i++) {
        if (!span_starts(comm, machine[i]))
            continue;
        size_t start = machine[i].len + span_run(span_from(comm, machine[i].len), 0, is_space);
        size_t digits = span_run(comm, start, is_digit);
        if (digits > 0 && (start + digits == comm.len || is_space(comm.ptr[start + digits])))
            comm = span_trim(span_from(comm, start + digits));
    }
    return comm;
}

/* Parse the fields before `end` backwards: the CPU, if any; "25607" or "24636/25607"; the comm. */
static bool
parse_task(struct span line, size_t end, struct perf_header *h)
{
    end = span_run_before(line, end, is_space);
    take_cpu(line, &end, h);
    take_ids(line, &end, h);
    if (h->field[PERF_TID].len == 0 || end == 0 || !is_space(line.ptr[end - 1]))
        return false;
    h->field[PERF_COMM] = trim_comm(span_head(line, end));
    return h->field[PERF_COMM].len > 0;
}

/* Return the offset of the time of day before `end`, "2026-11-28 01:04:28.123456" (-F +tod), or
 * `end` if there is none. */
static size_t
before_time_of_day(struct span line, size_t end)
{
    struct span clock = token_before(line, end);
    if (clock.len < 9 || clock.ptr[2] != ':' || clock.ptr[5] != ':' || clock.ptr[8] != '.')
        return end;
    struct span date = token_before(line, (size_t)(clock.ptr - line.ptr));
    bool is_date = date.len == 10 && date.ptr[4] == '-' && date.ptr[7] == '-';
    return is_date ? (size_t)(date.ptr - line.ptr) : end;
}

/* Recognize "U", "K", "Gg": the mode of the CPU and other flags (-F +misc); and "d..1.", which some
 * versions of perf print there. */
static bool
is_misc(struct span token)
{
    enum { MOST = 8 };
    size_t n = 0;
    while (n < token.len && span_has(SPAN("KUHGgMESp"), token.ptr[n]))
        n++;
    return token.len > 0 && token.len <= MOST &&
           (n == token.len || (!is_digit(token.ptr[0]) && span_holds(token, SPAN(".."))));
}

/* Do the same as parse_task, but accept one word of flags ("d..1.") and a time of day before
 * `end`. */
static bool
parse_flagged_task(struct span line, size_t end, struct perf_header *h)
{
    if (parse_task(line, end, h))
        return true;
    end = before_time_of_day(line, end);
    struct span flags = token_before(line, end);
    if (parse_task(line, end, h))
        return true;
    h->field[PERF_FLAGS] = flags;
    return flags.len > 0 && flags.len <= 8 && parse_task(line, (size_t)(flags.ptr - line.ptr), h);
}

/* Do the same for a header without the command (-F -comm). The thread and the CPU are at the line's
 * start, or after a guest's machine, or both are missing. */
static bool
parse_no_comm(struct span line, size_t end, struct perf_header *h)
{
    end = span_run_before(line, before_time_of_day(line, end), is_space);
    struct span flags = token_before(line, end);
    h->field[PERF_FLAGS] = is_misc(flags) ? flags : SPAN("");
    if (h->field[PERF_FLAGS].len > 0)
        end = span_run_before(line, (size_t)(flags.ptr - line.ptr), is_space);
    take_cpu(line, &end, h);
    take_ids(line, &end, h);
    h->field[PERF_COMM] = SPAN("");
    /* Trim nothing longer: otherwise, a line with many times would take quadratic time. */
    return end <= MACHINE_MAX && trim_comm(span_head(line, end)).len == 0;
}

/* Do the same for a header without the thread id: the CPU, if any, and the comm, which does not end
 * in a colon, as an event does. */
static bool
parse_bare_task(struct span line, size_t end, struct perf_header *h)
{
    enum { MISC_PADDING = 4 };
    size_t start = end;
    end = span_run_before(line, end, is_space);
    struct span flags = token_before(line, end);
    h->field[PERF_PID] = h->field[PERF_TID] = h->field[PERF_FLAGS] = SPAN("");
    if (start - end >= MISC_PADDING && is_misc(flags)) {
        h->field[PERF_FLAGS] = flags;
        end = span_run_before(line, (size_t)(flags.ptr - line.ptr), is_space);
    }
    take_cpu(line, &end, h);
    /* Check this before trimming, which would pass over the line's indentation again for each time
     * in it. */
    if (end > 0 && line.ptr[end - 1] == ':')
        return false;
    h->field[PERF_COMM] = trim_comm(span_head(line, end));
    return h->field[PERF_COMM].len > 0;
}

/* Return true if a time "digits.digits" ends before the colon at `colon`, and set *start to its
 * offset. */
static bool
time_before(struct span line, size_t colon, size_t *start)
{
    size_t at = span_run_before(line, colon, is_digit);
    if (at == colon || at < 2 || line.ptr[at - 1] != '.')
        return false;
    size_t dot = at - 1;
    *start = at = span_run_before(line, dot, is_digit);
    return at < dot && (at == 0 || is_space(line.ptr[at - 1])) &&
           (colon + 1 == line.len || is_space(line.ptr[colon + 1]));
}

/* Return true if the text begins with an address right-aligned in 16 columns after `parting`
 * blanks. This is how perf prints the frame of an event without a callchain: after one blank at the
 * start of the line, otherwise after two. */
static bool
begins_with_address(struct span s, size_t parting)
{
    enum { COLUMNS = 16 };
    size_t blanks = span_run(s, 0, is_space), end = blanks + span_run(s, blanks, is_hex);
    return blanks >= parting && end == parting + COLUMNS && (end == s.len || is_space(s.ptr[end]));
}

/* Parse the text after the task and the time: a period, if any, then the event and its colon
 * ("104345 cycles:u:"), or only a period; then the rest. */
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
    } else if (digits > 0 && (start + digits + blanks == s.len ||
                              begins_with_address(span_from(s, start + digits), 2))) {
        h->field[PERF_PERIOD] = number;
        s = span_from(s, start + digits + (start + digits + blanks == s.len ? blanks : 0));
    }
    h->field[PERF_REST] = s;
}

static const char *
end_of(struct span s)
{
    return s.ptr + s.len;
}

/* Note the layout of the line: the padding of the event and of the command. */
static void
parse_layout(struct span line, struct perf_header *h)
{
    const struct span *f = h->field;
    const char *before = f[PERF_PERIOD].len > 0 ? end_of(f[PERF_PERIOD])
                         : f[PERF_TIME].len > 0 ? end_of(f[PERF_TIME]) + 1
                         : f[PERF_CPU].len > 0  ? end_of(f[PERF_CPU]) + 1
                                                : NULL;
    h->no_callchain = is_space(line.ptr[0]) && f[PERF_COMM].len > 0;
    h->event_width = 0;
    if (before == NULL || f[PERF_EVENT].len == 0)
        return;
    struct span blanks = span_of(before, (size_t)(f[PERF_EVENT].ptr - before));
    size_t width = blanks.len + f[PERF_EVENT].len - 1; /* one blank separates the fields */
    if (blanks.len > 1 && !span_has(blanks, '\t') && width <= UINT16_MAX)
        h->event_width = (uint16_t)width;
}

static bool
is_record(struct span s)
{
    return span_starts(s, SPAN("PERF_RECORD_")) || span_starts(s, SPAN("instruction trace error"));
}

/* Parse a header with a time. `task` parses the text before the time. */
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

/* Return true if the name ends in a thread's number as ftrace prints it: "bash-99", "bash-99 [000]
 * .....". */
static bool
is_ftrace_task(struct span comm)
{
    for (size_t at = 0; at + 1 < comm.len; at++) {
        size_t digits = comm.ptr[at] == '-' ? span_run(comm, at + 1, is_digit) : 0;
        size_t end = at + 1 + digits;
        if (digits > 0 && (end == comm.len || is_space(comm.ptr[end])))
            return true;
    }
    return false;
}

/* Return true if a header with a time, but without a command or a thread, can be recognized without
 * looking at the next line: it has an event, and its time has as many digits as perf prints. */
static bool
stands_alone(const struct perf_header *h)
{
    enum { MICROSECONDS = 6 };
    struct span time = h->field[PERF_TIME];
    return h->field[PERF_EVENT].len > 0 && time.len - span_find(time, '.') > MICROSECONDS &&
           !is_ftrace_task(h->field[PERF_COMM]);
}

/* Parse a header with a time, but without a command or a thread. */
static bool
parse_timed_part(struct span line, struct perf_header *h)
{
    return parse_timed(line, h, parse_no_comm) || parse_timed(line, h, parse_bare_task);
}

/* Return the width of the number's field: its digits, and the blanks before it except the one that
 * separates fields. */
static size_t
columns(struct span line, struct span number)
{
    size_t start = (size_t)(number.ptr - line.ptr), before = span_run_before(line, start, is_space);
    return start - before - (before > 0) + number.len;
}

/* Parse the text before `end` with `task`. An event or the end of the line is at `end`. The last
 * word of the text may be a period; set *event to the start for parse_event. perf prints a period
 * in ten columns, and a thread id, which has at most seven digits, in five or seven. If blanks were
 * squeezed, columns have no meaning; then a number after a thread is a period. */
static bool
parse_before_event(struct span line, size_t end, size_t *event, struct perf_header *h,
                   bool (*task)(struct span line, size_t end, struct perf_header *h))
{
    enum { PERIOD = 10, THREAD_DIGITS = 7, THREAD = 5 };
    struct span number = token_before(line, end);
    size_t start = (size_t)(number.ptr - line.ptr), before = span_run_before(line, start, is_space);
    bool is_number = number.len > 0 && span_run(number, 0, is_digit) == number.len;
    size_t width = is_number ? columns(line, number) : THREAD;
    bool is_period = number.len > THREAD_DIGITS || width >= PERIOD ||
                     (before > 1 && line.ptr[before - 1] == ']' && is_digit(line.ptr[before - 2]));
    *event = start;
    if (is_number && is_period)
        return task(line, start, h);
    if (width < THREAD && parse_task(line, start, h))
        return true;
    *event = end;
    if (task(line, end, h))
        return true;
    *event = start;
    return is_number && task(line, start, h);
}

/* Parse a header without a time. Its event, or the word in the event's place, ends in a colon. Use
 * the first such word before which `task` can parse. It may also be a record. */
static bool
parse_timeless(struct span line, struct perf_header *h,
               bool (*task)(struct span line, size_t end, struct perf_header *h))
{
    for (struct span token = token_after(line); token.len > 0;
         token = token_after(after(line, token))) {
        size_t event, end = (size_t)(token.ptr - line.ptr);
        if (!is_record(token) && (token.len == 1 || token.ptr[token.len - 1] != ':'))
            continue;
        if (!parse_before_event(line, end, &event, h, task))
            continue;
        parse_event(span_from(line, event), h);
        return true;
    }
    return false;
}

/* Return true if the text ends in a single digit after a single blank, which belongs to a name such
 * as "worker 7": perf prints ids in at least five columns. (If blanks were squeezed, it may be an
 * id.) */
static bool
is_numbered_name(struct span line, size_t end)
{
    end = span_run_before(line, end, is_space);
    return end > 3 && is_digit(line.ptr[end - 1]) && line.ptr[end - 2] == ' ' &&
           !is_space(line.ptr[end - 3]);
}

/* Parse a thread followed by a mode of the CPU, or a name alone. */
static bool
parse_any_task(struct span line, size_t end, struct perf_header *h)
{
    struct span flags = token_before(line, end);
    if (!is_numbered_name(line, end) && parse_task(line, end, h))
        return true;
    if (is_misc(flags) && parse_task(line, (size_t)(flags.ptr - line.ptr), h)) {
        h->field[PERF_FLAGS] = flags;
        return true;
    }
    return parse_no_comm(line, end, h) || parse_bare_task(line, end, h);
}

/* Return the frame's address in the line of an event without a callchain, or an empty text. perf
 * prints it in 16 columns after a blank. */
static struct span
aligned_address(struct span line)
{
    enum { COLUMNS = 17 };
    struct span token = token_after(line);
    while (token.len > 0 &&
           (span_run(token, 0, is_hex) < token.len || columns(line, token) != COLUMNS))
        token = token_after(after(line, token));
    return token;
}

/* Return true if that frame follows another field, which may look like an address, too: the name "a
 * worker". */
static bool
has_frame_after_task(struct span line)
{
    struct span addr = aligned_address(line);
    return addr.len > 0 && addr.ptr > token_after(line).ptr;
}

/* Parse a header that has neither a time nor an event: the text before the frame, if there is
 * one. */
static bool
parse_eventless(struct span line, struct perf_header *h)
{
    struct span addr = aligned_address(line), whole = line;
    size_t event, end = addr.len > 0 ? (size_t)(addr.ptr - line.ptr) : line.len;
    size_t cgroup = span_search(span_head(line, end), SPAN("  /")); /* -F comm,tid,cgroup */
    if (cgroup != SPAN_NONE)
        end = cgroup;
    line = span_head(line, span_run_before(line, end, is_space));
    if (!parse_before_event(line, line.len, &event, h, parse_any_task))
        return false;
    parse_event(span_from(line, event), h);
    if (end < whole.len)
        h->field[PERF_REST] = span_from(whole, line.len);
    return true;
}

bool
perf_bare_parse(struct span line, struct perf_header *h)
{
    *h = (struct perf_header){0};
    line = span_head(line, span_run_before(line, line.len, is_space));
    if (!parse_timed_part(line, h)) {
        h->field[PERF_TIME] = h->field[PERF_FLAGS] = SPAN("");
        if (!parse_timeless(line, h, parse_task) && !parse_timeless(line, h, parse_no_comm) &&
            !parse_timeless(line, h, parse_any_task) && !parse_eventless(line, h))
            return false;
    }
    parse_layout(line, h);
    return true;
}

/* Recognize "  core.c:137", "  libc-2.33.so[27b25]", and "  :0" for code whose file has no name. */
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

static bool
is_page_size(struct span token)
{
    size_t digits = span_run(token, 0, is_digit);
    return span_eq(token, SPAN("N/A")) ||
           (digits > 0 && digits + 1 == token.len && span_has(SPAN("BKMGT"), token.ptr[digits]));
}

/* Recognize "0x7f12/0x7f34/P/-/-/0" and "f+0x12/g+0x0/P/-/-/3". */
static bool
is_branch(struct span token)
{
    size_t slashes = 0;
    for (size_t i = 0; i < token.len; i++)
        slashes += token.ptr[i] == '/';
    return slashes >= 4 && (span_holds(token, SPAN("/P/")) || span_holds(token, SPAN("/M/")) ||
                            span_holds(token, SPAN("/-/")));
}

/* Recognize what perf prints below the frames for some fields:
 *
 *      ABI:2    AX:0x7f12    IP:0x7f34               registers
 *      ilen: 4 insn: 48 0f af d0                     the instruction
 *            12a3f4c000 4K N/A                       a physical address, sizes of pages
 *      0x7f12/0x7f34/P/-/-/0                         branches
 *     \tmain:\tcore.c:137                            code between branches
 *     \t000000000040113a\tinsn: 55 48 89 e5
 */
static bool
is_detail(struct span line)
{
    static const struct span words[] = {SPAN("ABI:"), SPAN("ilen:"),       SPAN("insn:"),
                                        SPAN("IPC:"), SPAN("BPF output:"), SPAN("BPF string:")};
    if (!is_space(line.ptr[0]))
        return false;
    struct span text = span_trim(line), token = token_after(text);
    struct span next = token_after(after(text, token));
    if (line.ptr[0] == '\t') /* as in frames, so do not call this for possible frames */
        return text.ptr == line.ptr + 1 && span_ends(token, SPAN(":"));
    return span_starts_any(text, words, sizeof words / sizeof *words) || is_page_size(token) ||
           is_branch(token) || (span_run(token, 0, is_hex) == token.len && is_page_size(next));
}

/* Return true if a tab follows the address: "\t000000000040113a\tinsn: 55". */
static bool
is_instruction(struct span line, const struct frame *f)
{
    const char *end = f->addr.ptr + f->addr.len;
    return f->addr.len == 16 && end < line.ptr + line.len && *end == '\t';
}

bool
perf_header_is_full(const struct perf_header *h)
{
    return h->field[PERF_COMM].len > 0 && h->field[PERF_TID].len > 0 &&
           h->field[PERF_EVENT].len > 0;
}

/* Complete a header, or a record that begins like one. */
static enum perf_line
header_kind(struct span line, struct perf_header *h, enum perf_line kind)
{
    parse_layout(line, h);
    bool record = is_record(h->field[PERF_EVENT]) || is_record(span_trim(h->field[PERF_REST]));
    return record ? PERF_LINE_RECORD : kind;
}

/* Parse a line that begins with "#": a comment, or the header of a thread with a name such as "#1
 * worker". perf's own comments have a blank after the "#". A thread may choose such a name to hide:
 * its header is recognized by the CPU. Of perf's comments, only the command line could contain text
 * of that form. */
static enum perf_line
parse_comment(struct span line, struct perf_header *h)
{
    bool blank = line.len > 1 && is_space(line.ptr[1]);
    bool header = line.len > 1 && !span_starts(line, SPAN("# cmdline : ")) &&
                  parse_timed(line, h, parse_flagged_task) && h->field[PERF_EVENT].len > 0 &&
                  (!blank || h->field[PERF_CPU].len > 0);
    return header ? header_kind(line, h, PERF_LINE_HEADER) : PERF_LINE_COMMENT;
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
        return header_kind(line, h, PERF_LINE_HEADER);
    bool tab = line.ptr[0] == '\t';
    if (tab && perf_frame_parse(line, &f))
        return is_instruction(line, &f) ? PERF_LINE_DETAIL : PERF_LINE_FRAME;
    if (is_detail(line))
        return PERF_LINE_DETAIL;
    if (!tab && parse_timed(line, h, parse_no_comm))
        return header_kind(line, h, stands_alone(h) ? PERF_LINE_HEADER : PERF_LINE_BARE);
    if (perf_frame_parse(line, &f) && (f.dso.len > 0 || is_space(line.ptr[0])) &&
        !has_frame_after_task(line))
        return PERF_LINE_FRAME;
    if (parse_timed(line, h, parse_bare_task))
        return header_kind(line, h, stands_alone(h) ? PERF_LINE_HEADER : PERF_LINE_BARE);
    if (is_branch(token_before(line, line.len))) /* with names, they are not indented */
        return PERF_LINE_DETAIL;
    if (is_srcline(line))
        return PERF_LINE_SRCLINE;
    /* In a text that was pasted as a code block, headers are indented by a tab. */
    if (perf_bare_parse(line, h) && (!tab || perf_header_is_full(h)))
        return header_kind(line, h, PERF_LINE_BARE);
    return PERF_LINE_UNKNOWN;
}

bool
perf_line_is_frame(struct span line)
{
    struct frame f;
    if (line.len == 0 || !is_space(line.ptr[0]) || !perf_frame_parse(line, &f) ||
        is_instruction(line, &f))
        return false;
    bool tab = line.ptr[0] == '\t';
    size_t column = (size_t)(f.addr.ptr + f.addr.len - line.ptr) + (tab ? PERF_TAB - 1 : 0);
    return f.dso.len > 0 || column == PERF_FRAME_COLUMN;
}

bool
perf_line_is_first_frame(struct span line, const struct perf_header *header)
{
    enum { DIGITS = 6 };
    struct perf_header h;
    struct frame f;
    if (perf_line_is_frame(line))
        return true;
    if (perf_line_parse(line, &h) != PERF_LINE_FRAME || !perf_frame_parse(line, &f))
        return false;
    bool sure = f.dso.len > 0 ? span_has(SPAN("/["), f.dso.ptr[0])
                              : f.sym.len > 0 && perf_header_is_full(header);
    return span_starts(line, SPAN("\t")) || (f.addr.len >= DIGITS && sure);
}

/* Recognize " 4" and " 4 5.5": a stack without frames in folded text, which is sorted before the
 * others. It is not an address: perf indents those further. */
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

/* Return the length of the first frame with a DSO at the start of s, "7f12 f+0x3 (/lib)". Return 0
 * if s does not begin with one. */
static size_t
frame_length(struct span s)
{
    enum { TRIES = 64 }; /* each costs the length of s, which an attacker may choose */
    struct frame f;
    for (size_t at = 0, tries = 0; at < s.len && tries < TRIES; at++) {
        size_t step = span_find(span_from(s, at), ')');
        if (step == SPAN_NONE)
            return 0;
        at += step;
        /* Branches with names (-F +brstacksym) follow without a blank. */
        if (at + 1 < s.len && !is_space(s.ptr[at + 1]) &&
            !is_branch(token_after(span_from(s, at + 1))))
            continue;
        tries++;
        if (perf_frame_parse(span_head(s, at + 1), &f) && f.dso.len > 0)
            return at + 1;
    }
    return 0;
}

/* Return the offset of the last address inside a symbol, as in "55d15a3c main", or SPAN_NONE. At
 * the symbol's start or right after an address, any number is an address; elsewhere, only one that
 * is unlikely to be a word. */
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

/* Return the text from the frame's own address on. A data address (perf script -F +addr) may
 * precede it, "7f0012 55d1 main+0x4 (/bin/x)", and there may be other fields between the two. */
static struct span
skip_data_address(struct span text)
{
    struct frame f;
    size_t at = perf_frame_parse(text, &f) ? inner_address(f.sym) : SPAN_NONE;
    return at != SPAN_NONE ? span_from(text, (size_t)(f.sym.ptr - text.ptr) + at) : text;
}

/* The words of perf mem about a data address precede the frame, with one or two weights in between:
 *
 *     7f0012  68100142 |OP LOAD|LVL L3 or Remote Cache (1 hop) hit|SNP None|LCK No   56 0  401136 f
 *
 * Return the text from the first number after the last of these words on. */
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

/* If the header of an event without a callchain contains the control group or the type of a branch,
 * the frame's address follows it in 16 columns:
 *
 *     /user.slice/a.scope           7f0012 f+0x3 (/lib)         -F +cgroup
 *     tr strt jmp                        0 [unknown] ([unknown]) => 7f34 g (/lib)       -F +flags
 *
 * Return the text from that address on, or all of it if there is no address. */
static struct span
skip_words(struct span rest)
{
    static const struct span words[] = {
        SPAN("/"),      SPAN("unknown "), SPAN("call"),    SPAN("return"), SPAN("jcc"),
        SPAN("jmp"),    SPAN("int"),      SPAN("iret"),    SPAN("sys"),    SPAN("async"),
        SPAN("hw int"), SPAN("tx abrt"),  SPAN("tr strt"), SPAN("tr end"), SPAN("vm")};
    enum { COLUMNS = 16 };
    struct span token = SPAN("");
    if (span_starts_any(rest, words, sizeof words / sizeof *words))
        token = token_after(after(rest, token_after(rest)));
    while (token.len > 0 &&
           (span_run(token, 0, is_hex) < token.len || columns(rest, token) < COLUMNS))
        token = token_after(after(rest, token));
    return token.len > 0 ? span_from(rest, (size_t)(token.ptr - rest.ptr)) : rest;
}

bool
perf_header_is_aligned(const struct perf_header *h)
{
    struct span rest = h->field[PERF_REST], text = span_trim(rest);
    return begins_with_address(rest, 2) || skip_words(text).ptr > text.ptr ||
           (h->field[PERF_EVENT].len == 0 && begins_with_address(rest, 1));
}

/*     7f12 f+0x3 (/lib)                              a frame alone
 *     7f12 f                                         without its DSO, in 16 columns
 *     7f0012 data+0x8 (/lib)     55d1 f+0x3 (/lib)   after a data address (-F +addr)
 *     7f12 f+0x3 (/lib) => 7f34 g+0x0 (/lib)         of a branch: it starts in f
 *     7f12 f+0x3 (/lib) 0x7f12/0x7f34/P/-/-/0        before a branch stack (-F +brstack) */
struct span
perf_header_frame(const struct perf_header *h)
{
    struct span rest = skip_words(skip_data_source(span_trim(h->field[PERF_REST])));
    struct span frame = span_head(rest, 0);
    for (size_t len; rest.len > 0 && (len = frame_length(rest)) > 0;) {
        frame = skip_data_address(span_head(rest, len));
        rest = span_trim(span_from(rest, len));
    }
    return frame.len == 0 && perf_header_is_aligned(h) ? rest : frame;
}
