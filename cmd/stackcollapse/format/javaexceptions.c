/* Stack traces of Java exceptions in a log, leaf first (Throwable.printStackTrace in the Java API):
 *
 *     java.lang.IllegalStateException: cannot handle /a
 *             at com.example.web.Handler.handle(Handler.java:31)
 *             at java.base/java.lang.Thread.run(Thread.java:840)
 *     Caused by: java.io.IOException: closed
 *             at com.example.io.Stream.read(Stream.java:12)
 *             ... 2 more
 *
 * "2 more" are the last two frames of the trace before it. */
#include <stdlib.h>

#include "cmd/stackcollapse/build/javaframe.h"
#include "common/base/num.h"

struct state {
    struct lineformat base;
    uint32_t *before; /* the trace before this one, leaf first */
    size_t nbefore, before_cap;
};

static void
emit(void *state)
{
    struct state *st = state;
    struct stackbuild *stack = &st->base.stack;
    if (stack->n == 0)
        return;
    st->before = mem_grow(st->before, &st->before_cap, stack->n, sizeof *st->before);
    memcpy(st->before, stack->frames, stack->n * sizeof *st->before);
    st->nbefore = stack->n;
    lineformat_finish(&st->base);
}

/* Appends the last n frames of the trace before. */
static void
add_common(struct state *st, uint64_t n)
{
    struct stackbuild *stack = &st->base.stack;
    size_t common = n < st->nbefore ? (size_t)n : st->nbefore;
    stack->frames = mem_grow(stack->frames, &stack->cap, stack->n + common, sizeof *stack->frames);
    if (common > 0)
        memcpy(stack->frames + stack->n, st->before + st->nbefore - common,
               common * sizeof *stack->frames);
    stack->n += common;
}

/* "... 2 more" */
static bool
is_common(struct span line, uint64_t *n)
{
    struct span text = span_trim(line);
    if (!span_starts(text, SPAN("... ")) || !span_ends(text, SPAN(" more")) || text.len < 9)
        return false;
    return num_u64(span_of(text.ptr + 4, text.len - 9), n);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct lineformat *f = &st->base;
    struct span method;
    uint64_t n;
    if (javaframe_method(line, &method))
        stackbuild_push(&f->stack, javaframe_name(f->c->options, &f->name, method, false));
    else if (is_common(line, &n))
        add_common(st, n);
    else if (!span_starts(span_trim(line), SPAN("- "))) /* a lock */
        emit(st);
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->before);
}

/* "\tat com.example.Main.main(Main.java:14)": node has a blank before the parenthesis. */
static bool
is_frame(struct span line)
{
    struct span method;
    return is_space(line.ptr[0]) && javaframe_method(line, &method) &&
           span_find(method, ' ') == SPAN_NONE && span_find(method, '.') != SPAN_NONE &&
           span_ends(span_trim(line), SPAN(")"));
}

const struct format format_java_exceptions = {
    .is = is_frame,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = emit,
    .end = end,
};
