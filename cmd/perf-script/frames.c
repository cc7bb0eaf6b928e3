#include "cmd/perf-script/frames.h"

#include "common/stack/dso.h"

bool
frame_is_anonymous(const struct frame *f)
{
    /* "[unknown]": an address of no map. The others are what perf and /proc/PID/maps call memory
     * without a file. */
    return span_eq(f->dso, SPAN("[unknown]")) || span_starts(f->dso, SPAN("//anon")) ||
           span_starts(f->dso, SPAN("[anon")) || span_starts(f->dso, SPAN("/memfd:")) ||
           dso_is_jit(f->dso);
}
