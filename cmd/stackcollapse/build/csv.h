/* Lines of comma-separated values (RFC 4180): fields may be in quotation marks, in which a
 * quotation mark is doubled. */
#ifndef STACKCOLLAPSE_CSV_H
#define STACKCOLLAPSE_CSV_H

#include "common/base/span.h"
#include "common/base/text.h"

/* {0} is an empty one. */
struct csv {
    struct span *fields; /* they point into the copy */
    size_t n, cap;
    struct text line; /* a copy of the line, without quotation marks around fields */
};

/* Split a line into its fields, at least one. Blanks before a field, also before its quotation
 * mark, are part of it. A quotation mark that is not closed lasts until the line's end. */
void csv_split(struct csv *csv, struct span line, char delimiter);

/* Return a field of the line split last, valid until the next is split; an empty text if there are
 * fewer. */
static inline struct span
csv_field(const struct csv *csv, size_t i)
{
    return i < csv->n ? csv->fields[i] : SPAN("");
}

/* Return the index of the field that is this text, or SPAN_NONE. */
size_t csv_find(const struct csv *csv, struct span text);

/* Return what separates the fields of a line that begins with this field: a comma, a semicolon or a
 * tab; '\0' if the line begins with something else. */
char csv_delimiter(struct span line, struct span first);

void csv_free(struct csv *csv);

#endif
