#include "common/stack/frames/dso.h"

struct span
dso_base(struct span dso)
{
    size_t slash = span_rfind(dso, '/');
    return slash != SPAN_NONE ? span_from(dso, slash + 1) : dso;
}

static bool
is_module_char(char c)
{
    return is_word(c) || c == '-' || c == '.';
}

/* Return true for "[kernel.kallsyms]", which may have a suffix, and for modules, whose names are
 * like names in C: "[nf_conntrack]". Other names in brackets are a process's own: "[JIT app
 * cache]". */
static bool
is_kernel_in_brackets(struct span dso)
{
    /* The areas of a user process, as named by /proc/PID/maps and perf. */
    static const struct span user[] = {
        SPAN("[vdso"),     SPAN("[vsyscall"), SPAN("[heap]"),    SPAN("[stack"),
        SPAN("[anon"),     SPAN("[uprobes"),  SPAN("[unknown]"), SPAN("[JIT"),
        SPAN("[vectors]"), SPAN("[vvar"),     SPAN("[sigpage]"),
    };
    size_t len = span_run(dso, 1, is_module_char);
    return len > 0 && 1 + len < dso.len && dso.ptr[1 + len] == ']' &&
           !span_starts_any(dso, user, sizeof user / sizeof *user);
}

bool
dso_is_kernel(struct span dso)
{
    struct span base = dso_base(dso);
    if (dso.len > 0 && dso.ptr[0] == '[')
        return is_kernel_in_brackets(dso);
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
           span_starts(dso, SPAN("[JIT"));
}
