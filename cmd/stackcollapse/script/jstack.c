/* stackcollapse-jstack.pl: it ends a thread at a blank line alone, and loses the last one if none
 * follows. See format/jstack.c. */
#include <stdlib.h>

#include "cmd/stackcollapse/build/javaframe.h"
#include "cmd/stackcollapse/script/scriptstack.h"

enum thread { THREAD_UNKNOWN, THREAD_RUNS, THREAD_WAITS };

struct state {
    struct lineformat base;
    enum thread thread;
    bool named;       /* the thread's header line was read */
    struct text name; /* the thread's */
};

/* True for a method in which a thread waits. The script asks this of every frame. */
static bool
waits(struct span method)
{
    size_t socket = span_search(method, SPAN("Socket"));
    return span_holds(method, SPAN("epollWait")) || span_holds(method, SPAN("EPoll.wait")) ||
           span_ends(method, SPAN("socketAccept")) || span_ends(method, SPAN("socketRead0")) ||
           (socket != SPAN_NONE && span_ends(span_from(method, socket + 6), SPAN("accept0")));
}

/* True for the name of a thread of the JVM itself. These have no Java frames. */
static bool
is_background(struct span name)
{
    static const struct span names[] = {SPAN("Signal Dispatcher"), SPAN("Service Thread"),
                                        SPAN("Attach Listener")};
    size_t compiler = span_search(name, SPAN(" CompilerThread"));
    bool found = false;
    while (compiler != SPAN_NONE && !found) {
        found = compiler >= 2 && name.ptr[compiler - 2] == 'C';
        size_t next = span_search(span_from(name, compiler + 1), SPAN(" CompilerThread"));
        compiler = next == SPAN_NONE ? next : compiler + 1 + next;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found |= span_holds(name, names[i]);
    return found;
}

static void
begin_thread(struct state *st, struct span line)
{
    struct span name = span_from(line, 1);
    size_t quote = span_find(name, '"');
    name = quote != SPAN_NONE ? span_head(name, quote) : name;
    st->named = true;
    st->name.len = 0;
    text_add(&st->name,
             st->base.c->options->fold.names.tid ? name : javaframe_without_number(name));
    if (is_background(name))
        st->thread = THREAD_WAITS;
}

static void
end_thread(struct state *st)
{
    struct lineformat *f = &st->base;
    bool runs = st->thread == THREAD_RUNS;
    if (runs && st->named && !f->c->options->fold.no_comm)
        scriptstack_push_leaf_first(f, text_span(&st->name));
    if (runs && f->stack.n > 0) {
        stackbuild_reverse(&f->stack, 0);
        scriptstack_emit(f, LINEFORMAT_ONCE);
    } else if (st->named && st->thread != THREAD_UNKNOWN) {
        f->c->samples++;
    }
    stackbuild_clear(&f->stack);
    st->thread = THREAD_UNKNOWN;
    st->named = false;
}

/* True if the text is "java.lang.Thread.", to whose dots the script takes any character. */
static bool
is_thread(struct span text)
{
    const struct span name = SPAN("java.lang.Thread.");
    bool same = text.len == name.len;
    for (size_t i = 0; i < name.len && same; i++)
        same = name.ptr[i] == '.' || name.ptr[i] == text.ptr[i];
    return same;
}

/* Takes the line if "java.lang.Thread.State: RUNNABLE" is anywhere in it. */
static bool
take_state(struct state *st, struct span line)
{
    const struct span label = SPAN("State: ");
    enum { BEFORE = sizeof "java.lang.Thread." - 1 };
    for (size_t from = 0, at; (at = span_search(span_from(line, from), label)) != SPAN_NONE;
         from += at + 1) {
        struct span text = span_from(line, from + at + label.len);
        size_t len = 0;
        while (len < text.len && !is_space(text.ptr[len]))
            len++;
        if (len == 0 || from + at < BEFORE ||
            !is_thread(span_of(text.ptr - label.len - BEFORE, BEFORE)))
            continue;
        if (st->thread == THREAD_UNKNOWN)
            st->thread =
                span_eq(span_head(text, len), SPAN("RUNNABLE")) ? THREAD_RUNS : THREAD_WAITS;
        return true;
    }
    return false;
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct lineformat *f = &st->base;
    struct span method;
    if (line.len == 0) {
        end_thread(st);
    } else if (line.ptr[0] == '"') {
        begin_thread(st, line);
    } else if (line.ptr[0] != '#' && !take_state(st, line) && javaframe_method(line, &method)) {
        struct span name = javaframe_name(f->c->options, &f->name, method, true);
        st->thread = waits(name) ? THREAD_WAITS : st->thread;
        scriptstack_push_leaf_first(f, name);
    }
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->name.ptr);
}

const struct format script_jstack = {.state_size = sizeof(struct state), .take = take, .end = end};
