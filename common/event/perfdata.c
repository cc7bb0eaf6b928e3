/* The header of a file. A section is u64 offset, u64 size.
 *
 *     0 "PERFILE2"   8 header's size   16 attributes' size   24 section: attributes
 *     40 section: data   56 section: unused   72 features, 256 bits
 *
 * Each attribute is a perf_event_attr and the section of its ids. The data are followed by a table
 * of sections, one for each feature whose bit is set.
 *
 * Until the recording ends, the size of the data is 0. perf record writes the features at the end.
 * datawrite.c writes them before the data; until it ends, the section at 56, which perf ignores, is
 * the table of their sections. */
#include "common/event/perfdata.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/cursor.h"
#include "common/base/num.h"

enum {
    HEADER = 104,
    HEADER_OLD = 72,
    PIPE_HEADER = 16,
    SECTION = 16,
    ATTR_MAX = 4096,
    SECTION_MAX = 32 << 20,
    TRACING_MAX = 32 << 20,
};

/* The magic numbers of the first version and of the second, as 64 bits. The byte order of the
 * second is that of the recording machine. The rest is the same. */
static const uint64_t magic_1 = 0x454c494646524550, magic = 0x32454c4946524550,
                      magic_other_order = 0x50455246494c4532;

/* Return true if the text begins like perf.data of either version, in either byte order. */
static bool
has_magic(struct span text)
{
    if (text.len < sizeof magic)
        return false;
    uint64_t v = load_u64(text.ptr);
    return v == magic || v == magic_1 || v == magic_other_order;
}

bool
perfdata_streams(struct span text)
{
    return has_magic(text) && text.len >= PERFDATA_START && load_u64(text.ptr + 8) == PIPE_HEADER;
}

static bool
fail(struct perfdata_fault *fault, const char *what, uint64_t offset)
{
    if (fault->what == NULL)
        *fault = (struct perfdata_fault){what, offset, false};
    return false;
}

/* Features */

/* Read u32 size, and the text padded by NULs to that size. */
static struct span
take_string(struct cursor *c)
{
    return load_text(cursor_take(c, cursor_u32(c)));
}

/* Read u32 count, u32 size of attributes, { attributes, u32 nids, string name, u64 ids[nids] }
 * [count]: the events in the order of their attributes. */
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

/* Return the build-id from the union. Its size is in the 21st byte if misc says so. */
static struct span
id_of(struct span bytes, uint16_t misc)
{
    enum { HAS_SIZE = 1 << 15 }; /* PERF_RECORD_MISC_BUILD_ID_SIZE */
    size_t size = RECORD_BUILD_ID;
    if (bytes.len > RECORD_BUILD_ID && (misc & HAS_SIZE) != 0)
        size = (unsigned char)bytes.ptr[RECORD_BUILD_ID];
    return span_head(bytes, size < RECORD_BUILD_ID ? size : RECORD_BUILD_ID);
}

/* Read u32 type, u16 misc, u16 size, i32 pid, build-id[24], file. */
static const char *
use_build_id(struct perfdata *p, struct span record)
{
    struct cursor c = cursor_of(record);
    struct perfdata_build_id b = {0};
    cursor_u32(&c);
    b.misc = cursor_u16(&c);
    cursor_u16(&c);
    b.pid = (int32_t)cursor_u32(&c);
    struct span id = cursor_take(&c, 24);
    b.file = cursor_padded(&c);
    if (c.cut)
        return "a build-id is shorter than its fields";
    b.id = id_of(id, b.misc);
    uint32_t number = intern_add(&p->files, b.file);
    p->nbuild_ids = p->files.count;
    p->build_ids = mem_grow(p->build_ids, &p->build_id_cap, p->nbuild_ids, sizeof b);
    p->build_ids[number] = b;
    return NULL;
}

static const char *
use_build_ids(struct perfdata *p, struct span data)
{
    while (data.len > 0) {
        size_t size = data.len >= RECORD_HEADER ? load_u16(data.ptr + 6) : 0;
        if (size < RECORD_HEADER || size > data.len)
            return "a build-id goes beyond the end of its section";
        const char *problem = use_build_id(p, span_head(data, size));
        if (problem != NULL)
            return problem;
        data = span_from(data, size);
    }
    return NULL;
}

static bool
is_wanted(unsigned feature)
{
    return feature == HEADER_TRACING_DATA || feature == HEADER_BUILD_ID ||
           feature == HEADER_OSRELEASE || feature == HEADER_ARCH || feature == HEADER_EVENT_DESC ||
           feature == HEADER_CPU_PMU_CAPS || feature == HEADER_PMU_CAPS;
}

