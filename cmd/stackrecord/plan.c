#include "cmd/stackrecord/plan.h"

#include <unistd.h>

#include "cmd/stackrecord/capture/calendar.h"
#include "common/base/clock.h"
#include "common/base/pipe.h"

bool
plan_open(struct plan *p, const struct options *o, struct diag *diag)
{
    p->options = o;
    if (o->archive.folder != NULL)
        return archive_open(&p->archive, &o->archive, diag);
    if (options_prints(o)) {
        if (!outfile_open(&p->printed, o->text != NULL ? o->text : "-", diag))
            return false;
        pipe_enlarge(p->printed.fd);
        out_open(&p->out, p->printed.fd, outfile_place(&p->printed).file);
    }
    if (o->data == NULL)
        return true;
    if (!outfile_open(&p->written, o->data, diag))
        return false;
    pipe_enlarge(p->written.fd);
    if (!isatty(p->written.fd))
        return true;
    diag_error(diag, outfile_place(&p->written),
               "is a terminal, and the records are not text: write to a file or "
               "a pipe, or leave -o out to get text");
    return false;
}

void
plan_drop(const struct plan *p)
{
    if (p->options->data != NULL)
        outfile_drop(&p->written);
    if (options_prints(p->options))
        outfile_drop(&p->printed);
}

void
plan_beat(void *ctx, uint64_t now, bool asked)
{
    struct plan *p = ctx;
    if (p->options->archive.folder != NULL)
        archive_beat(&p->archive, now, asked);
}

/* Direct the text to the archive. */
static void
make_archive(struct plan *p, size_t most)
{
    p->archive.offset = calendar_offset;
    p->archive.most = most;
    machine_describe(&p->machine, &p->about);
    archive_begin(&p->archive, &p->text.frames, p->about.hostname);
    p->text.archive = &p->archive;
}

/* Return the time limit for reading debug information of one file, and of all files after the
 * recording: half a second, plus one second for each gigabyte of --memory, which limits the size of
 * that information. */
static uint64_t
debug_time(const struct options *o)
{
    return CLOCK_SECOND / 2 + (o->memory >> 20) * (CLOCK_SECOND / 1024);
}

/* Empty the ring buffers while files are read, if there is room for their records. */
static void
relieve(void *ctx)
{
    struct plan *p = ctx;
    if (!order_is_full(&p->timeline.order))
        capture_relieve(p->capture);
}

/* The same while debug information is read, whose time is limited. */
static bool
pause_reading(void *ctx, bool trusted)
{
    struct plan *p = ctx;
    relieve(p);
    return capture_may_read(p->capture, trusted, debug_time(p->options));
}

/* Return the first sink of the steps that write text. */
static struct recordsink *
make_text(struct plan *p)
{
    const struct options *o = p->options;
    struct capture *c = p->capture;
    const struct shares shares = options_shares(o);
    p->naming.symbols.debug_limit = shares.debug;
    p->naming.symbols.debug_pace =
        (struct debuginfo_pace){pause_reading, p, debug_time(o), clock_now, clock_used};
    const char *problem;
    struct recordsink *sink =
        derived_init(&p->derived, &o->derive, &c->session, &p->text.sink, &problem);
    if (problem != NULL)
        diag_warn(c->diag, NULL, NOWHERE, "%s", problem);
    p->out.before_exit = capture_abandon;
    p->out.ctx = c;
    textout_init(&p->text, derived_session(&p->derived, &c->session), &p->naming, &p->out, c->diag);
    p->text.folded = o->folded;
    p->text.frames_limit = shares.frames;
    p->text.stacks_limit = shares.stacks;
    if (o->archive.folder != NULL)
        make_archive(p, shares.stacks);
    return sink;
}

/* Set up writing perf.data of the session. Then records go on to the sink `to`, or nowhere if that
 * is NULL. */
