/* Profiles of pprof: the message Profile of
 * https://github.com/google/pprof/blob/main/proto/profile.proto, in Protocol Buffers, gzipped. In
 * text:
 *
 *     sample_type { type: 1 unit: 2 }                  indexes of strings: "samples", "count"
 *     mapping { id: 1 filename: 5 has_functions: 1 }
 *     function { id: 1 name: 3 } function { id: 2 name: 4 }
 *     location { id: 1 mapping_id: 1 line { function_id: 1 } line { function_id: 2 line: 9 } }
 *     sample { location_id: 1 value: 7 label { key: 6 str: 7 } }      leaf first
 *     string_table: ["", "samples", "count", "inlined", "caller", "/bin/app", "thread", "a-42/42"]
 *
 * Fields may come in any order. So what a sample needs is written before it, and memory only holds
 * the names and the samples that are being added up. */
#include <stdlib.h>

#include "cmd/stackexport/formats.h"
#include "cmd/stackexport/protobuf.h"
#include "common/base/deflate.h"
#include "common/base/num.h"
#include "common/stack/model/slice.h"

/* Fields of message Profile, and of messages within it. */
enum {
    SAMPLE_TYPE = 1,
    SAMPLE = 2,
    MAPPING = 3,
    LOCATION = 4,
    FUNCTION = 5,
    STRING = 6,
    TIME_NANOS = 9,
    DURATION_NANOS = 10,
    PERIOD_TYPE = 11,
    PERIOD = 12,
    DEFAULT_TYPE = 14,
};
enum { TYPE_TYPE = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_STR = 2 };
enum { MAPPING_ID = 1, MAPPING_FILENAME = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE = 2 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILENAME = 4 };

enum {
    INLINED_MAX = 256,     /* maximum lines of a location: no compiler inlines deeper */
    SAMPLES_MAX = 16 << 20 /* bytes of the samples being added up */
};

/* Sums of the samples with one key. */
struct sums {
    struct decimal count;
    uint64_t samples, periods;
};

/* The start of a sample's key. The numbers of its frames follow, root first. */
struct key {
    uint32_t thread, sliced, low, high; /* low, high: milliseconds of the slice */
};

struct pprof {
    struct deflate *deflate;
    struct text packed; /* output that is not written yet */
    bool started;       /* the types of values are written */
    /* An id is the number in the table + 1; for strings, the number itself is the index. */
    struct intern strings, mappings, functions, locations;
    struct intern samples; /* keys of samples */
    VEC(struct sums) sums;
    struct text key, message, part, line, values;
    struct decimal carry; /* fraction of counts to be carried over to the next value */
    bool rounded, full;
    bool timed;
    uint64_t first, last; /* times of samples */
    bool dated;           /* the time of day of `first` is known: */
    uint64_t date;
    uint64_t period; /* of the first sample */
};

/* Write a field of the profile, usually composed in f->message. */
static void
put(struct export *e, uint32_t field, struct span bytes)
{
    struct pprof *f = e->state;
    struct text head = {0};
    enum { BYTES = 2 };
    protobuf_put(&head, (uint64_t)field << 3 | BYTES);
    protobuf_put(&head, bytes.len);
    deflate_add(f->deflate, text_span(&head));
    deflate_add(f->deflate, bytes);
    free(head.ptr);
    out_span(e->out, text_span(&f->packed));
    f->packed.len = 0;
}

/* Return the index of a string. */
static uint32_t
string(struct export *e, struct span text)
{
    uint32_t index;
    if (intern_put(&((struct pprof *)e->state)->strings, text, &index))
        put(e, STRING, text);
    return index;
}

static const char *const unit_names[] = {
    [UNIT_SAMPLES] = "count",
    [UNIT_NANOSECONDS] = "nanoseconds",
    [UNIT_MICROSECONDS] = "microseconds",
    [UNIT_MILLISECONDS] = "milliseconds",
    [UNIT_SECONDS] = "seconds",
    [UNIT_BYTES] = "bytes",
    [UNIT_EVENTS] = "count",
};

static void
put_type(struct export *e, uint32_t field, struct span type, enum unit unit)
{
    struct text *message = &((struct pprof *)e->state)->message;
    uint32_t name = string(e, type), unit_name = string(e, span_cstr(unit_names[unit]));
    message->len = 0;
    protobuf_number(message, TYPE_TYPE, name);
    protobuf_number(message, TYPE_UNIT, unit_name);
    put(e, field, text_span(message));
}

/* Return pprof's name for the event. */
static struct span
event_type(const struct export *e)
{
    struct span name = span_before(e->event, ':');
    bool clock = span_eq(name, SPAN("cpu-clock")) || span_eq(name, SPAN("task-clock"));
    return clock ? SPAN("cpu") : e->event.len > 0 ? e->event : SPAN("events");
}

/* Return the name of the first type of values. */
static struct span
first_type(const struct export *e)
{
    bool folded = !e->has_periods;
    return !folded || e->unit == UNIT_SAMPLES ? SPAN("samples")
           : e->unit == UNIT_BYTES            ? SPAN("space")
                                              : SPAN("time");
}

