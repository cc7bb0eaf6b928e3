/* Both formats are treated alike: a decision about a frame is made once, and the filter works on
 * samples whose frames are numbers. For perf script text see perfline.h. Folded stacks have one or
 * two counts:
 *
 *     node;main;f /p/x.js:1:2 31
 *     node;main;f /p/x.js:1:2 31 27
 *
 * stackcollapse writes the command name as the first frame, and with --slice the slice of time
 * before it; in an archive of stackrecord the host is between them. These are not treated as
 * frames: no pattern is matched with them, and they stay if all frames are dropped. */
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

/* Write the sum of --merge times. */
static void
write_sum(struct stream *t)
{
    char count[DECIMAL_TEXT], second[DECIMAL_TEXT];
    if (!t->sum.any)
        return;
    out_span(&t->out, text_span(&t->sum.stack));
    folded_write_counts(&t->out, decimal_text(count, t->sum.count.of[0]),
                        t->sum.two ? decimal_text(second, t->sum.count.of[1]) : SPAN(""));
    t->sum.any = false;
}

/* Write a line unchanged. If `why` is not NULL, it says what is wrong with the line: then report
 * it, and count it as skipped. */
static void
pass_line(struct stream *t, struct span line, const char *why)
{
    write_sum(t);
    perfwrite_line(&t->writer, line);
    if (why == NULL)
        return;
    t->passed++;
    t->input.skipped++; /* for input_status; input_skip is for lines that are lost */
    diag_warn(t->diag, "lines not understood and passed through", input_place(&t->input),
              "%s, passed through", why);
}

static void
take_sample(struct stream *t)
{
    struct sample s = t->perftext.source.sample;
    if (eventname_is_turn(s.header.field[PERF_EVENT])) /* it has no stack, so no rule applies */
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

/* Written for a stack that has lost all its frames, and has no command name. */
#define NO_FRAMES SPAN("(no frames)")

/* Return true if a stack's slice, NULL if it has none, is in the wanted range of time. Add its
 * count to the sums. */
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

/* Return the name of a thread without the parts that are merged. */
static struct span
merged(const struct stream *t, struct span frame)
{
    struct span comm, process;
    if (!(t->archive.merge_threads || t->archive.merge_processes) ||
        !slice_thread(frame, &comm, &process))
        return frame;
    return t->archive.merge_processes ? comm : process;
}

/* Compose the text of a stack after its time: the host, if there is one, the command, and the n
 * frames in f->stack. */
static void
show(struct stream *t, struct span host, struct span comm, size_t n)
{
    const struct filter *f = &t->filter;
    struct text *shown = &t->last.shown;
    if (t->no_comm && n == 0)
        comm = NO_FRAMES;
    shown->len = 0;
    if (host.ptr != NULL && !t->archive.merge_hosts)
        TEXT_ADD(shown, utf8_masked(&t->masked, host), SPAN(";"));
    text_add(shown, utf8_masked(&t->masked, comm));
    for (size_t i = n; i-- > 0;) {
        if (i + 1 < n || comm.ptr != NULL)
            text_add(shown, SPAN(";"));
        const struct decision *d = &f->folded_frames.list[f->stack[i]];
        struct span name = intern_text(&f->folded_frames.names, d->name);
        text_add(shown, d->masked ? utf8_masked(&t->masked, name) : name);
    }
}

/* Add the count to the sum of the previous lines, if they have the same stack and the sum does not
 * overflow. */
static void
add_to_sum(struct stream *t, struct count count, bool two)
{
    const struct span shown = text_span(&t->last.shown);
    struct count sum = count;
    bool same = t->sum.any && t->sum.two == two && span_eq(text_span(&t->sum.stack), shown);
    for (size_t i = 0; i < 2 && same; i++) {
        sum.of[i] = decimal_add(t->sum.count.of[i], count.of[i]);
        same = !decimal_is_full(sum.of[i]);
    }
    if (!same) {
        write_sum(t);
        text_set(&t->sum.stack, shown);
        sum = count;
    }
    t->sum.count = sum;
    t->sum.two = two;
    t->sum.any = true;
}

/* Filter a stack without its time. In an hour of an archive, stacks that differ only in time follow
 * each other: they are looked up once, which halves the time for a day. Return false if it is
 * dropped. */
static bool
take_stack(struct stream *t, struct span stack, const struct slice *slice, struct count count)
{
    size_t n;
    struct span left = stack, host = {NULL, 0};
    struct last_stack *last = &t->last;
    bool has_host = slice != NULL && !t->no_comm && slice_take_host(*slice, &left, &host);
    struct span comm = t->no_comm ? (struct span){NULL, 0} : merged(t, folded_frame(&left));
    if (last->any && last->has_host == has_host && span_eq(text_span(&last->stack), stack))
        return filter_folded_again(&t->filter, comm, count, &n);
    text_set(&last->stack, stack);
    last->any = true;
    last->has_host = has_host;
    bool kept = filter_folded(&t->filter, comm, left, count, &n);
    if (kept)
        show(t, host, comm, n);
    return kept;
}

static void
take_line(struct stream *t, const struct folded *folded)
{
    struct slice seen;
    struct span left = folded->stack;
    struct count count = {{{0, 0}, {0, 0}}};
    const struct slice *slice = slice_take(&left, &seen) ? &seen : NULL;
    decimal_parse(folded->count, &count.of[0]);
    decimal_parse(folded->second, &count.of[1]);
    if (!in_range(t, slice, count.of[0]) || !take_stack(t, left, slice, count))
        return;
    if (t->archive.merge_times) {
        add_to_sum(t, count, folded->second.len > 0);
        return;
    }
    out_span(&t->out, span_head(folded->stack, folded->stack.len - left.len));
    out_span(&t->out, text_span(&t->last.shown));
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
    write_sum(t);
    if (filter_needs_marks(&t->filter) && t->usable > 0 &&
        !(t->filter.advice.traits & TRAIT_MARKED))
        diag_warn(t->diag, "files without _[k] marks", (struct place){t->input.name, 0},
                  "folded stacks without _[k] marks do not show which frames are the kernel's: "
                  "fold with stackcollapse --kernel");
}

/* Report a file without a usable line. `looks` is the result of looks_like() for it. */
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