static void
make_data(struct plan *p, const struct session *session, struct recordsink *to)
{
    struct capture *c = p->capture;
    machine_describe(&p->machine, &p->about);
    p->about.events = &session->events;
    p->about.tracing = session->tracing;
    dataout_init(&p->data, &p->written, &p->about, c->diag);
    p->data.decoded.next = to;
    p->data.before_exit = capture_abandon;
    p->data.ctx = c;
}

/* Return the first sink of the steps that unwind. Then records go to the sink `to`. */
static struct recordsink *
unwind(struct plan *p, struct recordsink *to)
{
    const struct options *o = p->options;
    struct recordsource *source = options_names(o) ? &p->text.source : &p->mapped.source;
    const struct eventset *events = &p->capture->session.events;
    source->unwinder.limit = options_shares(o).tables;
    unwinding_init(&p->unwinding, events, recordsource_walker(source));
    p->unwinding.max_depth = o->attach.max_depth;
    if (o->data != NULL && !o->keep_stacks) {
        p->unwound.tracing = p->capture->session.tracing;
        unwinding_describe(events, &p->unwound);
        p->unwinding.makes_bytes = true;
        make_data(p, &p->unwound, to);
        to = &p->data.decoded;
    }
    return unwinding_sink(&p->unwinding, to);
}

/* Return the first sink of the steps that sort records by time and, if all tasks have to be
 * recorded, drop those that are not wanted. */
static struct rawsink *
in_order(struct plan *p, struct recordsink *to, bool unwinds)
{
    struct capture *c = p->capture;
    const struct target *t = &p->options->target;
    if (c->filtered) {
        taskfilter_init(&p->filter, t->kind == TARGET_THREADS, to);
        p->filter.notice = running_add;
        p->filter.ctx = &c->running;
        for (size_t i = 0; i < t->ids.count; i++)
            taskfilter_keep(&p->filter, (uint32_t)t->ids.at[i]);
        to = &p->filter.sink;
    }
    timeline_init(&p->timeline, &c->session.events, to, options_shares(p->options).waiting);
    p->timeline.pause = capture_relieve;
    p->timeline.complete = capture_read_names;
    p->timeline.waits = capture_wants_names;
    p->timeline.ctx = c;
    if (unwinds && !p->options->keep_stacks) {
        p->timeline.shorten = unwinding_shorten;
        p->timeline.shortener = &p->unwinding;
    }
    return &p->timeline.sink;
}

/* Return the first sink of all steps that are needed. */
static struct rawsink *
make_steps(struct plan *p)
{
    const struct options *o = p->options;
    struct capture *c = p->capture;
    bool copies = attach_copies_stacks(&c->session.events), names = options_names(o);
    bool unwinds = copies && (names || !o->keep_stacks);
    struct recordsink *sink = NULL;
    if (names) {
        sink = make_text(p);
    } else if (unwinds) {
        mapped_init(&p->mapped, &c->session.events, &p->naming, c->diag);
        sink = &p->mapped.sink;
    }
    if (unwinds)
        sink = unwind(p, sink);
    if (o->data != NULL && (!unwinds || o->keep_stacks)) {
        make_data(p, &c->session, sink);
        if (sink == NULL && !c->filtered)
            return &p->data.sink;
        sink = &p->data.decoded;
    }
    return in_order(p, sink, unwinds);
}

void
plan_make(struct plan *p, struct capture *c, const struct dsofile_search *files)
{
    const struct options *o = p->options;
    p->capture = c;
    p->naming.no_marks = o->no_marks;
    p->naming.symbols = (struct symbol_options){.relieve = relieve,
                                                .relieve_ctx = p,
                                                .demangle = DEMANGLE_SHORT,
                                                .inlined = o->inlined,
                                                .lines = o->lines,
                                                .paths = o->lines,
                                                .files = *files,
                                                .names = liveprocs_names(c->live),
                                                .objects = liveprocs_objects(c->live),
                                                .codes_limit = options_shares(o).code_names,
                                                .maps_limit = options_shares(o).mappings};
    capture_sink(c, make_steps(p), o->data != NULL, options_names(o));
}
