/* Each frame is decided once, and is represented by a number from then on. apply_rules filters the
 * numbers of a sample. */
#include "common/filter/filter.h"

#include <stdio.h>

#include "common/base/utf8.h"
#include "common/stack/text/foldedtext.h"

void
filter_init(struct filter *f, const struct rules *rules, struct sourcemaps *maps,
            struct frametab *frames)
{
    *f = (struct filter){.rules = rules, .frames = frames};
    decisions_init(&f->perf_frames, rules, maps);
    decisions_init(&f->folded_frames, rules, maps);
    f->folded_frames.distinct = true;
}

/* Return the verdict of --focus and --exclude on the sample. */
static enum verdict
select_sample(const struct decisions *d, const uint32_t *stack, size_t n)
{
    unsigned matched = 0;
    const size_t *patterns = d->rules->counts;
    if (patterns[LIST_FOCUS] + patterns[LIST_EXCLUDE] == 0)
        return VERDICT_KEPT;
    for (size_t i = 0; i < n; i++)
        matched |= d->list[stack[i]].matched;
    if (patterns[LIST_FOCUS] > 0 && !(matched & 1u << LIST_FOCUS))
        return VERDICT_FOCUS;
    return matched & 1u << LIST_EXCLUDE ? VERDICT_EXCLUDE : VERDICT_KEPT;
}

/* Cut the callers of the frame that --root-at matches. Return the number of frames left, or 0 if
 * none matches. */
static size_t
cut_callers(const struct decisions *d, const uint32_t *stack, size_t n)
{
    while (n > 0 && !(d->list[stack[n - 1]].matched & 1u << LIST_ROOT))
        n--;
    return n;
}

/* Drop frames. Set *works to V8's work in the others, as bits: 1u << enum v8work. Return the number
 * of frames left. */
static size_t
without_dropped(const struct decisions *d, uint32_t *stack, size_t n, unsigned *works)
{
    size_t leaf = n > 0 && d->list[stack[0]].dropped == DROPPED_CALLER, kept = leaf;
    *works = 0;
    for (size_t i = leaf; i < n; i++) {
        const struct decision *decision = &d->list[stack[i]];
        stack[kept] = stack[i];
        if (decision->dropped != NOT_DROPPED &&
            (decision->dropped != DROPPED_REPEAT ||
             (kept > 0 && decision->name == d->list[stack[kept - 1]].name)))
            continue;
        kept++;
        *works |= 1u << decision->work;
    }
    return kept;
}

/* Keep one frame of each run of V8's own frames: the first from the leaf that is not just
 * "(runtime)", since the frames that it calls only serve it. If there is none, keep the leaf of the
 * run. */
static size_t
join_runs(const struct decisions *d, uint32_t *stack, size_t n)
{
    size_t kept = 0;
    enum v8work run = WORK_NONE;
    for (size_t i = 0; i < n; i++) {
        enum v8work work = d->list[stack[i]].work;
        if (work == WORK_NONE || run == WORK_NONE)
            stack[kept++] = stack[i];
        else if (run == WORK_RUNTIME && work != WORK_RUNTIME)
            stack[kept - 1] = stack[i];
        else
            work = run;
        run = work;
    }
    return kept;
}

/* Return the end of the last frame with this work in stack[from .. n - 1], or 0 if there is
 * none. */
static size_t
end_of_work(const struct decisions *d, const uint32_t *stack, size_t from, size_t n,
            enum v8work work)
{
    while (n > from && d->list[stack[n - 1]].work != work)
        n--;
    return n > from ? n : 0;
}

/* Move stack[i .. n - 1], a part without code of others than V8's collector and compiler, to
 * stack[kept]. Replace everything from the outermost to the innermost frame of one of the two by
 * one frame. The collector comes first: what it calls is its own work, and the compiler may call
 * it. Return the end of the moved frames. */
