/* A bundle may be one line of megabytes, so that to count columns from the line's beginning would
 * take too long for each frame: every MARK bytes the index holds how far the counts are. */
#include "common/filter/sourcemap/jstext.h"

#include <stdlib.h>

#include "common/base/mem.h"

enum { MARK = 1024 };

/* What comes before an offset. */
struct jsmark {
    uint32_t units; /* UTF-16 code units */
    uint32_t lines; /* ends of lines */
    uint32_t start; /* the offset at which the last line begins */
};

/* Return how many code units a character has, by a byte of it in UTF-8: they count at its first
 * byte. */
static uint32_t
units_of(char c)
{
    unsigned char byte = (unsigned char)c;
    return (byte & 0xc0) == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
}

/* Return true for the last byte of the end of a line: \n, \r, \r\n, U+2028 and U+2029. ECMA-262,
 * "Line Terminators". */
static bool
ends_line(struct span text, size_t at)
{
    switch (text.ptr[at]) {
    case '\n':
        return true;
    case '\r':
        return at + 1 == text.len || text.ptr[at + 1] != '\n';
    case '\xa8':
    case '\xa9':
        return span_ends(span_head(text, at), SPAN("\xe2\x80"));
    default:
        return false;
    }
}

/* Count the byte at an offset. */
static void
count_byte(struct jsmark *m, struct span text, size_t at)
{
    m->units += units_of(text.ptr[at]);
    if (ends_line(text, at)) {
        m->lines++;
        m->start = (uint32_t)at + 1;
    }
}

void
jstext_init(struct jstext *t, struct span text)
{
    struct jsmark m = {0, 0, 0};
    span_skip(&text, SPAN("\xef\xbb\xbf"));
    *t = (struct jstext){.text = text, .count = text.len / MARK + 1};
    t->marks = mem_alloc(t->count * sizeof *t->marks);
    for (size_t at = 0; at <= text.len; at++) {
        if (at % MARK == 0)
            t->marks[at / MARK] = m;
        if (at < text.len)
            count_byte(&m, text, at);
    }
}

/* Return what comes before an offset. */
static struct jsmark
count_before(const struct jstext *t, size_t offset)
{
    struct jsmark m = t->marks[offset / MARK];
    for (size_t at = offset / MARK * MARK; at < offset; at++)
        count_byte(&m, t->text, at);
    return m;
}

/* Return the last mark with no more lines and units than these before it. */
static size_t
find_mark(const struct jstext *t, uint32_t lines, uint32_t units)
{
    size_t low = 0, high = t->count; /* it is in low .. high - 1 */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t->marks[middle].lines <= lines && t->marks[middle].units <= units)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Return where a line begins; the text's length if it has fewer lines. */
static size_t
line_start(const struct jstext *t, uint32_t line)
{
    if (line == 0)
        return 0;
    size_t mark = find_mark(t, line - 1, UINT32_MAX), at = mark * MARK;
    struct jsmark m = t->marks[mark];
    while (at < t->text.len && m.lines < line)
        count_byte(&m, t->text, at++);
    return at;
}

bool
jstext_offset(const struct jstext *t, uint32_t line, uint32_t column, size_t *offset)
{
    uint32_t wanted = count_before(t, line_start(t, line)).units;
    if (column > UINT32_MAX - wanted)
        return false;
    wanted += column;
    size_t mark = find_mark(t, UINT32_MAX, wanted), at = mark * MARK;
    struct jsmark m = t->marks[mark];
    while (at < t->text.len && (m.units < wanted || units_of(t->text.ptr[at]) == 0))
        count_byte(&m, t->text, at++);
    *offset = at;
    return at < t->text.len && m.lines == line;
}

void
jstext_position(const struct jstext *t, size_t offset, uint32_t *line, uint32_t *column)
{
    struct jsmark m = count_before(t, offset);
    *line = m.lines;
    *column = m.units - count_before(t, m.start).units;
}

void
jstext_free(struct jstext *t)
{
    free(t->marks);
    *t = (struct jstext){.count = 0};
}
