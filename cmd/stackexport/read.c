#include "cmd/stackexport/read.h"

#include "common/base/num.h"
#include "common/demangle/demangle_rust.h"
#include "common/stack/model/eventname.h"
#include "common/stack/model/series.h"
#include "common/stack/text/foldedtext.h"

static bool
accept(void *ctx, const struct perf_header *h)
{
    struct reader *r = ctx;
    bool wanted = eventchoice_take(&r->events, h->field[PERF_EVENT]);
    r->samples += !wanted && !eventname_is_turn(h->field[PERF_EVENT]);
    return wanted;
}

void
reader_init(struct reader *r, const struct read_options *options, struct export *e)
{
    *r = (struct reader){.options = options, .export = e, .events = {.list = options->events}};
    r->events.verb = "exports";
    r->name_options = (struct foldname_options){
        .dialect = &foldname_native,
        .tidy = TIDY_BRACKETS,
    };
    r->names = (struct foldname){.options = &r->name_options, .profile = &e->frames.names};
    e->frames.names.masks = true;
    e->frames.names.demangle = demangle_rust_frame;
    perftext_init(&r->perf, &perf_rules, &r->input.lines);
    r->perf.source.accept = accept;
    r->perf.source.numbers = PERF_NUMBERS;
    r->perf.source.ctx = r;
}

/* Return the unit of an event's period, by its name without modifiers. */
static enum unit
unit_of(struct span event)
{
    static const struct span nanoseconds[] = {SPAN("cpu-clock"), SPAN("task-clock"),
                                              SPAN("offcpu-time"), SPAN("syscall")};
    static const struct span microseconds[] = {SPAN("wall"), SPAN("off-cpu")};
    event = span_before(event, ':');
    if (span_eq_any(event, nanoseconds, sizeof nanoseconds / sizeof *nanoseconds))
        return UNIT_NANOSECONDS;
    if (span_eq_any(event, microseconds, sizeof microseconds / sizeof *microseconds))
        return UNIT_MICROSECONDS;
    return UNIT_EVENTS;
}

/* Set the properties of the export that the first sample shows. */
static void
start_perf(struct reader *r, const struct perf_header *h)
{
    struct export *e = r->export;
    struct span event = h->field[PERF_EVENT];
    e->event = intern_text(&e->frames.texts, intern_add(&e->frames.texts, event));
    e->period_unit = unit_of(event);
    e->has_periods = perf_header_has(h, PERF_PERIOD);
    e->unit = e->has_periods && measure_counts_period(r->options->weight, event) ? e->period_unit
                                                                                 : UNIT_SAMPLES;
    r->started = true;
}

/* Append a frame of perf script text. If its name lists inlined calls, append one frame for each,
 * root first. */
static void
push_perf(struct reader *r, uint32_t number)
{
    VEC_REACH(r->known, frametab_count(&r->perf.frames));
    if (r->known.at[number] == 0) {
        struct frame f = *frametab_frame(&r->perf.frames, number);
        struct span srclines = f.srcline;
        foldname_frame(&r->names, &f, false);
        r->known.at[number] = (uint32_t)r->lists.n + 1;
        VEC_ADD(r->lists, (uint32_t)r->names.count);
        for (size_t i = 0; i < r->names.count; i++)
            VEC_ADD(r->lists, framelist_add_perf(&r->export->frames, r->names.ids[i], &f,
                                                 span_take(&srclines, '\n')));
    }
    size_t list = r->known.at[number] - 1, n = r->lists.at[list];
    for (size_t i = 1; i <= n; i++)
        VEC_ADD(r->stack, r->lists.at[list + i]);
}

/* Return the number of the name that the options compose from the sample's command. */
static uint32_t
comm_name(struct reader *r, const struct foldname_options *options, const struct perf_header *h)
{
    r->names.options = options;
    foldname_comm(&r->names, h);
    r->names.options = &r->name_options;
    return r->names.ids[0];
}

/* Return the number of the name of the sample's thread: "node-4242/4243", or "node-4243" if perf
 * printed only the thread. */