static size_t
join_part(const struct decisions *d, uint32_t *stack, size_t i, size_t n, size_t kept)
{
    static const enum v8work order[] = {WORK_GC, WORK_COMPILER};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        size_t end = end_of_work(d, stack, i, n, order[k]);
        if (end == 0)
            continue;
        while (d->list[stack[i]].work == WORK_NONE)
            stack[kept++] = stack[i++];
        stack[kept++] = stack[end - 1];
        i = end;
    }
    while (i < n)
        stack[kept++] = stack[i++];
    return kept;
}

static size_t
join_work(const struct decisions *d, uint32_t *stack, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && !d->list[stack[end]].apart;)
            end++;
        kept = join_part(d, stack, i, end, kept);
        if (end < n)
            stack[kept++] = stack[end++];
    }
    return kept;
}

static size_t
collapse_recursion(const struct decisions *d, uint32_t *stack, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || d->list[stack[kept - 1]].name != d->list[stack[i]].name)
            stack[kept++] = stack[i];
    return kept;
}

/* Apply the rules to a stack of *n frame numbers, leaf first, in place:
 *
 *     1. --focus and --exclude keep or drop the sample, by all of its frames,
 *     2. --root-at cuts the callers,
 *     3. the options that drop frames,
 *     4. --v8-work makes one frame of each run of V8's own,
 *     5. --collapse-recursion,
 *     6. --max-depth; *cut says whether it cut any frame.
 *
 * Return which option drops the sample, if any does. */
static enum verdict
apply_rules(const struct decisions *d, uint32_t *stack, size_t *n, bool *cut)
{
    const struct rules *r = d->rules;
    unsigned works;
    enum verdict verdict = select_sample(d, stack, *n);
    *cut = false;
    if (verdict != VERDICT_KEPT)
        return verdict;
    if (r->counts[LIST_ROOT] > 0 && (*n = cut_callers(d, stack, *n)) == 0)
        return VERDICT_ROOT;
    *n = without_dropped(d, stack, *n, &works);
    if (r->work == V8_WORK_SUMMARIZE && works >> WORK_NONE > 1)
        *n = join_work(d, stack, *n);
    else if (r->work == V8_WORK_DETAIL)
        *n = join_runs(d, stack, *n);
    if (r->collapse_recursion)
        *n = collapse_recursion(d, stack, *n);
    *cut = r->max_depth > 0 && *n > r->max_depth;
    if (*cut) {
        memmove(stack, stack + *n - r->max_depth, r->max_depth * sizeof *stack);
        *n = r->max_depth;
    }
    return VERDICT_KEPT;
}

static void
add(struct count *sum, struct count n)
{
    sum->of[0] = decimal_add(sum->of[0], n.of[0]);
    sum->of[1] = decimal_add(sum->of[1], n.of[1]);
}

/* Filter f->stack, with the *n frames of a sample that has this count. Return false if the sample
 * is dropped. */
static bool
filter_stack(struct filter *f, const struct decisions *decisions, size_t *n, struct count count)
{
    bool cut;
    enum verdict verdict = apply_rules(decisions, f->stack, n, &cut);
    add(&f->samples, count);
    add(&f->by_verdict[verdict], count);
    if (cut)
        add(&f->cut, count);
    return verdict == VERDICT_KEPT;
}

/* Decide about a frame. If it is renamed, add the frame to write in its place. `matched` is as in
 * decisions_make. */
static void
decide(struct filter *f, uint32_t number, unsigned matched)
{
    struct frametab *frames = f->frames;
    struct frame frame = *frametab_frame(frames, number), old = frame;
    struct decision *d = decisions_make(&f->perf_frames, number, matched, &frame.sym, &frame.dso);
    bool renamed = !span_eq(frame.sym, old.sym);
    if (!renamed && span_eq(frame.dso, old.dso))
        return;
    if (renamed) {
        frame.offset = SPAN(""); /* it belongs to the old symbol */
        frame.sym_blanks = 0;
    }
    d->shown = frametab_add(frames, &frame);
}

