/* A file begins with header, ids, attributes, table of features, features: the layout of each is in
 * perfdata.c. A pipe begins with a short header and records. */
#include "common/event/datawrite.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/pipe.h"
#include "common/event/append.h"

enum {
    HEADER = 104,
    PIPE_HEADER = 16,
    SECTION = 16,
    STRING_ALIGN = 64, /* NAME_ALIGN of tools/perf */
    BUFFER = 256 * 1024,
};

/* Features */

static size_t
padded(size_t len)
{
    return len - len % STRING_ALIGN + STRING_ALIGN;
}

/* Append u32 size, and the text padded by NULs to that size. Return false if the text is empty. */
static bool
put_string(struct text *t, struct span s)
{
    append_u32(t, (uint32_t)padded(s.len));
    append_padded(t, s, STRING_ALIGN);
    return s.len > 0;
}

/* Append u32 count, strings. */
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

/* Append u32 count, u32 size of attributes, { attributes, u32 nids, string name, u64 ids[nids] }
 * [count]. */
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

/* Append header, i32 pid, build-id[20], u8 its size, 3 bytes, file padded by NULs. */
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

/* Append the list of build-ids as records of this type: 0 in a section, PERF_RECORD_HEADER_BUILD_ID
 * in a pipe. */
static void
put_build_ids(struct text *t, uint32_t type, const struct datawrite_about *about)
{
    for (size_t i = 0; i < about->nbuild_ids; i++)
        put_build_id(t, type, &about->build_ids[i]);
}

/* Append the data of a feature. For HEADER_SAMPLE_TIME, append zeros in their place. Return false
 * if the feature has no data; the caller then drops what was appended. */
static bool
put_feature(struct text *t, unsigned feature, const struct datawrite_about *about)
{
    switch (feature) {
    case HEADER_TRACING_DATA:
        text_add(t, about->tracing);
        return about->tracing.len > 0;
    case HEADER_BUILD_ID:
        put_build_ids(t, 0, about);
        return about->nbuild_ids > 0;
    case HEADER_HOSTNAME:
        return put_string(t, about->hostname);
    case HEADER_OSRELEASE:
        return put_string(t, about->os_release);
    case HEADER_VERSION:
        return put_string(t, about->version);
    case HEADER_ARCH:
        return put_string(t, about->arch);
    case HEADER_NRCPUS:
        append_u32(t, about->cpus);
        append_u32(t, about->cpus_online);
        return about->cpus > 0;
    case HEADER_CMDLINE:
        return put_arguments(t, about->arguments);
    case HEADER_EVENT_DESC:
        put_events(t, about->events);
        return true;
    case HEADER_SAMPLE_TIME:
        append_u64(t, 0);
        append_u64(t, 0);
        return true;
    case HEADER_CLOCKID:
        append_u64(t, about->clock_resolution);
        return about->clock_resolution > 0;
    default:
        return false;
    }
}

/* The beginning of a recording */

/* Encode the header of a complete file with `size` bytes of data: "PERFILE2", u64 104, u64 size of
 * an attribute, the sections of the attributes and of the data, an unused one, bits of features. */
static void
put_header(const struct datawrite *w, uint64_t size, char header[static HEADER])
{
    enum { ATTRS = ATTR_SIZE + SECTION };
    memset(header, 0, HEADER);
    memcpy(header, "PERFILE2", 8);
    store_u64(header + 8, HEADER);
    store_u64(header + 16, ATTRS);
    store_u64(header + 24, w->attributes);
    store_u64(header + 32, w->about->events->count * ATTRS);
    store_u64(header + 40, w->start);
    store_u64(header + 48, size);
    store_u64(header + 72, w->features);
}

static void
put_attribute(struct text *t, const struct event *e)
{
    char attr[ATTR_SIZE];
    attr_encode(e, attr);
    text_add(t, span_of(attr, sizeof attr));
}

