#include "common/base/procmount.h"

#include <sys/vfs.h>

bool
procmount_is_there(void)
{
    enum { PROCFS = 0x9fa0 }; /* PROC_SUPER_MAGIC of statfs(2) */
    struct statfs fs;
    return statfs("/proc", &fs) == 0 && fs.f_type == PROCFS;
}

bool
procmount_require(struct diag *diag)
{
    bool there = procmount_is_there();
    if (!there)
        diag_error(diag, NOWHERE,
                   PROCMOUNT_MISSING ", so no process can be found; " PROCMOUNT_REMEDY);
    return there;
}
