/* A file begins with header, ids, attributes, table of features, features: section.c has the layout
 * of each. A pipe begins with a short header and records. */
#include "common/event/datastart.h"

#include <stdlib.h>

#include "common/event/added.h"
#include "common/event/append.h"
#include "common/event/feature.h"
#include "common/event/featurewrite.h"

enum { PIPE_HEADER = 16, SECTION = 16 };

/* "PERFILE2", u64 104, u64 size of an attribute, the sections of the attributes and of the data, an
 * unused one, bits of features. */
void
datastart_header(const struct datawrite *w, uint64_t size, char header[static DATASTART_HEADER])
{
    enum { ATTRS = ATTR_SIZE + SECTION };
    memset(header, 0, DATASTART_HEADER);
    memcpy(header, "PERFILE2", 8);
    store_u64(header + 8, DATASTART_HEADER);
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

/* The ids of all events, then the attributes, each with the section of its ids. */
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

/* Appends a table of sections, one for each feature, then the features. */
static void
put_features(struct datawrite *w, struct text *t)
{
    struct text data = {0}, *table = &w->table;
    for (unsigned feature = 1; feature < 64; feature++) {
        size_t before = data.len;
        if (!feature_put(&data, feature, w->about)) {
            data.len = before;
            continue;
        }
        w->features |= (uint64_t)1 << feature;
        append_u64(table, before);
        append_u64(table, data.len - before);
    }
    for (size_t i = 0; i < table->len; i += SECTION)
        store_u64(table->ptr + i, load_u64(table->ptr + i) + t->len + table->len);
    text_add(t, text_span(table));
    text_add(t, text_span(&data));
    free(data.ptr);
}

void
datastart_file(struct datawrite *w, struct text *t)
{
    char header[DATASTART_HEADER] = {0};
    text_add(t, span_of(header, sizeof header)); /* so that t->len is the offset in the file */
    put_attributes(w, t);
    uint64_t table = t->len;
    put_features(w, t);
    w->start = t->len;
    datastart_header(w, 0, t->ptr);
    /* Here section.c looks for the table as long as the size of the data is 0. */
    store_u64(t->ptr + 56, table);
    store_u64(t->ptr + 64, w->table.len);
}

/* header, u64 kind, u64 id, name */
static void
put_name(struct text *t, const struct event *e, uint64_t id)
{
    append_header(t, ADDED_EVENT_UPDATE, 0, 16 + e->name.len - e->name.len % 8 + 8);
    append_u64(t, UPDATE_NAME);
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

/* header, attributes, u64 ids[] */
static bool
put_attribute_record(struct text *t, const struct eventset *set, const struct event *e)
{
    size_t nids;
    uint64_t *ids = eventset_ids(set, e, &nids);
    bool fits = nids <= DATAWRITE_PIPE_IDS;
    if (fits) {
        append_header(t, ADDED_ATTR, 0, ATTR_SIZE + nids * sizeof *ids);
        put_attribute(t, e);
        text_add(t, span_of((const char *)ids, nids * sizeof *ids));
    }
    free(ids);
    return fits;
}

/* header, u32 size; the data follow the record, with zeros up to a multiple of 8 bytes */
static void
put_tracing_record(struct text *t, struct span tracing)
{
    static const char zeros[8];
    if (tracing.len == 0)
        return;
    append_header(t, ADDED_TRACING_DATA, 0, 4);
    append_u32(t, (uint32_t)((tracing.len + 7) / 8 * 8));
    text_add(t, tracing);
    text_add(t, span_of(zeros, (8 - tracing.len % 8) % 8));
}

/* header, u64 feature, its data padded to 8 bytes. A feature that is larger than a record can be,
 * as a command line may be, is left out. */
static void
put_feature_record(struct text *t, unsigned feature, const struct datawrite_about *about)
{
    struct text data = {0};
    if (feature_put(&data, feature, about) && data.len < RECORD_MAX - RECORD_HEADER - 16) {
        append_header(t, ADDED_FEATURE, 0, 8 + data.len - data.len % 8 + 8);
        append_u64(t, feature);
        append_padded(t, text_span(&data), 8);
    }
    free(data.ptr);
}

const char *
datastart_pipe(const struct datawrite_about *about, struct text *t)
{
    const struct eventset *set = about->events;
    text_add(t, SPAN("PERFILE2"));
    append_u64(t, PIPE_HEADER);
    for (size_t i = 0; i < set->count; i++)
        if (!put_attribute_record(t, set, &set->events[i]))
            return "an event has more counters than the format of a pipe can hold: write to a file";
    put_names(t, set);
    for (unsigned feature = FEATURE_HOSTNAME; feature <= FEATURE_CMDLINE; feature++)
        put_feature_record(t, feature, about);
    put_tracing_record(t, about->tracing);
    feature_put_build_ids(t, ADDED_BUILD_ID, about);
    return NULL;
}
