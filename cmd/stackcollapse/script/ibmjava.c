/* stackcollapse-ibmjava.pl: it ends a thread at its native callstack alone, and loses the last one if
 * none follows. See format/ibmjava.c. */
#include <stdlib.h>

#include "cmd/stackcollapse/build/javaframe.h"
#include "cmd/stackcollapse/script/scriptstack.h"

struct state {
    struct lineformat base;
    bool named; /* `thread` is to be a frame */
    struct text thread;
};

static void
emit(struct state *st)
{
    struct lineformat *f = &st->base;
    if (st->named)
        scriptstack_push_leaf_first(f, text_span(&st->thread));
    stackbuild_reverse(&f->stack, 0);
    if (f->stack.n > 0)
        scriptstack_emit(f, LINEFORMAT_ONCE);
    st->named = false;
}

static void
set_thread(struct state *st, struct span name)
{
    st->named = true;
    st->thread.len = 0;
    text_add(&st->thread, name);
}

/* The name in `3XMTHREADINFO      "main" J9VMThread:0x1, state:R, prio=5`: " state:" and ", " must
 * follow the name, or be in it and end it. */
static bool
thread_name(struct span line, struct span *name)
{
    const struct span header = SPAN("3XMTHREADINFO      \""), label = SPAN(" state:");
    size_t state = SPAN_NONE;
    if (!span_starts(line, header))
        return false;
    struct span text = span_from(line, header.len);
    size_t comma = span_rsearch(text, SPAN(", "));
    if (comma != SPAN_NONE)
        state = span_rsearch(span_head(text, comma), label);
    size_t quote = span_find(text, '"');
    *name = span_head(text, quote < state ? quote : state != SPAN_NONE ? state : 0);
    return state != SPAN_NONE;
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
    const struct span anonymous = SPAN("Anonymous native thread");
    struct span text;
    if (span_starts(line, SPAN("#")))
        return;
    if (span_starts(line, SPAN("3XMTHREADINFO3           Native callstack:"))) {
        emit(st);
    } else if (thread_name(line, &text)) {
        if (!o->no_comm)
            set_thread(st, text);
    } else if (span_holds(line, SPAN("3XMTHREADINFO      Anonymous native thread"))) {
        set_thread(st, anonymous);
    } else if (javaframe_thread_id(line, &text)) {
        if (!o->no_comm && o->names.tid)
            add_id(st, text);
    } else if (javaframe_javacore(line, &text)) {
        scriptstack_push_leaf_first(f, javaframe_name(f->c->options, &f->name, text, true));
    }
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->thread.ptr);
}

const struct format script_ibmjava = {.state_size = sizeof(struct state), .take = take, .end = end};
