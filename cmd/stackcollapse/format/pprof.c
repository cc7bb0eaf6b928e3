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
 *     drop_frames: 8                         a regular expression: see prune()
 *     string_table: ["", "samples", "count", "cpu", "nanoseconds", "main.hot", "main.run", "/app",
 *                    "malloc|free"]
 *
 * Fields may come in any order, so the profile is read whole. A stack is kept as the list of its
 * locations, since many may name a location of many lines. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/stackcollapse/shared/parts.h"
#include "cmd/stackcollapse/shared/protobuf.h"
#include "cmd/stackcollapse/shared/re2.h"
#include "cmd/stackcollapse/shared/stacker.h"
#include "common/stack/frames/dso.h"

/* Fields of message Profile. */
enum field {
    SAMPLE_TYPE = 1,
    SAMPLE = 2,
    MAPPING = 3,
    LOCATION = 4,
    FUNCTION = 5,
    STRING = 6,
    DROP_FRAMES = 7,
    KEEP_FRAMES = 8,
    TIME = 9,
    PERIOD_TYPE = 11,
    COMMENT = 13,
    DEFAULT_TYPE = 14,
    LAST_FIELD = 15,
};

/* What drop_frames removes at a location. */
enum pruning {
    PRUNE_NOTHING,
    PRUNE_CALLEES, /* its callees, and those of its inlined calls that match */
    PRUNE_IT,      /* also the location itself */
};

/* Bits that describe the values of one type. */
enum { NOT_ZERO = 1, BELOW_ZERO = 2 };

struct pprof {
    struct stacker base; /* its stack: a sample's locations, or a location's frames; leaf first */
    struct u32vec lists; /* for each location: number of its frames in the profile */
    struct span profile; /* the whole profile */
    /* Indexed by enum field: the messages, and the ids of mappings, locations and functions as
     * bytes. */
    VEC(struct span) tables[FUNCTION + 1];
    struct intern ids[FUNCTION + 1];
    VEC(struct span) strings;
    uint64_t default_type; /* index of a string; 0: not given */
    uint64_t drop, keep;   /* the same for drop_frames and keep_frames */
    VEC(bool) dropped;     /* for each function: its name matches drop_frames; may be empty */
    VEC(char) pruning;     /* for each location: an enum pruning */
    VEC(char) values;      /* for each type: NOT_ZERO, BELOW_ZERO */
    bool has_time;
    bool joined;     /* several profiles are concatenated, so indexes are ambiguous */
    size_t type;     /* which value of the samples counts */
    int places;      /* power of ten that makes a time microseconds */
    bool difference; /* some values are negative */
    size_t zeros;    /* number of samples with value 0 */
};

/* Return true for message ValueType { int64 type = 1; int64 unit = 2; }. No text contains the byte
 * 8 or 16. */
static bool
is_value_type(struct span message)
{
    struct protobuf p = {.rest = message};
    for (struct protobuf_field field; protobuf_next(&p, &field);)
        if (field.id > 2 || field.type != PROTOBUF_NUMBER)
            return false;
    return p.why == NULL;
}

/* Return true if the field belongs to message Profile, and has its type there. */
static bool
is_field(const struct protobuf_field *field)
{
    bool bytes = field->id <= STRING || field->id == PERIOD_TYPE;
    if (field->id > LAST_FIELD)
        return false;
    if (field->id == COMMENT) /* a field may have several of these numbers */
        return field->type == PROTOBUF_NUMBER || field->type == PROTOBUF_BYTES;
    return field->type == (bytes ? PROTOBUF_BYTES : PROTOBUF_NUMBER);
}