/* Read the capabilities of one kind of counter: u32 nr, { string name, string value } [nr]. */
static void
take_caps(struct perfdata *p, struct cursor *c)
{
    for (uint32_t nr = cursor_u32(c); nr > 0 && !c->cut; nr--) {
        uint64_t n;
        struct span name = take_string(c), value = take_string(c);
        if (span_eq(name, SPAN("branches")) && num_u64(value, &n) && n > p->branches)
            p->branches = (size_t)n;
    }
}

/* Read u32 nr, { capabilities, string name } [nr]: of several kinds of cores, and of other
 * counters. */
static void
take_all_caps(struct perfdata *p, struct cursor *c)
{
    for (uint32_t nr = cursor_u32(c); nr > 0 && !c->cut; nr--) {
        take_caps(p, c);
        take_string(c);
    }
}

/* Use the data of a feature, which must live as long as p. Return NULL, or what is wrong with the
 * data; those before the damage are then used. */
static const char *
use_feature(struct perfdata *p, unsigned feature, struct span data)
{
    struct cursor c = cursor_of(data);
    switch (feature) {
    case HEADER_TRACING_DATA:
        p->tracing = data;
        break;
    case HEADER_BUILD_ID:
        return use_build_ids(p, data);
    case HEADER_OSRELEASE:
        p->os_release = take_string(&c);
        break;
    case HEADER_ARCH:
        p->arch = take_string(&c);
        break;
    case HEADER_EVENT_DESC:
        name_events(p, &c);
        break;
    case HEADER_CPU_PMU_CAPS:
        take_caps(p, &c);
        break;
    case HEADER_PMU_CAPS:
        take_all_caps(p, &c);
        break;
    }
    return c.cut ? "a section is shorter than its fields" : NULL;
}

/* The sections of a file */

struct section {
    uint64_t offset, size;
};

struct file {
    struct perfdata *p;
    uint64_t size;
    uint64_t ids_left; /* bytes that sections of ids may still have, in case many share one */
};

static struct section
load_section(const char *p)
{
    return (struct section){load_u64(p), load_u64(p + 8)};
}

/* Read a section into the arena. Return false with *fault on failure. */
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
    struct span ids = SPAN("");
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
    struct span attrs = SPAN("");
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

/* Check the features. Return false with p->fault if they announce something that cannot be read. */
static bool
check_features(struct perfdata *p, const char *bits)
{
    if (has_feature(bits, HEADER_AUXTRACE))
        return fail(&p->fault, "is a hardware trace: print it with perf script --itrace", 0);
    if (has_feature(bits, HEADER_DIR_FORMAT))
        return fail(&p->fault, "is one of several files: record without --threads", 0);
    return true;
}

/* Read the features that are of use. Note one that cannot be read, and go on with the others. */
static void
read_features(struct file *f, const char *bits, uint64_t table)
{
    struct perfdata_fault *fault = &f->p->section;
    for (unsigned feature = 0; feature < HEADER_FEAT_BITS; feature++) {
        struct span entry = SPAN(""), data = SPAN("");
        if (!has_feature(bits, feature))
            continue;
        if (!read_section(f, (struct section){table, SECTION}, &entry, fault))
            return;
        table += SECTION;
        struct section s = load_section(entry.ptr);
        if (!is_wanted(feature) || !read_section(f, s, &data, fault))
            continue;
        const char *problem = use_feature(f->p, feature, data);
        if (problem != NULL)
            fail(fault, problem, s.offset);
    }
}

/* Read the features of an incomplete file, if its recorder wrote them. */
static void
read_early_features(struct file *f, const char *bits, struct section table)
{
    uint64_t size = 0;
    for (unsigned feature = 0; feature < HEADER_FEAT_BITS; feature++)
        size += has_feature(bits, feature) ? SECTION : 0;
    if (table.size == size)
        read_features(f, bits, table.offset);
}

/* Read the file's header, attributes and features by pread(2), and set where its data begin and
 * end. `size` is the file's. Return false with p->fault on failure. */
static bool
read_sections(struct perfdata *p, uint64_t size)
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

/* Records */

