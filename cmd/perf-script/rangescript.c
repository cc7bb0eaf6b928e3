/* A header, to range-perf.pl, is a line that has a number, a colon, the name of an event and a
 * colon:
 *
 *     java 14375 [022] 28648.467079: cpu-clock:
 *
 * The script prints everything but comments, from the first header in the range to the first one
 * after it. Times are floating-point numbers. */
#include "cmd/perf-script/rangescript.h"

#include <stdlib.h>

#include "common/base/confine.h"
#include "common/base/num.h"
#include "common/base/opt.h"
#include "common/base/out.h"
#include "common/base/text.h"
#include "common/stack/text/input.h"

struct range {
    bool raw, full_seconds;
    double begin, end;
    double start;       /* time of the first sample; 0: not known yet */
    bool begun;         /* the range has begun: print all lines */
    struct text number; /* ends with a NUL, for strtod */
};

static const struct opt table[] = {
    {"timeraw", 0, OPT_FLAG, false, OPT_AT(struct range, raw), NULL,
     "the range is of times as printed"},
    {"timezerosecs", 0, OPT_FLAG, false, OPT_AT(struct range, full_seconds), NULL,
     "the range begins at the full second before the first sample"},
    OPT_COMMON,
};

static const struct opt_program program = {
    .name = "range-perf.pl",
    .synopsis = "[option ...] min_seconds max_seconds < perf-script-text",
    .about = "Prints the samples of a time range, in seconds since the first one.",
    .table = table,
    .usage_status = 255,
    .perl_help = true,
};

/* Return the number at the start of the text, as Perl reads it; 0 if there is none. */
static double
parse_number(const char *text)
{
    const char *digits = text + (*text == '-' || *text == '+');
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    return hex ? 0 : strtod(text, NULL);
}

static bool
is_time_char(char c)
{
    return is_digit(c) || c == '.';
}

static bool
is_text_char(char c)
{
    return !is_space(c);
}

/* Return true for a word that a colon ends: "cpu-clock:", also "cycles:u:". */
static bool
has_event(struct span word)
{
    return word.len > 1 && span_has(span_from(word, 1), ':');
}

/* Return true if an event follows the time, optionally after a period:
 *
 *       10101010 cpu-clock: ...
 * */
static bool
starts_with_event(struct span text)
{
    text = span_from(text, span_run(text, 0, is_blank));
    struct span period = span_head(text, span_run(text, 0, is_text_char));
    struct span rest = span_from(text, period.len);
    rest = span_from(rest, span_run(rest, 0, is_blank));
    return has_event(period) || has_event(span_head(rest, span_run(rest, 0, is_text_char)));
}

/* Set *time to the time in a header: " 28648.467079:". Return false if the line is no header. */
static bool
find_time(struct span line, struct span *time)
{
    for (size_t i = 1, len; i < line.len; i += len + 1) {
        len = line.ptr[i - 1] == ' ' ? span_run(line, i, is_time_char) : 0;
        struct span rest = span_from(line, i + len);
        if (len > 0 && span_starts(rest, SPAN(":")) && starts_with_event(span_from(rest, 1))) {
            *time = span_of(line.ptr + i, len);
            return true;
        }
    }
    return false;
}

/* Return false if the sample is after the range: then print nothing more. */
static bool
take_header(struct range *r, struct span text)
{
    TEXT_SET(&r->number, text, span_of("", 1));
    double time = parse_number(r->number.ptr);
    if (r->start == 0)
        r->start = time;
    if (r->full_seconds)
        time -= num_floor(r->start);
    else if (!r->raw)
        time -= r->start;
    r->begun |= time >= r->begin;
    return !(time > r->end);
}

static void
print_range(struct range *r, struct lines *l, struct out *out)
{
    struct span line, time;
    while (lines_next(l, &line)) {
        if (span_starts(line, SPAN("#")))
            continue;
        if (find_time(line, &time) && !take_header(r, time))
            break;
        if (r->begun)
            out_span(out, span_of(line.ptr, line.len + !l->unterminated));
    }
}

static void
read_options(struct range *r, int argc, char **argv)
{
    struct opt_reader reader;
    opt_start(&reader, &program, r, argc, argv);
    opt_next(&reader);
    if (reader.noperands < 2)
        opt_usage(&program, "the range has two operands, its first and its last second");
    r->begin = parse_number(reader.argv[0]);
    r->end = parse_number(reader.argv[1]);
}

bool
rangescript_called(int argc, char **argv)
{
    return opt_called(program.name, argc, argv);
}

int
rangescript_main(int argc, char **argv)
{
    struct range r = {0};
    struct input in;
    struct diag diag;
    struct out out;
    read_options(&r, argc, argv);
    diag_init(&diag, program.name);
    confine(CONFINE_READING);
    input_start(&in, &diag, NULL, 0);
    in.as_is = true;
    out_stdout(&out);
    in.lines.before_read = out_before_read;
    in.lines.ctx = &out;
    if (input_next(&in))
        print_range(&r, &in.lines, &out);
    out_close(&out);
    input_free(&in);
    free(r.number.ptr);
    return 0;
}