/* A type or a sample is among the first fields, whatever comes before it. A type without name and
 * unit is empty. */
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
use(struct pprof *f, const struct protobuf_field *field)
{
    if (field->id <= FUNCTION) {
        uint64_t id = protobuf_get(field->bytes, 1);
        uint32_t n;
        if (field->id < MAPPING || intern_put(&f->ids[field->id], SPAN_BYTES(id), &n))
            VEC_ADD(f->tables[field->id], field->bytes); /* of equal ids the first one counts */
    } else if (field->id == STRING) {
        VEC_ADD(f->strings, field->bytes);
    } else if (field->id == TIME) {
        f->joined = f->has_time;
        f->has_time = true;
    } else if (field->id == DEFAULT_TYPE) {
        f->default_type = field->number;
    } else if (field->id == DROP_FRAMES) {
        f->drop = field->number;
    } else if (field->id == KEEP_FRAMES) {
        f->keep = field->number;
    }
}

/* Read the fields of the profile. Return NULL, or what is wrong, with its offset in *at; fields
 * before it are read in both cases. */
static const char *
read_fields(struct pprof *f, size_t *at)
{
    struct protobuf p = {.rest = f->profile};
    *at = 0;
    for (struct protobuf_field field; !f->joined && protobuf_next(&p, &field);) {
        if (field.id <= LAST_FIELD && !is_field(&field)) { /* unknown fields may be new */
            p.why = "this is no field of a pprof profile";
            break;
        }
        use(f, &field);
        *at = (size_t)(p.rest.ptr - f->profile.ptr);
    }
    return f->joined ? "a second profile begins before this: fold each by itself" : p.why;
}

/* Return the mapping or function with this id; NULL if there is none. */
static const struct span *
find(const struct pprof *f, enum field table, uint64_t id)
{
    uint32_t i = intern_find(&f->ids[table], SPAN_BYTES(id));
    return i != INTERN_NONE ? &f->tables[table].at[i] : NULL;
}

/* Warn about an entry at this place of the profile. */
static void
warn(struct pprof *f, const char *at, const char *what)
{
    diag_warn(f->base.c->diag, "damaged entries", stacker_file(&f->base), "at byte %zu: %s",
              (size_t)(at - f->profile.ptr), what);
}

/* Return the string whose index is in a field of a message; empty if there is none. */
static struct span
string_of(struct pprof *f, struct span message, uint32_t id)
{
    uint64_t index = protobuf_get(message, id);
    if (index < f->strings.n)
        return f->strings.at[index];
    warn(f, message.ptr, "a name that is not in the profile");
    return SPAN("");
}

/* Return the part of a function's name to match with drop_frames: without the dot of PowerPC
 * symbols, and without arguments. */
static struct span
simple_name(struct span name)
{
    static const struct span kept[] = {SPAN("(anonymous namespace)"), SPAN("operator()")};
    span_skip(&name, SPAN("."));
    for (size_t i = 0; i < name.len; i++) {
        struct span rest = span_from(name, i);
        if (span_starts(rest, kept[0]) || span_starts(rest, kept[1]))
            i += (span_starts(rest, kept[0]) ? kept[0] : kept[1]).len - 1;
        else if (rest.ptr[0] == '(')
            return span_head(name, i);
    }
    return name;
}

/* Compile the regular expression in the string with this index. Return NULL, or why it cannot be
 * used. */
static const char *
compile(const struct pprof *f, uint64_t index, struct re2 *re)
{
    return re2_compile(re, index < f->strings.n ? f->strings.at[index] : SPAN(""));
}

/* Find the functions whose names match drop_frames, but not keep_frames. */
static void
find_dropped(struct pprof *f)
{
    struct re2 drop = {0}, keep = {0};
    if (f->drop == 0)
        return;
    const char *why = compile(f, f->drop, &drop);
    if (why == NULL)
        why = compile(f, f->keep, &keep);
    for (size_t i = 0; why == NULL && i < f->tables[FUNCTION].n; i++) {
        struct span name = string_of(f, f->tables[FUNCTION].at[i], 2), simple = simple_name(name);
        VEC_ADD(f->dropped, name.len > 0 && re2_matches(&drop, simple) &&
                                !(f->keep != 0 && re2_matches(&keep, simple)));
        if (re2_is_exhausted(&drop) || re2_is_exhausted(&keep))
            why = "it takes too long";
    }
    if (why != NULL) {
        f->dropped.n = 0;
        diag_warn(f->base.c->diag, NULL, stacker_file(&f->base),
                  "the frames of the profile's drop_frames are shown: %s", why);
    }
    re2_free(&drop);
    re2_free(&keep);
}

