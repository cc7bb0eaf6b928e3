/* Linked into a stackrecord for jstruth.sh, with --wrap=liveprocs_has_names: names of JavaScript are read
 * from the memory of a process that has a perf map, too, so that a recording has both. */
#include "cmd/stackrecord/capture/liveprocs.h"

bool __wrap_liveprocs_has_names(const struct liveprocs *l, int32_t pid);

bool
__wrap_liveprocs_has_names(const struct liveprocs *l, int32_t pid)
{
    (void)l;
    (void)pid;
    return false;
}
