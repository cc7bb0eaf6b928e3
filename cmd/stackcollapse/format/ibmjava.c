/* The threads of a javacore, the dump of IBM's Java and OpenJ9, leaf first ("Java dump" in OpenJ9's
 * documentation):
 *
 *     3XMTHREADINFO      "main" J9VMThread:0x01A2C500, java/lang/Thread:0xE0058E08, state:R, prio=5
 *     3XMTHREADINFO1            (native thread ID:0x5AE8, native priority:0x5, native
 * policy:UNKNOWN) 3XMTHREADINFO3           Java callstack: 4XESTACKTRACE                at
 * java/lang/Object.wait(Native Method) 4XESTACKTRACE                at
 * com/example/Main.main(Main.java:14) 3XMTHREADINFO3           Native callstack: */
#include <stdlib.h>

#include "cmd/stackcollapse/build/javaframe.h"

struct state {
    struct lineformat base;
    bool named; /* `thread` is to be a frame */
    struct text thread, method;
};

static void
emit(struct state *st)
{
    struct lineformat *f = &st->base;
    if (st->named)
        lineformat_push_leaf_first(f, text_span(&st->thread));
    lineformat_emit_reversed(f);
    st->named = false;
}

static void
set_thread(struct state *st, struct span name)
{
    st->named = true;
    st->thread.len = 0;
    text_add(&st->thread, name);
}

/* Sets *name to that in `"main" J9VMThread:0x1, state:R, prio=5`. To the script " state:" and ", "
 * must follow the name, or be in it and end it. */
static bool
thread_name(const struct state *st, struct span text, struct span *name)
{
    if (!span_starts(text, SPAN("\"")))
        return false;
    text = span_from(text, 1);
    size_t quote = span_find(text, '"');
    *name = span_head(text, quote != SPAN_NONE ? quote : text.len);
    if (!st->base.script)
        return quote != SPAN_NONE;
    size_t state = SPAN_NONE;
    const struct span label = SPAN(" state:");
    for (size_t from = 0, at; (at = span_search(span_from(text, from), label)) != SPAN_NONE;
         from += at + 1)
        if (span_search(span_from(text, from + at + label.len), SPAN(", ")) != SPAN_NONE)
            state = from + at;
    if (state < name->len)
        name->len = state;
    return state != SPAN_NONE;
}

/* The id in "(native thread ID:0x5AE8, native priority:0x5"; empty if there is none. */
static bool
thread_id(struct span line, struct span *id)
{
    const struct span label = SPAN("3XMTHREADINFO1            (native thread ID:");
    if (!span_starts(line, label))
        return false;
    *id = span_from(line, label.len);
    size_t blank = span_find(*id, ' ');
    if (blank == SPAN_NONE || blank == 0 || id->ptr[blank - 1] != ',' ||
        !span_starts(span_from(*id, blank), SPAN(" native priority")))
        return false;
    id->len = blank - 1;
    return true;
}

static bool
frame(struct span line, struct span *method)
{
    const struct span label = SPAN("4XESTACKTRACE                ");
    return span_starts(line, label) && span_starts(span_from(line, label.len), SPAN("at ")) &&
           javaframe_method(span_from(line, label.len), method);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    const struct fold_options *o = &st->base.c->options->fold;
    const struct span header = SPAN("3XMTHREADINFO      "),
                      anonymous = SPAN("Anonymous native thread");
    bool script = st->base.script;
    struct span text;
    if (span_starts(line, SPAN("#")))
        return;
    if (!script && span_starts(line, header))
        emit(st);
    if (span_starts(line, SPAN("3XMTHREADINFO3           Native callstack:"))) {
        emit(st);
    } else if (span_starts(line, header) && thread_name(st, span_from(line, header.len), &text)) {
        if (!o->no_comm)
            set_thread(st, text);
    } else if (span_search(line, SPAN("3XMTHREADINFO      Anonymous native thread")) != SPAN_NONE) {
        if (script || !o->no_comm)
            set_thread(st, anonymous);
    } else if (thread_id(line, &text)) {
        if (!o->no_comm && o->names.tid) {
            st->thread.len = st->named ? st->thread.len : 0;
            st->named = true;
            text_add(&st->thread, SPAN("-"));
            text_add(&st->thread, text);
        }
    } else if (frame(line, &text)) {
        lineformat_push_leaf_first(&st->base, javaframe_name(&st->base, &st->method, text));
    }
}

static void
finish(void *state)
{
    const struct lineformat *f = state;
    if (!f->script)
        emit(state);
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->thread.ptr);
    free(st->method.ptr);
}

static bool
is_ibmjava(struct span line)
{
    struct span method;
    return span_starts(line, SPAN("0SECTION ")) || span_starts(line, SPAN("3XMTHREADINFO ")) ||
           frame(line, &method);
}

const struct format format_ibmjava = {
    .is = is_ibmjava,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = finish,
    .end = end,
};
