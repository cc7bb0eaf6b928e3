#include "common/stack/guess.h"

#include "common/stack/foldedtext.h"
#include "common/stack/perfline.h"

/* Sets *format if the line shows it; false if it does not. */
static bool
shows_format(void *format, struct span line)
{
    struct folded f;
    bool perf = perf_line_is_perf(line);
    *(enum input_format *)format = perf ? INPUT_PERF : INPUT_FOLDED;
    return perf || (!folded_is_comment(line) && folded_parse(line, 0, &f));
}

enum input_format
guess_format(struct lines *l)
{
    enum input_format format;
    if (lines_peek(l, PERF_GUESS_MOST, shows_format, &format))
        return format;
    /* perf cuts names, so a line that does not end within that limit is a folded stack. */
    struct span head = lines_buffered(l);
    bool is_short = head.len < PERF_GUESS_MOST;
    return is_short || span_has(span_head(head, PERF_GUESS_MOST), '\n') ? INPUT_PERF : INPUT_FOLDED;
}
