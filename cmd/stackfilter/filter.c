#include "cmd/stackfilter/filter.h"

#include "common/base/num.h"
#include "common/stack/lookslike.h"

void
filter_init(struct filter *f, const struct rules *rules, struct diag *diag)
{
    *f = (struct filter){.rules = rules, .diag = diag};
    perftext_init(&f->perftext, &perf_rules, &f->input.lines);
    perfwrite_init(&f->writer, &f->out, &f->perftext.frames);
    decisions_init(&f->perf_frames, rules);
    decisions_init(&f->folded_frames, rules);
}

static void
add(struct count *sum, struct count n)
{
    sum->of[0] = decimal_add(sum->of[0], n.of[0]);
    sum->of[1] = decimal_add(sum->of[1], n.of[1]);
}

bool
filter_stack(struct filter *f, const struct decisions *decisions, size_t *n, struct count count)
{
    bool cut;
    enum verdict verdict = stack_filter(decisions, f->stack, n, &cut);
    add(&f->samples, count);
    add(&f->by_verdict[verdict], count);
    if (cut)
        add(&f->cut, count);
    return verdict == VERDICT_KEPT;
}

void
filter_pass(struct filter *f, struct span line, const char *why)
{
    perfwrite_line(&f->writer, line);
    if (why == NULL)
        return;
    f->passed++;
    f->input.skipped++; /* for input_status; the line is not lost, so input_skip does not fit */
    diag_warn(f->diag, "lines not understood and passed through", input_place(&f->input),
              "%s, passed through", why);
}

/* Reports a file of which no line was usable. `looks`: what looks_like() returned for the file. */
static void
report_unusable(const struct filter *f, enum input_format format, struct span looks)
{
    static const struct {
        const char *wrong, *hint;
    } messages[] = {
        [INPUT_PERF] = {"no line is perf script text", "; folded stacks need --from=folded"},
        [INPUT_FOLDED] = {"no line is a folded stack", ", which ends in a blank and a count"},
        [INPUT_GUESS] = {"no line is perf script text or a folded stack",
                         ", which ends in a blank and a count"},
    };
    diag_error(f->diag, (struct place){f->input.name, 0}, "%s%s%.*s", messages[format].wrong,
               looks.len > 0 ? "; this looks like " : messages[format].hint, SPAN_ARG(looks));
}

void
filter_file(struct filter *f, enum input_format format)
{
    enum input_format used = format != INPUT_GUESS ? format : guess_format(&f->input.lines);
    struct span looks = looks_like(used == INPUT_PERF ? looks_head_unless_perf(&f->input.lines)
                                                      : looks_head(&f->input.lines));
    f->usable = f->passed = 0;
    if (used == INPUT_PERF)
        filter_perf(f);
    else
        filter_folded(f);
    input_warn_cut(&f->input);
    if (f->usable == 0 && f->passed > 0)
        report_unusable(f, format, looks);
    else if (used == INPUT_FOLDED)
        looks_report_skipped(&f->input, looks, f->usable, true);
}

/* Room for two counts and " and ". */
enum { COUNT_TEXT = 2 * (NUM_COMMAS + DECIMAL_TEXT) + 8 };

/* Writes "1,234.5", and returns its length. */
static size_t
put_decimal(char *text, struct decimal d)
{
    char digits[DECIMAL_TEXT];
    char commas[NUM_COMMAS];
    struct span all = decimal_text(digits, d), whole = num_commas(commas, d.whole);
    size_t point = span_find(all, '.');
    struct span fraction = point != SPAN_NONE ? span_from(all, point) : SPAN("");
    memcpy(text, whole.ptr, whole.len);
    memcpy(text + whole.len, fraction.ptr, fraction.len);
    return whole.len + fraction.len;
}

/* "1,234.5", or "1,234.5 and 7" if there is a second count. */
static struct span
count_text(char text[static COUNT_TEXT], struct count n, bool second)
{
    struct span and = SPAN(" and ");
    size_t len = put_decimal(text, n.of[0]);
    if (second) {
        memcpy(text + len, and.ptr, and.len);
        len += and.len;
        len += put_decimal(text + len, n.of[1]);
    }
    return span_of(text, len);
}

/* Notes how much an option took away, if it took anything; then true. */
static bool
report_some(const struct filter *f, struct count n, const char *option)
{
    char some_text[COUNT_TEXT], all_text[COUNT_TEXT];
    if (decimal_is_zero(n.of[0]) && decimal_is_zero(n.of[1]))
        return false;
    bool second = !decimal_is_zero(f->samples.of[1]);
    struct span some = count_text(some_text, n, second);
    struct span all = count_text(all_text, f->samples, second);
    const char *what = !f->folded ? "samples" : f->perf ? "samples and counts" : "counts";
    diag_note(f->diag, "%.*s of %.*s %s %s", SPAN_ARG(some), SPAN_ARG(all), what, option);
    return true;
}

void
filter_report(const struct filter *f)
{
    diag_finish(f->diag);
    bool said = report_some(f, f->by_verdict[VERDICT_FOCUS], "dropped by --focus");
    said |= report_some(f, f->by_verdict[VERDICT_EXCLUDE], "dropped by --exclude");
    said |= report_some(f, f->by_verdict[VERDICT_ROOT], "dropped by --root-at");
    said |= report_some(f, f->cut, "cut by --max-depth");
    if (said && (decimal_is_full(f->samples.of[0]) || decimal_is_full(f->samples.of[1])))
        diag_warn(f->diag, NULL, NOWHERE, DECIMAL_FULL); /* no error: the output has no sums */
    if (f->rules->node)
        advice_report(&f->advice, f->perf_frames.has_js || f->folded_frames.has_js,
                      f->perf_frames.has_interpreted || f->folded_frames.has_interpreted, f->diag);
    if (decimal_is_zero(f->samples.of[0]) && f->diag->status == 0)
        diag_note(f->diag, "no samples in the input");
}
