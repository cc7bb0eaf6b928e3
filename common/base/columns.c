#include "common/base/columns.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "common/base/utf8.h"

bool
columns_terminal(size_t *columns, size_t *lines)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        return false;
    *columns = size.ws_col;
    *lines = size.ws_row;
    return true;
}

void
columns_blanks(struct out *o, size_t n)
{
    while (n-- > 0)
        out_char(o, ' ');
}

void
columns_right(struct out *o, size_t width, struct span s)
{
    columns_blanks(o, width > s.len ? width - s.len : 0);
    out_span(o, s);
}

void
columns_left(struct out *o, size_t width, struct span s)
{
    out_span(o, s);
    columns_blanks(o, width > s.len ? width - s.len : 0);
}

/* Write at most `most` columns. Of a longer text, write `head` columns from its beginning, "...",
 * and its end. */
static size_t
put_cut(struct out *o, struct text *scratch, struct span name, size_t most, size_t head)
{
    size_t count = utf8_count(name);
    scratch->len = 0;
    if (count <= most) {
        text_add(scratch, name);
    } else {
        size_t tail = most - strlen("...") - head;
        TEXT_ADD(scratch, span_head(name, utf8_offset(name, head)), SPAN("..."),
                 span_from(name, utf8_offset(name, count - tail)));
    }
    utf8_mask(scratch->ptr, scratch->len);
    text_replace(scratch, '\t', '?');
    out_span(o, text_span(scratch));
    return count <= most ? count : most;
}

size_t
columns_name(struct out *o, struct text *scratch, struct span name, size_t most)
{
    return put_cut(o, scratch, name, most, (most - 2) / 2);
}

size_t
columns_end(struct out *o, struct text *scratch, struct span text, size_t most)
{
    return put_cut(o, scratch, text, most, 0);
}
