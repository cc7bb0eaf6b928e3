/* The threads of a javacore, the dump of IBM's Java and OpenJ9, leaf first ("Java dump" in OpenJ9's
 * documentation):
 *
 *     3XMTHREADINFO      "main" J9VMThread:0x01A2C500, java/lang/Thread:0xE0058E08, state:R, prio=5
 *     3XMTHREADINFO1            (native thread ID:0x5AE8, native priority:0x5, native policy:UNKNOWN)
 *     3XMTHREADINFO3           Java callstack:
 *     4XESTACKTRACE                at java/lang/Object.wait(Native Method)
 *     4XESTACKTRACE                at com/example/Main.main(Main.java:14)
 *     3XMTHREADINFO3           Native callstack: */
#include <stdlib.h>

#include "cmd/stackcollapse/build/javaframe.h"

struct state {
    struct lineformat base;
    bool named; /* `thread` is to be a frame */
    struct text thread;
};

static void
emit(void *state)
{
    struct state *st = state;
    if (st->named)
        stackbuild_push(&st->base.stack, text_span(&st->thread));
    lineformat_finish(&st->base);
    st->named = false;
}

static void
set_thread(struct state *st, struct span name)
{
    st->named = true;
    st->thread.len = 0;
    text_add(&st->thread, name);
}

/* The name in `3XMTHREADINFO      "main" J9VMThread:0x01A2C500`. */
static bool
thread_name(struct span line, struct span *name)
{
    const struct span header = SPAN("3XMTHREADINFO      \"");
    struct span text = span_from(line, span_starts(line, header) ? header.len : line.len);
    size_t quote = span_find(text, '"');
    *name = quote != SPAN_NONE ? span_head(text, quote) : SPAN("Anonymous native thread");
    return quote != SPAN_NONE ||
           span_holds(line, SPAN("3XMTHREADINFO      Anonymous native thread"));
}

static void
add_id(struct state *st, struct span id)
{
    if (!st->named)
        set_thread(st, SPAN(""));
    text_add(&st->thread, SPAN("-"));
    text_add(&st->thread, id);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct lineformat *f = &st->base;
    const struct fold_options *o = &f->c->options->fold;
    const struct span header = SPAN("3XMTHREADINFO      ");
    struct span text;
    if (span_starts(line, SPAN("#")))
        return;
    if (span_starts(line, header))
        emit(st);
    if (span_starts(line, SPAN("3XMTHREADINFO3           Native callstack:"))) {
        emit(st);
    } else if (thread_name(line, &text)) {
        if (!o->no_comm)
            set_thread(st, text);
    } else if (javaframe_thread_id(line, &text)) {
        if (!o->no_comm && o->names.tid)
            add_id(st, text);
    } else if (javaframe_javacore(line, &text)) {
        stackbuild_push(&f->stack, javaframe_name(f->c->options, &f->name, text, false));
    }
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->thread.ptr);
}

static bool
is_ibmjava(struct span line)
{
    struct span method;
    return span_starts(line, SPAN("0SECTION ")) || span_starts(line, SPAN("3XMTHREADINFO ")) ||
           javaframe_javacore(line, &method);
}

const struct format format_ibmjava = {
    .is = is_ibmjava,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = emit,
    .end = end,
};
