/* Maps of processes for tests of procmaps.h, and the name of what is at an address. */
#ifndef UNIT_SPACE_H
#define UNIT_SPACE_H

#include "common/sym/procmaps.h"
#include "tests/unit/test.h"

static inline void
map_file(struct procmaps *p, int32_t pid, uint64_t start, uint64_t len, uint64_t pgoff, char *name)
{
    struct procmap m = {.start = start, .len = len, .pgoff = pgoff, .executable = true};
    m.name = span_cstr(name);
    procmaps_map(p, pid, &m);
}

/* Return "NAME+OFFSET" for what is at the address, or "" if nothing is there. */
static inline struct span
at(const struct procmaps *p, int32_t pid, uint64_t addr)
{
    static char text[256];
    const struct map *m = procmaps_find(procmaps_space(p, pid), addr);
    if (m == NULL)
        return SPAN("");
    CHECK(m->start <= addr && addr < m->end);
    struct dso dso = procmaps_dso(p, m->dso);
    snprintf(text, sizeof text, "%.*s+%llx", SPAN_ARG(dso.name),
             (unsigned long long)map_address(m, addr));
    return span_cstr(text);
}

#endif
