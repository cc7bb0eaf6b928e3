/* The profiles of pprof, which Go, pprof-rs, Parca and Pyroscope write: the message Profile of
 * https://github.com/google/pprof/blob/main/proto/profile.proto, in Protocol Buffers. They are
 * gzipped mostly, and come here unpacked. In text:
 *
 *     sample_type { type: 1 unit: 2 }        indexes of strings: "samples", "count"
 *     sample_type { type: 3 unit: 4 }        "cpu", "nanoseconds"
 *     sample { location_id: [1, 2] value: [3, 30000000] }        leaf first; a value for each type
 *     mapping { id: 1 filename: 7 }
 *     location { id: 1 mapping_id: 1 address: 4198400
 *                line { function_id: 1 line: 5 } line { function_id: 2 line: 9 } }
 *     location { id: 2 mapping_id: 1 address: 4198464 }          no symbol
 *     function { id: 1 name: 5 }
 *     function { id: 2 name: 6 }             function 1 was inlined into it
 *     string_table: ["", "samples", "count", "cpu", "nanoseconds", "main.hot", "main.run", "/app"]
 *
 * Fields may come in any order, so the profile is read whole. A stack is kept as the list of its
 * locations, since many may name a location of many lines. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/stackcollapse/build/protobuf.h"
#include "cmd/stackcollapse/build/reader.h"
#include "cmd/stackcollapse/build/parts.h"
#include "common/stack/dso.h"

/* Fields of message Profile. */
enum field {
    SAMPLE_TYPE = 1,
    SAMPLE = 2,
    MAPPING = 3,
    LOCATION = 4,
    FUNCTION = 5,
    STRING = 6,
    TIME = 9,
    PERIOD_TYPE = 11,
    COMMENT = 13,
    DEFAULT_TYPE = 14,
    LAST_FIELD = 15,
};

/* The stack of the reader is a sample's locations, or a location's frames, leaf first. Its `list`
 * has the number in the profile for each location's frames. */
struct file {
    struct reader base;
    struct span profile; /* all of it */
    /* By enum field: the messages, and the ids of mappings, locations and functions, as bytes. */
    VEC(struct span) tables[FUNCTION + 1];
    struct intern ids[FUNCTION + 1];
    VEC(struct span) strings;
    uint64_t default_type; /* a string's index; 0: none is given */
    bool has_time;
    bool joined;  /* several profiles follow each other, so indexes mean nothing */
    size_t type;  /* which value of the samples counts */
    int places;   /* by which it becomes microseconds, if it is a time */
    size_t zeros; /* samples of value 0 */
};

/* message ValueType { int64 type = 1; int64 unit = 2; }. No text has the byte 8 or 16. */
static bool
is_value_type(struct span message)
{
    struct protobuf p = {.rest = message};
    for (struct protobuf_field field; protobuf_next(&p, &field);)
        if (field.id > 2 || field.type != PROTOBUF_NUMBER)
            return false;
    return p.why == NULL;
}

/* Return true if this is a field of message Profile, of the type that it has there. */
static bool
is_field(const struct protobuf_field *field)
{
    bool bytes = field->id <= STRING || field->id == PERIOD_TYPE;
    if (field->id > LAST_FIELD)
        return false;
    if (field->id == COMMENT) /* of repeated numbers several may be one field */
        return field->type == PROTOBUF_NUMBER || field->type == PROTOBUF_BYTES;
    return field->type == (bytes ? PROTOBUF_BYTES : PROTOBUF_NUMBER);
}

/* Whatever comes before it, a type of samples, or a sample, is among the first fields. A type
 * without a name and a unit is empty. */
static bool
is_pprof(struct span head)
{
    struct protobuf p = {.rest = head};
    for (struct protobuf_field field; protobuf_next(&p, &field) && is_field(&field);) {
        if (field.id == SAMPLE_TYPE && field.bytes.len > 0)
            return is_value_type(field.bytes);
        if (field.id == SAMPLE)
            return field.bytes.len > 0 && protobuf_check(field.bytes) == NULL;
    }
    return false;
}

static void
use(struct file *f, const struct protobuf_field *field)
{
    if (field->id <= FUNCTION) {
        uint64_t id = protobuf_get(field->bytes, 1);
        uint32_t n;
        if (field->id < MAPPING || intern_put(&f->ids[field->id], SPAN_BYTES(id), &n))
            VEC_ADD(f->tables[field->id], field->bytes); /* of equal ids the first counts */
    } else if (field->id == STRING) {
        VEC_ADD(f->strings, field->bytes);
    } else if (field->id == TIME) {
        f->joined = f->has_time;
        f->has_time = true;
    } else if (field->id == DEFAULT_TYPE) {
        f->default_type = field->number;
    }
}

/* Read the fields of the profile. Return NULL, or what is wrong, with its offset in *at; then the
 * fields before it are read. */
