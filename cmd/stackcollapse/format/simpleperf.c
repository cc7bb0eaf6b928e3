/* Samples of Android's simpleperf, as "simpleperf report-sample --protobuf" writes them: messages
 * of Protocol Buffers with their lengths, defined in simpleperf/cmd_report_sample.proto of
 * https://android.googlesource.com/platform/system/extras. In text:
 *
 *     "SIMPLEPERF" 01 00            magic and version; numbers outside of messages are little-endian
 *     58 00 00 00                   the length of the next message, a Record, which is one of:
 *         meta_info { event_type: "cpu-clock" event_type: "sched:sched_switch" }
 *         sample { thread_id: 7657 event_count: 250000 event_type_id: 0
 *                  callchain { vaddr_in_file: 438788 file_id: 0 symbol_id: 0 }      leaf first
 *                  callchain { vaddr_in_file: 174382 file_id: 1 symbol_id: -1 } }   no name
 *         lost { sample_count: 2 lost_count: 0 }
 *         file { id: 0 path: "/system/lib64/libc.so" symbol: "syscall" symbol: "read" }
 *         thread { thread_id: 7657 process_id: 7650 thread_name: "RenderThread" }
 *     00 00 00 00                   the end
 *
 * Files and threads come after the samples, so the file is read whole. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/stackcollapse/shared/protobuf.h"
#include "cmd/stackcollapse/shared/stacker.h"
#include "common/base/num.h"
#include "common/stack/model/eventchoice.h"

enum record { SAMPLE = 1, LOST, FILE_INFO, THREAD, META_INFO, CONTEXT_SWITCH };

/* A file; its symbols are in `symbols`. */
struct simpleperf_file {
    struct span path;
    size_t first, n; /* one more than the file has: the last is for code without a name */
};

struct simpleperf_thread {
    struct span name;
    uint64_t pid;
};

struct simpleperf {
    struct stacker base;
    struct span all;         /* the input */
    struct intern ids;       /* of files */
    struct u32vec callchain; /* of the current sample: numbers of frames */
    struct text buffers[4];  /* used by one_line() */
    VEC(struct simpleperf_file) files;
    VEC(struct span) symbols;
    VEC(uint32_t) frame_of; /* for each symbol: 1 + number of its frame; 0: none yet */
    struct intern thread_ids;
    VEC(struct simpleperf_thread) threads;
    VEC(struct span) event_types;
    struct frametab frames;
    struct fold fold;
    struct eventchoice events;
    uint64_t lost;
};

static const struct span magic = SPAN("SIMPLEPERF\1\0");

static bool
is_simpleperf(struct span head)
{
    return span_starts(head, magic);
}

/* Read the next message. Return false at the end, and on an error, with *why set. */
static bool
next_record(struct span *rest, struct protobuf_field *record, const char **why)
{
    const unsigned char *p = (const unsigned char *)rest->ptr;
    *why = rest->len < 4 ? "the file is cut" : NULL;
    if (*why != NULL)
        return false;
    size_t len = (size_t)p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 | (size_t)p[3] << 24;
    struct span after = span_from(*rest, 4);
    *why = len > after.len ? "the file is cut in a message" : NULL;
    if (*why != NULL || len == 0)
        return false;
    struct protobuf p_record = {.rest = span_head(after, len)};
    *record = (struct protobuf_field){.id = 0};
    if (!protobuf_next(&p_record, record) || record->type != PROTOBUF_BYTES)
        record->id = 0;
    *why = p_record.why;
    if (*why == NULL)
        *rest = span_from(after, len);
    return *why == NULL;
}

/* Return the bytes in a field of a message; empty if it has none. */
static struct span
bytes_of(struct span message, uint32_t id)
{
    struct protobuf p = {.rest = message};
    struct span bytes = SPAN("");
    for (struct protobuf_field field; protobuf_next(&p, &field);)
        if (field.id == id && field.type == PROTOBUF_BYTES)
            bytes = field.bytes;
    return bytes;
}

