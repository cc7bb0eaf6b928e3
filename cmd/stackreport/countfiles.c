#include "cmd/stackreport/countfiles.h"

#include "common/demangle/demangle_rust.h"
#include "common/stack/frames/dso.h"
#include "common/stack/model/eventname.h"
#include "common/stack/model/slice.h"
#include "common/stack/text/foldedtext.h"

/* Name a frame by its DSO: an add_inlined of struct foldname. An inlined call has no DSO of its
 * own: it gets no name, and its time belongs to the frame that it was inlined into. */
static bool
name_by_dso(struct foldname *n, const struct frame *f, bool java)
{
    (void)java;
    if (span_eq(f->dso, SPAN("inlined")))
        return true;
    text_add(&n->text, f->dso.len > 0 ? dso_base(f->dso) : SPAN("[unknown]"));
    foldname_replace(n, 0, ';', ':');
    foldname_push(n);
    return true;
}

/* Return true if a sample with this header is only watched, not counted. */
static bool
is_watched_alone(const struct countfiles *r, const struct perf_header *h)
{
    return r->watch != NULL && r->watch->wants(h);
}

static bool
accept(void *ctx, const struct perf_header *h)
{
    struct countfiles *r = ctx;
    if (is_watched_alone(r, h))
        return true;
    bool wanted = eventchoice_take(&r->events, h->field[PERF_EVENT]);
    r->samples += !wanted && !eventname_is_turn(h->field[PERF_EVENT]);
    return wanted;
}

void
countfiles_init(struct countfiles *r, const struct countfiles_options *options, struct diag *diag,
                struct counter *c)
{
    enum by by = c->groups.by;
    *r = (struct countfiles){.options = options, .diag = diag, .counter = c};
    c->groups.names = &r->names;
    r->names.demangle = demangle_rust_frame;
    r->fold_options = (struct fold_options){
        .names = {.dialect = &foldname_native,
                  .tidy = TIDY_BRACKETS,
                  .tid = by == BY_THREAD,
                  .kernel = true,
                  .jit = true},
        .no_comm = by != BY_COMM && by != BY_THREAD && !options->comm,
    };
    perftext_init(&r->perf, &perf_rules, &r->input.lines);
    r->perf.source.accept = accept;
    r->perf.source.numbers = options->latency ? PERF_NUMBERS : 0;
    r->perf.source.ctx = r;
    fold_init(&r->fold, &r->fold_options, &r->perf.frames, &r->names);
    if (by == BY_DSO)
        r->fold.names.add_inlined = name_by_dso;
    r->events.list = options->events;
    r->events.verb = "counts";
    r->no_frames = profile_name(&r->names, NO_FRAMES);
}

static void
count_stack(struct countfiles *r, const uint32_t *names, size_t n, struct decimal count)
{
    counter_add(r->counter, names, n, count);
    for (size_t i = 0; i < r->nothers; i++)
        counter_add(&r->others[i], names, n, count);
}

/* Count a stack. With `comm` its first name is the command's, as in folded stacks: skip that, since
 * it is no function. */
static void
add_stack(struct countfiles *r, const uint32_t *names, size_t n, bool comm, struct decimal count)
{
    if (r->counter->groups.by == BY_COMM || r->counter->groups.by == BY_THREAD)
        n = n > 0;
    else if (comm && n > 0)
        names++, n--;
    if (n > 0)
        count_stack(r, names, n, count);
    else
        count_stack(r, &r->no_frames, 1, count);
}

/* Count the stack of a sample in perf's text. With --latency its count is only known at the end of
 * the file. */
static void
add_sample(struct countfiles *r, const struct sample *s, struct decimal count)
{
    const struct fold *f = &r->fold;
    if (!r->options->latency)
        add_stack(r, f->stack, f->nstack, false, count);
    else if (f->nstack > 0)
        latency_add(&r->latency, s, f->frames, f->stack, f->nstack, count.whole);
    else
        latency_add(&r->latency, s, f->frames, &r->no_frames, 1, count.whole);
}

