#include "common/symbolize/mappath.h"

#include <stdio.h>
#include <unistd.h>

#include "common/base/num.h"
#include "common/symbolize/procroot.h"

enum { PATH = 96 };

const char *
mappath(struct arena *a, struct span pid)
{
    char path[PATH];
    uint64_t number;
    int32_t outer = num_u64(pid, &number) && number <= INT32_MAX ? (int32_t)number : -1;
    int32_t inner = outer >= 0 ? procroot_inner_pid(outer) : -1;
    if (inner >= 0 && (inner != outer || !procroot_is_ours(outer))) {
        snprintf(path, sizeof path, "/proc/%d/root/tmp/perf-%d.map", (int)outer, (int)inner);
        if (access(path, F_OK) == 0)
            return arena_cstr(a, span_cstr(path));
    }
    snprintf(path, sizeof path, "/tmp/perf-%.*s.map", SPAN_ARG(pid));
    return arena_cstr(a, span_cstr(path));
}
