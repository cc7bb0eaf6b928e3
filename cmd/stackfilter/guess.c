#include "cmd/stackfilter/guess.h"

#include "common/stack/foldedtext.h"
#include "common/stack/perfline.h"

static bool
tells_wire(void *wire, struct span line)
{
    struct folded f;
    bool perf = perf_line_is_perf(line);
    *(enum wire *)wire = perf ? WIRE_PERF : WIRE_FOLDED;
    return perf || (!span_starts(line, SPAN("#")) && folded_parse(line, 0, &f));
}

enum wire
guess_wire(struct lines *l)
{
    enum wire wire;
    if (lines_peek(l, PERF_GUESS_MOST, tells_wire, &wire))
        return wire;
    /* perf cuts names, so a line without an end within that limit is a folded stack. */
    struct span head = lines_buffered(l);
    bool has_lines = head.len < PERF_GUESS_MOST || span_find(head, '\n') != SPAN_NONE;
    return has_lines ? WIRE_PERF : WIRE_FOLDED;
}
