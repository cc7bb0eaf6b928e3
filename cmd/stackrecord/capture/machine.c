#include "cmd/stackrecord/capture/machine.h"

#include <time.h>
#include <unistd.h>

#include "common/machine/procfs.h"

void
machine_describe(struct machine *m, struct datawrite_about *about)
{
    struct timespec resolution = {0};
    procfs_read(&m->arguments, "/proc/self/cmdline");
    uname(&m->names);
    clock_getres(CLOCK_MONOTONIC, &resolution);
    *about = (struct datawrite_about){
        .hostname = span_cstr(m->names.nodename),
        .os_release = span_cstr(m->names.release),
        .arch = span_cstr(m->names.machine),
        .version = SPAN("flamepipe " VERSION),
        .arguments = text_span(&m->arguments),
        .cpus = (uint32_t)sysconf(_SC_NPROCESSORS_CONF),
        .cpus_online = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN),
        .clock_resolution = (uint64_t)resolution.tv_nsec,
    };
}