/* Append the ids of all events, then the attributes, each with the section of its ids. */
static void
put_attributes(struct datawrite *w, struct text *t)
{
    const struct eventset *set = w->about->events;
    struct text attributes = {0};
    for (size_t i = 0; i < set->count; i++) {
        size_t nids;
        uint64_t *ids = eventset_ids(set, &set->events[i], &nids);
        put_attribute(&attributes, &set->events[i]);
        append_u64(&attributes, t->len);
        append_u64(&attributes, nids * sizeof *ids);
        text_add(t, span_of((const char *)ids, nids * sizeof *ids));
        free(ids);
    }
    w->attributes = t->len;
    text_add(t, text_span(&attributes));
    free(attributes.ptr);
}

/* Append a table of sections, one for each feature, then the features. */
static void
put_features(struct datawrite *w, struct text *t)
{
    struct text data = {0}, *table = &w->table;
    for (unsigned feature = 1; feature < 64; feature++) {
        size_t before = data.len;
        if (!put_feature(&data, feature, w->about)) {
            data.len = before;
            continue;
        }
        w->features |= (uint64_t)1 << feature;
        append_u64(table, before);
        append_u64(table, data.len - before);
    }
    for (size_t i = 0; i < table->len; i += SECTION)
        store_u64(table->ptr + i, load_u64(table->ptr + i) + t->len + table->len);
    TEXT_ADD(t, text_span(table), text_span(&data));
    free(data.ptr);
}

/* Append the beginning of a file, and set w->attributes, features, table and start. As long as the
 * recording is not complete, its header says that the data are empty, and contains the offset of
 * the table of features. */
static void
begin_file(struct datawrite *w, struct text *t)
{
    char header[HEADER] = {0};
    text_add(t, span_of(header, sizeof header)); /* so that t->len is the offset in the file */
    put_attributes(w, t);
    uint64_t table = t->len;
    put_features(w, t);
    w->start = t->len;
    put_header(w, 0, t->ptr);
    /* While the size of the data is 0, perfdata.c looks for the table here. */
    store_u64(t->ptr + 56, table);
    store_u64(t->ptr + 64, w->table.len);
}

/* Append header, u64 kind, u64 id, name. */
static void
put_name(struct text *t, const struct event *e, uint64_t id)
{
    append_header(t, PERF_RECORD_EVENT_UPDATE, 0, 16 + e->name.len - e->name.len % 8 + 8);
    append_u64(t, PERF_EVENT_UPDATE__NAME);
    append_u64(t, id);
    append_padded(t, e->name, 8);
}

static void
put_names(struct text *t, const struct eventset *set)
{
    for (size_t i = 0; i < set->count; i++) {
        size_t nids;
        uint64_t *ids = eventset_ids(set, &set->events[i], &nids);
        if (nids > 0)
            put_name(t, &set->events[i], ids[0]);
        free(ids);
    }
}

/* Append header, attributes, u64 ids[]. */
static bool
put_attribute_record(struct text *t, const struct eventset *set, const struct event *e)
{
    size_t nids;
    uint64_t *ids = eventset_ids(set, e, &nids);
    bool fits = nids <= DATAWRITE_PIPE_IDS;
    if (fits) {
        append_header(t, PERF_RECORD_HEADER_ATTR, 0, ATTR_SIZE + nids * sizeof *ids);
        put_attribute(t, e);
        text_add(t, span_of((const char *)ids, nids * sizeof *ids));
    }
    free(ids);
    return fits;
}

/* Append header, u32 size. The data follow the record, with zeros up to a multiple of 8 bytes. */
static void
put_tracing_record(struct text *t, struct span tracing)
{
    static const char zeros[8];
    if (tracing.len == 0)
        return;
    append_header(t, PERF_RECORD_HEADER_TRACING_DATA, 0, 4);
    append_u32(t, (uint32_t)((tracing.len + 7) / 8 * 8));
    TEXT_ADD(t, tracing, span_of(zeros, (8 - tracing.len % 8) % 8));
}

/* Append header, u64 feature, its data padded to 8 bytes. A feature that is too large for a record,
 * as a command line may be, is left out. */
static void
put_feature_record(struct text *t, unsigned feature, const struct datawrite_about *about)
{
    struct text data = {0};
    if (put_feature(&data, feature, about) && data.len < RECORD_MAX - RECORD_HEADER - 16) {
        append_header(t, PERF_RECORD_HEADER_FEATURE, 0, 8 + data.len - data.len % 8 + 8);
        append_u64(t, feature);
        append_padded(t, text_span(&data), 8);
    }
    free(data.ptr);
}

