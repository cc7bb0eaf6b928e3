#include "formats.h"

#include <strings.h>

/* In the order in which they are asked whether a line is theirs. */
static const struct format *const formats[FORMATS] = {&format_perf, &format_folded};

const struct format *
format_at(size_t i)
{
    return formats[i];
}

/* How far into a file to look. */
enum { GUESS_STEP = 4096, GUESS_MOST = 1024 * 1024 };

/* The format that claims a line of the text, comments and blank lines left out; FORMATS: none does. A last
 * line that may go on counts where the text is complete. */
static size_t
claimed(struct span text, bool complete)
{
    while (text.len > 0) {
        size_t newline = span_find(text, '\n');
        if (newline == SPAN_NONE && !complete)
            return FORMATS;
        struct span line = newline != SPAN_NONE ? span_head(text, newline) : text;
        text = span_from(text, newline != SPAN_NONE ? newline + 1 : text.len);
        if (span_trim(line).len == 0 || line.ptr[0] == '#')
            continue;
        for (size_t i = 0; i < FORMATS; i++)
            if (formats[i]->claims(line))
                return i;
    }
    return FORMATS;
}

size_t
format_guess(struct lines *l)
{
    for (size_t want = GUESS_STEP;; want *= 4) {
        struct span head = lines_ahead(l, want);
        bool complete = head.len < want;
        size_t found = claimed(head, complete);
        if (found < FORMATS)
            return found;
        if (complete || want >= GUESS_MOST)
            return 0;
    }
}