/* Read a file's sections, and move to its data. */
static bool
open_file(struct perfdata *p)
{
    struct lines *l = p->lines;
    struct progress *progress = l->progress;
    struct stat st;
    if (fstat(l->fd, &st) != 0 || !S_ISREG(st.st_mode))
        return fail(
            &p->fault,
            "is a file sent through a pipe, and has to be read in several places: give its name, "
            "or record with -o -",
            0);
    if (!read_sections(p, (uint64_t)st.st_size))
        return false;
    if (lseek(l->fd, (off_t)p->at, SEEK_SET) < 0)
        return fail(&p->fault, "cannot be positioned", p->at);
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
        lines->error = 0; /* the error is reported here */
        return fail(&p->fault, "Is a directory: if perf record --threads made it, record without",
                    0);
    }
    if (lines->error != 0)
        return fail(&p->fault, strerror(lines->error), 0);
    if (!has_magic(start))
        return fail(&p->fault, "is not perf.data", 0);
    if (load_u64(start.ptr) == magic_other_order)
        return fail(&p->fault,
                    "was recorded on a machine of the other byte order: run perf script there", 0);
    if (start.len < PIPE_HEADER)
        return fail(&p->fault, "the input ends inside its header", start.len);
    p->pipe = perfdata_streams(start);
    if (!p->pipe)
        return open_file(p);
    lines_skip(lines, PIPE_HEADER, 0);
    p->at = PIPE_HEADER;
    p->end = UINT64_MAX;
    return true;
}

/* Copy a record from byte `skip` on. The copy lives as long as p. */
static struct span
keep_from(struct perfdata *p, struct span record, size_t skip)
{
    return arena_copy(&p->arena, span_from(record, skip < record.len ? skip : record.len));
}

/* Read header, perf_event_attr, u64 ids[]. */
static const char *
use_attr(struct perfdata *p, struct span record)
{
    struct event e;
    struct span attr = span_from(record, RECORD_HEADER);
    const char *problem = attr_decode(attr, &e);
    if (problem != NULL)
        return problem;
    size_t size = load_u32(attr.ptr + 4); /* it was decoded, so it is in bounds */
    size = size > 0 ? size : 64;
    const struct event *added = eventset_add(&p->events, &e, &p->arena);
    for (; attr.len - size >= sizeof(uint64_t); size += sizeof(uint64_t))
        eventset_add_id(&p->events, load_u64(attr.ptr + size), added);
    return NULL;
}

/* Read header, u64 kind, u64 id; in PERF_EVENT_UPDATE__NAME, an event's name follows. */
static void
use_event_update(struct perfdata *p, struct span record)
{
    enum { FIXED = RECORD_HEADER + 16 };
    if (record.len < FIXED || load_u64(record.ptr + RECORD_HEADER) != PERF_EVENT_UPDATE__NAME)
        return;
    struct event *e = eventset_find(&p->events, load_u64(record.ptr + RECORD_HEADER + 8));
    if (e != NULL)
        eventset_rename(e, load_text(keep_from(p, record, FIXED)));
}

/* Read header, u32 size. Tracing data of this size follow the record. */
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

/* Read header, u64 feature, its data. */
static const char *
use_feature_record(struct perfdata *p, struct span record)
{
    enum { FIXED = RECORD_HEADER + 8 };
    if (record.len < FIXED)
        return "a record of a feature is too short";
    uint64_t feature = load_u64(record.ptr + RECORD_HEADER);
    if (feature >= HEADER_FEAT_BITS || !is_wanted((unsigned)feature))
        return NULL;
    return use_feature(p, (unsigned)feature, keep_from(p, record, FIXED));
}

/* Use a record that perf added. Return NULL, or why the rest cannot be read. */
static const char *
use_added(struct perfdata *p, uint32_t type, struct span record)
{
    const char *problem = NULL;
    switch (type) {
    case PERF_RECORD_HEADER_ATTR:
        return use_attr(p, record);
    case PERF_RECORD_HEADER_TRACING_DATA:
        return use_tracing_data(p, record);
    case PERF_RECORD_HEADER_BUILD_ID:
        problem = use_build_id(p, keep_from(p, record, 0));
        break;
    case PERF_RECORD_EVENT_UPDATE:
        use_event_update(p, record);
        break;
    case PERF_RECORD_HEADER_FEATURE:
        problem = use_feature_record(p, record);
        break;
    case PERF_RECORD_COMPRESSED:
    case PERF_RECORD_COMPRESSED2:
        if (p->unpacking)
            return "a compressed record is in another one";
        packed_add(&p->packed, record, p->at - record.len);
        break;
    default:
        if (type >= PERF_RECORD_AUXTRACE_INFO && type <= PERF_RECORD_AUXTRACE_ERROR)
            return "here begins a hardware trace: print it with perf script --itrace";
    }
    if (problem != NULL && p->section.what == NULL)
        p->section = (struct perfdata_fault){problem, p->at - record.len, false};
    return NULL;
}

