#include "cmd/stackfilter/guess.h"

#include "common/stack/folded.h"
#include "common/stack/perfline.h"

enum { GUESS_MOST = 1024 * 1024 }; /* far more than perf script --header prints */

static bool
tells_wire(void *wire, struct span line)
{
    struct perf_header h;
    struct folded f;
    switch (perf_line_parse(line, &h)) {
    case PERF_LINE_HEADER:
    case PERF_LINE_FRAME:
    case PERF_LINE_RECORD:
        *(enum wire *)wire = WIRE_PERF;
        return true;
    case PERF_LINE_BLANK:
    case PERF_LINE_COMMENT:
        return false;
    default:
        *(enum wire *)wire = WIRE_FOLDED;
        return folded_parse(line, 0, &f);
    }
}

enum wire
guess_wire(struct lines *l)
{
    enum wire wire;
    return lines_scout(l, GUESS_MOST, tells_wire, &wire) ? wire : WIRE_PERF;
}
