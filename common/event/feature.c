#include "common/event/feature.h"

#include "common/event/cursor.h"

static const char cut[] = "a section is shorter than its fields";

/* u32 size, text padded by NULs to that size */
static struct span
take_string(struct cursor *c)
{
    return load_text(cursor_take(c, cursor_u32(c)));
}

/* u32 count, strings: the arguments of perf */
static struct span
take_strings(struct cursor *c, struct arena *arena)
{
    uint32_t count = cursor_u32(c);
    char *text = arena_text(arena, c->rest.len), *at = text; /* each string's size takes 4 bytes */
    for (uint32_t i = 0; i < count && !c->cut; i++) {
        struct span argument = take_string(c);
        if (i > 0)
            *at++ = ' ';
        if (argument.len > 0)
            memcpy(at, argument.ptr, argument.len);
        at += argument.len;
    }
    return span_of(text, (size_t)(at - text));
}

/* u32 count, u32 size of attributes, { attributes, u32 nids, string name, u64 ids[nids] } [count]:
 * the events in the order of their attributes. */
static void
name_events(struct perfdata *p, struct cursor *c)
{
    uint32_t count = cursor_u32(c), size = cursor_u32(c);
    for (uint32_t i = 0; i < count && i < p->events.count; i++) {
        cursor_take(c, size);
        uint32_t nids = cursor_u32(c);
        struct span name = take_string(c);
        cursor_words(c, nids, 1);
        if (c->cut)
            return;
        eventset_rename(&p->events.events[i], name);
    }
}

/* Of the union the size in its 21st byte, where misc says that it is there. */
static struct span
id_of(struct span bytes, uint16_t misc)
{
    enum { HAS_SIZE = 1 << 15 }; /* PERF_RECORD_MISC_BUILD_ID_SIZE */
    size_t size = RECORD_BUILD_ID;
    if (bytes.len > RECORD_BUILD_ID && (misc & HAS_SIZE) != 0)
        size = (unsigned char)bytes.ptr[RECORD_BUILD_ID];
    return span_head(bytes, size < RECORD_BUILD_ID ? size : RECORD_BUILD_ID);
}

/* u32 type, u16 misc, u16 size, i32 pid, build-id[24], file */
const char *
feature_build_id(struct perfdata *p, struct span record)
{
    struct cursor c = {.rest = record};
    struct perfdata_build_id b = {0};
    cursor_u32(&c);
    b.misc = cursor_u16(&c);
    cursor_u16(&c);
    b.pid = (int32_t)cursor_u32(&c);
    struct span id = cursor_take(&c, 24);
    b.file = cursor_text(&c);
    if (c.cut)
        return "a build-id is shorter than its fields";
    b.id = id_of(id, b.misc);
    uint32_t number = intern_add(&p->files, b.file);
    p->nbuild_ids = p->files.count;
    p->build_ids = mem_grow(p->build_ids, &p->build_id_cap, p->nbuild_ids, sizeof b);
    p->build_ids[number] = b;
    return NULL;
}

struct span
perfdata_build_id(const struct perfdata *p, struct span file)
{
    uint32_t number = intern_find(&p->files, file);
    return number != INTERN_NONE ? p->build_ids[number].id : SPAN("");
}

/* Whether the entry is of the kernel itself. Modules have the kernel's mode too: "[ext4]",
 * "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz". */
static bool
is_kernel(const struct perfdata_build_id *b, struct span image)
{
    enum { MACHINE = -1 };
    return (b->misc & MISC_CPUMODE) == MISC_KERNEL && b->pid == MACHINE &&
           (span_starts(b->file, image) || !span_starts(b->file, SPAN("["))) &&
           !span_holds(b->file, SPAN(".ko"));
}

struct span
perfdata_kernel_build_id(const struct perfdata *p, struct span image)
{
    struct span id = perfdata_build_id(p, image);
    for (size_t i = 0; i < p->nbuild_ids && id.len == 0; i++)
        if (is_kernel(&p->build_ids[i], image))
            id = p->build_ids[i].id;
    return id;
}

static const char *
use_build_ids(struct perfdata *p, struct span data)
{
    while (data.len > 0) {
        size_t size = data.len >= RECORD_HEADER ? load_u16(data.ptr + 6) : 0;
        if (size < RECORD_HEADER || size > data.len)
            return "a build-id goes beyond the end of its section";
        const char *problem = feature_build_id(p, span_head(data, size));
        if (problem != NULL)
            return problem;
        data = span_from(data, size);
    }
    return NULL;
}

bool
feature_wanted(unsigned feature)
{
    return feature == FEATURE_CMDLINE || feature == FEATURE_EVENT_DESC ||
           (feature >= FEATURE_TRACING_DATA && feature <= FEATURE_ARCH);
}

const char *
feature_use(struct perfdata *p, unsigned feature, struct span data)
{
    struct cursor c = {.rest = data};
    switch (feature) {
    case FEATURE_TRACING_DATA:
        p->tracing = data;
        break;
    case FEATURE_BUILD_ID:
        return use_build_ids(p, data);
    case FEATURE_HOSTNAME:
        p->hostname = take_string(&c);
        break;
    case FEATURE_OSRELEASE:
        p->os_release = take_string(&c);
        break;
    case FEATURE_VERSION:
        p->version = take_string(&c);
        break;
    case FEATURE_ARCH:
        p->arch = take_string(&c);
        break;
    case FEATURE_CMDLINE:
        p->cmdline = take_strings(&c, &p->arena);
        break;
    case FEATURE_EVENT_DESC:
        name_events(p, &c);
        break;
    default:
        break;
    }
    return c.cut ? cut : NULL;
}
