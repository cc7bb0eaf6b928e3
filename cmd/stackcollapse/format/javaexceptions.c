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
#include "cmd/stackcollapse/build/javaframe.h"
#include "common/base/num.h"

/* The reader's `list` is the trace before this one, leaf first. */
static void
emit(struct reader *f)
{
    if (f->stack.n == 0)
        return;
    f->list.n = 0;
    for (size_t i = 0; i < f->stack.n; i++)
        VEC_ADD(f->list, f->stack.frames[i]);
    reader_finish(f);
}

static void
take(struct reader *f, struct span line)
{
    struct span method, text = span_trim(line);
    uint64_t n;
    if (javaframe_method(line, &method))
        stackbuild_push(&f->stack, javaframe_name(f, method));
    else if (text.len > 8 && span_starts(text, SPAN("... ")) && span_ends(text, SPAN(" more")) &&
             num_u64(span_of(text.ptr + 4, text.len - 9), &n)) /* "... 2 more" */
        for (size_t i = n < f->list.n ? f->list.n - (size_t)n : 0; i < f->list.n; i++)
            stackbuild_push_name(&f->stack, f->list.at[i]);
    else if (!span_starts(text, SPAN("- "))) /* a lock */
        emit(f);
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

const struct format format_java_exceptions = {.is = is_frame, .take = take, .finish = emit};
