#include "common/event/perfdata.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/event/added.h"
#include "common/event/feature.h"
#include "common/event/section.h"

enum { PIPE_HEADER = 16, TRACING_MAX = 32 << 20 };

/* The magic numbers as 64 bits: of the first version, and of the second, whose bytes show whether
 * the machine that recorded has the other byte order. What follows them is the same. */
static const uint64_t magic_1 = 0x454c494646524550, magic = 0x32454c4946524550,
                      magic_other_order = 0x50455246494c4532;

bool
perfdata_magic(struct span text)
{
    if (text.len < PERFDATA_MAGIC)
        return false;
    uint64_t v = load_u64(text.ptr);
    return v == magic || v == magic_1 || v == magic_other_order;
}

bool
perfdata_streams(struct span text)
{
    return perfdata_magic(text) && text.len >= PERFDATA_START &&
           load_u64(text.ptr + 8) == PIPE_HEADER;
}

static bool
fail(struct perfdata *p, const char *what, uint64_t offset)
{
    p->fault = (struct perfdata_fault){what, offset};
    return false;
}

/* Reads a file's sections and stands at its data. */
static bool
open_file(struct perfdata *p)
{
    struct lines *l = p->lines;
    struct progress *progress = l->progress;
    struct stat st;
    if (fstat(l->fd, &st) != 0 || !S_ISREG(st.st_mode))
        return fail(
            p,
            "is a file sent through a pipe, and has to be read in several places: give its name, "
            "or record with -o -",
            0);
    if (!section_read_all(p, (uint64_t)st.st_size))
        return false;
    if (lseek(l->fd, (off_t)p->at, SEEK_SET) < 0)
        return fail(p, "cannot be positioned", p->at);
    lines_start(l, l->fd);
    l->progress = progress;
    return true;
}

bool
perfdata_open(struct perfdata *p, struct lines *lines)
{
    *p = (struct perfdata){.lines = lines};
    struct span start = lines_ahead(lines, PIPE_HEADER);
    if (lines->error == EISDIR) {
        lines->error = 0; /* it is reported here */
        return fail(p, "Is a directory: if perf record --threads made it, record without", 0);
    }
    if (lines->error != 0)
        return fail(p, strerror(lines->error), 0);
    if (!perfdata_magic(start))
        return fail(p, "is not perf.data", 0);
    if (load_u64(start.ptr) == magic_other_order)
        return fail(p, "was recorded on a machine of the other byte order: run perf script there",
                    0);
    if (start.len < PIPE_HEADER)
        return fail(p, "the input ends inside its header", start.len);
    p->pipe = perfdata_streams(start);
    if (!p->pipe)
        return open_file(p);
    lines_skip(lines, PIPE_HEADER, 0);
    p->at = PIPE_HEADER;
    p->end = UINT64_MAX;
    return true;
}

/* What remains of a record after `skip` bytes, copied to last as long as p. */
static struct span
keep_from(struct perfdata *p, struct span record, size_t skip)
{
    return arena_copy(&p->arena, span_from(record, skip < record.len ? skip : record.len));
}

/* header, perf_event_attr, u64 ids[] */
static const char *
use_attr(struct perfdata *p, struct span record)
{
    struct event e;
    struct span attr = span_from(record, RECORD_HEADER);
    const char *problem = attr_decode(attr, &e);
    if (problem != NULL)
        return problem;
    size_t size = load_u32(attr.ptr + 4); /* decoded, so it is in bounds */
    size = size > 0 ? size : 64;
    const struct event *added = eventset_add(&p->events, &e, &p->arena);
    for (; attr.len - size >= sizeof(uint64_t); size += sizeof(uint64_t))
        eventset_add_id(&p->events, load_u64(attr.ptr + size), added);
    return NULL;
}

/* header, u64 kind, u64 id; of UPDATE_NAME an event's name follows */
static void
use_event_update(struct perfdata *p, struct span record)
{
    enum { FIXED = RECORD_HEADER + 16 };
    if (record.len < FIXED || load_u64(record.ptr + RECORD_HEADER) != UPDATE_NAME)
        return;
    struct event *e = eventset_find(&p->events, load_u64(record.ptr + RECORD_HEADER + 8));
    if (e != NULL)
        eventset_rename(e, load_text(keep_from(p, record, FIXED)));
}