static const char *
read_fields(struct file *f, size_t *at)
{
    struct protobuf p = {.rest = f->profile};
    *at = 0;
    for (struct protobuf_field field; !f->joined && protobuf_next(&p, &field);) {
        if (field.id <= LAST_FIELD && !is_field(&field)) { /* a later one may be new */
            p.why = "this is no field of a pprof profile";
            break;
        }
        use(f, &field);
        *at = (size_t)(p.rest.ptr - f->profile.ptr);
    }
    return f->joined ? "a second profile begins before this: fold each by itself" : p.why;
}

/* Return the mapping or function of this id; NULL if there is none. */
static const struct span *
find(const struct file *f, enum field table, uint64_t id)
{
    uint32_t i = intern_find(&f->ids[table], SPAN_BYTES(id));
    return i != INTERN_NONE ? &f->tables[table].at[i] : NULL;
}

/* Report what is wrong with an entry at this place of the profile. */
static void
warn(struct file *f, const char *at, const char *what)
{
    diag_warn(f->base.c->diag, "damaged entries", reader_file(&f->base), "at byte %zu: %s",
              (size_t)(at - f->profile.ptr), what);
}

/* Return the string whose index is in this field of a message; empty if there is none. */
static struct span
string_of(struct file *f, struct span message, uint32_t id)
{
    uint64_t index = protobuf_get(message, id);
    if (index < f->strings.n)
        return f->strings.at[index];
    warn(f, message.ptr, "a name that is not in the profile");
    return SPAN("");
}

/* Append the name of a line's function; false if it has none. */
static bool
push_function(struct file *f, struct span line)
{
    uint64_t id = protobuf_get(line, 1);
    const struct span *function = find(f, FUNCTION, id);
    if (function == NULL && id != 0)
        warn(f, line.ptr, "a function that is not in the profile");
    if (function == NULL)
        return false;
    struct span name = string_of(f, *function, 2);
    if (name.len == 0)
        name = string_of(f, *function, 3); /* as it is in the binary */
    if (name.len > 0)
        stackbuild_push(&f->base.stack, name);
    return name.len > 0;
}

/* Append "[libc.so.6]", the file that a location is in, or "[unknown]". */
static void
push_mapping(struct file *f, struct span location)
{
    const struct span *mapping = find(f, MAPPING, protobuf_get(location, 2));
    struct span path = mapping != NULL ? string_of(f, *mapping, 5) : SPAN("");
    struct span file = dso_base(path);
    bool bracketed = span_starts(file, SPAN("[")); /* "[vdso]" */
    if (!bracketed)
        file = reader_bracket(&f->base, file.len > 0 ? file : SPAN("unknown"));
    stackbuild_push(&f->base.stack, file);
}

/* Append the frames of a location: the lines of the calls that were inlined at it, leaf first. No
 * compiler inlines to a depth of INLINED_MOST. Without a limit a file of a megabyte could stand for
 * stacks of billions of frames. */
static void
push_lines(struct file *f, struct span location)
{
    enum { LINE = 4, INLINED_MOST = 256 };
    struct protobuf p = {.rest = location};
    for (struct protobuf_field field; protobuf_next(&p, &field);) {
        if (field.id != LINE || field.type != PROTOBUF_BYTES)
            continue;
        if (f->base.stack.n == INLINED_MOST) {
            warn(f, location.ptr, "a location of more than 256 functions: the outermost are cut");
            stackbuild_push(&f->base.stack, SPAN("[cut]"));
            return;
        }
        const char *why = protobuf_check(field.bytes);
        if (why != NULL)
            warn(f, field.bytes.ptr, why);
        if (!push_function(f, field.bytes))
            push_mapping(f, location);
    }
    if (p.why != NULL)
        warn(f, p.rest.ptr, p.why);
    if (f->base.stack.n == 0)
        push_mapping(f, location);
}

static void
name_locations(struct file *f)
{
    for (size_t i = 0; i < f->tables[LOCATION].n; i++) {
        push_lines(f, f->tables[LOCATION].at[i]);
        stackbuild_reverse(&f->base.stack, 0);
        VEC_ADD(f->base.list,
                profile_list(&f->base.c->profile, f->base.stack.frames, f->base.stack.n));
        stackbuild_clear(&f->base.stack);
    }
}

/* Read a sample's locations into the stack, leaf first, and the value that counts. Return NULL, or
 * what is wrong with it. */
static const char *
read_sample(struct file *f, struct span sample, uint64_t *value)
{
    enum { LOCATION_ID = 1, VALUE = 2 };
    struct protobuf p = {.rest = sample};
    uint64_t n, nvalues = 0;
    uint32_t location;
    for (struct protobuf_field field; protobuf_next(&p, &field);) {
        if (field.id != LOCATION_ID && field.id != VALUE)
            continue;
        for (struct span rest = field.bytes; rest.len > 0;) {
            const char *why = protobuf_number(&rest, &n);
            if (why != NULL)
                return why;
            if (field.id == VALUE)
                *value = nvalues++ == f->type ? n : *value;
            else if ((location = intern_find(&f->ids[LOCATION], SPAN_BYTES(n))) == INTERN_NONE)
                return "a location that is not in the profile";
            else
                stackbuild_push_name(&f->base.stack, f->base.list.at[location]);
        }
    }
    if (p.why != NULL)
        return p.why;
    if (nvalues <= f->type)
        return "fewer values than the profile has types";
    return *value > INT64_MAX ? "a value below 0" : NULL;
}