static uint32_t
thread_name(struct reader *r, const struct perf_header *h)
{
    struct foldname_options options = r->name_options;
    struct perf_header alone = *h;
    if (!perf_header_has(h, PERF_TID))
        return comm_name(r, &options, h);
    if (perf_header_has(h, PERF_PID)) {
        options.tid = true;
        return comm_name(r, &options, h);
    }
    options.pid = true;
    alone.field[PERF_PID] = h->field[PERF_TID];
    return comm_name(r, &options, &alone);
}

/* Set r->thread and r->comm. Most samples have those of the sample before. */
static void
find_thread(struct reader *r, const struct perf_header *h)
{
    struct export *e = r->export;
    struct span comm = h->field[PERF_COMM], last = text_span(&r->last);
    int64_t ids[] = {perf_header_has(h, PERF_PID), h->pid, perf_header_has(h, PERF_TID), h->tid};
    if (last.len == sizeof ids + comm.len && memcmp(last.ptr, ids, sizeof ids) == 0 &&
        span_eq(span_from(last, sizeof ids), comm))
        return;
    TEXT_SET(&r->last, SPAN_BYTES(ids), comm);
    r->thread = threads_add(&e->threads, &e->frames.names, thread_name(r, h));
    r->comm = framelist_add_comm(&e->frames, comm_name(r, &r->name_options, h));
}

static void
add_sample(struct reader *r, const struct sample *s)
{
    const struct perf_header *h = &s->header;
    uint64_t none = 0;
    r->samples++;
    if (!r->started)
        start_perf(r, h);
    if (frametab_was_emptied(&r->perf.frames, &r->generation))
        r->known.n = r->lists.n = 0;
    find_thread(r, h);
    r->stack.n = 0;
    if (h->field[PERF_COMM].len > 0)
        VEC_ADD(r->stack, r->comm);
    for (size_t i = s->nframes; i-- > 0;)
        push_perf(r, s->frames[i]);
    if (r->stack.n == 0) {
        r->without_frames++;
        return;
    }
    struct stack stack = {
        .thread = r->thread,
        .frames = r->stack.at,
        .n = r->stack.n,
        .has_time = perf_header_has(h, PERF_TIME),
        .time = h->time,
        .count = measure_sample(r->options->weight, h, &r->no_period),
        .period = measure_sample(WEIGHT_PERIOD, h, &none),
    };
    r->export->format->add(r->export, &stack);
}

/* Use a comment about the recording: "# hostname : web1". */
static void
read_comment(struct reader *r, struct span text)
{
    struct export *e = r->export;
    wallclock_parse(&e->clock, text);
    if (span_skip(&text, SPAN("# hostname : ")) && r->options->host == NULL)
        text_set(&e->host, span_trim(text));
}

static void
read_perf(struct reader *r)
{
    enum { FRAMES_MAX = 1 << 20 };
    struct source *s = &r->perf.source;
    for (enum source_item item; (item = source_next(s)) != ITEM_END;) {
        if (item == ITEM_SAMPLE) {
            add_sample(r, &s->sample);
            if (frametab_count(&r->perf.frames) > FRAMES_MAX)
                perftext_forget_frames(&r->perf);
        } else if (item == ITEM_COMMENT) {
            read_comment(r, s->text);
        } else if (item == ITEM_SKIPPED || item == ITEM_STRAY) {
            input_skip(&r->input, s->why);
        }
    }
    input_warn_cut(&r->input);
}

/* Return the frame of a name in folded text. The name of a command is no function. */
static uint32_t
folded_frame_of(struct reader *r, uint32_t name, bool is_comm)
{
    VEC_REACH(r->by_name, (size_t)name + 1);
    if (is_comm)
        return framelist_add_comm(&r->export->frames, name);
    if (r->by_name.at[name] == 0)
        r->by_name.at[name] = framelist_add_folded(&r->export->frames, name) + 1;
    return r->by_name.at[name] - 1;
}

/* Remove the host from a stack of an archive. It is the host of the file from here on, unless
 * --host gives another. */
