#include "cmd/flamesvg/stacks.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/num.h"
#include "common/base/sort.h"
#include "common/stack/folded.h"

static void
reverse_bytes(char *s, size_t len)
{
    for (size_t i = 0, j = len; i + 1 < j; i++) {
        char c = s[i];
        s[i] = s[--j];
        s[j] = c;
    }
}

/* "a;bc;;" becomes "  bc;a": empty frames at the end are no frames, and what is left stands before
 * the count as it did. Returns how many bytes the front lost. */
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

/* Where the first frame that matches begins, or SPAN_NONE. */
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

static void
skip(struct stacks *s, struct input *in)
{
    if (s->skipped++ == 0)
        s->first_skipped = input_place(in);
    diag_warn(in->diag, "lines that are no folded stacks", input_place(in), "not a folded stack");
}

/* The byte behind a count is never a digit's neighbour: white space or the line's end, so strtod stops. */
static double
number(struct span digits)
{
    uint64_t n;
    return num_u64(digits, &n) && n < UINT64_MAX ? (double)n : strtod(digits.ptr, NULL);
}

static void
add_stack(struct stacks *s, const struct folded *f, struct span line)
{
    double first = number(f->count), second = f->second.len > 0 ? number(f->second) : first;
    struct span before = s->count > 0 ? s->list[s->count - 1].line : SPAN("");
    size_t shared = span_common(before, line);
    if (shared < before.len)
        s->sorted &= shared < line.len && (unsigned char)before.ptr[shared] < (unsigned char)line.ptr[shared];
    s->list = mem_grow(s->list, &s->cap, s->count + 1, sizeof *s->list);
    s->list[s->count++] = (struct stack){
        .line = line,
        .frames = span_head(line, f->stack.len),
        .count = second,
        .delta = f->second.len > 0 ? second - first : NAN,
        .shared = shared,
    };
}

static void
add_line(struct stacks *s, struct input *in, struct span line, const struct stacks_rules *rules)
{
    struct folded f;
    if (!folded_parse(line, 0, &f)) {
        skip(s, in);
        return;
    }
    size_t cut = rules->base != NULL ? find_base(f.stack, rules->base) : 0;
    if (cut == SPAN_NONE) {
        s->baseless++;
        return;
    }
    struct span last = f.second.len > 0 ? f.second : f.count;
    size_t end = (size_t)(last.ptr - line.ptr) + last.len; /* without a carriage return */
    struct span kept = arena_copy(&s->text, span_of(line.ptr + cut, end - cut));
    f.stack = span_from(f.stack, cut);
    if (rules->reverse) {
        char *text = (char *)kept.ptr; /* our own copy */
        size_t lost = reverse_frames(text, f.stack.len);
        /* Whatever white space it was: lines sort by it. */
        text[f.stack.len] = text[kept.len - last.len - 1] = ' ';
        kept = span_from(kept, lost);
        f.stack = span_from(f.stack, lost);
    }
    add_stack(s, &f, kept);
}

/* Puts the list in the order of the lines. */
static void
sort_list(struct stacks *s)
{
    struct span *lines = mem_alloc(s->count * sizeof *lines);
    uint32_t *order = mem_alloc(s->count * sizeof *order);
    struct stack *list = mem_alloc(s->count * sizeof *list);
    for (size_t i = 0; i < s->count; i++)
        lines[i] = s->list[i].line;
    sort_order(lines, s->count, order);
    for (size_t i = 0; i < s->count; i++) {
        list[i] = s->list[order[i]];
        list[i].shared = i > 0 ? span_common(list[i - 1].line, list[i].line) : 0;
    }
    free(lines);
    free(order);
    free(s->list);
    s->list = list;
}

void
stacks_read(struct stacks *s, struct input *in, const struct stacks_rules *rules)
{
    struct span line;
    *s = (struct stacks){.max_delta = 1, .sorted = true};
    while (input_next(in))
        while (lines_next(&in->lines, &line))
            add_line(s, in, line, rules);
    if (!rules->keep_order && !s->sorted)
        sort_list(s);
    /* Not while reading: a sum of fractions depends on the order, and the frames are laid out in this. */
    for (size_t i = 0; i < s->count; i++) {
        s->total += s->list[i].count;
        if (fabs(s->list[i].delta) > s->max_delta)
            s->max_delta = fabs(s->list[i].delta);
    }
}
