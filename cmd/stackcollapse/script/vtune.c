/* Replaces stackcollapse-vtune.pl and stackcollapse-vtune-mc.pl, which read lines without their
 * quotation marks by patterns, and print each function when it is read. See format/vtune.c. /x/ in
 * a comment is a pattern of the scripts. */
#include <stdio.h>

#include "cmd/stackcollapse/script/scriptparts.h"
#include "common/base/num.h"

/* Return true if /[0-9]*\.?[0-9]+/ matches at the start of the text, and set *number to the
 * match. */
static bool
parse_number(struct span text, struct span *number)
{
    size_t whole = span_run(text, 0, is_digit);
    size_t point = whole < text.len && text.ptr[whole] == '.';
    size_t fraction = point ? span_run(text, whole + 1, is_digit) : 0;
    *number = span_head(text, fraction > 0 ? whole + 1 + fraction : whole);
    return number->len > 0;
}

/* Print seconds as milliseconds, in the format of Perl's numbers. */
static void
print_time(struct stacker *f, size_t level, struct span seconds)
{
    char text[64];
    uint64_t whole;
    int len;
    double time = scriptnum(seconds) * 1000;
    if (num_u64(seconds, &whole) && whole <= UINT64_MAX / 1000)
        len = snprintf(text, sizeof text, "%llu", (unsigned long long)whole * 1000);
    else
        len = snprintf(text, sizeof text, "%.15g", time);
    if (time != 0)
        scriptlevels_print((struct scriptlevels *)f, level + 1, span_of(text, (size_t)len));
}

/* Match /(\s*)(.*),(.*),.*,([0-9]*\.?[0-9]+)/: search the last comma before a number, and the two
 * commas before it; take the first two of the four fields. */
static void
take_time(struct stacker *f, struct span line)
{
    struct text *name = &f->name;
    struct span number = SPAN("");
    size_t comma[3] = {SPAN_NONE, SPAN_NONE, SPAN_NONE}, level = span_run(line, 0, is_space);
    for (size_t i = line.len; i-- > level && comma[0] == SPAN_NONE;)
        if (line.ptr[i] == ',' && parse_number(span_from(line, i + 1), &number))
            comma[0] = i;
    for (size_t n = 1; n < 3 && comma[n - 1] != SPAN_NONE; n++)
        comma[n] = span_rfind(span_head(line, comma[n - 1]), ',');
    if (comma[2] == SPAN_NONE) {
        script_die(f, "no function, module and number");
        return;
    }
    TEXT_SET(name, span_of(line.ptr + comma[2] + 1, comma[1] - comma[2] - 1), SPAN("!"),
             span_of(line.ptr + level, comma[2] - level));
    scriptlevels_set((struct scriptlevels *)f, level, text_span(name));
    print_time(f, level, number);
}

/* Take /[0-9]*?\.?[0-9]*?,/ off the text. Return false if it does not match. */
static bool
take_field(struct span *text, struct span *field)
{
    size_t len = span_run(*text, 0, is_digit);
    len += len < text->len && text->ptr[len] == '.';
    len += span_run(*text, len, is_digit);
    if (len == text->len || text->ptr[len] != ',')
        return false;
    *field = span_head(*text, len);
    *text = span_from(*text, len + 1);
    return true;
}

/* Parse a function, three numbers, and the module. The function ends at the first comma that
 * permits that. */
static bool
parse_row(struct span row, struct span *function, struct span number[3], struct span *module)
{
    for (size_t comma = 0; comma < row.len; comma++) {
        *module = span_from(row, comma + 1);
        if (row.ptr[comma] == ',' && take_field(module, &number[0]) &&
            take_field(module, &number[1]) && take_field(module, &number[2])) {
            *function = span_head(row, comma);
            return true;
        }
    }
    return false;
}

static void
take_allocations(struct stacker *f, struct span line)
{
    struct text *name = &f->name;
    struct span function, number[3], module;
    size_t level = span_run(line, 0, is_space);
    if (!parse_row(span_from(line, level), &function, number, &module)) {
        script_die(f, "no function, three numbers and module");
        return;
    }
    TEXT_SET(name, function, SPAN("("), module, SPAN(")"));
    scriptlevels_set((struct scriptlevels *)f, level, text_span(name));
    bool size = f->c->options->size;
    struct span count = number[size ? 0 : 2], rest = count;
    if (size ? count.len > 0 : span_take_of(&rest, SPAN("0.")).len < count.len)
        scriptlevels_print((struct scriptlevels *)f, level + 1, count);
}

/* Return the line without quotation marks, in the levels' text. */
static struct span
unquote(struct stacker *f, struct span line)
{
    struct text *text = &((struct scriptlevels *)f)->text;
    text->len = 0;
    while (line.len > 0)
        text_add(text, span_take(&line, '"'));
    return text_span(text);
}

static void
take(struct stacker *f, struct span line)
{
    if (f->lines > 1)
        take_time(f, unquote(f, line));
}

static void
take_mc(struct stacker *f, struct span line)
{
    if (f->lines > 1)
        take_allocations(f, unquote(f, line));
    else if (span_starts(line, SPAN("war:"))) /* before the line of column names */
        f->lines--;
}

const struct format script_vtune = {SCRIPTLEVELS_FORMAT, .take = take};
const struct format script_vtune_mc = {SCRIPTLEVELS_FORMAT, .take = take_mc};
