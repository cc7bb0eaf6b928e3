#include "cmd/flamesvg/stacks.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/num.h"
#include "common/base/sort.h"
#include "common/base/text.h"
#include "common/stack/frames/gone.h"
#include "common/stack/model/slice.h"
#include "common/stack/text/foldedtext.h"
#include "common/stack/text/lookslike.h"

static void
reverse_bytes(char *s, size_t len)
{
    for (size_t i = 0, j = len; i + 1 < j; i++) {
        char c = s[i];
        s[i] = s[--j];
        s[j] = c;
    }
}

/* Reverse the frames: "a;bc;;" becomes " bc;a". Drop empty frames at the end, and move the rest so
 * that it ends where it did before, at the count. Return the number of unused bytes at the
 * start. */
static size_t
reverse_frames(char *s, size_t len)
{
    size_t n = len;
    while (n > 0 && s[n - 1] == ';')
        n--;
    memmove(s + len - n, s, n);
    s += len - n;
    reverse_bytes(s, n);
    for (size_t at = 0, end; at < n; at = end + 1) {
        size_t semicolon = span_find(span_of(s + at, n - at), ';');
        end = semicolon == SPAN_NONE ? n : at + semicolon;
        reverse_bytes(s + at, end - at);
    }
    return len - n;
}

/* Return the offset of the first frame that matches, or SPAN_NONE. */
static size_t
find_base(struct span stack, const struct pattern *base)
{
    const char *start = stack.ptr;
    while (stack.ptr != NULL) {
        struct span frame = folded_frame(&stack);
        if (pattern_matches(base, frame))
            return (size_t)(frame.ptr - start);
    }
    return SPAN_NONE;
}

/* Return the value of the digits, at most COUNT_MAX. */
static double
number(struct span digits)
{
    uint64_t n;
    char text[256];
    if (num_u64(digits, &n) && n < UINT64_MAX)
        return (double)n;
    if (digits.len >= sizeof text)
        return COUNT_MAX;
    memcpy(text, digits.ptr, digits.len);
    text[digits.len] = '\0';
    double value = strtod(text, NULL);
    return value < COUNT_MAX ? value : COUNT_MAX;
}

/* Lines that are sorted by their bytes, but not by their frames: those from `from` to `mid` - 1
 * begin with a stack of `prefix` bytes, followed by a byte below ";" ("a;b.c 1"); those from `mid`
 * on begin with the same stack and ";" ("a;b;d 1"). */
struct sorted_run {
    size_t from, mid;
    uint32_t prefix;
};

/* The previous line, to compare the next stack with. */
struct last {
    struct folded_last line;
    size_t stack; /* length of its stack, without the counts */
    /* Sort ";" below all other bytes, and the end of a stack lower still. In the order of bytes,
     * which flamegraph.pl uses, "a;b 1" and "a;b;c 1" stand on either side of "a;b.c 1", and b is
     * drawn twice. */
    bool by_frames;
    bool sorted;  /* all lines so far are in order, or will be once the runs have ended */
    bool rebuilt; /* the lines were not always in the order of their bytes: there are no runs */
    struct sorted_run *runs;
    size_t nruns, runs_cap;
    struct text reversed; /* scratch space of add_line */
};

/* The count of a stack. */
struct weight {
    double count, delta; /* as in struct stack */
};

/* Return the weight of a stack. A stack that is gone keeps the width that it had. */
static struct weight
weight_of(const struct folded *f, bool gone)
{
    double first = number(f->count);
    if (f->second.len == 0)
        return (struct weight){first, NAN};
    double second = number(f->second);
    return (struct weight){gone ? first : second, second - first};
}

/* Return true if two counts may be added before all lines are sorted: if they have no fractions,
 * whose sum depends on the order. */
static bool
is_addable(double a, double b)
{
    const double exact = 9007199254740992; /* 2^53 */
    return num_is_whole(a) && num_is_whole(b) && a + b < exact;
}

/* Return the frames without empty ones at the end, which flamegraph.pl ignores. */
static struct span
without_empty(struct span frames)
{
    while (frames.len > 0 && frames.ptr[frames.len - 1] == ';')
        frames.len--;
    return frames;
}

