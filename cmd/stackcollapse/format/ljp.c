/* The report of lightweight-java-profiler: a stack's count, its number of frames and its leaf on
 * one line, the callers on the next ones (its page at code.google.com/p/lightweight-java-profiler):
 *
 *     42 3  my_func_b(prog.java:455)
 *           my_func_a(prog.java:123)
 *           java.lang.Thread.run(Thread.java:744)
 *     Total trace count = 42 */
#include "cmd/stackcollapse/build/lineformat.h"

#include <stdlib.h>

#include "cmd/stackcollapse/script/awk.h"

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
}

/* To the script a stack without a leaf ends in an empty one. */
static void
add(struct state *st, struct span name)
{
    if (st->base.stack.n == 0)
        lineformat_push(&st->base, SPAN(""));
    lineformat_push_leaf_first(&st->base, name);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct span word[3] = {SPAN(""), SPAN(""), SPAN("")};
    struct decimal count;
    if (st->ended)
        return;
    size_t n = split(line, word);
    if (n > 0 && span_eq(word[0], SPAN("Total"))) {
        if (st->base.script || st->base.stack.n > 0)
            emit(st);
        st->ended = true;
        return;
    }
    n = split(without_places(st, st->base.script ? line : span_trim(line)), word);
    if (n == 3 && (st->base.script || decimal_parse(word[0], &count))) {
        begin(st, word[0]);
        lineformat_push_leaf_first(&st->base, word[2]);
    } else if (n == 1 && (st->base.script || st->base.stack.n > 0))
        add(st, word[0]);
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
