/* Lines of comma-separated values (RFC 4180): fields may be in quotation marks, in which a
 * quotation mark is doubled. */
#ifndef STACKCOLLAPSE_CSV_H
#define STACKCOLLAPSE_CSV_H

#include "common/base/text.h"

/* {0} is an empty one. */
struct csv {
    struct text line;    /* a copy of the line, in which the quotation marks are removed */
    struct span *fields; /* they point into it */
    size_t n, cap;
};

/* Splits a line, which has at least one field. Blanks before a field, also before its quotation
 * mark, are part of it. A quotation mark that is not closed lasts until the line's end. */
void csv_split(struct csv *csv, struct span line, char delimiter);

/* A field of the line split last, valid until the next one is; empty if the line has fewer. */
struct span csv_field(const struct csv *csv, size_t i);

/* The index of the field that is this text, or SPAN_NONE. */
size_t csv_find(const struct csv *csv, struct span text);

/* What separates the fields of a line that begins with this field: a comma, a semicolon or a tab.
 * '\0': the line begins with something else. */
char csv_delimiter(struct span line, struct span first);

void csv_free(struct csv *csv);

#endif
