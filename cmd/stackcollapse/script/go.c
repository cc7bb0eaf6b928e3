/* Replaces stackcollapse-go.pl, which reads samples with two values, and only the first function of
 * each location. It ignores all input after the mappings, other files included. See format/go.c. */
#include "cmd/stackcollapse/shared/pprofraw.h"

/* Take a line with two values before a list of locations. If there is only one value, its last
 * digit is the second. */
static bool
take_sample(struct stacker *f, struct span line)
{
    span_take_run(&line, is_space);
    struct span first = span_take_run(&line, is_digit), blanks = span_take_run(&line, is_space),
                second = span_take_run(&line, is_digit), list = pprofraw_list(line);
    if (second.len == 0 && (blanks.len > 0 || first.len == 0))
        return false;
    first.len -= second.len == 0;
    if (first.len == 0 || list.len == 0)
        return false;
    pprofraw_sample(f, list, first);
    return true;
}

/* Return the function: the first word with a blank after it. If there is no other such word, that
 * is the mapping, "M=1". */
static struct span
function(struct span rest)
{
    size_t digits = span_starts(rest, SPAN("M=")) ? span_run(rest, 2, is_digit) : 0;
    bool mapped = digits > 0 && span_starts(span_from(rest, 2 + digits), SPAN(" "));
    struct span mapping = span_head(rest, mapped ? 2 + digits : 0);
    struct span text = span_from(rest, mapped ? 3 + digits : 0);
    size_t blank = span_find(text, ' ');
    return blank != SPAN_NONE && blank > 0 ? span_head(text, blank) : mapping;
}

/* Take a location: " 1: 0x48f1e3 M=1 main.inner /home/user/app/main.go:12:0 s=10". For a function
 * "0", which is false in Perl, use the location's number. */
static bool
take_location(struct stacker *f, struct span line)
{
    span_take_run(&line, is_space);
    struct span number = span_take_run(&line, is_digit);
    if (!span_skip(&line, SPAN(": 0x")) || span_take_run(&line, is_hex).len == 0 ||
        !span_skip(&line, SPAN(" ")))
        return false;
    struct span name = function(line);
    if (name.len == 0)
        return false;
    pprofraw_location(f, number, span_eq(name, SPAN("0")) ? number : name);
    return true;
}

static void
take(struct stacker *f, struct span line)
{
    static const struct span next[] = {SPAN("Samples:"), SPAN("Locations"), SPAN("Mappings")};
    struct pprofraw *p = (struct pprofraw *)f;
    if (line.len == 0 || line.ptr[0] == '#' || p->part == PPROFRAW_MAPPINGS ||
        (p->part == PPROFRAW_SAMPLES && take_sample(f, line)) ||
        (p->part == PPROFRAW_LOCATIONS && take_location(f, line)))
        return;
    p->part += span_holds(line, next[p->part]);
}

const struct format script_go = {PPROFRAW_FORMAT, .take = take};
