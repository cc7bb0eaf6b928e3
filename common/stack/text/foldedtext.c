#include "common/stack/text/foldedtext.h"

#include "common/base/mem.h"

/* Remove a count, and one white-space character before it, from the end of *s. */
static bool
take_count(struct span *s, struct span *count)
{
    size_t at = span_run_before(*s, s->len, is_digit);
    if (at > 0 && s->ptr[at - 1] == '.')
        at = span_run_before(*s, at - 1, is_digit);
    if (at == 0 || at == s->len || !is_digit(s->ptr[at]) || !is_space(s->ptr[at - 1]))
        return false;
    *count = span_from(*s, at);
    *s = span_head(*s, at - 1);
    return true;
}

bool
folded_is_property(struct span line)
{
    size_t colon = folded_is_comment(line) ? span_search(line, SPAN(": ")) : SPAN_NONE;
    return colon != SPAN_NONE && span_find(span_head(line, colon), ';') == SPAN_NONE;
}

static struct span
without_cr(struct span line)
{
    return span_head(line, line.len - span_ends(line, SPAN("\r")));
}

bool
folded_parse(struct span line, int columns, struct folded *f)
{
    f->stack = without_cr(line);
    f->second = SPAN("");
    if (!take_count(&f->stack, &f->count))
        return false;
    if (columns == 1)
        return true;
    struct span last = f->count;
    if (take_count(&f->stack, &f->count)) {
        f->second = last;
        return true;
    }
    return columns == 0;
}

/* The size of the part of a file that decides how many counts its lines have. */
enum { LOOK_AHEAD = 64 * 1024 };

/* Set *columns according to a folded line. Return true if the search is over: the line has only one
 * count. */
static bool
count_columns(void *columns, struct span line)
{
    struct folded f;
    if (folded_is_property(line) || !folded_parse(line, 1, &f))
        return false;
    *(int *)columns = folded_parse(line, 2, &f) ? 2 : 1;
    return *(int *)columns == 1;
}

int
foldedtext_columns(struct lines *lines)
{
    int columns = 1;
    lines_peek(lines, LOOK_AHEAD, count_columns, &columns);
    return columns;
}

static bool
is_value_name(char c)
{
    return is_word(c) || c == '-';
}

/* Return the number of values that a line such as "samples/count cpu/nanoseconds" names, or 0 for
 * other lines. */
static int
count_values(struct span line)
{
    int n = 0;
    for (line = without_cr(line); line.len > 0; n++)
        if ((n > 0 && !span_skip(&line, SPAN(" "))) ||
            span_take_run(&line, is_value_name).len == 0 || !span_skip(&line, SPAN("/")) ||
            span_take_run(&line, is_word).len == 0)
            return 0;
    return n;
}

static bool
set_values(void *values, struct span line)
{
    *(int *)values = count_values(line);
    return true;
}

void
foldedtext_start(struct foldedtext *t, struct lines *lines)
{
    *t = (struct foldedtext){.lines = lines, .columns = foldedtext_columns(lines)};
    lines_peek(lines, LOOK_AHEAD, set_values, &t->values);
    t->columns = t->values > 0 ? 1 : t->columns;
}

/* Parse the line without the counts after the first. */
static bool
parse(const struct foldedtext *t, struct folded *f)
{
    struct span line = t->line, value;
    for (int i = 1; i < t->values && t->columns != 0; i++) {
        line = without_cr(line);
        if (!take_count(&line, &value))
            return false;
    }
    return folded_parse(line, t->columns, f);
}

enum folded_item
foldedtext_next(struct foldedtext *t, struct folded *f)
{
    do
        if (!lines_next(t->lines, &t->line))
            return FOLDED_END;
    while (t->values > 0 && t->columns != 0 && count_values(t->line) > 0);
    if (t->columns != 0 && folded_is_property(t->line))
        return FOLDED_OTHER;
    if (parse(t, f))
        return FOLDED_STACK;
    bool comment = t->line.len > 0 && t->line.ptr[0] == '#';
    if (comment || span_trim(t->line).len == 0) {
        t->line = without_cr(t->line);
        return FOLDED_OTHER;
    }
    t->why = "not a folded stack";
    if (folded_parse(t->line, 1, f))
        t->why = t->columns == 2 ? "not a folded stack with two counts"
                                 : "a folded stack with fewer counts than the first line names";
    return FOLDED_SKIPPED;
}

size_t
folded_shared(const struct folded_last *last, struct span stack, size_t common, size_t *bytes)
{
    size_t n = 0, limit = common < stack.len ? common : stack.len;
    while (n + 1 < last->nends &&
           last->ends[n] < limit) /* the ";" after the frame is shared, too */
        n++;
    if (limit > 0 && n < last->nends && last->ends[n] <= limit &&
        (last->ends[n] == stack.len || stack.ptr[last->ends[n]] == ';'))
        n++;
    *bytes = n > 0 ? last->ends[n - 1] : 0;
    return n;
}

void
folded_remember(struct folded_last *last, struct span line, size_t stack, size_t n)
{
    size_t same = n > 0 ? last->ends[n - 1] : 0;
    last->text = mem_grow(last->text, &last->cap, line.len + 1, 1);
    memcpy(last->text + same, line.ptr + same, line.len - same);
    last->len = line.len;
    for (size_t at = n > 0 ? same + 1 : 0; stack > 0 && at <= stack; at++) {
        const char *semicolon = memchr(line.ptr + at, ';', stack - at);
        at = semicolon != NULL ? (size_t)(semicolon - line.ptr) : stack;
        if (n == last->ends_cap)
            last->ends = mem_grow(last->ends, &last->ends_cap, n + 1, sizeof *last->ends);
        last->ends[n++] = (uint32_t)at;
    }
    last->nends = n;
}

void
folded_write_counts(struct out *o, struct span count, struct span second)
{
    out_char(o, ' ');
    out_span(o, count);
    if (second.len > 0) {
        out_char(o, ' ');
        out_span(o, second);
    }
    out_char(o, '\n');
}

struct span
folded_unmarked(struct span name)
{
    const char *end = name.ptr + name.len;
    bool marked = name.len >= 4 && end[-4] == '_' && end[-3] == '[' && end[-1] == ']' &&
                  span_has(SPAN("kij01w"), end[-2]);
    return span_head(name, marked ? name.len - 4 : name.len);
}
