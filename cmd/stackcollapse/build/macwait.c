#include "cmd/stackcollapse/build/macwait.h"

bool
macwait_is(struct span function)
{
    static const struct span in[] = {
        SPAN("__psynch_cvwait"),
        SPAN("__select"),
        SPAN("__semwait_signal"),
        SPAN("__ulock_wait"),
        SPAN("__wait4"),
        SPAN("__workq_kernreturn"),
        SPAN("kevent"),
        SPAN("mach_msg_trap"),
        SPAN("read"),
        SPAN("semaphore_wait_trap"),
    };
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        if (span_eq(function, in[i]))
            return true;
    return false;
}
