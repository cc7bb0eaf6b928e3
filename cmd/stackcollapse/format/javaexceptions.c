/* Stack traces of Java exceptions in a log, leaf first (Throwable.printStackTrace in the Java API):
 *
 *     java.lang.IllegalStateException: cannot handle /a
 *             at com.example.web.Handler.handle(Handler.java:31)
 *             at java.base/java.lang.Thread.run(Thread.java:840)
 *             Suppressed: java.io.IOException: still open
 *                     at com.example.io.Stream.close(Stream.java:20)
 *                     ... 2 more
 *     Caused by: java.io.IOException: closed
 *             at com.example.io.Stream.read(Stream.java:12) ~[io.jar:1.2]
 *             ... 2 common frames omitted
 *
 * The 2 frames are the last ones of the outer trace: the one that this exception is the cause of,
 * or is suppressed in. Logback's rootException and Log4j's rEx print the cause first, and then the
 * outer trace:
 *
 *     Wrapped by: java.lang.IllegalStateException: cannot handle /a */
#include "cmd/stackcollapse/shared/javaframe.h"
#include "common/base/num.h"
#include "common/stack/frames/framekind.h"

enum kind { ALONE, CAUSE, SUPPRESSED, WRAPPER };

/* A trace. Its frames are in `frames`, from `start` up to that of the next trace. */
struct trace {
    size_t indent, start;
    uint64_t omitted; /* number of its last frames that are those of the trace that wraps it */
};

struct exceptions {
    struct stacker base;
    enum kind kind; /* of the current trace */
    size_t indent;  /* indent of its first line */
    /* Complete traces that may still get a cause or a suppressed exception; each is indented deeper
     * than the one before. With `waiting`: incomplete traces; each lacks frames, which it shares
     * with the next trace. */
    VEC(struct trace) traces;
    struct u32vec frames;
    bool waiting;
    struct u32vec wrapper; /* frames of the trace that the waiting ones needed */
};

/* Push the last n of `count` frames. */
static void
push_last(struct stacker *f, const uint32_t *frames, size_t count, uint64_t n)
{
    for (size_t i = n < count ? count - (size_t)n : 0; i < count; i++)
        stacker_push_name(f, frames[i]);
}

/* Drop the traces from the index on. */
static void
forget(struct exceptions *st, size_t from)
{
    if (from < st->traces.n) {
        st->frames.n = st->traces.at[from].start;
        st->traces.n = from;
    }
}

/* Keep the current trace. */
static void
keep(struct exceptions *st, uint64_t omitted)
{
    struct stacker *f = &st->base;
    VEC_ADD(st->traces, (struct trace){st->indent, st->frames.n, omitted});
    for (size_t i = 0; i < f->n; i++)
        VEC_ADD(st->frames, f->frames[i]);
}

/* Make the current trace the one that the waiting ones needed. */
static void
set_wrapper(struct exceptions *st)
{
    st->wrapper.n = 0;
    for (size_t i = 0; i < st->base.n; i++)
        VEC_ADD(st->wrapper, st->base.frames[i]);
}

/* Emit the waiting traces, the root cause last. Without a wrapper their callers are missing. */
static void
emit_waiting(struct exceptions *st)
{
    struct stacker *f = &st->base;
    size_t end = st->frames.n;
    for (size_t i = st->traces.n; st->waiting && i-- > 0; end = st->traces.at[i].start) {
        const struct trace *t = &st->traces.at[i];
        push_last(f, st->frames.at + t->start, end - t->start, UINT64_MAX);
        push_last(f, st->wrapper.at, st->wrapper.n, t->omitted);
        if (st->wrapper.n > 0)
            set_wrapper(st);
        else
            stacker_push(f, MARK_CUT);
        stacker_emit(f, LEAF_FIRST, ONCE);
    }
    if (st->waiting)
        forget(st, 0);
    st->waiting = false;
    st->wrapper.n = 0;
}

/* Drop the traces that are not related to the current one. Return true if one is left: the one that
 * it is the cause of, or is suppressed in. */
static bool
find_outer(struct exceptions *st)
{
    size_t n = st->kind == ALONE || st->kind == WRAPPER ? 0 : st->traces.n;
    size_t least = st->kind == SUPPRESSED; /* in text without indents it is the last one */
    while (n > least && st->traces.at[n - 1].indent >= st->indent + (st->kind == CAUSE))
        n--;
    forget(st, n);
    return n > 0;
}

