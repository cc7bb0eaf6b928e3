/* Replaces stackcollapse-vsprof.pl, which reads lines by a pattern, and prints a stack if the next
 * line is no callee of its last function. See format/vsprof.c. /x/ in a comment is a pattern of the
 * script. */
#include <stdio.h>

#include "cmd/stackcollapse/script/scriptparts.h"
#include "common/base/num.h"

enum { LEVELS = 1000 }; /* the script exits if there are more */

/* Take a field off the line by /("[^"]+"|[^,]+),/; `quoted` chooses the first alternative. */
static bool
take_field(struct span *rest, bool quoted, struct span *field)
{
    size_t quote = 0;
    if (quoted) {
        quote = rest->len > 0 ? span_find(span_from(*rest, 1), '"') : SPAN_NONE;
        if (!span_starts(*rest, SPAN("\"")) || quote == SPAN_NONE || quote == 0)
            return false;
    }
    size_t end = quoted ? quote + 2 : span_find(*rest, ',');
    if (end == SPAN_NONE || end == 0 || end == rest->len || rest->ptr[end] != ',')
        return false;
    *field = span_head(*rest, end);
    *rest = span_from(*rest, end + 1);
    return true;
}

/* Parse /^\s*(\d+?),/ and two fields, trying both alternatives for each. */
static bool
parse_row(struct span line, uint64_t *level, struct span *name, struct span *count)
{
    span_take_run(&line, is_space);
    if (!num_u64(span_take_run(&line, is_digit), level) || !span_skip(&line, SPAN(",")))
        return false;
    for (int form = 0; form < 4; form++) {
        struct span rest = line;
        if (take_field(&rest, form < 2, name) && take_field(&rest, form % 2 == 0, count))
            return true;
    }
    return false;
}

/* Set *to to the field without quotation marks at its ends, and without characters for which `drop`
 * returns true. */
static void
clean(struct text *to, struct span field, bool (*drop)(char))
{
    text_set(to, SPAN(""));
    for (size_t i = 0; i < field.len; i++) {
        bool end = i == 0 || i == field.len - 1;
        if (!drop(field.ptr[i]) && !(end && field.ptr[i] == '"'))
            text_add(to, span_of(field.ptr + i, 1));
    }
}

static bool
is_separator(char c)
{
    return c == '.' || c == ',' || c == ' ';
}

/* Convert the text to the number that Perl reads from its beginning, without a fraction. */
static void
perl_number(struct text *count)
{
    static const double most = 9e18;
    char number[64];
    uint64_t whole = 0;
    struct span s = text_span(count);
    s = span_from(s, span_run(s, 0, is_space));
    s = span_head(s, scriptnum_length(s));
    double value = scriptnum(s);
    size_t sign = s.len > 0 && !is_digit(s.ptr[0]);
    if (value > most || value < -most)
        snprintf(number, sizeof number, "%.15g", value);
    else if (num_u64(span_from(s, sign), &whole)) /* a double may not hold all digits */
        snprintf(number, sizeof number, "%s%llu", value < 0 ? "-" : "", (unsigned long long)whole);
    else
        snprintf(number, sizeof number, "%lld", (long long)value);
    text_set(count, span_cstr(number));
}

/* Take a line. The levels' text is the count of the last line. */
static void
take(struct stacker *f, struct span line)
{
    struct scriptlevels *l = (struct scriptlevels *)f;
    struct span name, count;
    uint64_t level;
    if (f->lines == 1 || span_trim(line).len == 0)
        return;
    if (!parse_row(line, &level, &name, &count)) {
        script_die(f, "no level, function and number");
        return;
    }
    if (level == 0)
        return;
    if (level > l->depth + 1) {
        script_die(f, "its caller's line is missing");
        return;
    }
    if (level <= l->depth)
        scriptlevels_print(l, l->depth, text_span(&l->text));
    if (l->depth >= LEVELS) {
        script_die(f, "too many levels");
        return;
    }
    clean(&f->name, name, is_space);
    scriptlevels_set(l, (size_t)level - 1, text_span(&f->name));
    clean(&l->text, count, is_separator);
    perl_number(&l->text);
    l->depth = (size_t)level;
}

static void
finish(struct stacker *f)
{
    struct scriptlevels *l = (struct scriptlevels *)f;
    scriptlevels_print(l, l->depth, l->text.len > 0 ? text_span(&l->text) : SPAN("0"));
}

const struct format script_vsprof = {SCRIPTLEVELS_FORMAT, .take = take, .finish = finish};
