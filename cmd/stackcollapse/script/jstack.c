/* stackcollapse-jstack.pl: it ends a thread at a blank line alone, and loses the last one if none
 * follows. See format/jstack.c. */
#include "cmd/stackcollapse/build/javaframe.h"

/* Return true for a method in which a thread waits. The script asks this of every frame. */
static bool
waits(struct span method)
{
    size_t socket = span_search(method, SPAN("Socket"));
    return span_holds(method, SPAN("epollWait")) || span_holds(method, SPAN("EPoll.wait")) ||
           span_ends(method, SPAN("socketAccept")) || span_ends(method, SPAN("socketRead0")) ||
           (socket != SPAN_NONE && span_ends(span_from(method, socket + 6), SPAN("accept0")));
}

/* Return true for the name of a thread of the JVM itself. These have no Java frames. */
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

/* Return true if the text is "java.lang.Thread.", to whose dots the script takes any character. */
static bool
is_thread(struct span text)
{
    const struct span name = SPAN("java.lang.Thread.");
    bool same = text.len == name.len;
    for (size_t i = 0; i < name.len && same; i++)
        same = name.ptr[i] == '.' || name.ptr[i] == text.ptr[i];
    return same;
}

/* Take the line if "java.lang.Thread.State: RUNNABLE" is anywhere in it. */
static bool
take_state(struct reader *f, struct span line)
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
        bool runs = span_eq(span_head(text, len), SPAN("RUNNABLE"));
        if (f->part == JAVATHREAD_UNKNOWN)
            f->part = runs ? JAVATHREAD_RUNS : JAVATHREAD_WAITS;
        return true;
    }
    return false;
}

static void
take(struct reader *f, struct span line)
{
    struct span method;
    if (line.len == 0) {
        javaframe_end_thread(f, f->part == JAVATHREAD_RUNS);
    } else if (line.ptr[0] == '"') {
        struct span name = span_before(span_from(line, 1), '"');
        javaframe_begin_thread(f, name);
        f->part = is_background(name) ? JAVATHREAD_WAITS : f->part;
    } else if (line.ptr[0] != '#' && !take_state(f, line) && javaframe_method(line, &method)) {
        struct span name = javaframe_name(f, method);
        f->part = waits(name) ? JAVATHREAD_WAITS : f->part;
        reader_push_leaf_first(f, name);
    }
}

const struct format script_jstack = {.take = take};
