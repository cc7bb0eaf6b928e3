/* Replaces stackcollapse-jstack.pl, which ends a thread only at a blank line, and loses the last
 * one if there is none after it. See format/jstack.c. */
#include "cmd/stackcollapse/shared/javathread.h"

/* Return true for a method in which a thread waits. The script tests each frame. */
static bool
waits(struct span method)
{
    size_t socket = span_search(method, SPAN("Socket"));
    return span_holds(method, SPAN("epollWait")) || span_holds(method, SPAN("EPoll.wait")) ||
           span_ends(method, SPAN("socketAccept")) || span_ends(method, SPAN("socketRead0")) ||
           (socket != SPAN_NONE && span_ends(span_from(method, socket + 6), SPAN("accept0")));
}

/* Return true if the pattern, in which "." is any character, matches somewhere in the text. Set
 * *rest to the text after the first match. */
static bool
match(struct span text, struct span pattern, struct span *rest)
{
    for (*rest = text; rest->len >= pattern.len; *rest = span_from(*rest, 1)) {
        size_t n = 0;
        while (n < pattern.len && (pattern.ptr[n] == '.' || pattern.ptr[n] == rest->ptr[n]))
            n++;
        if (n == pattern.len) {
            *rest = span_from(*rest, n);
            return true;
        }
    }
    return false;
}

/* Return true for the name of a thread of the JVM itself. Such threads have no Java frames. */
static bool
is_background(struct span name)
{
    struct span rest;
    return match(name, SPAN("C. CompilerThread"), &rest) ||
           span_holds(name, SPAN("Signal Dispatcher")) ||
           span_holds(name, SPAN("Service Thread")) || span_holds(name, SPAN("Attach Listener"));
}

/* Take the line if /java.lang.Thread.State: (\S+)/ matches anywhere in it. */
static bool
take_state(struct javathread *t, struct span line)
{
    while (match(line, SPAN("java.lang.Thread.State: "), &line)) {
        if (line.len == 0 || is_space(line.ptr[0]))
            continue;
        bool runs = span_eq(span_take_word(&line), SPAN("RUNNABLE"));
        if (t->state == JAVATHREAD_UNKNOWN)
            t->state = runs ? JAVATHREAD_RUNS : JAVATHREAD_WAITS;
        return true;
    }
    return false;
}

static void
take(struct stacker *f, struct span line)
{
    struct javathread *t = (struct javathread *)f;
    struct span method;
    if (line.len == 0) {
        javathread_end(t, t->state == JAVATHREAD_RUNS);
    } else if (line.ptr[0] == '"') {
        struct span name = span_before(span_from(line, 1), '"');
        javathread_begin(t, name, SPAN(""));
        t->state = is_background(name) ? JAVATHREAD_WAITS : t->state;
    } else if (line.ptr[0] != '#' && !take_state(t, line) && javaframe_method(line, &method)) {
        struct span name = javaframe_name(f, method);
        t->state = waits(name) ? JAVATHREAD_WAITS : t->state;
        stacker_push_leaf_first(f, name);
    }
}

const struct format script_jstack = {.state_size = sizeof(struct javathread),
                                     .take = take,
                                     .buffers = MEMBERS(struct javathread, name)};