/* Write what precedes the samples: the empty string, and the types of values. */
static void
start(struct export *e)
{
    struct pprof *f = e->state;
    if (f->started)
        return;
    f->started = true;
    string(e, SPAN(""));
    put_type(e, SAMPLE_TYPE, first_type(e), e->has_periods ? UNIT_SAMPLES : e->unit);
    if (e->has_periods)
        put_type(e, SAMPLE_TYPE, event_type(e), e->period_unit);
}

/* Return the id of the mapping of a DSO; 0 for FRAMELIST_NONE. */
static uint32_t
mapping(struct export *e, uint32_t dso)
{
    struct pprof *f = e->state;
    uint32_t number;
    if (dso == FRAMELIST_NONE)
        return 0;
    if (!intern_put(&f->mappings, SPAN_BYTES(dso), &number))
        return number + 1;
    uint32_t name = string(e, framelist_text(&e->frames, dso));
    f->message.len = 0;
    protobuf_number(&f->message, MAPPING_ID, number + 1);
    protobuf_number(&f->message, MAPPING_FILENAME, name);
    protobuf_number(&f->message, MAPPING_HAS_FUNCTIONS, 1);
    put(e, MAPPING, text_span(&f->message));
    return number + 1;
}

/* Return the id of the function of a frame. */
static uint32_t
function(struct export *e, const struct named_frame *frame)
{
    struct pprof *f = e->state;
    const uint32_t key[] = {frame->name, frame->file};
    uint32_t number;
    if (!intern_put(&f->functions, SPAN_BYTES(key), &number))
        return number + 1;
    uint32_t name = string(e, profile_name_text(&e->frames.names, frame->name)),
             file = string(e, framelist_text(&e->frames, frame->file));
    f->message.len = 0;
    protobuf_number(&f->message, FUNCTION_ID, number + 1);
    protobuf_number(&f->message, FUNCTION_NAME, name);
    protobuf_number(&f->message, FUNCTION_SYSTEM_NAME, name);
    protobuf_number(&f->message, FUNCTION_FILENAME, file);
    put(e, FUNCTION, text_span(&f->message));
    return number + 1;
}

/* Return the id of the location of n frames, root first: a function, and the calls inlined into
 * it. */
static uint32_t
location(struct export *e, const uint32_t *frames, size_t n)
{
    struct pprof *f = e->state;
    uint32_t number;
    if (!intern_put(&f->locations, span_of((const char *)frames, n * sizeof *frames), &number))
        return number + 1;
    f->part.len = 0;
    protobuf_number(&f->part, LOCATION_ID, number + 1);
    struct named_frame outer = framelist_get(&e->frames, frames[0]);
    protobuf_number(&f->part, LOCATION_MAPPING, mapping(e, outer.dso));
    for (size_t i = n; i-- > 0;) {
        struct named_frame frame = framelist_get(&e->frames, frames[i]);
        uint32_t id = function(e, &frame);
        f->line.len = 0;
        protobuf_number(&f->line, LINE_FUNCTION, id);
        protobuf_number(&f->line, LINE_LINE, frame.line);
        protobuf_bytes(&f->part, LOCATION_LINE, text_span(&f->line));
    }
    put(e, LOCATION, text_span(&f->part));
    return number + 1;
}

/* Write the locations of n frames into f->values, leaf first. */
static void
set_locations(struct export *e, const uint32_t *frames, size_t n)
{
    struct pprof *f = e->state;
    f->values.len = 0;
    for (size_t end = n, from; end > 0; end = from) {
        from = end - 1;
        while (from > 0 && end - from < INLINED_MAX &&
               framelist_get(&e->frames, frames[from]).inlined)
            from--;
        protobuf_put(&f->values, location(e, frames + from, end - from));
    }
}

/* Append a label to the sample in f->part. */
static void
add_label(struct export *e, struct span key, struct span text)
{
    struct pprof *f = e->state;
    uint32_t key_index = string(e, key), index = string(e, text);
    f->line.len = 0;
    protobuf_number(&f->line, LABEL_KEY, key_index);
    protobuf_number(&f->line, LABEL_STR, index);
    protobuf_bytes(&f->part, SAMPLE_LABEL, text_span(&f->line));
}

static void
add_labels(struct export *e, const struct key *key, const uint32_t *frames, size_t n)
{
    char text[SLICE_TEXT];
    struct named_frame root = framelist_get(&e->frames, frames[0]),
                       leaf = framelist_get(&e->frames, frames[n - 1]);
    uint32_t thread = e->threads.list.at[key->thread].name;
    add_label(e, SPAN("thread"), profile_name_text(&e->frames.names, thread));
    if (root.kind == KIND_COUNT)
        add_label(e, SPAN("command"), profile_name_text(&e->frames.names, root.name));
    if (key->sliced) {
        struct slice slice = {.ms = (uint64_t)key->high << 32 | key->low};
        add_label(e, SPAN("slice"), span_from(slice_frame(text, slice), 1));
    }
    if (leaf.kind != KIND_COUNT)
        add_label(e, SPAN("kind"), span_cstr(frame_kind_name((enum frame_kind)leaf.kind)));
}