static void
add_latency(void *reader, const uint32_t *names, size_t n, struct decimal count)
{
    add_stack(reader, names, n, false, count);
}

static void
use_sample(struct countfiles *r, const struct sample *s)
{
    bool alone = is_watched_alone(r, &s->header);
    struct decimal count = {0};
    if (!alone) {
        count = measure_sample(r->options->weight, &s->header, &r->no_period);
        fold_stack(&r->fold, s);
        add_sample(r, s, count);
        r->samples++;
    }
    if (r->watch != NULL)
        r->watch->sample(r->watch->ctx, s, alone ? NULL : &count);
}

static void
read_perf(struct countfiles *r)
{
    enum { FRAMES_MAX = 1 << 20 };
    struct source *s = &r->perf.source;
    for (enum source_item item; (item = source_next(s)) != ITEM_END;) {
        if (item == ITEM_SAMPLE) {
            use_sample(r, &s->sample);
            /* An endless pipe contains an endless number of new addresses. */
            if (frametab_count(&r->perf.frames) > FRAMES_MAX && r->watch == NULL)
                perftext_forget_frames(&r->perf);
        } else if (item == ITEM_COMMENT && r->watch != NULL) {
            r->watch->comment(r->watch->ctx, s->text);
        } else if (item == ITEM_RECORD && r->watch != NULL) {
            r->watch->record(r->watch->ctx, s->lost);
        } else if (item == ITEM_SKIPPED || item == ITEM_STRAY) {
            input_skip(&r->input, s->why);
        }
    }
    latency_finish(&r->latency, &r->names, add_latency, r);
    input_warn_cut(&r->input);
}

/* Return true for a function at the root of stacks of C and C++. */
static bool
starts_thread(struct span name)
{
    static const struct span starts[] = {
        SPAN("main"),   SPAN("_start"),   SPAN("clone"),
        SPAN("clone3"), SPAN("__clone3"), SPAN("start_thread"),
    };
    return span_eq_any(name, starts, sizeof starts / sizeof *starts);
}

/* Add up the count of one-frame stacks. Such a frame may be a function only if no stack of the
 * command has more frames. */
static void
end_command(struct commands *c)
{
    if (!c->calls)
        c->alone = decimal_add(c->alone, c->bare);
    c->calls = false;
    c->bare = (struct decimal){0};
}

/* Look at a folded stack that the counter counts: numbers of names, the command's first; n may be
 * 0. */
static void
commands_take(struct commands *c, const struct counter *counter, const uint32_t *names, size_t n,
              struct decimal count)
{
    if (n > 0 && names[0] + 1 != c->last) { /* in sorted lines it is usually the same */
        end_command(c);
        struct span command = profile_name_text(counter->groups.names, names[0]);
        c->last = names[0] + 1;
        c->other |= !starts_thread(command);
        c->matches |= counter->function != NULL && pattern_matches(counter->function, command);
    }
    c->calls |= n > 1;
    if (n <= 1)
        c->bare = decimal_add(c->bare, count);
}

static bool
has_function(const struct counter *counter, struct span name)
{
    for (uint32_t i = 0; i < group_count(&counter->groups); i++)
        if (span_eq(group_text(&counter->groups, i), name))
            return true;
    return false;
}

/* Print a note if commands seem to be functions: --no-comm would read them as such. The counter's
 * groups must be functions. */
static void
commands_report(struct commands *c, const struct counter *counter, struct diag *diag)
{
    static const double much = 10; /* percent */
    end_command(c);
    double all = decimal_double(counter->all);
    double alone = all > 0 ? 100 * decimal_double(c->alone) / all : 0;
    if (alone >= much)
        diag_note(diag,
                  "%.2f %% are stacks of one frame, which is taken for a command: if it is a "
                  "function, give --no-comm",
                  alone);
    else if (c->last != 0 && !c->other && !has_function(counter, SPAN("main")))
        diag_note(diag, "the first frames of all stacks, such as main, are taken for commands: if "
                        "they are functions, give --no-comm");
}

