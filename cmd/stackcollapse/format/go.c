/* What "go tool pprof -raw" prints (its String() in github.com/google/pprof/profile): samples with
 * their values and the numbers of their locations, leaf first, then the locations. A location with
 * several lines has inlined calls, the innermost first:
 *
 *     Samples:
 *     samples/count cpu/nanoseconds
 *               3   30000000: 1 2
 *                     thread:[worker]
 *     Locations
 *          1: 0x48f1e3 M=1 main.inner /home/user/app/main.go:12:0 s=10
 *                  main.outer /home/user/app/main.go:20:0 s=18
 *          2: 0x7f14ce2d9745 M=2
 *     Mappings
 *     1: 0x400000/0x4a9000/0x0 /home/user/app/app  [FN] */
#include "cmd/stackcollapse/shared/pprofraw.h"

static bool
is_values(char c)
{
    return is_digit(c) || is_space(c) || c == '-';
}

/* Take a sample: " 3 30000000: 1 2". Its first value counts, which is negative in a difference of
 * two profiles. The list is empty if pprof knows no function: " 3 30000000: ". */
static bool
take_sample(struct stacker *f, struct span line)
{
    span_take_run(&line, is_space);
    struct span values = span_take_run(&line, is_values), list = pprofraw_list(line);
    bool negative = span_skip(&values, SPAN("-"));
    bool no_frames = span_eq(span_trim(line), SPAN(":"));
    size_t digits = span_run(values, 0, is_digit);
    if (digits == 0 || !is_digit(values.ptr[values.len - 1]) || (list.len == 0 && !no_frames))
        return false;
    if (negative)
        stacker_skip(f, "a value below 0");
    else
        pprofraw_sample(f, list, span_head(values, digits));
    f->c->without_frames += no_frames && !negative;
    return true;
}

/* Return the offset of a blank and an absolute path: " /home/a.go", or on Windows " C:/Program
 * Files/a.go", " C:\a.go", " \\host\a.go". Return SPAN_NONE if there is none. */
static size_t
path_at(struct span text)
{
    for (size_t i = 1; i + 1 < text.len; i++) {
        const char *c = text.ptr + i;
        bool drive = text.len - i > 3 && is_word(c[1]) && !is_digit(c[1]) && c[2] == ':' &&
                     (c[3] == '/' || c[3] == '\\');
        if (*c == ' ' && (c[1] == '/' || c[1] == '\\' || drive))
            return i;
    }
    return SPAN_NONE;
}

/* Return the length of a Go name at the start of the text, such as "main.Map[struct { a int }]", up
 * to the first blank outside of brackets; 0 if there is none. */
static size_t
go_name(struct span text)
{
    size_t end = 0, depth = 0;
    for (; end < text.len && (depth > 0 || text.ptr[end] != ' '); end++) {
        depth += span_has(SPAN("([{"), text.ptr[end]);
        depth -= depth > 0 && span_has(SPAN(")]}"), text.ptr[end]);
    }
    struct span name = span_head(text, end);
    bool is_go = span_find(name, '.') != SPAN_NONE && !span_holds(name, SPAN("::"));
    return is_go && end < text.len ? end : 0;
}

/* Return the name in "main.inner /home/user/app/main.go:12:0 s=10". The path may contain blanks. */
static struct span
function(struct span text)
{
    for (size_t i = text.len; i > 3; i--)
        if (span_starts(span_from(text, i - 3), SPAN(" s=")) && span_run(text, i, is_digit) > 0) {
            text = span_head(text, i - 3);
            break;
        }
    size_t file = path_at(text), name = go_name(text);
    if (file == SPAN_NONE)
        file = name > 0 ? name : span_rfind(text, ' ');
    return file != SPAN_NONE && file > 0 ? span_head(text, file) : text;
}

/* Take a location: " 1: 0x48f1e3 M=1 main.inner /home/user/app/main.go:12:0". */
static bool
take_location(struct stacker *f, struct span line)
{
    span_take_run(&line, is_space);
    struct span number = span_take_run(&line, is_digit);
    if (number.len == 0 || !span_skip(&line, SPAN(": ")) || !span_starts(line, SPAN("0x")))
        return false;
    struct span address = span_head(line, 2 + span_run(line, 2, is_hex));
    line = span_from(line, address.len);
    if (address.len == 2 || !span_skip(&line, SPAN(" ")))
        return false;
    struct span rest = line;
    if (span_skip(&rest, SPAN("M=")) && span_take_run(&rest, is_digit).len > 0 &&
        span_skip(&rest, SPAN(" ")))
        line = rest;
    span_skip(&line, SPAN("[F] "));
    line = span_trim(line);
    pprofraw_location(f, number, line.len > 0 ? function(line) : address);
    return true;
}

/* Take another line of a location: the call that the line before is inlined in. */
static bool
take_inlined(struct stacker *f, struct span line)
{
    bool follows =
        ((struct pprofraw *)f)->ids.count > 0 && span_starts(line, SPAN("             "));
    struct span text = span_trim(line);
    if (follows && text.len > 0)
        pprofraw_inlined(f, function(text));
    return follows;
}

static void
take(struct stacker *f, struct span line)
{
    struct pprofraw *p = (struct pprofraw *)f;
    if (line.len == 0 || line.ptr[0] == '#' || p->part == PPROFRAW_MAPPINGS)
        return;
    if (p->part == PPROFRAW_BEFORE) {
        p->part = span_holds(line, SPAN("Samples:")) ? PPROFRAW_SAMPLES : PPROFRAW_BEFORE;
    } else if (p->part == PPROFRAW_SAMPLES && !take_sample(f, line)) {
        if (span_holds(line, SPAN("Locations")))
            p->part = PPROFRAW_LOCATIONS;
        else if (span_run(span_trim(line), 0, is_digit) > 0)
            stacker_skip(f, "not a sample of pprof");
    } else if (p->part == PPROFRAW_LOCATIONS && !take_location(f, line) && !take_inlined(f, line)) {
        if (span_holds(line, SPAN("Mappings")))
            p->part = PPROFRAW_MAPPINGS;
        else
            stacker_skip(f, "not a location of pprof");
    }
}

static bool
is_go(struct span line)
{
    return span_eq(line, SPAN("Samples:")) ||
           (span_starts(line, SPAN("PeriodType: ")) && span_rfind(line, ' ') > 11);
}

const struct format format_go = {PPROFRAW_FORMAT, .is = is_go, .per_file = true, .take = take};
