/* Lines of comma-separated values (RFC 4180): fields may be in quotation marks, in which a
 * quotation mark is doubled. */
#ifndef STACKCOLLAPSE_CSV_H
#define STACKCOLLAPSE_CSV_H

#include <stdint.h>

#include "common/base/lines.h"
#include "common/base/text.h"

/* {0} is an empty one. */
struct csv {
    struct span *fields; /* they point into the line or the copy */
    size_t n, cap;
    struct text line; /* a copy without quotation marks, of a line that needs one */
};

/* For csv_split: all fields. */
#define CSV_ALL SIZE_MAX

/* Splits off the first `most` fields of a line that lines_next gave; each line has at least one.
 * Blanks before a field, also before its quotation mark, are part of it. A quotation mark that is
 * not closed lasts until the line's end. */
void csv_split(struct csv *csv, struct span line, char delimiter, size_t most);

/* A field of the line split last, valid as long as the line is and no other is split; empty if
 * there are fewer. LINES_SLACK bytes after it may be read. */
static inline struct span
csv_field(const struct csv *csv, size_t i)
{
    return i < csv->n ? csv->fields[i] : SPAN("");
}

/* The index of the field that is this text, or SPAN_NONE. */
size_t csv_find(const struct csv *csv, struct span text);

/* What separates the fields of a line that begins with this field: a comma, a semicolon or a tab.
 * '\0': the line begins with something else. */
char csv_delimiter(struct span line, struct span first);

void csv_free(struct csv *csv);

#endif
