#include "cmd/stackcollapse/build/csv.h"

#include <stdlib.h>

/* Remove the quotation marks of the field that begins at offset `at`, and one of two that follow
 * each other in it. Return where the field ended. */
static size_t
take_field(struct text *line, size_t at, char delimiter, struct span *field)
{
    char *text = line->ptr;
    size_t start = at, to;
    while (at < line->len && text[at] == ' ')
        at++;
    bool quoted = at < line->len && text[at] == '"';
    for (to = at, at += quoted; at < line->len && (quoted || text[at] != delimiter); at++) {
        bool quote = quoted && text[at] == '"';
        if (quote && at + 1 < line->len && text[at + 1] == '"')
            at++;
        else if (quote)
            quoted = false;
        if (!quote || quoted)
            text[to++] = text[at];
    }
    *field = span_of(text + start, to - start);
    return at;
}

void
csv_split(struct csv *csv, struct span line, char delimiter)
{
    csv->line.len = csv->n = 0;
    line.len -= span_ends(line, SPAN("\r"));
    text_add(&csv->line, line);
    for (size_t at = 0; at <= csv->line.len; at++) { /* past the delimiter */
        csv->fields = mem_grow(csv->fields, &csv->cap, csv->n + 1, sizeof *csv->fields);
        at = take_field(&csv->line, at, delimiter, &csv->fields[csv->n++]);
    }
}

size_t
csv_find(const struct csv *csv, struct span text)
{
    for (size_t i = 0; i < csv->n; i++)
        if (span_eq(csv->fields[i], text))
            return i;
    return SPAN_NONE;
}

char
csv_delimiter(struct span line, struct span first)
{
    struct span after = span_starts(line, first) ? span_from(line, first.len) : SPAN("");
    bool found = after.len > 0 && span_find(SPAN(",;\t"), after.ptr[0]) != SPAN_NONE;
    return found ? after.ptr[0] : '\0';
}

void
csv_free(struct csv *csv)
{
    free(csv->line.ptr);
    free(csv->fields);
}