static void
take_host(struct reader *r, const struct slice *slice, struct span *text)
{
    struct span host;
    struct text *known = &r->export->host;
    if (slice_take_host(*slice, text, &host) && r->options->host == NULL &&
        !span_eq(text_span(known), host))
        text_set(known, host);
}

static void
add_folded(struct reader *r, const struct folded *f)
{
    struct export *e = r->export;
    struct span text = f->stack;
    struct slice slice = {0};
    struct series series;
    struct decimal count = {0, 0};
    struct stack stack = {.count = {0, 0}};
    stack.has_time = stack.sliced = slice_take(&text, &slice);
    decimal_parse(f->count, &count);
    bool comm = !r->options->no_comm;
    if (stack.sliced && comm)
        take_host(r, &slice, &text);
    foldedsplit_next(&r->split, &e->frames.names, text);
    const uint32_t *names = r->split.frames;
    if (!r->started)
        e->unit = r->options->unit;
    r->started = true;
    r->lines++;
    r->stack.n = 0;
    for (size_t i = 0; i < r->split.nframes; i++)
        VEC_ADD(r->stack, folded_frame_of(r, names[i], comm && i == 0));
    stack.thread = threads_add(&e->threads, &e->frames.names, comm ? names[0] : r->all);
    stack.frames = r->stack.at;
    stack.n = r->stack.n;
    for (series_start(&series, &slice); series_next(&series);) {
        stack.time = series.slice.ms <= UINT64_MAX / 1000000 ? series.slice.ms * 1000000 : 0;
        stack.count = series_share(&series, count);
        e->format->add(e, &stack);
    }
}

static void
read_folded(struct reader *r)
{
    struct foldedtext text;
    struct folded f;
    foldedtext_start(&text, &r->input.lines);
    if (text.columns == 2) {
        diag_error(r->export->diag, (struct place){r->input.name, 0},
                   "each line has two counts, so this is a comparison of two profiles: give one "
                   "of them");
        return;
    }
    r->all = profile_name(&r->export->frames.names, SPAN("(all)"));
    for (enum folded_item item; (item = foldedtext_next(&text, &f)) != FOLDED_END;) {
        if (item == FOLDED_SKIPPED)
            input_skip(&r->input, text.why);
        else if (item == FOLDED_STACK)
            add_folded(r, &f);
    }
}

void
reader_read(struct reader *r)
{
    uint64_t items = r->samples + r->lines, lines = r->lines;
    r->export->clock = (struct wallclock){0};
    text_set(&r->export->host, span_cstr(r->options->host != NULL ? r->options->host : ""));
    struct span looks = looks_like(looks_head(&r->input.lines));
    enum input_format format = r->options->from;
    if (format == INPUT_GUESS)
        format = looks_format(&r->input.lines);
    bool folded = format == INPUT_FOLDED;
    if (!folded && span_starts(looks, SPAN("perf script text")))
        looks = SPAN("");
    (folded ? read_folded : read_perf)(r);
    size_t skipped = r->input.skipped - r->input.skipped_before;
    if (r->samples + r->lines == items && skipped > 0)
        looks_report_unusable(&r->input, looks);
    else
        looks_report_skipped(&r->input, looks,
                             folded ? (size_t)(r->lines - lines) : r->input.lines.number - skipped,
                             folded);
}

void
reader_report(struct reader *r)
{
    struct diag *diag = r->export->diag;
    const char *what = r->lines == 0 ? "sample" : r->samples == 0 ? "folded line" : "item";
    eventchoice_report(&r->events, diag);
    if (r->no_period > 0)
        diag_note(diag,
                  "samples without a period: %s, each counts 1 (perf-script -F +period perf.data "
                  "prints it)",
                  NUM_TEXT(r->no_period));
    if (r->without_frames > 0)
        diag_note(diag, "samples without command and frames: %s, left out",
                  NUM_TEXT(r->without_frames));
    diag_finish(diag);
    input_say_skipped(&r->input, r->samples + r->lines, what);
    if (r->samples + r->lines == 0 && r->input.skipped == 0 && diag->status == 0)
        diag_note(diag, "no samples in the input");
}
