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
#include "common/stack/model/series.h"
#include "common/stack/text/foldedtext.h"

void
stream_init(struct stream *t, const struct rules *rules, struct sourcemaps *maps, struct diag *diag)
{
    *t = (struct stream){.diag = diag};
    perftext_init(&t->perftext, &perf_rules, &t->input.lines);
    perfwrite_init(&t->writer, &t->out, &t->perftext.frames);
    filter_init(&t->filter, rules, maps, &t->perftext.frames);
}

/* Write a line unchanged. If `why` is not NULL, it says what is wrong with the line: then report
 * it, and count it as skipped. */
static void
pass_line(struct stream *t, struct span line, const char *why)
{
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

/* Reduce a series of slices to those in the range, and the stack's counts to their shares. Return
 * false if there are none. */
static bool
cut_series(struct slice *slice, struct count *counts, const struct timerange *range)
{
    struct series s;
    struct count in = {{{0, 0}, {0, 0}}};
    const char *from = NULL, *to = NULL;
    uint32_t sum = 0;
    uint64_t begin = 0;
    size_t n = 0;
    for (series_start(&s, slice); series_next(&s);) {
        uint64_t second = s.slice.ms / 1000;
        if (second < range->from || second >= range->to)
            continue;
        if (n++ == 0) {
            from = s.text.ptr;
            begin = s.slice.ms;
        }
        to = s.text.ptr + s.text.len;
        sum += s.count;
        for (size_t i = 0; i < 2; i++)
            in.of[i] = decimal_add(in.of[i], series_share(&s, counts->of[i]));
    }
    if (n == 0)
        return false;
    *counts = in;
    slice->ms = begin;
    slice->step = n > 1 ? slice->step : 0;
    slice->sum = sum;
    slice->counts = n > 1 ? span_of(from, (size_t)(to - from)) : SPAN("");
    return true;
}

/* Reduce a stack's slices, and its counts, to those in the wanted range of time; `slice` is NULL if
 * it has none. Return false if there are none. Add its count to the sums. */
static bool
in_range(struct stream *t, struct slice *slice, struct count *counts)
{
    if (slice == NULL)
        t->timeless = decimal_add(t->timeless, counts->of[0]);
    if (slice == NULL || !cut_series(slice, counts, &t->archive.range))
        return false;
    t->in_range = decimal_add(t->in_range, counts->of[0]);
    return true;
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

/* Write a stack after its time: the host, if there is one, the command, and the n frames in
 * f->stack. */
static void
write_stack(struct stream *t, struct span host, struct span comm, size_t n)
{
    const struct filter *f = &t->filter;
    if (t->no_comm && n == 0)
        comm = NO_FRAMES;
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
}

/* Write the frame of a slice or series. */
static void
write_slice(struct stream *t, const struct slice *slice)
{
    char text[SLICE_TEXT];
    out_span(&t->out, slice_frame(text, *slice));
    out_span(&t->out, slice->counts);
    out_char(&t->out, ';');
}

/* Write the counts of a line, or if it was cut, what is left of them. */
static void
write_counts(struct stream *t, const struct folded *folded, const struct count *left)
{
    char text[DECIMAL_TEXT], second[DECIMAL_TEXT];
    if (left == NULL)
        folded_write_counts(&t->out, folded->count, folded->second);
    else
        folded_write_counts(&t->out, decimal_text(text, left->of[0]),
                            folded->second.len > 0 ? decimal_text(second, left->of[1]) : SPAN(""));
}

static void
take_line(struct stream *t, const struct folded *folded)
{
    struct slice seen;
    size_t n;
    struct span left = folded->stack, host = {NULL, 0};
    struct count count = {{{0, 0}, {0, 0}}};
    struct slice *slice = slice_take(&left, &seen) ? &seen : NULL;
    struct span time = span_head(folded->stack, folded->stack.len - left.len);
    decimal_parse(folded->count, &count.of[0]);
    decimal_parse(folded->second, &count.of[1]);
    const bool ranged = t->archive.range.to > 0, cut = ranged && slice != NULL && slice->step > 0;
    if (ranged && !in_range(t, slice, &count))
        return;
    if (slice != NULL && !t->no_comm)
        slice_take_host(*slice, &left, &host);
    struct span comm = t->no_comm ? (struct span){NULL, 0} : merged(t, folded_frame(&left));
    if (!filter_folded(&t->filter, comm, left, count, &n))
        return;
    if (!t->archive.merge_times && !cut)
        out_span(&t->out, time);
    else if (!t->archive.merge_times)
        write_slice(t, slice);
    write_stack(t, host, comm, n);
    write_counts(t, folded, cut ? &count : NULL);
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