static void
read_folded(struct countfiles *r)
{
    struct foldedtext text;
    struct folded f;
    bool by_thread = r->counter->groups.by == BY_THREAD;
    struct span comm, process;
    foldedtext_start(&text, &r->input.lines);
    if (text.columns == 2) {
        diag_error(r->diag, (struct place){r->input.name, 0},
                   "each line has two counts, so this is a comparison of two profiles: give one "
                   "of them");
        return;
    }
    for (enum folded_item item; (item = foldedtext_next(&text, &f)) != FOLDED_END;) {
        if (item == FOLDED_SKIPPED)
            input_skip(&r->input, text.why);
        if (item != FOLDED_STACK)
            continue;
        struct decimal count = {0, 0};
        decimal_parse(f.count, &count);
        foldedsplit_next(&r->split, &r->names, slice_off(f.stack));
        if (!r->options->no_comm && !r->options->comm)
            commands_take(&r->commands, r->counter, r->split.frames, r->split.nframes, count);
        add_stack(r, r->split.frames, r->split.nframes, !r->options->no_comm && !r->options->comm,
                  count);
        if (by_thread)
            r->threads +=
                slice_thread(profile_name_text(&r->names, r->split.frames[0]), &comm, &process);
        r->lines++;
    }
}

void
countfiles_read(struct countfiles *r)
{
    uint64_t items = r->samples + r->lines, lines = r->lines, skipped = r->input.skipped;
    /* Do not look ahead in a pipe that is read live: its first 4 KB may take long. */
    struct span looks = !r->options->live ? looks_like(looks_head(&r->input.lines)) : SPAN("");
    enum input_format format = r->options->from;
    if (format == INPUT_GUESS)
        format = looks_format(&r->input.lines);
    if (format == INPUT_FOLDED && r->counter->groups.by == BY_DSO) {
        diag_error(r->diag, (struct place){r->input.name, 0},
                   "folded stacks have no DSO names: --by=dso needs perf script text");
        return;
    }
    bool folded = format != INPUT_PERF;
    if (folded && r->options->latency) {
        diag_error(r->diag, (struct place){r->input.name, 0},
                   "option --latency needs the times of perf script text; this is read as folded");
        return;
    }
    if (!folded && span_starts(looks, SPAN("perf script text")))
        looks = SPAN("");
    (folded ? read_folded : read_perf)(r);
    if (r->samples + r->lines == items && r->input.skipped > skipped)
        looks_report_unusable(&r->input, looks);
    else
        looks_report_skipped(&r->input, looks,
                             (size_t)(folded
                                          ? r->lines - lines
                                          : r->input.lines.number - (r->input.skipped - skipped)),
                             folded);
}

/* Report data that the options need and the input lacks. */
static void
report_lacks(const struct countfiles *r)
{
    fold_report(&r->fold, r->no_period, r->diag);
    latency_report(&r->latency, r->diag);
    if (r->counter->groups.by == BY_THREAD && r->lines > 0 && r->threads == 0)
        diag_note(r->diag, "no folded stack names a thread: these are commands (stackcollapse "
                           "--tid names threads)");
}

void
countfiles_report(struct countfiles *r)
{
    uint64_t n = r->samples + r->lines;
    const char *what = r->lines == 0 ? "sample" : r->samples == 0 ? "folded line" : "item";
    if (decimal_is_full(r->counter->all))
        diag_error(r->diag, NOWHERE, DECIMAL_FULL);
    eventchoice_report(&r->events, r->diag);
    report_lacks(r);
    if (r->counter->groups.by == BY_FUNCTION && !r->commands.matches && !r->options->comm)
        commands_report(&r->commands, r->counter, r->diag);
    diag_finish(r->diag);
    input_say_skipped(&r->input, n, what);
    if (n == 0 && r->input.skipped == 0 && r->diag->status == 0)
        diag_note(r->diag, "no samples in the input");
}
