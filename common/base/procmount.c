#include "common/base/procmount.h"

#include <sys/vfs.h>

bool
procmount_is_there(void)
{
    enum { PROC_SUPER_MAGIC = 0x9fa0 }; /* linux/magic.h */
    struct statfs fs;
    return statfs("/proc", &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
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