/* Append the name of a line's function. Return false if it has none. Set *dropped to whether
 * drop_frames matches it. */
static bool
push_function(struct pprof *f, struct span line, bool *dropped)
{
    uint64_t id = protobuf_get(line, 1);
    const struct span *function = find(f, FUNCTION, id);
    if (function == NULL && id != 0)
        warn(f, line.ptr, "a function that is not in the profile");
    if (function == NULL)
        return false;
    struct span name = string_of(f, *function, 2);
    if (name.len == 0)
        name = string_of(f, *function, 3); /* as in the binary */
    if (name.len > 0)
        stacker_push(&f->base, name);
    *dropped = f->dropped.n > 0 && f->dropped.at[function - f->tables[FUNCTION].at];
    return name.len > 0;
}

/* Append the file of a location, "[libc.so.6]", or "[unknown]". */
static void
push_mapping(struct pprof *f, struct span location)
{
    const struct span *mapping = find(f, MAPPING, protobuf_get(location, 2));
    struct span path = mapping != NULL ? string_of(f, *mapping, 5) : SPAN("");
    struct span file = dso_base(path);
    bool bracketed = span_starts(file, SPAN("[")); /* "[vdso]" */
    if (!bracketed)
        file = stacker_bracket(&f->base, file.len > 0 ? file : SPAN("unknown"));
    stacker_push(&f->base, file);
}

/* Append the frames of a location: the lines of the calls inlined there, leaf first. Return their
 * number up to the outermost one that drop_frames matches; 0 if it matches none. No compiler
 * inlines to a depth of INLINED_MAX. Without that limit, a file of a megabyte could contain stacks
 * of billions of frames. */
static size_t
push_lines(struct pprof *f, struct span location)
{
    enum { LINE = 4, INLINED_MAX = 256 };
    struct protobuf p = {.rest = location};
    size_t drops = 0;
    for (struct protobuf_field field; protobuf_next(&p, &field);) {
        if (field.id != LINE || field.type != PROTOBUF_BYTES)
            continue;
        if (f->base.n == INLINED_MAX) {
            warn(f, location.ptr, "a location of more than 256 functions: the outermost are cut");
            stacker_push(&f->base, SPAN("[cut]"));
            return drops;
        }
        bool dropped = false;
        const char *why = protobuf_check(field.bytes);
        if (why != NULL)
            warn(f, field.bytes.ptr, why);
        if (!push_function(f, field.bytes, &dropped))
            push_mapping(f, location);
        drops = dropped ? f->base.n : drops;
    }
    if (p.why != NULL)
        warn(f, p.rest.ptr, p.why);
    if (f->base.n == 0)
        push_mapping(f, location);
    return drops;
}

static void
name_locations(struct pprof *f)
{
    struct stacker *b = &f->base;
    for (size_t i = 0; i < f->tables[LOCATION].n; i++) {
        size_t drops = push_lines(f, f->tables[LOCATION].at[i]);
        char pruning = drops == 0 ? PRUNE_NOTHING : drops < b->n ? PRUNE_CALLEES : PRUNE_IT;
        stacker_reverse(b, 0);
        b->n -= pruning == PRUNE_CALLEES ? drops : 0;
        VEC_ADD(f->lists, profile_list(&f->base.c->profile, b->frames, b->n));
        VEC_ADD(f->pruning, pruning);
        b->n = 0;
    }
}

/* Remove what drop_frames hides from a sample's locations, as pprof's Profile.Prune does: the
 * function nearest the root that it matches, and its callees. Keep matching functions at the root
 * itself, so that something is left. */