/* header, u32 size; so many bytes of tracing data follow the record */
static const char *
use_tracing_data(struct perfdata *p, struct span record)
{
    if (record.len < RECORD_HEADER + 4)
        return "the record before the tracing data is too short";
    uint32_t size = load_u32(record.ptr + RECORD_HEADER);
    if (size > TRACING_MAX)
        return "the tracing data are larger than 32 MB";
    struct span ahead = lines_ahead(p->lines, size);
    if (ahead.len < size)
        return "the input ends inside the tracing data";
    p->tracing = arena_copy(&p->arena, span_head(ahead, size));
    lines_skip(p->lines, size, 0);
    p->at += size;
    return NULL;
}

/* header, u64 feature, its data */
static const char *
use_feature(struct perfdata *p, struct span record)
{
    enum { FIXED = RECORD_HEADER + 8 };
    if (record.len < FIXED)
        return "a record of a feature is too short";
    uint64_t feature = load_u64(record.ptr + RECORD_HEADER);
    if (feature >= FEATURES || !feature_wanted((unsigned)feature))
        return NULL;
    return feature_use(p, (unsigned)feature, keep_from(p, record, FIXED));
}

/* Uses a record that perf added. Returns NULL, or why the rest cannot be read. */
static const char *
use_added(struct perfdata *p, uint32_t type, struct span record)
{
    const char *problem = NULL;
    switch (type) {
    case ADDED_ATTR:
        return use_attr(p, record);
    case ADDED_TRACING_DATA:
        return use_tracing_data(p, record);
    case ADDED_BUILD_ID:
        problem = feature_build_id(p, keep_from(p, record, 0));
        break;
    case ADDED_EVENT_UPDATE:
        use_event_update(p, record);
        break;
    case ADDED_FEATURE:
        problem = use_feature(p, record);
        break;
    case ADDED_COMPRESSED:
    case ADDED_COMPRESSED2:
        return "the records are compressed: record without -z";
    default:
        if (type >= ADDED_AUXTRACE_INFO && type <= ADDED_AUXTRACE_ERROR)
            return "here begins a hardware trace: print it with perf script --itrace";
    }
    if (problem != NULL && p->section.what == NULL)
        p->section = (struct perfdata_fault){problem, p->at - record.len};
    return NULL;
}

/* Gives the bytes of the next record, whatever its type. */
static bool
next_record(struct perfdata *p, struct span *record)
{
    struct lines *l = p->lines;
    struct span ahead = lines_ahead(l, RECORD_HEADER);
    if (l->error != 0)
        return fail(p, strerror(l->error), p->at);
    if (ahead.len == 0 && p->pipe)
        return false;
    if (ahead.len < RECORD_HEADER)
        return fail(
            p, ahead.len == 0 ? "the file ends before its data" : "the input ends inside a record",
            p->at);
    size_t size = load_u16(ahead.ptr + 6);
    if (size < RECORD_HEADER)
        return fail(p, "a record says that it has fewer than 8 bytes; the rest is not read", p->at);
    if (size > p->end - p->at)
        return fail(p, "a record goes beyond the end of the data", p->at);
    ahead = lines_ahead(l, size);
    if (ahead.len < size)
        return fail(p, "the input ends inside a record", p->at);
    *record = span_head(ahead, size);
    lines_skip(l, size, 0);
    p->at += size;
    return true;
}

bool
perfdata_next(struct perfdata *p, struct span *bytes, uint64_t *offset)
{
    while (p->fault.what == NULL && p->at < p->end && next_record(p, bytes)) {
        uint32_t type = load_u32(bytes->ptr);
        *offset = p->at - bytes->len;
        if (type < RECORD_KERNEL_END || type == RECORD_FINISHED_ROUND)
            return true;
        const char *problem = use_added(p, type, *bytes);
        if (problem != NULL)
            return fail(p, problem, *offset);
    }
    return false;
}

void
perfdata_free(struct perfdata *p)
{
    eventset_free(&p->events);
    arena_free(&p->arena);
    free(p->build_ids);
    intern_free(&p->files);
    *p = (struct perfdata){0};
}
