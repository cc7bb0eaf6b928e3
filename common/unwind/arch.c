#include "common/unwind/arch.h"

#include <sys/utsname.h>

static const struct arch *const list[] = {&arch_x86_64, &arch_arm64};

enum { COUNT = sizeof list / sizeof *list };

const struct arch *
arch_of_machine(unsigned machine)
{
    for (size_t i = 0; i < COUNT; i++)
        if (list[i]->machine == machine)
            return list[i];
    return NULL;
}

const struct arch *
arch_of_name(struct span name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (span_eq(list[i]->name, name))
            return list[i];
    return NULL;
}

const struct arch *
arch_of_host(void)
{
    struct utsname host;
    return uname(&host) == 0 ? arch_of_name(span_cstr(host.machine)) : NULL;
}