/* Return the bytes of the next record, whatever its type. */
static bool
next_record(struct perfdata *p, struct span *record)
{
    struct lines *l = p->unpacking ? &p->packed.lines : p->lines;
    struct span ahead = lines_ahead(l, RECORD_HEADER);
    if (l->error != 0)
        return fail(&p->fault, strerror(l->error), p->at);
    if (ahead.len == 0 && p->pipe)
        return false;
    if (ahead.len < RECORD_HEADER)
        return fail(&p->fault,
                    ahead.len == 0 ? "the file ends before its data"
                                   : "the input ends inside a record",
                    p->at);
    size_t size = load_u16(ahead.ptr + 6);
    if (size < RECORD_HEADER)
        return fail(&p->fault, "a record says that it has fewer than 8 bytes; the rest is not read",
                    p->at);
    if (size > p->end - p->at)
        return fail(&p->fault, "a record goes beyond the end of the data", p->at);
    if (p->unpacking && size > p->packed.most - p->at) {
        packed_end(&p->packed, p->at, true);
        return false;
    }
    ahead = lines_ahead(l, size);
    if (ahead.len < size)
        return fail(&p->fault, "the input ends inside a record", p->at);
    *record = span_head(ahead, size);
    lines_skip(l, size, 0);
    p->at += size;
    return true;
}

/* Finish after the last compressed record. Report one problem: best that of the input, next that of
 * the stream, last that of the records in it, which may be a consequence. */
static void
end_unpacking(struct perfdata *p)
{
    packed_end(&p->packed, p->at, false);
    if (p->input_fault.what != NULL)
        p->fault = p->input_fault;
    else if (p->packed.problem != NULL)
        p->fault = (struct perfdata_fault){p->packed.problem, p->packed.problem_at, false};
    else
        p->fault.unpacked = p->fault.what != NULL;
}

/* After the last record of the input, continue with the compressed ones. Return false if there are
 * none, or no more. */
static bool
unpack(struct perfdata *p)
{
    if (!p->packed.any)
        return false;
    if (p->unpacking) {
        end_unpacking(p);
        return false;
    }
    p->input_fault = p->fault;
    p->fault = (struct perfdata_fault){NULL, 0, false};
    p->unpacking = p->pipe = true;
    p->at = 0;
    p->end = UINT64_MAX;
    if (packed_start(&p->packed))
        return true;
    end_unpacking(p);
    return false;
}

/* Count a record of an unknown type. */
static bool
is_unknown(struct perfdata *p, uint32_t type)
{
    enum { KERNEL_LAST = PERF_RECORD_CALLCHAIN_DEFERRED, PERF_LAST = PERF_RECORD_BPF_METADATA };
    if (type <= KERNEL_LAST || (type >= PERF_RECORD_USER_TYPE_START && type <= PERF_LAST))
        return false;
    p->unknown_type = p->unknown == 0 ? type : p->unknown_type;
    p->unknown++;
    return true;
}

/* Return true if perfdata_next returns records of this type. The end of a round does not apply to
 * compressed records, since they come after the last round. */
static bool
is_given(const struct perfdata *p, uint32_t type)
{
    return type < PERF_RECORD_USER_TYPE_START ||
           (type == PERF_RECORD_FINISHED_ROUND && !p->packed.any);
}

/* Return the next record of the input, and after those the compressed ones. */
static bool
advance(struct perfdata *p, struct span *record)
{
    do {
        if (p->fault.what == NULL && p->at < p->end && next_record(p, record))
            return true;
    } while (unpack(p));
    return false;
}

bool
perfdata_next(struct perfdata *p, struct span *bytes, uint64_t *offset)
{
    while (advance(p, bytes)) {
        uint32_t type = load_u32(bytes->ptr);
        *offset = p->at - bytes->len;
        if (is_unknown(p, type))
            continue;
        if (is_given(p, type))
            return true;
        const char *problem = use_added(p, type, *bytes);
        if (problem != NULL)
            return fail(&p->fault, problem, *offset);
    }
    return false;
}

struct span
perfdata_build_id(const struct perfdata *p, struct span file)
{
    uint32_t number = intern_find(&p->files, file);
    return number != INTERN_NONE ? p->build_ids[number].id : SPAN("");
}

/* Return true if the entry is for the kernel itself. Modules have the kernel's mode, too: "[ext4]",
 * "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz". */
static bool
is_kernel(const struct perfdata_build_id *b, struct span image)
{
    enum { MACHINE = -1 };
    return (b->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL &&
           b->pid == MACHINE && (span_starts(b->file, image) || !span_starts(b->file, SPAN("["))) &&
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

void
perfdata_free(struct perfdata *p)
{
    eventset_free(&p->events);
    packed_free(&p->packed);
    arena_free(&p->arena);
    free(p->build_ids);
    intern_free(&p->files);
    *p = (struct perfdata){0};
}