struct span
stack_rest(const struct stack *stack)
{
    struct span rest = without_empty(span_of(stack->text, stack->len - stack->at));
    return rest.len == 0 ? (struct span){NULL, 0} : span_from(rest, stack->shared > 0 ? 1 : 0);
}

/* Return the rank of a byte of a stack: ";" comes first. No line contains a newline, so 0 remains
 * for the end of the stack. */
static unsigned char
rank_of(char c)
{
    unsigned char u = (unsigned char)c;
    return (unsigned char)(u == ';' ? 1 : u < '\n' ? u + 2 : u < ';' ? u + 1 : u);
}

static char
byte_of(char rank)
{
    unsigned char u = (unsigned char)rank;
    return (char)(u == 1 ? ';' : u < '\n' + 2 ? u - 2 : u <= ';' ? u - 1 : u);
}

/* Return true if a line, whose stack is its first `stack` bytes, must come before the last one. The
 * two share `common` bytes. */
static bool
is_before(const struct last *last, struct span line, size_t stack, size_t common)
{
    size_t shorter = stack < last->stack ? stack : last->stack;
    if (!last->by_frames || (common >= shorter && stack == last->stack))
        return span_less(line, span_of(last->line.text, last->line.len), common);
    if (common >= shorter)
        return stack < last->stack;
    return rank_of(line.ptr[common]) < rank_of(last->line.text[common]);
}

/* Return true if a line is the first of a run that continues with ";". */
static bool
is_mid(const struct last *last, struct span line, size_t stack, size_t common)
{
    return last->by_frames && last->sorted && !last->rebuilt && common > 0 && common < stack &&
           common < last->stack && line.ptr[common] == ';' && line.ptr[common - 1] != ';' &&
           (unsigned char)last->line.text[common] < ';';
}

static void
start_run(const struct stacks *s, struct last *last, size_t prefix)
{
    size_t from = s->count - 1;
    while (from > 0 && s->list[from].common >= prefix && s->list[from - 1].len != prefix)
        from--;
    MEM_ADD(last->runs, last->nruns, last->runs_cap,
            (struct sorted_run){from, s->count, (uint32_t)prefix});
}

/* Move the start of the entry's own text. `text` is the beginning of its line. */
static void
move_start(struct stacks *s, struct stack *stack, const char *text, uint32_t at, uint32_t shared)
{
    if (at < stack->at) {
        uint32_t more = stack->at - at;
        char *longer = arena_text(&s->text, (size_t)more + stack->text_len);
        memcpy(longer, text + at, more);
        memcpy(longer + more, stack->text, stack->text_len);
        stack->text = longer;
    } else {
        stack->text += at - stack->at;
    }
    stack->text_len += stack->at - at; /* modulo 2^32, so it may shrink */
    stack->at = at;
    stack->shared = shared;
}

/* Move the lines from `mid` on before the others of the run. Then only the first line of each part
 * follows another line than before, so only these two must be corrected: the lines before the run
 * share nothing beyond the prefix, and the two parts differ in the last frame of the prefix. */
static void
end_run(struct stacks *s, const struct last *last, struct sorted_run run)
{
    struct stack *a = &s->list[run.from], *b = &s->list[run.mid];
    struct stack was = *a, between = *b;
    if (run.from > 0 && was.common >= run.prefix) { /* it follows the stack that is the prefix */
        was.common = was.at = run.prefix;
        was.shared = between.shared + 1;
    }
    move_start(s, a, last->line.text, between.at, between.shared);
    move_start(s, b, last->line.text, was.at, was.shared);
    a->common = run.prefix;
    b->common = was.common;
    size_t size = (run.mid - run.from) * sizeof *a;
    struct stack *first = mem_alloc(size);
    memcpy(first, a, size);
    memmove(a, b, (s->count - run.mid) * sizeof *a);
    memcpy(a + (s->count - run.mid), first, size);
    free(first);
}

/* End the runs that a line does not belong to. It shares `common` bytes with the last line. */
static void
end_runs(struct stacks *s, struct last *last, size_t common)
{
    while (last->nruns > 0 && common <= last->runs[last->nruns - 1].prefix)
        end_run(s, last, last->runs[--last->nruns]);
}