static void
prune(struct pprof *f)
{
    struct stacker *b = &f->base;
    size_t i = b->n;
    while (i > 0 && f->pruning.at[b->frames[i - 1]] != PRUNE_NOTHING)
        i--;
    while (i > 0 && f->pruning.at[b->frames[i - 1]] == PRUNE_NOTHING)
        i--;
    size_t removed = i > 0 && f->pruning.at[b->frames[i - 1]] == PRUNE_CALLEES ? i - 1 : i;
    b->n -= removed;
    memmove(b->frames, b->frames + removed, b->n * sizeof *b->frames);
}

enum { LOCATION_ID = 1, VALUE = 2 }; /* fields of message Sample */

/* Remember which types have values other than 0, and negative ones. */
static void
scan_values(struct pprof *f, struct span sample)
{
    struct protobuf p = {.rest = sample};
    size_t type = 0;
    uint64_t n;
    for (struct protobuf_field field; protobuf_next(&p, &field);)
        for (struct span rest = field.bytes; field.id == VALUE && rest.len > 0; type++) {
            if (protobuf_number(&rest, &n) != NULL || type >= f->values.n)
                return;
            f->values.at[type] |=
                (char)((n != 0 ? NOT_ZERO : 0) | (n > INT64_MAX ? BELOW_ZERO : 0));
        }
}

/* Read a sample: its locations, as indexes, into the stack, leaf first, and the value that counts.
 * Return NULL, or what is wrong. */
static const char *
read_sample(struct pprof *f, struct span sample, uint64_t *value)
{
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
                stacker_push_name(&f->base, location);
        }
    }
    if (p.why != NULL)
        return p.why;
    if (nvalues <= f->type)
        return "fewer values than the profile has types";
    return NULL;
}

/* Add the sample just read, whose locations are the stack. In a difference of two profiles, a
 * negative value is that of the first one, and a positive value that of the second. */
static void
count_sample(struct pprof *f, uint64_t value)
{
    struct profile *p = &f->base.c->profile;
    struct stacker *b = &f->base;
    bool below = value > INT64_MAX;
    struct decimal none = {0, 0},
                   count = decimal_shift((struct decimal){below ? -value : value, 0}, f->places);
    prune(f);
    for (size_t i = 0; i < b->n; i++)
        b->frames[i] = f->lists.at[b->frames[i]];
    stacker_reverse(b, 0);
    uint32_t stack = stacktree_child(&p->tree, STACKTREE_ROOT, profile_list(p, b->frames, b->n));
    if (f->difference)
        profile_count_two(p, stack, below ? count : none, below ? none : count);
    else
        stacktree_count(&p->tree, stack, count);
}

/* Add the stack of a sample to the profile. */
static void
add_sample(struct pprof *f, struct span sample)
{
    char text[128];
    uint64_t value = 0;
    const char *why = read_sample(f, sample, &value);
    f->base.c->samples++;
    if (why != NULL) {
        snprintf(text, sizeof text, "the sample at byte %zu: %s",
                 (size_t)(sample.ptr - f->profile.ptr), why);
        stacker_skip(&f->base, text);
    } else if (value == 0) {
        f->zeros++;
    } else if (f->base.n == 0) {
        f->base.c->without_frames++;
    } else {
        count_sample(f, value);
    }
    f->base.n = 0;
}

/* Return the name of the i-th type of values. */
static struct span
type_name(struct pprof *f, size_t i)
{
    return string_of(f, f->tables[SAMPLE_TYPE].at[i], 1);
}

/* Return a list of the types for a message: "samples, cpu". It is valid until the next call. */
static struct span
list_types(struct pprof *f)
{
    f->base.name.len = 0;
    for (size_t i = 0; i < f->tables[SAMPLE_TYPE].n; i++)
        TEXT_ADD(&f->base.name, i > 0 ? SPAN(", ") : SPAN(""), type_name(f, i));
    return text_span(&f->base.name);
}

/* If the chosen type has no values, choose the last one that has. Converters from other formats
 * write types that they never fill. */