/* Copy the frames to f->stack, and decide about those that are new. */
static void
take_stack(struct filter *f, const struct sample *s)
{
    f->stack = mem_grow(f->stack, &f->stack_cap, s->nframes + 1, sizeof *f->stack);
    for (size_t i = 0; i < s->nframes; i++) {
        uint32_t frame = f->stack[i] = s->frames[i];
        if (frame >= f->perf_frames.cap || !f->perf_frames.list[frame].made)
            decide(f, frame, 0);
    }
}

/* Return the number of a folded frame. Its name is its key, from `start` on. `matched` is as in
 * decisions_make. */
static uint32_t
add_folded(struct filter *f, struct span key, size_t start, unsigned matched)
{
    uint32_t number;
    if (intern_put(&f->folded_names, key, &number)) {
        struct span sym = span_from(intern_text(&f->folded_names, number), start), dso = SPAN("");
        struct decision *d = decisions_make(&f->folded_frames, number, matched, &sym, &dso);
        d->masked = utf8_masked(&f->masked, sym).ptr != sym.ptr;
    }
    return number;
}

/* Return a frame with this symbol, and otherwise the parts of the given one, which has no name. */
static uint32_t
named_perf(struct filter *f, uint32_t number, struct span sym)
{
    struct frametab *frames = f->frames;
    struct frame frame = *frametab_frame(frames, number);
    frame.sym = sym;
    frame.has_sym = true;
    frame.sym_blanks = 0;
    frame.offset = SPAN("");
    uint32_t named = frametab_add(frames, &frame);
    decide(f, named, f->perf_frames.list[number].matched);
    return named;
}

/* Do the same for a folded frame, which keeps its mark. Patterns may match either name, so frames
 * that are written alike have different numbers: the key contains both names. */
static uint32_t
named_folded(struct filter *f, uint32_t number, struct span sym)
{
    struct span old = intern_text(&f->folded_names, number);
    TEXT_SET(&f->key, old, SPAN("\n"), sym, span_from(old, folded_unmarked(old).len));
    return add_folded(f, text_span(&f->key), old.len + 1, f->folded_frames.list[number].matched);
}

/* Return the frame to write in place of one without a name, such as "(JavaScript without names)"
 * for RUNTIME_NODE. */
static uint32_t
named(struct filter *f, struct decisions *d, uint32_t number, enum runtime runtime)
{
    if (d->list[number].named_for == runtime + 1)
        return d->list[number].named;
    struct span sym = runtime_nameless(runtime);
    uint32_t frame =
        d == &f->perf_frames ? named_perf(f, number, sym) : named_folded(f, number, sym);
    d->list[number].named = frame;
    d->list[number].named_for = (unsigned char)(runtime + 1);
    return frame;
}

/* Replace frames of JIT-compiled code without a name. The runtime is that of the nearest caller
 * with a known runtime, else of the nearest callee, else of the command. Count the sample for each
 * runtime found; this includes WebAssembly that stackrecord found. */
static void
name_compiled(struct filter *f, struct decisions *d, size_t n, struct span comm, struct count count)
{
    enum runtime runtime = RUNTIME_UNKNOWN;
    bool counted[RUNTIMES] = {false};
    for (size_t i = n; i-- > 0 && runtime == RUNTIME_UNKNOWN;)
        runtime = (enum runtime)d->list[f->stack[i]].runtime;
    if (runtime == RUNTIME_UNKNOWN)
        runtime = runtime_of_comm(comm);
    for (size_t i = n; i-- > 0;) {
        const struct decision *decision = &d->list[f->stack[i]];
        if (decision->runtime != RUNTIME_UNKNOWN)
            runtime = (enum runtime)decision->runtime;
        else if (runtime == RUNTIME_WASM && decision->traits & TRAIT_JS)
            runtime = RUNTIME_NODE; /* called from WebAssembly */
        bool labelled = f->perf && runtime == RUNTIME_WASM && decision->traits & TRAIT_NAMELESS;
        if (!(decision->traits & TRAIT_NAMELESS_JIT) && !labelled)
            continue;
        f->stack[i] = labelled ? f->stack[i] : named(f, d, f->stack[i], runtime);
        if (!counted[runtime])
            add(&f->nameless[runtime], count);
        counted[runtime] = true;
    }
}