/* Check whether a line begins a run, or is out of order. */
static void
check_order(struct stacks *s, struct last *last, struct span line, size_t stack, size_t common)
{
    bool less = span_less(line, span_of(last->line.text, last->line.len), common);
    if (!less && is_mid(last, line, stack, common)) {
        start_run(s, last, common);
    } else if (less || is_before(last, line, stack, common)) {
        last->sorted = false;
        last->nruns = 0;
    }
}

/* Add a folded line whose stack is its first `stack` bytes. Store only the text that it does not
 * share with the previous line, and none if the stack is the same. */
static void
add(struct stacks *s, struct last *last, struct span line, size_t stack, struct weight w)
{
    struct span frames = without_empty(span_head(line, stack));
    struct span before = span_of(last->line.text, last->line.len);
    size_t common = span_common(before, line);
    size_t at, shared = folded_shared(&last->line, frames, common, &at);
    end_runs(s, last, common);
    struct stack *same =
        s->count > 0 && stack == last->stack && common >= stack ? &s->list[s->count - 1] : NULL;
    if (same != NULL && isnan(same->delta) && isnan(w.delta) && is_addable(same->count, w.count)) {
        same->count += w.count;
        return;
    }
    check_order(s, last, line, stack, common);
    struct span text = arena_copy(&s->text, span_from(line, at));
    last->stack = stack;
    folded_remember(&last->line, line, frames.len, shared);
    MEM_ADD(s->list, s->count, s->cap,
            (struct stack){
                .shared = (uint32_t)shared,
                .at = (uint32_t)at,
                .text_len = (uint32_t)text.len,
                .common = (uint32_t)common,
                .len = (uint32_t)stack,
                .text = text.ptr,
                .count = w.count,
                .delta = w.delta,
            });
}

/* Do the same for a stack that is gone, with its frames in a branch of their own. */
static void
add_gone(struct stacks *s, struct last *last, struct span line, size_t stack, struct weight w)
{
    struct text text = {0};
    TEXT_SET(&text, SPAN(GONE_FRAME ";"), line);
    add(s, last, text_span(&text), text.len - line.len + stack, w);
    free(text.ptr);
    s->gone += w.count;
}

/* Properties of a line besides its stack and counts. */
struct stack_line {
    const struct slice *slice; /* its slice of time; NULL: none, or not used */
    bool gone;
};

/* Add each stack that was seen in slices once. Adding them slice by slice would sort all of them
 * again and again, which takes six sevenths of the time for a day of 8.6 million samples. */
static void
add_sliced(struct stacks *s, struct last *last)
{
    struct text line = {0};
    for (uint32_t i = 0; i < s->slices.stacks.count; i++) {
        struct span stack = intern_text(&s->slices.stacks, i);
        TEXT_SET(&line, stack, SPAN(" 1"));
        if (s->slices.sums[i] > 0)
            add(s, last, text_span(&line), stack.len, (struct weight){s->slices.sums[i], NAN});
    }
    free(line.ptr);
}

static void
add_known(struct stacks *s, struct last *last, struct span line, size_t stack, struct weight w,
          struct stack_line known)
{
    bool sliced = known.slice != NULL && isnan(w.delta);
    if (sliced)
        slices_add(&s->slices, known.slice, without_empty(span_head(line, stack)), w.count);
    if (sliced && num_is_whole(w.count))
        return; /* see add_sliced */
    if (known.gone)
        add_gone(s, last, line, stack, w);
    else
        add(s, last, line, stack, w);
}