/* Append the beginning of a pipe. Return NULL, or why the format cannot hold it. */
static const char *
begin_pipe(const struct datawrite_about *about, struct text *t)
{
    const struct eventset *set = about->events;
    text_add(t, SPAN("PERFILE2"));
    append_u64(t, PIPE_HEADER);
    for (size_t i = 0; i < set->count; i++)
        if (!put_attribute_record(t, set, &set->events[i]))
            return "an event has more counters than the format of a pipe can hold: write to a file";
    put_names(t, set);
    for (unsigned feature = HEADER_HOSTNAME; feature <= HEADER_CMDLINE; feature++)
        put_feature_record(t, feature, about);
    put_tracing_record(t, about->tracing);
    put_build_ids(t, PERF_RECORD_HEADER_BUILD_ID, about);
    return NULL;
}

/* Records */

static bool
fail(struct datawrite *w, const char *what)
{
    if (w->fault == NULL)
        w->fault = what;
    return false;
}

/* Write at the descriptor's position. */
static bool
write_all(struct datawrite *w, struct span s)
{
    if (w->fault == NULL && !pipe_write(w->fd, s))
        fail(w, strerror(errno));
    return w->fault == NULL;
}

static bool
flush(struct datawrite *w)
{
    bool ok = write_all(w, text_span(&w->buffer));
    w->at += w->buffer.len;
    w->buffer.len = 0;
    return ok;
}

bool
datawrite_open(struct datawrite *w, int fd, bool pipe, const struct datawrite_about *about)
{
    *w = (struct datawrite){.about = about, .fd = fd, .pipe = pipe, .first = UINT64_MAX};
    if (pipe)
        w->fault = begin_pipe(about, &w->buffer);
    else
        begin_file(w, &w->buffer);
    return flush(w);
}

bool
datawrite_record(struct datawrite *w, struct span record)
{
    if (w->buffer.len + record.len > BUFFER)
        flush(w);
    text_add(&w->buffer, record);
    if (load_u32(record.ptr) == PERF_RECORD_SAMPLE) {
        uint64_t time = record_time(w->about->events, record);
        w->first = time < w->first ? time : w->first;
        w->last = time > w->last ? time : w->last;
    }
    return w->fault == NULL;
}

bool
datawrite_round(struct datawrite *w)
{
    append_header(&w->buffer, PERF_RECORD_FINISHED_ROUND, 0, 0);
    return flush(w);
}

/* Write at an offset of the file. */
static void
write_at(struct datawrite *w, uint64_t offset, struct span s)
{
    if (w->fault == NULL && lseek(w->fd, (off_t)offset, SEEK_SET) < 0)
        fail(w, strerror(errno));
    write_all(w, s);
}

/* Return the offset of a feature. The sections in the table are in the order of the features'
 * bits. */
static uint64_t
feature_offset(const struct datawrite *w, unsigned feature)
{
    size_t at = 0;
    for (unsigned i = 0; i < feature; i++)
        at += (w->features >> i & 1) != 0 ? SECTION : 0;
    return load_u64(w->table.ptr + at);
}

/* Write the table of features again, after the data. Last of all, write the header that refers to
 * it. */
static void
complete(struct datawrite *w)
{
    char header[HEADER];
    uint64_t times[] = {w->first, w->last};
    put_header(w, w->at - w->start, header);
    write_all(w, text_span(&w->table));
    if (w->last > 0)
        write_at(w, feature_offset(w, HEADER_SAMPLE_TIME), span_of((char *)times, sizeof times));
    write_at(w, 0, span_of(header, sizeof header));
}

bool
datawrite_close(struct datawrite *w)
{
    datawrite_round(w); /* the data of a complete file are not empty */
    if (!w->pipe)
        complete(w);
    if (close(w->fd) != 0)
        fail(w, strerror(errno));
    free(w->buffer.ptr);
    free(w->table.ptr);
    w->buffer = w->table = (struct text){0};
    return w->fault == NULL;
}