/* End the current trace, whose last `omitted` frames are those of another trace. */
static void
end_trace(struct exceptions *st, uint64_t omitted)
{
    struct stacker *f = &st->base;
    if (f->n == 0 && omitted == 0)
        return;
    bool has_outer = !st->waiting && find_outer(st);
    if (omitted > 0 && !has_outer) {
        st->waiting = true;
        keep(st, omitted);
        f->n = 0;
    } else if (st->waiting) {
        set_wrapper(st);
        stacker_emit(f, LEAF_FIRST, ONCE);
        emit_waiting(st);
    } else {
        size_t start = has_outer ? st->traces.at[st->traces.n - 1].start : st->frames.n;
        push_last(f, st->frames.at + start, st->frames.n - start, omitted);
        if (has_outer && st->kind == CAUSE && st->traces.at[st->traces.n - 1].indent == st->indent)
            forget(st, st->traces.n - 1);
        keep(st, 0);
        stacker_emit(f, LEAF_FIRST, ONCE);
    }
    st->kind = ALONE;
}

static enum kind
kind_of(struct span text)
{
    if (span_holds(text, SPAN("[CIRCULAR REFERENCE"))) /* it has no frames */
        return ALONE;
    if (span_starts(text, SPAN("Caused by: ")))
        return CAUSE;
    if (span_starts(text, SPAN("Suppressed: ")))
        return SUPPRESSED;
    return span_starts(text, SPAN("Wrapped by: ")) ? WRAPPER : ALONE;
}

/* Take a line between traces. A message may have several lines. */
static void
take_header(struct exceptions *st, struct span line)
{
    struct span text = span_trim(line);
    bool goes_on = st->base.n == 0 && st->kind != ALONE && text.len > 0;
    enum kind kind = kind_of(text);
    end_trace(st, 0);
    if (goes_on && kind == ALONE && !span_holds(text, SPAN("[CIRCULAR REFERENCE")))
        return;
    if (kind != WRAPPER)
        emit_waiting(st);
    st->kind = kind;
    st->indent = kind == ALONE ? 0 : span_run(line, 0, is_space); /* a message's lines may differ */
}

/* Take "... 2 more" or "... 2 common frames omitted". Return false if it is another line. Frames
 * that the configuration of a log leaves out ("... 5 frames excluded") belong to no other trace,
 * and may be followed by others. */
static bool
take_omitted(struct exceptions *st, struct span text)
{
    static const struct span others[] = {SPAN("exclu"), SPAN("filter"), SPAN("skip"),
                                         SPAN("suppress")};
    uint64_t n;
    if (!span_skip(&text, SPAN("... ")) || !num_u64(span_take_word(&text), &n) || n == 0)
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (span_holds(text, others[i]))
            return true;
    if (span_holds(text, SPAN("truncated"))) {
        stacker_push(&st->base, MARK_CUT);
        n = 0;
    }
    end_trace(st, n);
    return true;
}

static void
take(struct stacker *f, struct span line)
{
    struct span method, text = span_trim(line);
    struct exceptions *st = (struct exceptions *)f;
    if (javaframe_method(line, &method)) {
        if (f->n == 0 && st->kind != WRAPPER)
            emit_waiting(st);
        stacker_push(f, javaframe_name(f, method));
    } else if (!span_starts(text, SPAN("- ")) && !take_omitted(st, text)) { /* "- ": a lock */
        take_header(st, line);
    }
}

static void
finish(struct stacker *f)
{
    struct exceptions *st = (struct exceptions *)f;
    end_trace(st, 0);
    emit_waiting(st);
    forget(st, 0);
    st->kind = ALONE;
}

/* Return true for "\tat com.example.Main.main(Main.java:14)". Logback and Log4j add facts about the
 * class: "(Main.java:14) ~[app.jar:1.2]". Node has a blank before the parenthesis. */
static bool
is_frame(struct span line)
{
    struct span method;
    size_t close = span_find(line, ')');
    struct span rest = close != SPAN_NONE ? span_trim(span_from(line, close + 1)) : line;
    span_skip(&rest, SPAN("~"));
    return is_space(line.ptr[0]) && javaframe_method(line, &method) &&
           span_find(method, ' ') == SPAN_NONE && span_find(method, '.') != SPAN_NONE &&
           (rest.len == 0 || (span_starts(rest, SPAN("[")) && span_ends(rest, SPAN("]"))));
}

const struct format format_java_exceptions = {
    .is = is_frame,
    .state_size = sizeof(struct exceptions),
    .take = take,
    .finish = finish,
    .buffers = MEMBERS(struct exceptions, traces, frames, wrapper)};
