#include "cmd/stackcollapse/shared/parts.h"

bool
parts_is_macwait(struct span function)
{
    static const struct span in[] = {SPAN("__psynch_cvwait"),
                                     SPAN("__select"),
                                     SPAN("__semwait_signal"),
                                     SPAN("__ulock_wait"),
                                     SPAN("__wait4"),
                                     SPAN("__workq_kernreturn"),
                                     SPAN("kevent"),
                                     SPAN("mach_msg_trap"),
                                     SPAN("read"),
                                     SPAN("semaphore_wait_trap")};
    return span_eq_any(function, in, sizeof in / sizeof *in);
}

bool
parts_time_unit(struct span unit, int *places)
{
    static const struct span names[] = {SPAN("nanoseconds"), SPAN("microseconds"),
                                        SPAN("milliseconds"), SPAN("seconds")};
    static const struct span letters[] = {SPAN("ns"), SPAN("us"), SPAN("ms"), SPAN("s")};
    int at = 3;
    while (at >= 0 && !span_eq(unit, names[at]) && !span_eq(unit, letters[at]))
        at--;
    *places = at >= 0 ? 3 * at - 3 : 0;
    return at >= 0;
}

bool
parts_wcp_samples(struct span line, struct decimal *samples)
{
    if (span_take_run(&line, is_digit).len == 0 || !span_skip(&line, SPAN(".")) ||
        span_take_run(&line, is_digit).len == 0 || !span_skip(&line, SPAN("% ")) ||
        span_take_of(&line, SPAN("=")).len == 0 || !span_skip(&line, SPAN(" (")))
        return false;
    struct span count = span_take_run(&line, is_digit);
    return span_starts(line, SPAN(" samples)")) && decimal_parse(count, samples);
}

bool
parts_pmc_row(struct span line, size_t *indent, struct span *count, struct span *name)
{
    *indent = span_blanks(line);
    line = span_from(line, *indent);
    if (span_take_run(&line, is_number_part).len == 0 || !span_skip(&line, SPAN("%  [")))
        return false;
    *count = span_take_run(&line, is_digit);
    if (count->len == 0 || !span_skip(&line, SPAN("]")))
        return false;
    *name = span_take_word(&line);
    return name->len > 0;
}

struct span
parts_without_place(struct text *text, struct span line)
{
    size_t open = span_find(line, '('), close = span_rfind(line, ')');
    if (open == SPAN_NONE || close == SPAN_NONE || close < open)
        return line;
    TEXT_SET(text, span_head(line, open), span_from(line, close + 1));
    return text_span(text);
}

struct span
parts_number(struct span *rest, bool whole)
{
    size_t n = span_run(*rest, 0, is_digit);
    bool point = n > 0 && span_starts(span_from(*rest, n), SPAN("."));
    size_t fraction = point ? span_run(*rest, n + 1, is_digit) : 0;
    struct span number = span_head(*rest, fraction > 0 ? n + 1 + fraction : whole ? n : 0);
    *rest = span_from(*rest, number.len);
    return number;
}
