/* Two formats, one way: each frame is decided on once and is a number from then on, and
 * the filter works on a sample's numbers. Perf script text is shown in perfline.h. Folded stacks
 * have one count or two:
 *
 *     node;main;f /p/x.js:1:2 31
 *     node;main;f /p/x.js:1:2 31 27
 *
 * stackcollapse writes the command name as the first frame, and before it with --slice the slice of
 * time; in an archive of stackrecord the host stands between them. They are not treated as frames: no
 * pattern is matched on them, and they stay when all frames are dropped. */
#include "cmd/stackfilter/stream.h"

#include "common/base/utf8.h"
#include "common/stack/model/eventname.h"
#include "common/stack/model/slice.h"
#include "common/stack/text/foldedtext.h"

void
stream_init(struct stream *t, const struct rules *rules, struct sourcemaps *maps, struct diag *diag)
{
    *t = (struct stream){.diag = diag};
    perftext_init(&t->perftext, &perf_rules, &t->input.lines);
    perfwrite_init(&t->writer, &t->out, &t->perftext.frames);
    filter_init(&t->filter, rules, maps, &t->perftext.frames);
}

/* Write a line unchanged. `why`, if not NULL, says what is wrong with the line, which is then
 * reported and counted as skipped. */
static void
pass_line(struct stream *t, struct span line, const char *why)
{
    perfwrite_line(&t->writer, line);
    if (why == NULL)
        return;
    t->passed++;
    t->input.skipped++; /* for input_status; the line is not lost, so input_skip does not fit */
    diag_warn(t->diag, "lines not understood and passed through", input_place(&t->input),
              "%s, passed through", why);
}

static void
take_sample(struct stream *t)
{
    struct sample s = t->perftext.source.sample;
    if (eventname_is_turn(s.header.field[PERF_EVENT])) /* no stack: no rule is about it */
        perfwrite_sample(&t->writer, &s);
    else if (t->idle != NULL && idlewaits_has(t->idle, &s))
        t->filter.samples.of[0].whole++;
    else if (filter_sample(&t->filter, &s, 1))
        perfwrite_sample(&t->writer, &s);
}

static void
read_perf(struct stream *t)
{
    struct source *s = &t->perftext.source;
    for (enum source_item item; (item = source_next(s)) != ITEM_END;) {
        t->usable += item == ITEM_SAMPLE || item == ITEM_RECORD;
        if (item == ITEM_SAMPLE)
            take_sample(t);
        else
            pass_line(t, s->text, item == ITEM_STRAY || item == ITEM_SKIPPED ? s->why : NULL);
    }
}

/* What is written for a stack that has lost all its frames and has no command name. */
#define NO_FRAMES SPAN("(no frames)")

/* Return true if a stack with this count, of a slice or of none, NULL, is wanted by its time. */
static bool
in_range(struct stream *t, const struct slice *slice, struct decimal count)
{
    if (t->archive.range.to == 0)
        return true;
    if (slice == NULL)
        t->timeless = decimal_add(t->timeless, count);
    bool in = slice != NULL && slice->ms / 1000 >= t->archive.range.from &&
              slice->ms / 1000 < t->archive.range.to;
    if (in)
        t->in_range = decimal_add(t->in_range, count);
    return in;
}

/* Return the name of a thread without what is merged. */
static struct span
merged(const struct stream *t, struct span frame)
{
    struct span comm, process;
    if (!(t->archive.merge_threads || t->archive.merge_processes) ||
        !slice_thread(frame, &comm, &process))
        return frame;
    return t->archive.merge_processes ? comm : process;
}

static void
take_line(struct stream *t, const struct folded *folded)
{
    struct slice seen;
    size_t n;
    struct filter *f = &t->filter;
    struct span left = folded->stack, host = {NULL, 0};
    size_t slice = slice_take(&left, &seen) ? folded->stack.len - left.len : 0;
    struct count count = {{{0, 0}, {0, 0}}};
    decimal_parse(folded->count, &count.of[0]);
    decimal_parse(folded->second, &count.of[1]);
    if (!in_range(t, slice > 0 ? &seen : NULL, count.of[0]))
        return;
    if (slice > 0 && !t->no_comm)
        slice_take_host(seen, &left, &host);
    struct span comm = t->no_comm ? (struct span){NULL, 0} : merged(t, folded_frame(&left));
    if (!filter_folded(f, comm, left, count, &n))
        return;
    if (t->no_comm && n == 0)
        comm = NO_FRAMES;
    out_span(&t->out, span_head(folded->stack, slice));
    if (host.ptr != NULL && !t->archive.merge_hosts) {
        out_span(&t->out, utf8_masked(&t->masked, host));
        out_char(&t->out, ';');
    }
    out_span(&t->out, utf8_masked(&t->masked, comm));
    for (size_t i = n; i-- > 0;) {
        if (i + 1 < n || comm.ptr != NULL)
            out_char(&t->out, ';');
        const struct decision *d = &f->folded_frames.list[f->stack[i]];
        struct span name = intern_text(&f->folded_frames.names, d->name);
        out_span(&t->out, d->masked ? utf8_masked(&t->masked, name) : name);
    }
    folded_write_counts(&t->out, folded->count, folded->second);
}

