#include "common/stack/dso.h"

struct span
dso_base(struct span dso)
{
    size_t slash = span_rfind(dso, '/');
    return slash != SPAN_NONE ? span_from(dso, slash + 1) : dso;
}

bool
dso_is_kernel(struct span dso)
{
    /* A user process's own areas, as /proc/PID/maps and perf name them. */
    static const struct span user[] = {
        SPAN("[vdso"),     SPAN("[vsyscall"), SPAN("[heap]"),    SPAN("[stack"),
        SPAN("[anon"),     SPAN("[uprobes"),  SPAN("[unknown]"), SPAN("[JIT]"),
        SPAN("[vectors]"), SPAN("[vvar"),     SPAN("[sigpage]"),
    };
    struct span base = dso_base(dso);
    if (dso.len > 0 && dso.ptr[0] == '[')
        return !span_starts_any(dso, user, sizeof user / sizeof *user);
    return span_starts(base, SPAN("vmlinux")) || span_starts(base, SPAN("vmlinuz")) ||
           span_starts(dso, SPAN("bpf_prog_")) || span_ends(base, SPAN(".ko")) ||
           span_holds(base, SPAN(".ko."));
}

bool
dso_is_jit(struct span dso)
{
    struct span base = dso_base(dso);
    return (span_starts(base, SPAN("perf-")) && span_ends(base, SPAN(".map"))) ||
           (span_starts(base, SPAN("jitted-")) && span_ends(base, SPAN(".so"))) ||
           span_starts(dso, SPAN("[JIT]"));
}
