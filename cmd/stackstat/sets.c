/* The sets are from add_default_attributes() in perf's builtin-stat.c. */
#include "cmd/stackstat/sets.h"

#include <unistd.h>

#include "common/machine/device.h"

const char *
sets_add(struct options *o)
{
    static const struct {
        const char *events;
        const char *file; /* only if the processor has this event file */
    } usual[] = {
        {"context-switches,cpu-migrations,page-faults,cycles", NULL},
        {"stalled-cycles-frontend", DEVICES "/cpu/events/stalled-cycles-frontend"},
        {"stalled-cycles-backend", DEVICES "/cpu/events/stalled-cycles-backend"},
        {"instructions,branches,branch-misses", NULL},
    };
    static const char *const detailed[] = {
        "L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
        ("L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,"
         "iTLB-load-misses"),
        "L1-dcache-prefetches,L1-dcache-prefetch-misses"};
    enum { USUAL = sizeof usual / sizeof *usual, DETAILED = sizeof detailed / sizeof *detailed };
    const bool on_cpus = o->on_cpus || !target_has_tasks(&o->target);
    const char *problem = NULL;
    struct events *e = &o->events;
    if (e->count == 0) {
        problem = events_parse(e, on_cpus ? SPAN("cpu-clock") : SPAN("task-clock"));
        for (int i = 0; i < USUAL && problem == NULL; i++)
            if (usual[i].file == NULL || access(usual[i].file, F_OK) == 0)
                problem = events_parse(e, span_cstr(usual[i].events));
    }
    for (int i = 0; i < o->detail && i < DETAILED && problem == NULL; i++)
        problem = events_parse(e, span_cstr(detailed[i]));
    return problem;
}
