#include "cmd/flamesvg/stacks.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/num.h"
#include "common/base/sort.h"
#include "common/base/text.h"
#include "common/stack/foldedtext.h"
#include "common/stack/gone.h"
#include "common/stack/lookslike.h"
#include "common/stack/slice.h"

static void
reverse_bytes(char *s, size_t len)
{
    for (size_t i = 0, j = len; i + 1 < j; i++) {
        char c = s[i];
        s[i] = s[--j];
        s[j] = c;
    }
}

/* Reverse the frames: "a;bc;;" becomes "  bc;a". Empty frames at the end are dropped, and the rest
 * is moved so that it ends where it did, before the count. Return how many bytes at the start are
 * now unused. */
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

/* Return where the first frame that matches begins, or SPAN_NONE. */
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

/* At most COUNT_MOST. */
static double
number(struct span digits)
{
    uint64_t n;
    char text[256];
    if (num_u64(digits, &n) && n < UINT64_MAX)
        return (double)n;
    if (digits.len >= sizeof text)
        return COUNT_MOST;
    memcpy(text, digits.ptr, digits.len);
    text[digits.len] = '\0';
    double value = strtod(text, NULL);
    return value < COUNT_MOST ? value : COUNT_MOST;
}

/* The previous line, which a stack is compared with. */
struct last {
    struct folded_last line;
    size_t stack; /* its length without the counts */
    bool sorted;  /* all lines so far were in order */
    /* Each frame ends in a semicolon, the last one, too: else "a;b 1" and "a;b;c 1" are sorted to
     * either side of "a;b.c 1", and b is drawn twice, as by flamegraph.pl. */
    bool closed;
    struct text reversed, text; /* scratch space of add_line */
};

/* The count of a stack. */
struct weight {
    double count, delta; /* as in struct stack */
};

/* A stack that is gone has the width that it had. */
static struct weight
weight_of(const struct folded *f, bool gone)
{
    double first = number(f->count);
    if (f->second.len == 0)
        return (struct weight){first, NAN};
    double second = number(f->second);
    return (struct weight){gone ? first : second, second - first};
}

/* Return whether two counts may be added before all lines are sorted: not fractions, whose sum
 * depends on the order. */
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

/* Add a folded line whose stack is its first `stack` bytes. Only the text that it does not share
 * with the previous line is kept, and none if it is the same stack. */
static void
add(struct stacks *s, struct last *last, struct span line, size_t stack, struct weight w)
{
    struct span frames = without_empty(span_head(line, stack));
    struct span before = span_of(last->line.text, last->line.len);
    size_t common = span_common(before, line);
    size_t at, shared = folded_shared(&last->line, frames, common, &at);
    struct stack *same =
        s->count > 0 && stack == last->stack && common >= stack ? &s->list[s->count - 1] : NULL;
    if (same != NULL && isnan(same->delta) && isnan(w.delta) && is_addable(same->count, w.count)) {
        same->count += w.count;
        return;
    }
    struct span text = arena_copy(&s->text, span_from(line, at));
    last->stack = stack;
    last->sorted &= !span_less(line, before, common);
    folded_remember(&last->line, line, frames.len, shared);
    s->list = mem_grow(s->list, &s->cap, s->count + 1, sizeof *s->list);
    s->list[s->count++] = (struct stack){
        .shared = (uint32_t)shared,
        .at = (uint32_t)at,
        .text_len = (uint32_t)text.len,
        .len = (uint32_t)stack,
        .text = text.ptr,
        .count = w.count,
        .delta = w.delta,
    };
}

/* The same for a stack that is gone: its frames are those of a branch of their own. */
static void
add_gone(struct stacks *s, struct last *last, struct span line, size_t stack, struct weight w)
{
    struct text text = {0};
    TEXT_SET(&text, SPAN(GONE_FRAME ";"), line);
    add(s, last, text_span(&text), text.len - line.len + stack, w);
    free(text.ptr);
    s->gone += w.count;
}

/* What is known of a line beside its stack and its counts. */
struct line {
    const uint64_t *ms; /* when the slice begins that it was seen in; NULL: in none that counts */
    bool gone;
};