/* Add one line of input. */
static void
add_line(struct stacks *s, struct last *last, struct span line, struct folded f,
         const struct stacks_rules *rules)
{
    struct slice slice;
    size_t whole = f.stack.len;
    bool sliced = !rules->line_decides && slice_take(&f.stack, &slice);
    bool gone = !rules->line_decides && f.second.len > 0 && gone_take(&f.stack);
    struct stack_line known = {sliced && rules->slices ? &slice : NULL, gone && rules->gone};
    line = span_from(line, whole - f.stack.len);
    size_t cut = rules->base != NULL ? find_base(f.stack, rules->base) : 0;
    if (cut == SPAN_NONE) {
        s->baseless++;
        return;
    }
    s->lines++;
    s->sliced += sliced;
    struct span end = f.second.len > 0 ? f.second : f.count; /* without a carriage return */
    line = span_of(line.ptr + cut, (size_t)(end.ptr + end.len - line.ptr) - cut);
    size_t len = f.stack.len - cut;
    if (rules->reverse) {
        text_set(&last->reversed, line);
        char *text = last->reversed.ptr;
        size_t lost = reverse_frames(text, len);
        /* Make any white space there a blank, because lines are sorted with their counts. */
        text[len] = text[line.len - end.len - 1] = ' ';
        len -= lost;
        line = span_from(text_span(&last->reversed), lost);
        f.stack = span_head(line, len);
        if (rules->line_decides) /* the last frame may now end in a number: a second count */
            folded_parse(line, 0, &f);
        len = f.stack.len;
    }
    struct weight w = weight_of(&f, known.gone);
    add_known(s, last, line, len, w, known);
}

/* Return the complete line, in the arena. `before` is the line before it. */
static struct span
whole(struct arena *a, const struct stack *stack, struct span before)
{
    size_t len = (size_t)stack->at + stack->text_len;
    char *text = arena_text(a, len);
    memcpy(text, before.ptr, stack->at);
    memcpy(text + stack->at, stack->text, stack->text_len);
    return span_of(text, len);
}

static char *
append(char *to, struct span s)
{
    if (s.len > 0)
        memcpy(to, s.ptr, s.len);
    return to + s.len;
}

/* Return the stack of a chain graph with the frames of wakers marked, in the arena. Such a stack
 * has the woken thread, "--", its waker, and so on: "a;b;--;c;d" becomes "a;b;--;c_[w];d_[w]", and
 * "a;b" becomes "a;b;--;". */
static struct span
mark_wakers(struct arena *a, struct span stack)
{
    static const struct span between = SPAN(";--;"), mark = SPAN("_[w]");
    size_t room = stack.len + between.len + mark.len;
    for (size_t i = 0; i < stack.len; i++)
        room += stack.ptr[i] == ';' ? mark.len : 0;
    size_t end = span_search(stack, between);
    char *text = arena_text(a, room), *to = text, *kept;
    to = append(to, span_head(stack, end == SPAN_NONE ? stack.len : end));
    kept = to = append(to, between);
    for (bool first = true; end != SPAN_NONE; first = false) {
        stack = span_from(stack, end + between.len);
        end = span_search(stack, between);
        if (!first)
            to = append(to, between);
        size_t len = end == SPAN_NONE ? stack.len : end;
        for (size_t i = 0; i < len; i++) {
            if (stack.ptr[i] == ';')
                to = append(to, mark);
            *to++ = stack.ptr[i];
        }
        to = append(to, mark);
        if (len > 0) /* empty parts at the end are dropped */
            kept = to;
    }
    return span_of(text, (size_t)(kept - text));
}

/* Return the line with the frames of wakers marked, in the arena. Set *len to the length of its
 * stack. */
static struct span
mark(struct arena *a, struct span line, size_t *len)
{
    struct span frames = mark_wakers(a, span_head(line, *len)), counts = span_from(line, *len);
    *len = frames.len;
    char *text = arena_text(a, frames.len + counts.len);
    memcpy(text, frames.ptr, frames.len);
    memcpy(text + frames.len, counts.ptr, counts.len);
    return span_of(text, frames.len + counts.len);
}

/* Replace the bytes of a stack, and the blank after it, by their ranks. */
static void
to_ranks(char *line, size_t stack)
{
    for (size_t i = 0; i < stack; i++)
        line[i] = (char)rank_of(line[i]);
    line[stack] = '\0';
}

static void
from_ranks(char *line, size_t stack)
{
    for (size_t i = 0; i < stack; i++)
        line[i] = byte_of(line[i]);
    line[stack] = ' ';
}

