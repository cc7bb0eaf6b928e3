#include "cmd/stackcollapse/build/csv.h"

#include <stdlib.h>

#include "common/base/bytes.h"

/* A line is split 64 bytes at a time, with a bit for each byte, the lowest for the first:
 *
 *     2,"a, b",10
 *     ..1....1...     quotation marks
 *     ..11111....     from an opening one to before the closing one
 *     .1......1..     delimiters outside */

/* The bits of the bytes at p that are c. */
static inline uint64_t
bits_of(const char *p, char c)
{
    bytes v = (bytes){0} + (uint8_t)c;
    return bytes_bits((bytes)(bytes_load(p) == v)) |
           bytes_bits((bytes)(bytes_load(p + 16) == v)) << 16 |
           bytes_bits((bytes)(bytes_load(p + 32) == v)) << 32 |
           bytes_bits((bytes)(bytes_load(p + 48) == v)) << 48;
}

/* Sets the bits from each odd one (the first, the third and so on) to before the next one. */
static inline uint64_t
pairs(uint64_t bits)
{
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    return bits ^ bits << 32;
}

/* Splits the line in place. False if a field has quotation marks other than one at each end: then
 * it must be copied. */
static inline bool
split_in_place(struct csv *csv, struct span line, char delimiter, size_t most)
{
    const char *start = line.ptr, *end = line.ptr + line.len;
    uint64_t open = 0;              /* all bits: the 64 bytes begin inside quotation marks */
    uint64_t ended = 1, closed = 0; /* 1: a field, a closing mark ended with the byte before */
    size_t n = 0;
    for (const char *p = start; p <= end; p += 64) {
        uint64_t quotes = bits_of(p, '"'), ends = bits_of(p, delimiter);
        if (end - p < 64) {
            uint64_t last = (uint64_t)1 << (end - p);
            quotes &= last - 1;
            ends = (ends & (last - 1)) | last;
        }
        uint64_t inside = pairs(quotes) ^ open;
        uint64_t opening = quotes & inside, closing = quotes & ~inside;
        ends &= ~inside;
        /* A field must begin at an opening mark, and end after a closing one. */
        if ((opening & ~(ends << 1 | ended)) != 0 || ((closing << 1 | closed) & ~ends) != 0)
            return false;
        csv->fields = mem_grow(csv->fields, &csv->cap, n + 64, sizeof *csv->fields);
        for (uint64_t rest = ends; rest != 0; rest &= rest - 1) {
            const char *stop = p + __builtin_ctzll(rest);
            size_t quoted = *start == '"';
            csv->fields[n] = span_of(start + quoted, (size_t)(stop - start) - 2 * quoted);
            start = stop + 1;
            csv->n = ++n;
            if (n == most)
                return true;
        }
        open = -(inside >> 63);
        ended = ends >> 63;
        closed = closing >> 63;
    }
    return start > end;
}

/* Removes the quotation marks of the field that begins at offset `at`. Returns where it ended. */
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

/* Copies the line, removes the quotation marks around fields in the copy, and splits that. Doubled
 * quotation marks become one. */
static void
split_copy(struct csv *csv, struct span line, char delimiter, size_t most)
{
    csv->line.len = csv->n = 0;
    csv->line.ptr = mem_grow(csv->line.ptr, &csv->line.cap, line.len + 1 + LINES_SLACK, 1);
    text_add(&csv->line, line);
    csv->line.ptr[line.len] = '\n';
    for (size_t at = 0; csv->n < most && at <= csv->line.len; at++) { /* past the delimiter */
        csv->fields = mem_grow(csv->fields, &csv->cap, csv->n + 1, sizeof *csv->fields);
        at = take_field(&csv->line, at, delimiter, &csv->fields[csv->n++]);
    }
}

void
csv_split(struct csv *csv, struct span line, char delimiter, size_t most)
{
    csv->n = 0;
    line.len -= span_ends(line, SPAN("\r"));
    if (!split_in_place(csv, line, delimiter, most))
        split_copy(csv, line, delimiter, most);
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
    struct span after = SPAN("");
    if (span_starts(line, first))
        after = span_from(line, first.len);
    return after.len > 0 && span_find(SPAN(",;\t"), after.ptr[0]) != SPAN_NONE ? after.ptr[0]
                                                                               : '\0';
}

void
csv_free(struct csv *csv)
{
    free(csv->line.ptr);
    free(csv->fields);
}