/* Name V8's interpreter if it would be dropped although it runs the innermost function of
 * JavaScript: otherwise, that function's time would be attributed to a caller. Other functions that
 * it runs are not shown, since the start of every program is full of them. */
static void
name_interpreted(struct filter *f, struct decisions *d, size_t n)
{
    static const unsigned javascript =
        TRAIT_JS | TRAIT_NAMELESS_JIT | TRAIT_NAMELESS | TRAIT_INTERPRETER;
    size_t i = 0;
    while (i < n && !(d->list[f->stack[i]].traits & javascript))
        i++;
    if (i < n && d->list[f->stack[i]].traits & TRAIT_INTERPRETER &&
        d->list[f->stack[i]].dropped != NOT_DROPPED)
        f->stack[i] = named(f, d, f->stack[i], RUNTIME_NODE);
}

/* For --node: count what is missing in the sample, and name the frames that would otherwise
 * vanish. */
static void
look_at_sample(struct filter *f, struct decisions *d, size_t n, struct span comm,
               struct count count, uint64_t times)
{
    unsigned traits = advice_add(&f->advice, d, f->stack, n, comm, times);
    if (traits & TRAIT_INTERPRETER)
        name_interpreted(f, d, n);
    if (traits & (TRAIT_NAMELESS_JIT | TRAIT_NAMELESS))
        name_compiled(f, d, n, comm, count);
}

bool
filter_sample(struct filter *f, struct sample *s, uint64_t times)
{
    const struct count count = {{{times, 0}, {0, 0}}};
    size_t n = s->nframes;
    f->perf = true;
    take_stack(f, s);
    if (f->rules->node)
        look_at_sample(f, &f->perf_frames, n, s->header.field[PERF_COMM], count, times);
    if (!filter_stack(f, &f->perf_frames, &n, count))
        return false;
    for (size_t i = 0; i < n; i++)
        f->stack[i] = f->perf_frames.list[f->stack[i]].shown;
    s->frames = f->stack;
    s->nframes = n;
    /* A frame in the header line becomes a separate stack, which may be empty now. */
    s->frame_in_header = s->header.no_callchain = false;
    s->blank = true;
    return true;
}

/* Read the frames into f->stack, leaf first. Return their number. */
static size_t
read_stack(struct filter *f, struct span frames)
{
    size_t n = 0;
    while (frames.ptr != NULL) {
        f->stack = mem_grow(f->stack, &f->stack_cap, n + 1, sizeof *f->stack);
        f->stack[n++] = add_folded(f, folded_frame(&frames), 0, 0);
    }
    for (size_t i = 0; i < n / 2; i++) {
        uint32_t swap = f->stack[i];
        f->stack[i] = f->stack[n - 1 - i];
        f->stack[n - 1 - i] = swap;
    }
    return n;
}

bool
filter_needs_marks(const struct filter *f)
{
    const struct rules *r = f->rules;
    return (r->hidden >> KIND_KERNEL & 1u) != (r->hidden >> KIND_NATIVE & 1u);
}

bool
filter_folded(struct filter *f, struct span comm, struct span frames, struct count count, size_t *n)
{
    f->folded = true;
    *n = read_stack(f, frames);
    if (f->rules->node)
        look_at_sample(f, &f->folded_frames, *n, comm, count, 1);
    else if (filter_needs_marks(f))
        advice_add(&f->advice, &f->folded_frames, f->stack, *n, comm, 1);
    return filter_stack(f, &f->folded_frames, n, count);
}

enum { COUNT_TEXT = 2 * DECIMAL_COMMAS + sizeof " and " };

