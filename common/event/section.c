/* The header of a file; a section is u64 offset, u64 size.
 *
 *     0 "PERFILE2"   8 header's size   16 attributes' size   24 section: attributes
 *     40 section: data   56 section: unused   72 features, 256 bits
 *
 * Each of the attributes is a perf_event_attr and the section of its ids. After the data stands a
 * table of sections, one for each feature whose bit is set.
 *
 * Until a recorder ends the size of the data is 0. perf record writes the features then.
 * datawrite.c writes them before the data, and until it ends the section at 56, which perf ignores,
 * is the table of their sections. */
#include "common/event/section.h"

#include <errno.h>
#include <unistd.h>

#include "common/event/feature.h"

enum { HEADER = 104, HEADER_OLD = 72, SECTION = 16, ATTR_MAX = 4096, SECTION_MAX = 32 << 20 };

struct section {
    uint64_t offset, size;
};

struct file {
    struct perfdata *p;
    uint64_t size;
    uint64_t ids_left; /* bytes that sections of ids may still have, lest many share one */
};

static struct section
load_section(const char *p)
{
    return (struct section){load_u64(p), load_u64(p + 8)};
}

static bool
fail(struct perfdata_fault *fault, const char *what, uint64_t offset)
{
    if (fault->what == NULL)
        *fault = (struct perfdata_fault){what, offset};
    return false;
}

/* Reads a section into the arena. False: *fault says why it cannot be read. */
static bool
read_section(struct file *f, struct section s, struct span *bytes, struct perfdata_fault *fault)
{
    if (s.offset > f->size || s.size > f->size - s.offset)
        return fail(fault, "a section lies beyond the end of the file", s.offset);
    if (s.size > SECTION_MAX)
        return fail(fault, "a section is larger than 32 MB", s.offset);
    size_t n = (size_t)s.size;
    char *to = arena_alloc(&f->p->arena, n);
    for (size_t done = 0; done < n;) {
        ssize_t got = pread(f->p->lines->fd, to + done, n - done, (off_t)(s.offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(fault, strerror(errno), s.offset + done);
        if (got == 0)
            return fail(fault, "the file became shorter while it was read", s.offset + done);
        done += (size_t)got;
    }
    *bytes = span_of(to, n);
    return true;
}

static bool
add_ids(struct file *f, const struct event *e, struct section s)
{
    struct span ids;
    struct perfdata_fault *fault = &f->p->fault;
    if (s.size > f->ids_left)
        return fail(fault, "the ids of an event lie beyond the end of the file", s.offset);
    f->ids_left -= s.size;
    if (!read_section(f, s, &ids, fault))
        return false;
    for (size_t i = 0; i < ids.len / sizeof(uint64_t); i++)
        eventset_add_id(&f->p->events, load_u64(ids.ptr + i * sizeof(uint64_t)), e);
    return true;
}

static bool
read_attributes(struct file *f, struct section s, uint64_t each)
{
    struct span attrs;
    struct event e;
    struct perfdata_fault *fault = &f->p->fault;
    if (each <= SECTION || each > ATTR_MAX || s.size % each != 0)
        return fail(fault, "the section of event attributes has no possible size", s.offset);
    if (!read_section(f, s, &attrs, fault))
        return false;
    for (size_t at = 0; at < attrs.len; at += (size_t)each) {
        struct span attr = span_of(attrs.ptr + at, (size_t)each - SECTION);
        const char *problem = attr_decode(attr, &e);
        if (problem != NULL)
            return fail(fault, problem, s.offset + at);
        const struct event *added = eventset_add(&f->p->events, &e, &f->p->arena);
        if (!add_ids(f, added, load_section(attr.ptr + attr.len)))
            return false;
    }
    return true;
}

static bool
has_feature(const char *bits, unsigned feature)
{
    return (load_u64(bits + feature / 64 * 8) >> feature % 64 & 1) != 0;
}

/* Says whether the features tell of something that cannot be read. */
static bool
check_features(struct perfdata *p, const char *bits)
{
    if (has_feature(bits, FEATURE_COMPRESSED))
        return fail(&p->fault, "is compressed: record without -z", 0);
    if (has_feature(bits, FEATURE_AUXTRACE))
        return fail(&p->fault, "is a hardware trace: print it with perf script --itrace", 0);
    if (has_feature(bits, FEATURE_DIR_FORMAT))
        return fail(&p->fault, "is one of several files: record without --threads", 0);
    return true;
}

/* Reads the features that are wanted. One that cannot be read is noted, and leaves the others. */
static void
read_features(struct file *f, const char *bits, uint64_t table)
{
    struct perfdata_fault *fault = &f->p->section;
    for (unsigned feature = 0; feature < FEATURES; feature++) {
        struct span entry, data;
        if (!has_feature(bits, feature))
            continue;
        if (!read_section(f, (struct section){table, SECTION}, &entry, fault))
            return;
        table += SECTION;
        struct section s = load_section(entry.ptr);
        if (!feature_wanted(feature) || !read_section(f, s, &data, fault))
            continue;
        const char *problem = feature_use(f->p, feature, data);
        if (problem != NULL)
            fail(fault, problem, s.offset);
    }
}

/* The features of a file that was not completed, if its recorder has written them. */
static void
read_early_features(struct file *f, const char *bits, struct section table)
{
    uint64_t size = 0;
    for (unsigned feature = 0; feature < FEATURES; feature++)
        size += has_feature(bits, feature) ? SECTION : 0;
    if (table.size == size)
        read_features(f, bits, table.offset);
}

bool
section_read_all(struct perfdata *p, uint64_t size)
{
    struct file f = {.p = p, .size = size, .ids_left = size};
    struct span start = lines_ahead(p->lines, HEADER);
    char header[HEADER] = {0};
    if (start.len < HEADER_OLD)
        return fail(&p->fault, "the file ends inside its header", start.len);
    memcpy(header, start.ptr, start.len < HEADER ? start.len : HEADER);
    uint64_t header_size = load_u64(header + 8);
    if (header_size < HEADER)
        memset(header + HEADER_OLD, 0, HEADER - HEADER_OLD);
    if (header_size != HEADER_OLD && header_size < HEADER)
        return fail(&p->fault, "the header has no possible size", 8);
    struct section data = load_section(header + 40);
    if (!check_features(p, header + HEADER_OLD) ||
        !read_attributes(&f, load_section(header + 24), load_u64(header + 16)))
        return false;
    if (data.offset > size)
        return fail(&p->fault, "the data lie beyond the end of the file", data.offset);
    p->killed = data.size == 0;
    if (p->killed)
        data.size = size - data.offset;
    if (data.size > UINT64_MAX - data.offset)
        return fail(&p->fault, "the data have no possible size", 48);
    p->at = data.offset;
    p->end = data.offset + data.size;
    if (p->killed)
        read_early_features(&f, header + HEADER_OLD, load_section(header + 56));
    else
        read_features(&f, header + HEADER_OLD, p->end);
    return true;
}
