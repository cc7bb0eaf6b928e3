#include "common/event/featurewrite.h"

#include <stdlib.h>

#include "common/event/append.h"
#include "common/event/feature.h"

enum { STRING_ALIGN = 64 }; /* NAME_ALIGN of tools/perf */

static size_t
padded(size_t len)
{
    return len - len % STRING_ALIGN + STRING_ALIGN;
}

/* u32 size, text padded by NULs to that size. False: it is empty. */
static bool
put_string(struct text *t, struct span s)
{
    append_u32(t, (uint32_t)padded(s.len));
    append_padded(t, s, STRING_ALIGN);
    return s.len > 0;
}

/* u32 count, strings */
static bool
put_arguments(struct text *t, struct span arguments)
{
    size_t count_at = t->len;
    uint32_t count = 0;
    append_u32(t, 0);
    for (; arguments.len > 0; count++) {
        struct span argument = load_text(arguments);
        put_string(t, argument);
        arguments = span_from(arguments, argument.len + (argument.len < arguments.len));
    }
    store_u32(t->ptr + count_at, count);
    return count > 0;
}

/* u32 count, u32 size of attributes, { attributes, u32 nids, string name, u64 ids[nids] } [count]
 */
static void
put_events(struct text *t, const struct eventset *set)
{
    append_u32(t, (uint32_t)set->count);
    append_u32(t, ATTR_SIZE);
    for (size_t i = 0; i < set->count; i++) {
        const struct event *e = &set->events[i];
        char attr[ATTR_SIZE];
        size_t nids;
        uint64_t *ids = eventset_ids(set, e, &nids);
        attr_encode(e, attr);
        text_add(t, span_of(attr, sizeof attr));
        append_u32(t, (uint32_t)nids);
        put_string(t, e->name);
        text_add(t, span_of((const char *)ids, nids * sizeof *ids));
        free(ids);
    }
}

/* header, i32 pid, build-id[20], u8 its size, 3 bytes, file padded by NULs */
static void
put_build_id(struct text *t, uint32_t type, const struct perfdata_build_id *b)
{
    enum { HAS_SIZE = 1 << 15 }; /* PERF_RECORD_MISC_BUILD_ID_SIZE */
    char id[RECORD_BUILD_ID + 4] = {0};
    size_t len = b->id.len < RECORD_BUILD_ID ? b->id.len : RECORD_BUILD_ID;
    if (len > 0)
        memcpy(id, b->id.ptr, len);
    id[RECORD_BUILD_ID] = (char)len;
    append_header(t, type, b->misc | HAS_SIZE, 4 + sizeof id + padded(b->file.len));
    append_u32(t, (uint32_t)b->pid);
    text_add(t, span_of(id, sizeof id));
    append_padded(t, b->file, STRING_ALIGN);
}

void
feature_put_build_ids(struct text *t, uint32_t type, const struct datawrite_about *about)
{
    for (size_t i = 0; i < about->nbuild_ids; i++)
        put_build_id(t, type, &about->build_ids[i]);
}

bool
feature_put(struct text *t, unsigned feature, const struct datawrite_about *about)
{
    switch (feature) {
    case FEATURE_TRACING_DATA:
        text_add(t, about->tracing);
        return about->tracing.len > 0;
    case FEATURE_BUILD_ID:
        feature_put_build_ids(t, 0, about);
        return about->nbuild_ids > 0;
    case FEATURE_HOSTNAME:
        return put_string(t, about->hostname);
    case FEATURE_OSRELEASE:
        return put_string(t, about->os_release);
    case FEATURE_VERSION:
        return put_string(t, about->version);
    case FEATURE_ARCH:
        return put_string(t, about->arch);
    case FEATURE_NRCPUS:
        append_u32(t, about->cpus);
        append_u32(t, about->cpus_online);
        return about->cpus > 0;
    case FEATURE_CMDLINE:
        return put_arguments(t, about->arguments);
    case FEATURE_EVENT_DESC:
        put_events(t, about->events);
        return true;
    case FEATURE_SAMPLE_TIME:
        append_u64(t, 0);
        append_u64(t, 0);
        return true;
    case FEATURE_CLOCKID:
        append_u64(t, about->clock_resolution);
        return about->clock_resolution > 0;
    default:
        return false;
    }
}