/* Write "1,234.5", or, with a second count, "1,234.5 and 7". */
static const char *
count_text(char text[static COUNT_TEXT], struct count n, bool second)
{
    char one[DECIMAL_COMMAS], two[DECIMAL_COMMAS];
    struct span a = decimal_commas(one, n.of[0]);
    struct span b = second ? decimal_commas(two, n.of[1]) : SPAN("");
    snprintf(text, COUNT_TEXT, "%.*s%s%.*s", SPAN_ARG(a), second ? " and " : "", SPAN_ARG(b));
    return text;
}

static double
double_of(struct count n)
{
    return decimal_double(n.of[0]) + decimal_double(n.of[1]);
}

enum { PART_TEXT = 2 * COUNT_TEXT + 128 };

/* Write "220 of 387 samples" and the note. Return false if there are none. */
static bool
part_text(const struct filter *f, char text[static PART_TEXT], struct count n, const char *note)
{
    char some_text[COUNT_TEXT], all_text[COUNT_TEXT];
    if (decimal_is_zero(n.of[0]) && decimal_is_zero(n.of[1]))
        return false;
    bool second = !decimal_is_zero(f->samples.of[1]);
    const char *what = !f->folded ? "samples" : f->perf ? "samples and counts" : "counts";
    snprintf(text, PART_TEXT, "%s of %s %s %s", count_text(some_text, n, second),
             count_text(all_text, f->samples, second), what, note);
    return true;
}

/* If there are any, print a note on a part of the samples, such as those that an option dropped,
 * and return true. */
static bool
report_some(const struct filter *f, struct diag *diag, struct count n, const char *note)
{
    char text[PART_TEXT];
    bool some = part_text(f, text, n, note);
    if (some)
        diag_note(diag, "%s", text);
    return some;
}

/* Write the number of samples in code without names, if the runtime has more than a hundredth of
 * all. Otherwise return false. */
static bool
nameless_text(const struct filter *f, enum runtime runtime, char text[static PART_TEXT])
{
    char note[64];
    struct span code = runtime_nameless(runtime);
    double all = double_of(f->samples);
    struct count n = f->nameless[runtime];
    if (all < ADVICE_LEAST || double_of(n) <= all / 100)
        return false;
    snprintf(note, sizeof note, "are in %.*s", (int)code.len - 2, code.ptr + 1);
    return part_text(f, text, n, note);
}

void
filter_report_dropped(const struct filter *f, struct diag *diag)
{
    bool said = report_some(f, diag, f->by_verdict[VERDICT_FOCUS], "dropped by --focus");
    said |= report_some(f, diag, f->by_verdict[VERDICT_EXCLUDE], "dropped by --exclude");
    said |= report_some(f, diag, f->by_verdict[VERDICT_ROOT], "dropped by --root-at");
    said |= report_some(f, diag, f->cut, "cut by --max-depth");
    if (said && (decimal_is_full(f->samples.of[0]) || decimal_is_full(f->samples.of[1])))
        diag_warn(diag, NULL, NOWHERE, DECIMAL_FULL); /* not an error: the output has no sums */
}

void
filter_report_names(const struct filter *f, struct diag *diag)
{
    char text[PART_TEXT];
    bool has_js = f->perf_frames.has_js || f->folded_frames.has_js;
    for (int i = 0; i < RUNTIMES && f->rules->node; i++)
        if (nameless_text(f, (enum runtime)i, text)) /* if some have names, the user knew how */
            diag_note(diag, "%s: %s", text,
                      i == RUNTIME_NODE && has_js
                          ? "stackrecord leaves out what it is not certain of, and a perf map that "
                            "was copied before the recording ended lacks names"
                          : runtime_remedy((enum runtime)i));
    if (f->rules->node)
        advice_report(&f->advice,
                      f->perf_frames.has_interpreted || f->folded_frames.has_interpreted, diag);
}

void
filter_write_nameless(const struct filter *f, struct out *out)
{
    char text[PART_TEXT];
    const char *before = "\nwithout names\n";
    for (int i = 0; i < RUNTIMES; i++)
        if (nameless_text(f, (enum runtime)i, text)) {
            out_format(out, "%s  %s\n", before, text);
            before = "";
        }
}
