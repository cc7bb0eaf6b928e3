#include "cmd/flamesvg/stacks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/mem.h"
#include "common/base/num.h"
#include "common/base/sort.h"
#include "common/stack/folded.h"

enum { BLOCK = 64 * 1024 }; /* what the buffer starts with: a pipe's usual size */

/* The rest of the file that is open, with a newline behind its last line. */
static char *
read_file(struct lines *l, size_t *len)
{
    char *text = NULL;
    size_t cap = 0;
    ssize_t got = 1;
    *len = 0;
    while (got > 0) {
        if (cap - *len < 2)
            text = mem_grow(text, &cap, *len + BLOCK, 1);
        got = read(l->fd, text + *len, cap - *len - 1);
        if (got > 0)
            *len += (size_t)got;
        else if (got < 0 && errno == EINTR)
            got = 1;
        else if (got < 0)
            l->error = errno;
    }
    if (*len > 0 && text[*len - 1] != '\n')
        text[(*len)++] = '\n';
    return text;
}

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

static void
add_line(struct stacks *s, struct input *in, char *text, size_t len,
         const struct stacks_rules *rules)
{
    struct folded f;
    if (!folded_parse(span_of(text, len), 0, &f)) {
        skip(s, in);
        return;
    }
    size_t cut = rules->base != NULL ? find_base(f.stack, rules->base) : 0;
    if (cut == SPAN_NONE) {
        s->baseless++;
        return;
    }
    struct span last = f.second.len > 0 ? f.second : f.count;
    if (rules->reverse) {
        cut += reverse_frames(text + cut, f.stack.len - cut);
        /* Whatever white space it was: lines sort by it. */
        text[f.stack.len] = text[last.ptr - text - 1] = ' ';
    }
    size_t end = (size_t)(last.ptr - text) + last.len; /* without a carriage return */
    s->lines = mem_grow(s->lines, &s->cap, s->count + 1, sizeof *s->lines);
    s->lines[s->count++] = span_of(text + cut, end - cut);
}

static void
add_file(struct stacks *s, struct input *in, const struct stacks_rules *rules)
{
    size_t len;
    char *text = read_file(&in->lines, &len);
    for (char *at = text; at < text + len;) {
        char *newline = memchr(at, '\n', (size_t)(text + len - at));
        in->lines.number++;
        add_line(s, in, at, (size_t)(newline - at), rules);
        at = newline + 1;
    }
}

/* Behind a count there is white space or the line's end, so strtod stops. The limit is far past
 * what can be counted and keeps sums finite. */
static double
number(struct span digits)
{
    uint64_t n;
    return num_u64(digits, &n) && n < UINT64_MAX ? (double)n
                                                 : fmin(strtod(digits.ptr, NULL), 1e200);
}

struct stack
stacks_take(struct span line)
{
    struct folded f;
    if (!folded_parse(line, 0, &f))
        return (struct stack){line, 0, NAN};
    double first = number(f.count);
    if (f.second.len == 0)
        return (struct stack){f.stack, first, NAN};
    double second = number(f.second);
    return (struct stack){f.stack, second, second - first};
}

void
stacks_read(struct stacks *s, struct input *in, const struct stacks_rules *rules)
{
    *s = (struct stacks){.max_delta = 1};
    while (input_next(in))
        add_file(s, in, rules);
    if (!rules->keep_order)
        sort_spans(s->lines, s->count);
    /* Not while reading: a sum of fractions depends on the order, and the frames are laid out in
     * this. */
    for (size_t i = 0; i < s->count; i++) {
        struct stack stack = stacks_take(s->lines[i]);
        s->total += stack.count;
        if (fabs(stack.delta) > s->max_delta)
            s->max_delta = fabs(stack.delta);
    }
}