/* Add the stack of a sample to the profile. */
static void
add_sample(struct file *f, struct span sample)
{
    char text[128];
    uint64_t value = 0;
    struct profile *p = &f->base.c->profile;
    struct stackbuild *b = &f->base.stack;
    const char *why = read_sample(f, sample, &value);
    f->base.c->samples++;
    if (why != NULL) {
        snprintf(text, sizeof text, "the sample at byte %zu: %s",
                 (size_t)(sample.ptr - f->profile.ptr), why);
        reader_skip(&f->base, text);
    } else if (value == 0) {
        f->zeros++;
    } else if (b->n == 0) {
        f->base.c->without_frames++;
    } else {
        stackbuild_reverse(b, 0);
        uint32_t stack = profile_list(p, b->frames, b->n);
        stacktree_count(&p->tree, stacktree_child(&p->tree, STACKTREE_ROOT, stack),
                        decimal_shift((struct decimal){value, 0}, f->places));
    }
    stackbuild_clear(b);
}

/* Return the name of the i-th type of values. */
static struct span
type_name(struct file *f, size_t i)
{
    return string_of(f, f->tables[SAMPLE_TYPE].at[i], 1);
}

/* List the types for a message: "samples, cpu". Valid until the next call. */
static struct span
list_types(struct file *f)
{
    f->base.name.len = 0;
    for (size_t i = 0; i < f->tables[SAMPLE_TYPE].n; i++)
        TEXT_ADD(&f->base.name, i > 0 ? SPAN(", ") : SPAN(""), type_name(f, i));
    return text_span(&f->base.name);
}

/* Choose which value of the samples counts: the one that --event names, or the profile's default,
 * or else its last type, as pprof does. Return false, after an error, if none is to be had. */
static bool
choose_type(struct file *f)
{
    const struct collapse *c = f->base.c;
    struct eventlist *events = c->options->event_list;
    size_t ntypes = f->tables[SAMPLE_TYPE].n, found = 0;
    if (ntypes == 0 && f->tables[SAMPLE].n > 0)
        diag_error(c->diag, reader_file(&f->base), "the profile does not say what its values are");
    if (ntypes == 0)
        return false;
    f->type = ntypes - 1;
    for (size_t i = 0; i < ntypes; i++)
        if (events != NULL ? eventlist_matches(events, type_name(f, i))
                           : f->default_type != 0 &&
                                 protobuf_get(f->tables[SAMPLE_TYPE].at[i], 1) == f->default_type) {
            f->type = i;
            found++;
        }
    struct span all = events != NULL ? list_types(f) : SPAN("");
    if (events != NULL && found != 1) {
        diag_error(c->diag, reader_file(&f->base),
                   "--event names %s of its types of values, which are: %.*s",
                   found == 0 ? "none" : "several", SPAN_ARG(all));
        return false;
    }
    bool time = parts_time_unit(string_of(f, f->tables[SAMPLE_TYPE].at[f->type], 2), &f->places);
    all = list_types(f);
    struct span name = type_name(f, f->type);
    if (c->options->verbose)
        diag_note(c->diag, "%s: counts %.*s%s, of: %.*s", c->input.name, SPAN_ARG(name),
                  time ? " in microseconds" : "", SPAN_ARG(all));
    return true;
}

static void
add_samples(struct file *f)
{
    size_t nsamples = f->tables[SAMPLE].n;
    if (!choose_type(f))
        return;
    name_locations(f);
    for (size_t i = 0; i < nsamples; i++)
        add_sample(f, f->tables[SAMPLE].at[i]);
    struct span all = list_types(f), name = type_name(f, f->type);
    if (f->zeros > 0 && f->zeros == nsamples)
        diag_note(f->base.c->diag, "%s: %.*s is 0 in all samples; --event takes one of: %.*s",
                  f->base.c->input.name, SPAN_ARG(name), SPAN_ARG(all));
}

static void
fold(struct reader *r)
{
    struct file *f = (struct file *)r;
    size_t at;
    f->profile = lines_ahead(&r->c->input.lines, SIZE_MAX);
    const char *why = read_fields(f, &at);
    if (why != NULL)
        diag_error(r->c->diag, reader_file(r), "at byte %zu: %s", at, why);
    if (!f->joined && (why == NULL || f->tables[SAMPLE].n > 0))
        add_samples(f);
}

static void
end(struct reader *r)
{
    struct file *f = (struct file *)r;
    for (int i = 0; i <= FUNCTION; i++) {
        free(f->tables[i].at);
        intern_free(&f->ids[i]);
    }
    free(f->strings.at);
}

const struct format format_pprof = {.is_binary = is_pprof,
                                    .fold = fold,
                                    .per_file = true,
                                    .state_size = sizeof(struct file),
                                    .end = end};