/* Append a value, which is an int64. */
static void
add_value(struct pprof *f, uint64_t value)
{
    f->full |= value > INT64_MAX;
    protobuf_put(&f->values, value > INT64_MAX ? INT64_MAX : value);
}

/* Write the samples added up so far. */
static void
flush(struct export *e)
{
    struct pprof *f = e->state;
    VEC(uint32_t) frames = {0};
    start(e);
    for (uint32_t i = 0; i < f->samples.count; i++) {
        struct span text = intern_text(&f->samples, i);
        struct key key;
        memcpy(&key, text.ptr, sizeof key);
        size_t n = (text.len - sizeof key) / sizeof(uint32_t);
        VEC_REACH(frames, n);
        memcpy(frames.at, text.ptr + sizeof key, n * sizeof(uint32_t));
        set_locations(e, frames.at, n);
        f->part.len = 0;
        protobuf_bytes(&f->part, SAMPLE_LOCATION, text_span(&f->values));
        f->values.len = 0;
        const struct sums *sums = &f->sums.at[i];
        f->rounded |= sums->count.fraction > 0;
        add_value(f, e->has_periods ? sums->samples : export_whole(&f->carry, sums->count));
        if (e->has_periods)
            add_value(f, sums->periods);
        protobuf_bytes(&f->part, SAMPLE_VALUE, text_span(&f->values));
        add_labels(e, &key, frames.at, n);
        put(e, SAMPLE, text_span(&f->part));
    }
    intern_empty(&f->samples);
    f->sums.n = 0;
    free(frames.at);
}

static void
begin(struct export *e)
{
    struct pprof *f = e->state;
    f->deflate = deflate_start(&f->packed);
}

static void
note_time(struct export *e, const struct stack *s)
{
    struct pprof *f = e->state;
    if (!s->has_time)
        return;
    if (!f->timed || s->time < f->first) {
        f->first = s->time;
        f->dated = wallclock_real(&e->clock, s->time, &f->date);
    }
    f->last = !f->timed || s->time > f->last ? s->time : f->last;
    f->timed = true;
}

static void
add(struct export *e, const struct stack *s)
{
    struct pprof *f = e->state;
    uint64_t ms = s->sliced ? s->time / 1000000 : 0;
    struct key key = {s->thread, s->sliced, (uint32_t)ms, (uint32_t)(ms >> 32)};
    uint32_t number;
    note_time(e, s);
    if (!f->started && f->samples.count == 0)
        f->period = s->period.whole;
    TEXT_SET(&f->key, SPAN_BYTES(key), span_of((const char *)s->frames, s->n * sizeof *s->frames));
    if (intern_put(&f->samples, text_span(&f->key), &number))
        VEC_ADD(f->sums, (struct sums){.count = {0, 0}});
    struct sums *sums = &f->sums.at[number];
    sums->count = decimal_add(sums->count, s->count);
    sums->samples++;
    sums->periods = num_add(sums->periods, s->period.whole);
    if (intern_size(&f->samples) > SAMPLES_MAX)
        flush(e);
}

/* Write a field of the profile that is a number. */
static void
put_number(struct export *e, uint32_t field, uint64_t number)
{
    struct pprof *f = e->state;
    f->message.len = 0;
    protobuf_number(&f->message, field, number);
    deflate_add(f->deflate, text_span(&f->message));
}

static void
end(struct export *e)
{
    struct pprof *f = e->state;
    flush(e);
    if (f->dated)
        put_number(e, TIME_NANOS, f->date);
    if (f->timed)
        put_number(e, DURATION_NANOS, f->last - f->first);
    if (e->has_periods) {
        put_type(e, PERIOD_TYPE, event_type(e), e->period_unit);
        put_number(e, PERIOD, f->period);
        struct span counted = e->unit == UNIT_SAMPLES ? first_type(e) : event_type(e);
        put_number(e, DEFAULT_TYPE, string(e, counted));
    }
    deflate_finish(f->deflate);
    out_span(e->out, text_span(&f->packed));
    if (f->rounded)
        diag_note(e->diag, "counts with fractions: pprof has whole numbers, so values are rounded, "
                           "and their sum is rounded down");
    if (f->full)
        diag_error(e->diag, NOWHERE,
                   "counts above 9223372036854775807, the most in pprof's format");
    intern_free(&f->strings);
    intern_free(&f->mappings);
    intern_free(&f->functions);
    intern_free(&f->locations);
    intern_free(&f->samples);
    free(f->sums.at);
    free(f->packed.ptr);
    free(f->key.ptr);
    free(f->message.ptr);
    free(f->part.ptr);
    free(f->line.ptr);
    free(f->values.ptr);
}

const struct format format_pprof = {
    .state_size = sizeof(struct pprof), .is_binary = true, .begin = begin, .add = add, .end = end};