/* Rebuild the list from its lines: sorted, with wakers marked, or both. */
static void
rebuild(struct stacks *s, struct last *last, bool sort, bool wakers)
{
    struct stacks old = *s;
    struct arena arena = {0};
    struct span *lines = mem_alloc(old.count * sizeof *lines);
    uint32_t *places = mem_alloc(old.count * sizeof *places);
    bool ranks = sort && last->by_frames;
    for (size_t i = 0; i < old.count; i++) {
        lines[i] = whole(&arena, &old.list[i], i > 0 ? lines[i - 1] : SPAN(""));
        places[i] = (uint32_t)i;
    }
    for (size_t i = 0; ranks && i < old.count; i++)
        to_ranks((char *)lines[i].ptr, old.list[i].len);
    if (sort)
        sort_spans(lines, old.count, places);
    arena_free(&old.text);
    *s = (struct stacks){.lines = old.lines,
                         .baseless = old.baseless,
                         .guess = old.guess,
                         .slices = old.slices,
                         .sliced = old.sliced,
                         .gone = old.gone};
    last->line.len = last->line.nends = last->stack = last->nruns = 0;
    last->rebuilt = true;
    for (size_t i = 0; i < old.count; i++) {
        const struct stack *stack = &old.list[places[i]];
        size_t len = stack->len;
        if (ranks)
            from_ranks((char *)lines[i].ptr, len);
        if (wakers)
            lines[i] = mark(&arena, lines[i], &len);
        add(s, last, lines[i], len, (struct weight){stack->count, stack->delta});
    }
    last->sorted = true;
    free(old.list);
    arena_free(&arena);
    free(lines);
    free(places);
}

/* Sort and merge unsorted stacks once there are this many, and again each time that the list has
 * doubled. */
enum { FIRST_MERGE = 8 * 1024 };

/* Read the open file. *room is the number of stacks that may come before the next merge. */
static void
read_file(struct stacks *s, struct last *last, struct input *in, const struct stacks_rules *rules,
          size_t *room)
{
    struct foldedtext text;
    struct folded f;
    size_t before = s->lines + s->baseless;
    struct text head = {0};
    text_add(&head, looks_head(&in->lines));
    foldedtext_start(&text, &in->lines);
    if (rules->line_decides)
        text.columns = 0;
    for (enum folded_item item; (item = foldedtext_next(&text, &f)) != FOLDED_END;) {
        if (item == FOLDED_SKIPPED)
            input_skip(in, text.why);
        if (item != FOLDED_STACK)
            continue;
        add_line(s, last, text.line, f, rules);
        if (s->count < *room || rules->keep_order || last->sorted)
            continue;
        rebuild(s, last, true, false);
        *room = s->count < FIRST_MERGE / 2 ? FIRST_MERGE : 2 * s->count;
    }
    bool skipped = in->skipped > in->skipped_before;
    struct span looks = skipped ? looks_like(text_span(&head)) : SPAN("");
    free(head.ptr);
    if (in->skipped_before == 0)
        s->guess = looks;
    if (s->lines + s->baseless > before || in->count > 1)
        looks_report_skipped(in, looks, s->lines + s->baseless - before, true);
}

void
stacks_read(struct stacks *s, struct input *in, const struct stacks_rules *rules)
{
    struct last last = {.by_frames = !rules->line_decides && !rules->keep_order, .sorted = true};
    size_t room = FIRST_MERGE;
    *s = (struct stacks){0};
    while (input_next(in))
        read_file(s, &last, in, rules, &room);
    add_sliced(s, &last);
    end_runs(s, &last, 0);
    bool sort = !rules->keep_order && !last.sorted;
    if (sort || rules->wakers)
        rebuild(s, &last, sort, rules->wakers);
    free(last.line.text);
    free(last.line.ends);
    free(last.reversed.ptr);
    free(last.runs);
    /* Do this after reading: a sum of fractions depends on the order, and this is the order in
     * which frames are laid out. */
    s->max_delta = 1;
    for (size_t i = 0; i < s->count; i++) {
        s->total += s->list[i].count;
        s->cut |= s->list[i].count >= COUNT_MAX;
        s->compared |= !isnan(s->list[i].delta);
        if (fabs(s->list[i].delta) > s->max_delta)
            s->max_delta = fabs(s->list[i].delta);
    }
}