static void
add_file(struct simpleperf *f, struct span message)
{
    enum { ID = 1, PATH, SYMBOL };
    struct protobuf p = {.rest = message};
    uint64_t id = protobuf_get(message, ID);
    uint32_t number;
    if (!intern_put(&f->ids, SPAN_BYTES(id), &number))
        return; /* of equal ids the first one counts */
    struct simpleperf_file file = {.path = bytes_of(message, PATH), .first = f->symbols.n};
    for (struct protobuf_field field; protobuf_next(&p, &field);)
        if (field.id == SYMBOL && field.type == PROTOBUF_BYTES)
            VEC_ADD(f->symbols, field.bytes);
    VEC_ADD(f->symbols, SPAN("[unknown]"));
    file.n = f->symbols.n - file.first;
    VEC_ADD(f->files, file);
}

static void
add_thread(struct simpleperf *f, struct span message)
{
    enum { TID = 1, PID, NAME };
    uint64_t tid = protobuf_get(message, TID);
    uint32_t number;
    if (intern_put(&f->thread_ids, SPAN_BYTES(tid), &number))
        VEC_ADD(f->threads,
                (struct simpleperf_thread){bytes_of(message, NAME), protobuf_get(message, PID)});
}

static void
add_events(struct simpleperf *f, struct span message)
{
    enum { EVENT_TYPE = 1 };
    struct protobuf p = {.rest = message};
    for (struct protobuf_field field; protobuf_next(&p, &field);)
        if (field.id == EVENT_TYPE && field.type == PROTOBUF_BYTES)
            VEC_ADD(f->event_types, field.bytes);
}

/* Return the text with blanks instead of line ends, in one of the buffers. */
static struct span
one_line(struct simpleperf *f, int buffer, struct span text)
{
    struct text *t = &f->buffers[buffer];
    text_set(t, text);
    text_replace(t, '\n', ' ');
    text_replace(t, '\r', ' ');
    return text_span(t);
}

/* Return the number of the frame of a callchain entry. */
static uint32_t
frame_of(struct simpleperf *f, struct span entry)
{
    enum { FILE_ID = 2, SYMBOL_ID = 3 };
    uint64_t id = protobuf_get(entry, FILE_ID), symbol = protobuf_get(entry, SYMBOL_ID);
    uint32_t number = intern_find(&f->ids, SPAN_BYTES(id));
    if (number == INTERN_NONE)
        return frametab_add(&f->frames, &(struct frame){.sym = SPAN("[unknown]"), .has_sym = true});
    const struct simpleperf_file *file = &f->files.at[number];
    size_t at = file->first + (symbol < file->n ? (size_t)symbol : file->n - 1);
    VEC_REACH(f->frame_of, f->symbols.n);
    if (f->frame_of.at[at] == 0)
        f->frame_of.at[at] =
            1 + frametab_add(&f->frames, &(struct frame){.sym = one_line(f, 0, f->symbols.at[at]),
                                                         .dso = one_line(f, 1, file->path),
                                                         .has_sym = true});
    return f->frame_of.at[at] - 1;
}

/* Set the thread of a header. A thread without a name becomes ":4242", written into `colon`. */
static void
set_thread(struct simpleperf *f, struct perf_header *h, uint64_t tid,
           char colon[static 1 + NUM_DIGITS])
{
    uint32_t number = intern_find(&f->thread_ids, SPAN_BYTES(tid));
    struct span name = number != INTERN_NONE ? f->threads.at[number].name : SPAN("");
    h->tid = (int64_t)tid;
    h->has |= 1u << PERF_TID;
    if (number != INTERN_NONE) {
        h->pid = (int64_t)f->threads.at[number].pid;
        h->has |= 1u << PERF_PID;
    }
    h->field[PERF_COMM] = one_line(f, 2, name);
    if (name.len == 0) {
        struct span digits = num_decimal(colon + 1, tid);
        colon[digits.ptr - colon - 1] = ':';
        h->field[PERF_COMM] = span_of(digits.ptr - 1, digits.len + 1);
    }
}

/* Read the callchain into f->callchain. Return NULL, or what is wrong with the sample. */
static const char *
read_callchain(struct simpleperf *f, struct span message)
{
    enum { CALLCHAIN = 3 };
    struct protobuf p = {.rest = message};
    f->callchain.n = 0;
    for (struct protobuf_field field; protobuf_next(&p, &field);)
        if (field.id == CALLCHAIN && field.type == PROTOBUF_BYTES)
            VEC_ADD(f->callchain, frame_of(f, field.bytes));
    return p.why;
}

