#include "common/stack/frames/frameplace.h"

#include "common/stack/frames/dso.h"

bool
frame_is_kernel(const struct frame *f)
{
    bool no_dso = f->dso.len == 0 || span_eq(f->dso, SPAN("[unknown]"));
    return no_dso ? f->has_ip && f->ip >> 48 == 0xffff : dso_is_kernel(f->dso);
}

bool
frame_is_anonymous(const struct frame *f)
{
    /* "[unknown]" is an address in no mapping. The others are perf's and /proc/PID/maps's names for
     * memory without a file. */
    return span_eq(f->dso, SPAN("[unknown]")) || span_starts(f->dso, SPAN("//anon")) ||
           span_starts(f->dso, SPAN("[anon")) || span_starts(f->dso, SPAN("/memfd:")) ||
           dso_is_jit(f->dso);
}