static void
read_folded(struct stream *t)
{
    struct foldedtext text;
    struct folded folded;
    t->filter.advice.traits = 0;
    if (t->filter.rules->any_dso)
        diag_warn(t->diag, "files without DSO names", input_place(&t->input),
                  "folded stacks have no DSO names, so dso: matches nothing in them");
    foldedtext_start(&text, &t->input.lines);
    for (enum folded_item item; (item = foldedtext_next(&text, &folded)) != FOLDED_END;) {
        t->usable += item == FOLDED_STACK;
        if (item == FOLDED_STACK)
            take_line(t, &folded);
        else
            pass_line(t, text.line, item == FOLDED_SKIPPED ? text.why : NULL);
    }
    if (filter_needs_marks(&t->filter) && t->usable > 0 &&
        !(t->filter.advice.traits & TRAIT_MARKED))
        diag_warn(t->diag, "files without _[k] marks", (struct place){t->input.name, 0},
                  "folded stacks without _[k] marks do not show which frames are the kernel's: "
                  "fold with stackcollapse --kernel");
}

/* Report a file without a usable line. `looks` is what looks_like() returned for it. */
static void
report_unusable(const struct stream *t, enum input_format format, struct span looks)
{
    static const struct {
        const char *wrong, *hint;
    } messages[] = {
        [INPUT_PERF] = {"no line is perf script text", "; folded stacks need --from=folded"},
        [INPUT_FOLDED] = {"no line is a folded stack", ", which ends in a blank and a count"},
        [INPUT_GUESS] = {"no line is perf script text or a folded stack",
                         ", which ends in a blank and a count"},
    };
    diag_error(t->diag, (struct place){t->input.name, 0}, "%s%s%.*s", messages[format].wrong,
               looks.len > 0 ? "; this looks like " : messages[format].hint, SPAN_ARG(looks));
}

void
stream_file(struct stream *t, enum input_format format)
{
    enum input_format used = format != INPUT_GUESS ? format : looks_format(&t->input.lines);
    struct span looks = looks_like(used == INPUT_PERF ? looks_head_unless_perf(&t->input.lines)
                                                      : looks_head(&t->input.lines));
    t->usable = t->passed = 0;
    if (used == INPUT_PERF && t->archive.range.to > 0) {
        diag_error(t->diag, (struct place){t->input.name, 0},
                   "has no times of the calendar: --last and --between are for archives of "
                   "stackrecord --archive; perf-script --time takes the times of a recording");
        return;
    }
    if (used == INPUT_PERF)
        read_perf(t);
    else
        read_folded(t);
    input_warn_cut(&t->input);
    if (t->usable == 0 && t->passed > 0)
        report_unusable(t, format, looks);
    else if (used == INPUT_FOLDED)
        looks_report_skipped(&t->input, looks, t->usable, true);
}

void
stream_report(const struct stream *t)
{
    bool any = !decimal_is_zero(t->filter.samples.of[0]);
    char count[DECIMAL_COMMAS], when[TIMERANGE_TEXT];
    diag_finish(t->diag);
    if (!decimal_is_zero(t->timeless))
        diag_error(t->diag, NOWHERE, "counts of stacks without a time: %.*s, which are dropped",
                   SPAN_ARG(decimal_commas(count, t->timeless)));
    if (t->archive.range.to > 0)
        diag_note(t->diag, "%s: %.*s counts", timerange_text(when, &t->archive.range),
                  SPAN_ARG(decimal_commas(count, t->in_range)));
    filter_report_dropped(&t->filter, t->diag);
    if (t->idle != NULL && any)
        idlewaits_report(t->idle, t->diag);
    filter_report_names(&t->filter, t->diag);
    if (!any && t->diag->status == 0 && t->archive.range.to == 0)
        diag_note(t->diag, "no samples in the input");
}
