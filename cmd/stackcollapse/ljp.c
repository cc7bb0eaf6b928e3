/* The report of lightweight-java-profiler: a stack's count, its number of frames and its leaf on
 * one line, the callers on the next ones (its page at code.google.com/p/lightweight-java-profiler):
 *
 *     42 3  my_func_b(prog.java:455)
 *           my_func_a(prog.java:123)
 *           java.lang.Thread.run(Thread.java:744)
 *     Total trace count = 42 */
#include "cmd/stackcollapse/lineformat.h"

#include <stdlib.h>

#include "cmd/stackcollapse/awk.h"

struct state {
    struct lineformat base;
    struct text line;  /* without what is in parentheses */
    struct text count; /* of the stack; empty: there is none */
    bool ended;        /* the script reads nothing after "Total" */
};

/* Sets st->line to the text without what is between its first and its last parenthesis. */
static struct span
without_places(struct state *st, struct span line)
{
    size_t open = span_find(line, '('), close = span_rfind(line, ')');
    st->line.len = 0;
    if (open == SPAN_NONE || close == SPAN_NONE || close < open)
        return line;
    text_add(&st->line, span_head(line, open));
    text_add(&st->line, span_from(line, close + 1));
    return text_span(&st->line);
}

/* Splits the line. Returns the number of words, of which the first three are in word[]. */
static size_t
split(struct span line, struct span word[3])
{
    struct span next;
    size_t n = 0;
    while (awk_word(&line, &next))
        if (n++ < 3)
            word[n - 1] = next;
    return n;
}

static void
emit(struct state *st)
{
    struct decimal count;
    struct lineformat *f = &st->base;
    stackbuild_reverse(&f->stack, 0);
    if (f->script)
        lineformat_print(f, text_span(&st->count));
    else if (decimal_parse(text_span(&st->count), &count))
        lineformat_emit(f, count);
    else
        stackbuild_clear(&f->stack);
    st->count.len = 0;
}

static void
begin(struct state *st, struct span count)
{
    if (st->base.script ? awk_is_true(text_span(&st->count)) : st->base.stack.n > 0)
        emit(st);
    stackbuild_clear(&st->base.stack);
    st->count.len = 0;
    text_add(&st->count, count);
    lineformat_begin(&st->base);
}

/* Where the leaf begins in "42 3  leaf"; 0: the line is not so, or the leaf would not be a frame on
 * a line of its own. */
static size_t
leaf_start(struct span line)
{
    size_t at = 0;
    for (int number = 0; number < 2; number++) {
        size_t digits = span_run(line, at, is_digit);
        size_t blanks = span_run(line, at + digits, is_blank);
        if (digits == 0 || blanks == 0)
            return 0;
        at += digits + blanks;
    }
    struct span leaf = span_from(line, at);
    return leaf.len > 0 && !is_space(leaf.ptr[0]) && !span_starts(leaf, SPAN("Total")) ? at : 0;
}

/* Takes a stack's first line, whose words are the count, the number of frames and the leaf. */
static void
begin_with(struct state *st, struct span line, const struct span word[3])
{
    size_t at = leaf_start(line);
    begin(st, word[0]);
    if (at > 0)
        lineformat_frame(&st->base, span_from(line, at), word[2]);
    else
        lineformat_push_leaf_first(&st->base, word[2]);
}

/* Takes a stack's first line if the leaf was a frame before. */
static bool
begin_again(struct state *st, struct span line)
{
    size_t at = leaf_start(line);
    uint32_t leaf = at > 0 ? lineformat_find(&st->base, span_from(line, at)) : INTERN_NONE;
    if (leaf == INTERN_NONE)
        return false;
    begin(st, span_head(line, span_run(line, 0, is_digit)));
    lineformat_frame_again(&st->base, leaf);
    return true;
}

/* To the script a stack without a leaf ends in an empty one. */
static void
add(struct state *st, struct span line, struct span name)
{
    if (st->base.stack.n == 0)
        lineformat_push(&st->base, SPAN(""));
    lineformat_frame(&st->base, line, name);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct span word[3] = {SPAN(""), SPAN(""), SPAN("")};
    struct decimal count;
    if (st->ended || (!st->base.script && begin_again(st, line)))
        return;
    size_t n = split(line, word);
    if (n > 0 && span_eq(word[0], SPAN("Total"))) {
        if (st->base.script || st->base.stack.n > 0)
            emit(st);
        st->ended = true;
        return;
    }
    n = split(without_places(st, st->base.script ? line : span_trim(line)), word);
    if (n == 3 && (st->base.script || decimal_parse(word[0], &count)))
        begin_with(st, line, word);
    else if (n == 1 && (st->base.script || st->base.stack.n > 0))
        add(st, line, word[0]);
    else if (n > 0 && !st->base.script)
        input_skip(&st->base.c->input, "not a line of lightweight-java-profiler");
}

/* The script prints the last stack only where "Total" follows. */
static void
finish(void *state)
{
    struct state *st = state;
    if (st->base.script)
        return;
    if (st->base.stack.n > 0)
        emit(st);
    st->ended = false;
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->line.ptr);
    free(st->count.ptr);
}

/* "42 3  my_func_b(prog.java:455)" */
static bool
is_ljp(struct span line)
{
    struct span word[3] = {SPAN(""), SPAN(""), SPAN("")};
    size_t paren = split(line, word) == 3 ? span_find(word[2], '(') : SPAN_NONE;
    return paren != SPAN_NONE && paren > 0 && span_ends(word[2], SPAN(")")) &&
           span_run(word[0], 0, is_digit) == word[0].len &&
           span_run(word[1], 0, is_digit) == word[1].len;
}

const struct format format_ljp = {
    .is = is_ljp,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = finish,
    .end = end,
};