static void
add_known(struct stacks *s, struct last *last, struct span line, size_t stack, struct weight w,
          struct line known)
{
    if (known.ms != NULL && isnan(w.delta))
        slices_add(&s->slices, *known.ms, without_empty(span_head(line, stack)), w.count);
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
    uint64_t ms;
    size_t whole = f.stack.len;
    bool sliced = !rules->line_decides && slice_take(&f.stack, &ms);
    bool gone = !rules->line_decides && f.second.len > 0 && gone_take(&f.stack);
    struct line known = {sliced && rules->slices ? &ms : NULL, gone && rules->gone};
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
        /* A blank, whichever white space it was, because lines are sorted with their counts. */
        text[len] = text[line.len - end.len - 1] = ' ';
        len -= lost;
        line = span_from(text_span(&last->reversed), lost);
        f.stack = span_head(line, len);
        if (rules->line_decides) /* the last frame may end in a number now: a second count */
            folded_parse(line, 0, &f);
        len = f.stack.len;
    }
    struct weight w = weight_of(&f, known.gone);
    if (last->closed) {
        TEXT_SET(&last->text, span_head(line, len), SPAN(";"), span_from(line, len));
        line = text_span(&last->text);
        len++;
    }
    add_known(s, last, line, len, w, known);
}

/* Return the complete line, in the arena; `before` is the line before it. */
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

/* Return the stack of a chain graph with the frames of wakers marked, in the arena. Such a stack is
 * that of a thread that was woken, "--", the stack of its waker, and so on: "a;b;--;c;d" becomes
 * "a;b;--;c_[w];d_[w]", and "a;b" becomes "a;b;--;". */
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

/* Return the line with the frames of wakers marked, in the arena; *len is that of its stack. */
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

/* Build the list again from its lines: sorted, with wakers marked, or both. */
static void
rebuild(struct stacks *s, struct last *last, bool sort, bool wakers)
{
    struct stacks old = *s;
    struct arena arena = {0};
    struct span *lines = mem_alloc(old.count * sizeof *lines);
    uint32_t *places = mem_alloc(old.count * sizeof *places);
    for (size_t i = 0; i < old.count; i++) {
        lines[i] = whole(&arena, &old.list[i], i > 0 ? lines[i - 1] : SPAN(""));
        places[i] = (uint32_t)i;
    }
    if (sort)
        sort_spans(lines, old.count, places);
    arena_free(&old.text);
    *s = (struct stacks){.lines = old.lines,
                         .baseless = old.baseless,
                         .guess = old.guess,
                         .slices = old.slices,
                         .sliced = old.sliced,
                         .gone = old.gone};
    last->line.len = last->line.nends = 0;
    last->sorted = true;
    for (size_t i = 0; i < old.count; i++) {
        const struct stack *stack = &old.list[places[i]];
        size_t len = stack->len;
        if (wakers) {
            len -= last->closed ? 1 : 0;
            lines[i] = mark(&arena, lines[i], &len);
        }
        add(s, last, lines[i], len, (struct weight){stack->count, stack->delta});
    }
    free(old.list);
    arena_free(&arena);
    free(lines);
    free(places);
}

/* Unsorted stacks are sorted and merged when there are this many, and from then on each time that
 * the list has doubled. */
enum { FIRST_MERGE = 8 * 1024 };

/* Read the open file. *room is how many stacks there may be before the next merge. */
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
    struct last last = {.sorted = true, .closed = !rules->line_decides};
    size_t room = FIRST_MERGE;
    *s = (struct stacks){0};
    while (input_next(in))
        read_file(s, &last, in, rules, &room);
    bool sort = !rules->keep_order && !last.sorted;
    if (sort || rules->wakers)
        rebuild(s, &last, sort, rules->wakers);
    free(last.line.text);
    free(last.line.ends);
    free(last.reversed.ptr);
    free(last.text.ptr);
    /* Not while reading: a sum of fractions depends on the order, and this is the order in which
     * the frames are laid out. */
    s->max_delta = 1;
    for (size_t i = 0; i < s->count; i++) {
        s->total += s->list[i].count;
        s->cut |= s->list[i].count >= COUNT_MOST;
        if (fabs(s->list[i].delta) > s->max_delta)
            s->max_delta = fabs(s->list[i].delta);
    }
}
