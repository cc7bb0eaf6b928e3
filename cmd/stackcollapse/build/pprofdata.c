#include "cmd/stackcollapse/build/pprofdata.h"

#include <stdlib.h>

#include "common/base/mem.h"

/* message ValueType { int64 type = 1; int64 unit = 2; }. No text has the byte 8 or 16. */
static bool
is_value_type(struct span message)
{
    struct protobuf p = protobuf_start(message);
    for (struct protobuf_field field; protobuf_next(&p, &field);)
        if (field.id > 2 || field.type != PROTOBUF_NUMBER)
            return false;
    return p.why == NULL;
}

enum { PERIOD_TYPE = 11, COMMENT = 13, LAST_FIELD = 15 };

/* Whether this is a field of message Profile, of the type that it has there. */
static bool
is_field(const struct protobuf_field *field)
{
    bool bytes = field->id <= PPROF_STRING || field->id == PERIOD_TYPE;
    if (field->id > LAST_FIELD)
        return false;
    if (field->id == COMMENT) /* of repeated numbers several may be one field */
        return field->type == PROTOBUF_NUMBER || field->type == PROTOBUF_BYTES;
    return field->type == (bytes ? PROTOBUF_BYTES : PROTOBUF_NUMBER);
}

/* Whatever comes before it, a type of samples, or a sample, is among the first fields. A type
 * without a name and a unit is empty. */
bool
pprofdata_is(struct span head)
{
    struct protobuf p = protobuf_start(head);
    for (struct protobuf_field field; protobuf_next(&p, &field) && is_field(&field);) {
        if (field.id == PPROF_SAMPLE_TYPE && field.bytes.len > 0)
            return is_value_type(field.bytes);
        if (field.id == PPROF_SAMPLE)
            return field.bytes.len > 0 && protobuf_check(field.bytes) == NULL;
    }
    return false;
}

static void
add_entry(struct pprof_table *t, struct span message)
{
    t->entries = mem_grow(t->entries, &t->cap, t->count + 1, sizeof *t->entries);
    t->entries[t->count++] = (struct pprof_entry){protobuf_get(message, 1), message};
}

static void
add_string(struct pprofdata *d, struct span string)
{
    d->strings = mem_grow(d->strings, &d->strings_cap, d->nstrings + 1, sizeof *d->strings);
    d->strings[d->nstrings++] = string;
}

static void
use(struct pprofdata *d, const struct protobuf_field *field)
{
    if (field->id <= PPROF_FUNCTION) {
        add_entry(&d->tables[field->id], field->bytes);
    } else if (field->id == PPROF_STRING) {
        add_string(d, field->bytes);
    } else if (field->id == PPROF_TIME) {
        d->joined = d->has_time;
        d->has_time = true;
    } else if (field->id == PPROF_DEFAULT_TYPE) {
        d->default_type = field->number;
    }
}

static int
by_id(const void *left, const void *right)
{
    const struct pprof_entry *a = left, *b = right;
    return a->id != b->id ? (a->id > b->id) - (a->id < b->id)
                          : (a->message.ptr > b->message.ptr) - (a->message.ptr < b->message.ptr);
}

const char *
pprofdata_read(struct pprofdata *d, struct span profile, size_t *at)
{
    struct protobuf p = protobuf_start(profile);
    *at = 0;
    for (struct protobuf_field field; !d->joined && protobuf_next(&p, &field);) {
        if (field.id <= LAST_FIELD && !is_field(&field)) { /* a later one may be new */
            p.why = "this is no field of a pprof profile";
            break;
        }
        use(d, &field);
        *at = (size_t)(p.rest.ptr - profile.ptr);
    }
    for (int i = PPROF_MAPPING; i <= PPROF_FUNCTION; i++)
        if (d->tables[i].count > 0)
            qsort(d->tables[i].entries, d->tables[i].count, sizeof *d->tables[i].entries, by_id);
    return d->joined ? "a second profile begins before this: fold each by itself" : p.why;
}

const struct pprof_entry *
pprofdata_find(const struct pprof_table *t, uint64_t id)
{
    size_t low = 0, high = t->count;
    if (id - 1 < t->count && t->entries[id - 1].id == id) /* most writers count from 1 */
        return &t->entries[id - 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->entries[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->count && t->entries[low].id == id ? &t->entries[low] : NULL;
}

void
pprofdata_free(struct pprofdata *d)
{
    for (int i = 0; i <= PPROF_FUNCTION; i++)
        free(d->tables[i].entries);
    free(d->strings);
    *d = (struct pprofdata){0};
}
