/* The patterns of stackcollapse-perf.pl, matched by hand: the code makes the greedy and lazy
 * choices of its regular expressions explicitly. /x/ in a comment is the pattern that the function
 * replaces. */
#include "cmd/stackcollapse/collapse.h"
#include "cmd/stackcollapse/script/scriptparts.h"
#include "common/base/num.h"
#include "common/stack/model/foldname.h"
#include "common/stack/text/perftext.h"

/* /:\s*(\d+)*\s+(\S+):\s*$/ */
static void
parse_event(struct span line, struct perf_header *h)
{
    h->field[PERF_PERIOD] = h->field[PERF_EVENT] = (struct span){"", 0};
    size_t end = span_run_before(line, line.len, is_space), event = end > 0 ? end - 1 : 0;
    if (end == 0 || line.ptr[end - 1] != ':')
        return;
    while (event > 0 && !is_space(line.ptr[event - 1]))
        event--;
    size_t before = span_run_before(line, event, is_space);
    size_t period = span_run_before(line, before, is_digit);
    size_t at = period < before ? span_run_before(line, period, is_space) : period;
    if (event == end - 1 || before == event || at == 0 || line.ptr[at - 1] != ':')
        return;
    h->field[PERF_PERIOD] = span_of(line.ptr + period, before - period);
    h->field[PERF_EVENT] = span_of(line.ptr + event, end - 1 - event);
}

/* Match /^\s*(\w+)\s*(.+) \((.*)\)/: take the last " (" that is followed by a ")"; what is left of
 * it shrinks until the symbol has at least one character. */
static bool
parse_frame(struct span text, struct frame *f)
{
    size_t newline = span_find(text, '\n');
    *f = (struct frame){.has_sym = true};
    if (newline != SPAN_NONE) {
        f->srcline = span_from(text, newline + 1);
        text = span_head(text, newline);
    }
    size_t close = span_rfind(text, ')');
    size_t open = close;
    while (open != SPAN_NONE && open >= 1 &&
           !(text.ptr[open - 1] == ' ' && text.ptr[open] == '(' && open < close))
        open--;
    if (open == SPAN_NONE || open == 0)
        return false;
    size_t sym_end = open - 1;
    size_t word = span_run(text, 0, is_space);
    size_t word_end = word + span_run(text, word, is_word);
    size_t sym = word_end + span_run(text, word_end, is_space);
    if (sym >= sym_end) {
        if (sym_end < 2 || sym_end - 1 <= word)
            return false;
        sym = sym_end - 1;
        if (word_end > sym)
            word_end = sym;
    }
    if (word_end == word)
        return false;
    f->addr = span_of(text.ptr + word, word_end - word);
    f->has_ip = num_hex(f->addr, &f->ip);
    f->sym = span_of(text.ptr + sym, sym_end - sym);
    f->dso = span_of(text.ptr + open + 1, close - open - 1);
    /* s/\+0x[\da-f]+$// */
    size_t hex = span_run_before(f->sym, f->sym.len, is_hex);
    if (hex < f->sym.len && hex >= 3 && memcmp(f->sym.ptr + hex - 3, "+0x", 3) == 0) {
        f->offset = span_from(f->sym, hex - 3);
        f->sym = span_head(f->sym, hex - 3);
    }
    return true;
}

static enum perf_line
parse_line(struct span line, struct perf_header *h)
{
    struct frame f;
    if (line.len == 0)
        return PERF_LINE_BLANK;
    if (line.ptr[0] == '#')
        return PERF_LINE_COMMENT;
    *h = (struct perf_header){0};
    if (script_task(line, &h->field[PERF_COMM], &h->field[PERF_PID], &h->field[PERF_TID])) {
        if (h->field[PERF_TID].len == 0) {
            h->field[PERF_TID] = h->field[PERF_PID];
            h->field[PERF_PID].len = 0;
        }
        parse_event(line, h);
        return PERF_LINE_HEADER;
    }
    return parse_frame(line, &f) ? PERF_LINE_FRAME : PERF_LINE_UNKNOWN;
}

/* /(^\[|vmlinux$)/ and not /unknown/ */
static bool
is_kernel(struct span dso)
{
    return (span_starts(dso, SPAN("[")) || span_ends(dso, SPAN("vmlinux"))) &&
           !span_holds(dso, SPAN("unknown"));
}

/* m:/tmp/perf-\d+\.map: */
static bool
is_jit(struct span dso)
{
    const struct span start = SPAN("/tmp/perf-");
    for (size_t at; (at = span_search(dso, start)) != SPAN_NONE;) {
        dso = span_from(dso, at + start.len);
        size_t digits = span_run(dso, 0, is_digit);
        if (digits > 0 && span_starts(span_from(dso, digits), SPAN(".map")))
            return true;
    }
    return false;
}

/* With --srcline, each function in a frame's symbol ("->" separates them) uses the next line as its
 * source line, unless the frame is "[unknown] ([unknown])". */
static size_t
srclines(struct span line)
{
    struct frame f;
    struct span part;
    size_t n = 0;
    if (!parse_frame(line, &f) || span_starts(f.sym, SPAN("(")))
        return 0;
    while (foldname_split_arrow(&f.sym, &part))
        n += !(span_eq(part, SPAN("[unknown]")) && span_eq(f.dso, SPAN("[unknown]")));
    return n;
}

static const struct perf_rules rules = {
    .line = parse_line,
    .frame = parse_frame,
    .srclines = srclines,
    .blank_ends_sample = true,
};

static const struct foldname_dialect names = {
    .is_kernel = is_kernel,
    .is_jit = is_jit,
    .skip_parenthesis = true,
    .keep_empty = true,
    .tidy_unknown = true,
    .java_from_command = true,
    .zero_tid_is_missing = true,
    .raw_semicolons = true,
};

const struct dialect dialect_perl = {
    .names = &names,
    .tidy = TIDY_PERL,
    .weight = WEIGHT_PERIOD,
    .rules = &rules,
    .raw_inlined = true,
    .lenient_filter = true,
    .one_kind_of_core = true,
    .silent_strays = true,
};