static void
choose_filled_type(struct pprof *f)
{
    size_t last = f->values.n;
    while (last > 0 && !(f->values.at[last - 1] & NOT_ZERO))
        last--;
    if (last == 0 || f->values.at[f->type] & NOT_ZERO)
        return;
    struct span all = list_types(f), empty = type_name(f, f->type);
    f->type = last - 1;
    struct span name = type_name(f, f->type);
    diag_note(f->base.c->diag,
              "%s: %.*s is 0 in all samples: %.*s counts; --event takes one of: %.*s",
              f->base.c->input.name, SPAN_ARG(empty), SPAN_ARG(name), SPAN_ARG(all));
}

/* Choose the value of the samples that counts: the one that --event names, else the profile's
 * default, else its last type that has values; pprof takes the last one. Return false, after an
 * error, if there is none. */
static bool
choose_type(struct pprof *f)
{
    const struct collapse *c = f->base.c;
    struct eventlist *events = c->options->event_list;
    size_t ntypes = f->tables[SAMPLE_TYPE].n, found = 0;
    if (ntypes == 0 && f->tables[SAMPLE].n > 0)
        diag_error(c->diag, stacker_file(&f->base), "the profile does not say what its values are");
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
        diag_error(c->diag, stacker_file(&f->base),
                   "--event names %s of its types of values, which are: %.*s",
                   found == 0 ? "none" : "several", SPAN_ARG(all));
        return false;
    }
    if (events == NULL && found == 0)
        choose_filled_type(f);
    bool time = parts_time_unit(string_of(f, f->tables[SAMPLE_TYPE].at[f->type], 2), &f->places);
    all = list_types(f);
    struct span name = type_name(f, f->type);
    if (c->options->verbose)
        diag_note(c->diag, "%s: counts %.*s%s, of: %.*s", c->input.name, SPAN_ARG(name),
                  time ? " in microseconds" : "", SPAN_ARG(all));
    return true;
}

static void
add_samples(struct pprof *f)
{
    size_t nsamples = f->tables[SAMPLE].n;
    VEC_REACH(f->values, f->tables[SAMPLE_TYPE].n);
    for (size_t i = 0; i < nsamples; i++)
        scan_values(f, f->tables[SAMPLE].at[i]);
    if (!choose_type(f))
        return;
    f->difference = f->values.at[f->type] & BELOW_ZERO;
    find_dropped(f);
    name_locations(f);
    for (size_t i = 0; i < nsamples; i++)
        add_sample(f, f->tables[SAMPLE].at[i]);
    struct span all = list_types(f), name = type_name(f, f->type);
    if (f->difference)
        diag_note(f->base.c->diag,
                  "%s: a difference of two profiles: each stack's first count is how much less the "
                  "second has, and its second count how much more",
                  f->base.c->input.name);
    if (f->zeros > 0 && f->zeros == nsamples)
        diag_note(f->base.c->diag, "%s: %.*s is 0 in all samples; --event takes one of: %.*s",
                  f->base.c->input.name, SPAN_ARG(name), SPAN_ARG(all));
}

static void
fold(struct stacker *r)
{
    struct pprof *f = (struct pprof *)r;
    size_t at;
    f->profile = lines_ahead(&r->c->input.lines, SIZE_MAX);
    const char *why = read_fields(f, &at);
    if (why != NULL)
        diag_error(r->c->diag, stacker_file(r), "at byte %zu: %s", at, why);
    if (!f->joined && (why == NULL || f->tables[SAMPLE].n > 0))
        add_samples(f);
}

static void
end(struct stacker *r)
{
    struct pprof *f = (struct pprof *)r;
    for (int i = 0; i <= FUNCTION; i++) {
        free(f->tables[i].at);
        intern_free(&f->ids[i]);
    }
}

const struct format format_pprof = {
    .is_binary = is_pprof,
    .fold = fold,
    .per_file = true,
    .state_size = sizeof(struct pprof),
    .end = end,
    .buffers = MEMBERS(struct pprof, lists, strings, dropped, pruning, values)};
