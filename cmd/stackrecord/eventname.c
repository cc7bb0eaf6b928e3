#include "cmd/stackrecord/eventname.h"

#include <stdlib.h>

#include "common/base/num.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* How many of each type event_name_of() knows (PERF_COUNT_* in linux/perf_event.h). */
enum { HARDWARE = 10, SOFTWARE = 12, CACHES = 7, OPERATIONS = 3, RESULTS = 2 };

static const struct {
    struct span alias, name;
} aliases[] = {
    {SPAN("cpu-cycles"), SPAN("cycles")},
    {SPAN("branch-instructions"), SPAN("branches")},
    {SPAN("idle-cycles-frontend"), SPAN("stalled-cycles-frontend")},
    {SPAN("idle-cycles-backend"), SPAN("stalled-cycles-backend")},
    {SPAN("faults"), SPAN("page-faults")},
    {SPAN("cs"), SPAN("context-switches")},
    {SPAN("migrations"), SPAN("cpu-migrations")},
};

/* Which operations a cache has, a bit for each: load 1, store 2, prefetch 4 (perf's table
 * evsel__hw_cache_stat). */
static const unsigned char cache_operations[CACHES] = {7, 5, 7, 7, 1, 1, 7};

static bool
cache_event(size_t i, struct event *e)
{
    for (unsigned cache = 0; cache < CACHES; cache++)
        for (unsigned op = 0; op < OPERATIONS; op++)
            for (unsigned result = 0; result < RESULTS; result++)
                if ((cache_operations[cache] >> op & 1) != 0 && i-- == 0) {
                    e->type = EVENT_HW_CACHE;
                    e->config = cache | op << 8 | result << 16;
                    return true;
                }
    return false;
}

bool
eventname_nth(size_t i, struct event *e, struct text *name)
{
    /* Otherwise the name would have a modifier, "cycles:HG". */
    struct event plain = {.flags = 1 << FLAG_EXCLUDE_GUEST};
    if (i < HARDWARE) {
        plain.type = EVENT_HARDWARE;
        plain.config = i;
    } else if (i < HARDWARE + SOFTWARE) {
        plain.type = EVENT_SOFTWARE;
        plain.config = i - HARDWARE;
    } else if (!cache_event(i - HARDWARE - SOFTWARE, &plain)) {
        return false;
    }
    e->type = plain.type;
    e->config = plain.config;
    event_name_of(&plain, name);
    return true;
}

bool
eventname_alias(size_t i, struct span *alias, struct span *name)
{
    if (i >= COUNT(aliases))
        return false;
    *alias = aliases[i].alias;
    *name = aliases[i].name;
    return true;
}

static bool
find_raw(struct span name, struct event *e)
{
    if (name.len < 2 || name.ptr[0] != 'r' || span_run(name, 1, is_hex) != name.len - 1 ||
        !num_hex(span_from(name, 1), &e->config))
        return false;
    e->type = EVENT_RAW;
    return true;
}

bool
eventname_find(struct span name, struct event *e)
{
    struct span alias, of;
    struct text other = {0};
    struct event found;
    for (size_t i = 0; eventname_alias(i, &alias, &of); i++)
        name = span_eq(name, alias) ? of : name;
    bool same = false;
    for (size_t i = 0; !same && eventname_nth(i, &found, &other); i++, other.len = 0)
        same = span_eq(text_span(&other), name);
    free(other.ptr);
    if (same) {
        e->type = found.type;
        e->config = found.config;
    }
    return same || find_raw(name, e);
}