static void
add_sample(struct simpleperf *f, struct span message)
{
    enum { THREAD_ID = 2, EVENT_COUNT = 4, EVENT_TYPE_ID = 5 };
    char colon[1 + NUM_DIGITS];
    struct sample s = {.number = 0};
    struct collapse *c = f->base.c;
    uint64_t event = protobuf_get(message, EVENT_TYPE_ID), no_period = 0;
    c->samples++;
    s.header.field[PERF_EVENT] =
        event < f->event_types.n ? one_line(f, 3, f->event_types.at[event]) : SPAN("unknown");
    s.header.period = protobuf_get(message, EVENT_COUNT);
    s.header.has = 1u << PERF_PERIOD;
    set_thread(f, &s.header, protobuf_get(message, THREAD_ID), colon);
    const char *why = read_callchain(f, message);
    if (why != NULL) {
        char text[128];
        snprintf(text, sizeof text, "the sample at byte %zu: %s",
                 (size_t)(message.ptr - f->all.ptr), why);
        stacker_skip(&f->base, text);
        return;
    }
    if (!eventchoice_take(&f->events, s.header.field[PERF_EVENT]))
        return;
    s.frames = f->callchain.at;
    s.nframes = f->callchain.n;
    if (!fold_add(&f->fold, &s, measure_sample(c->options->weight, &s.header, &no_period)))
        c->without_frames++;
}

/* Read the tables that samples refer to. Return NULL, or what is wrong, with its offset in *at. */
static const char *
read_tables(struct simpleperf *f, struct span rest, size_t *at)
{
    enum { LOST_COUNT = 2 };
    const char *why;
    for (struct protobuf_field record; next_record(&rest, &record, &why);)
        if (record.id == FILE_INFO)
            add_file(f, record.bytes);
        else if (record.id == THREAD)
            add_thread(f, record.bytes);
        else if (record.id == META_INFO)
            add_events(f, record.bytes);
        else if (record.id == LOST)
            f->lost += protobuf_get(record.bytes, LOST_COUNT);
    *at = (size_t)(rest.ptr - f->all.ptr);
    return why;
}

static void
begin(struct stacker *r)
{
    struct simpleperf *f = (struct simpleperf *)r;
    const struct options *o = r->c->options;
    frametab_init(&f->frames, NULL); /* no frame is added as a line of text */
    fold_init(&f->fold, &o->fold, &f->frames, &r->c->profile);
    f->events.list = o->event_list;
    f->events.verb = "folds";
}

static void
fold(struct stacker *r)
{
    struct simpleperf *f = (struct simpleperf *)r;
    const char *why;
    size_t at;
    f->all = lines_ahead(&r->c->input.lines, SIZE_MAX);
    if (!is_simpleperf(f->all)) {
        diag_error(r->c->diag, stacker_file(r), "this is no report of simpleperf, version 1");
        return;
    }
    struct span records = span_from(f->all, magic.len);
    why = read_tables(f, records, &at);
    if (why != NULL)
        diag_error(r->c->diag, stacker_file(r), "at byte %zu: %s", at, why);
    for (struct protobuf_field record; next_record(&records, &record, &why);)
        if (record.id == SAMPLE)
            add_sample(f, record.bytes);
    stacker_note(r, f->lost, "samples were lost while they were recorded");
}

static void
end(struct stacker *r)
{
    struct simpleperf *f = (struct simpleperf *)r;
    eventchoice_report(&f->events, r->c->diag);
    fold_report(&f->fold, 0, r->c->diag);
    fold_free(&f->fold);
    eventchoice_free(&f->events);
    frametab_free(&f->frames);
    for (int i = 0; i < 4; i++)
        free(f->buffers[i].ptr);
}

const struct format format_simpleperf = {
    .is_binary = is_simpleperf,
    .begin = begin,
    .fold = fold,
    .per_file = true,
    .state_size = sizeof(struct simpleperf),
    .end = end,
    .interns = MEMBERS(struct simpleperf, ids, thread_ids),
    .buffers =
        MEMBERS(struct simpleperf, callchain, files, symbols, frame_of, threads, event_types)};
