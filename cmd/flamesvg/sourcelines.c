/* The first line has the titles of columns, with tabs between them, here blanks:
 *
 *     self self_percent total total_percent inlined line file         note function source
 *     2    50.00        3     75.00                                        parse
 *                                                   11   /srv/parse.c      parse    {
 *     2    50.00        2     50.00                 12   /srv/parse.c      parse        while (*p)
 *     0    0.00         1     25.00         1       13   /srv/parse.c      parse        n += f(p);
 *
 * A row without a line is of a function as a whole. stackreport-lines(7) describes the columns. */
#include "cmd/flamesvg/sourcelines.h"

#include <stdlib.h>

#include "common/base/decimal.h"
#include "common/base/num.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/stack/text/input.h"

enum column {
    SELF,
    SELF_PERCENT,
    TOTAL,
    TOTAL_PERCENT,
    INLINED,
    LINE,
    FILE_NAME,
    NOTE,
    FUNCTION,
    SOURCE,
    COLUMNS
};

static const struct span titles =
    SPAN("self\tself_percent\ttotal\ttotal_percent\tinlined\tline\tfile\tnote\tfunction\tsource");

/* Split a row at its tabs. Return false if it has another number of columns. */
static bool
split(struct span row, struct span columns[static COLUMNS])
{
    size_t n = 1;
    for (size_t i = 0; i < row.len; i++)
        n += row.ptr[i] == '\t';
    for (size_t i = 0; i < COLUMNS; i++)
        columns[i] = span_take(&row, '\t');
    return n == COLUMNS;
}

/* Set *share from "50.00". Return false if that is not a number up to 100. */
static bool
parse_share(struct span text, uint32_t *share)
{
    struct decimal percent;
    if (!decimal_parse(text, &percent) || decimal_double(percent) > 100)
        return false;
    *share = (uint32_t)(decimal_double(percent) * 100 + 0.5);
    return true;
}

/* Set the shares of a row, which are not known if both columns are empty. Return false if one is no
 * share. */
static bool
parse_shares(const struct span columns[static COLUMNS], struct shares *shares)
{
    *shares = (struct shares){0};
    if (columns[SELF_PERCENT].len == 0 && columns[TOTAL_PERCENT].len == 0)
        return true;
    shares->known = true;
    return parse_share(columns[SELF_PERCENT], &shares->self) &&
           parse_share(columns[TOTAL_PERCENT], &shares->total);
}

/* Return the function of this name, which may be new. Valid until the next call. */
static struct line_function *
add_function(struct sourcelines *s, struct span name)
{
    uint32_t number;
    if (intern_put(&s->names, name, &number))
        VEC_ADD(s->functions, (struct line_function){.first = SPAN_NONE});
    return &s->functions.at[number];
}

static uint32_t
add_file(struct sourcelines *s, struct span path, struct span note)
{
    struct text text = {0};
    TEXT_SET(&text, path);
    if (note.len > 0)
        TEXT_ADD(&text, SPAN(" ("), note, SPAN(")"));
    uint32_t number = intern_add(&s->files, text_span(&text));
    free(text.ptr);
    return number;
}

/* Append a line to its function. A long text is cut: lines of minified JavaScript have
 * megabytes. */
static void
add_line(struct sourcelines *s, struct source_line line, struct span text, struct span function)
{
    struct line_function *f = add_function(s, function);
    size_t kept = text.len;
    if (kept > SOURCELINES_TEXT)
        for (kept = SOURCELINES_TEXT; kept > 0 && (text.ptr[kept] & 0xc0) == 0x80;)
            kept--; /* not within a character */
    line.text = arena_copy(&s->arena, span_head(text, kept));
    if (f->first == SPAN_NONE)
        f->first = s->lines.n;
    else
        s->lines.at[f->last].next = s->lines.n;
    f->last = s->lines.n;
    VEC_ADD(s->lines, line);
}

/* Read a row. Return NULL, or why it cannot be used. */
static const char *
read_row(struct sourcelines *s, struct span row)
{
    struct span columns[COLUMNS];
    struct source_line line = {.next = SPAN_NONE};
    struct shares shares;
    if (!split(row, columns))
        return "not ten columns";
    if (!parse_shares(columns, &shares))
        return "not a share in percent";
    if (columns[LINE].len == 0) {
        add_function(s, columns[FUNCTION])->shares = shares;
        return NULL;
    }
    if (!num_u64(columns[LINE], &line.number) || line.number > INT32_MAX)
        return "not the number of a line";
    if (s->lines.n == SOURCELINES_MAX)
        return "more lines than a page can have";
    line.shares = shares;
    line.inlined = columns[INLINED].len > 0;
    line.file = add_file(s, columns[FILE_NAME], columns[NOTE]);
    add_line(s, line, columns[SOURCE], columns[FUNCTION]);
    return NULL;
}

static void
read_rows(struct sourcelines *s, struct input *in)
{
    struct span row;
    while (lines_next(&in->lines, &row)) {
        const char *why = row.len > 0 ? read_row(s, row) : NULL;
        if (why != NULL)
            diag_warn(in->diag, "source lines left out", input_place(in), "%s", why);
    }
}

bool
sourcelines_read(struct sourcelines *s, struct diag *diag, const char *file)
{
    char *name = (char *)file; /* input_start takes argv of main; not changed */
    struct input in;
    struct span first;
    *s = (struct sourcelines){0};
    input_start(&in, diag, &name, 1);
    bool opened = input_next(&in);
    bool whole = opened && lines_next(&in.lines, &first) && span_eq(first, titles);
    if (whole)
        read_rows(s, &in);
    else if (opened && in.lines.error == 0)
        diag_error(diag, (struct place){file, 0},
                   "not source lines as stackreport --lines --format=tsv prints them");
    whole = whole && in.lines.error == 0;
    input_free(&in);
    return whole;
}

const struct line_function *
sourcelines_find(const struct sourcelines *s, struct span name)
{
    static const struct span marks[] = {SPAN("_[i]"), SPAN("_[j]"), SPAN("_[k]")};
    uint32_t number = intern_find(&s->names, name);
    for (size_t i = 0; number == INTERN_NONE && i < sizeof marks / sizeof *marks; i++)
        if (span_ends(name, marks[i]))
            number = intern_find(&s->names, span_head(name, name.len - marks[i].len));
    if (number == INTERN_NONE || s->functions.at[number].first == SPAN_NONE)
        return NULL;
    return &s->functions.at[number];
}

const struct source_line *
sourcelines_next(const struct sourcelines *s, const struct line_function *f,
                 const struct source_line *line)
{
    size_t next = line == NULL ? f->first : line->next;
    return next != SPAN_NONE ? &s->lines.at[next] : NULL;
}
