#include "cmd/stackcollapse/shared/javathread.h"

enum javathread_state
javathread_state(struct span word)
{
    static const struct span waiting[] = {SPAN("NEW"), SPAN("BLOCKED"), SPAN("WAITING"),
                                          SPAN("TIMED_WAITING"), SPAN("TERMINATED")};
    if (span_eq(word, SPAN("RUNNABLE")))
        return JAVATHREAD_RUNS;
    bool waits = span_eq_any(word, waiting, sizeof waiting / sizeof *waiting);
    return waits ? JAVATHREAD_WAITS : JAVATHREAD_UNKNOWN;
}

void
javathread_begin(struct javathread *t, struct span name, struct span number)
{
    struct text *text = &t->name;
    t->begun = true;
    text_set(text, name);
    if (name.len == 0 && number.len > 0)
        TEXT_ADD(text, SPAN("virtual thread-"), number);
    size_t end = span_run_before(text_span(text), text->len, is_digit);
    if (end > 0 && end < text->len && text->ptr[end - 1] == '-' &&
        !t->base.c->options->fold.names.tid)
        text->len = end - 1;
}

/* Remove the module, if there is one: the part before the last slash, if packages follow it.
 * Otherwise that part is packages of IBM's Java, "java/lang/Object.wait". A digit after the slash
 * begins the address of a hidden class, "a.W$$Lambda/0x00007f.run". */
static struct span
without_module(struct span method)
{
    size_t slash = span_rfind(method, '/');
    if (slash != SPAN_NONE && slash + 1 < method.len && is_digit(method.ptr[slash + 1]))
        slash = span_rfind(span_head(method, slash), '/');
    if (slash == SPAN_NONE)
        return method;
    struct span rest = span_from(method, slash + 1);
    struct span names = span_before(rest, '/');
    bool loader = slash > 0 && method.ptr[slash - 1] == '/';
    return loader || span_find(names, '.') != span_rfind(names, '.') ? rest : method;
}

void
javathread_push(struct javathread *t, struct span method)
{
    stacker_push(&t->base, javaframe_name(&t->base, without_module(method)));
}

/* Return true if the method is one of the names, with or without packages before it. */
static bool
is_method(struct span method, const struct span *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (span_ends(method, names[i])) {
            size_t before = method.len - names[i].len;
            if (before == 0 || method.ptr[before - 1] == '.')
                return true;
        }
    return false;
}

/* Return true for a method in which a thread waits although Java calls it runnable: native code
 * that blocks in the kernel, a method of a virtual thread that waits for a carrier, or the method
 * by which a carrier runs a virtual thread. */
static bool
waits(struct span method)
{
    static const struct span names[] = {
        SPAN("socketAccept"),
        SPAN("accept0"),
        SPAN("socketRead0"),
        SPAN("Net.accept"),
        SPAN("Net.poll"),
        SPAN("waitForReferencePendingList"),
        SPAN("VirtualThread.park"),
        SPAN("VirtualThread.parkNanos"),
        SPAN("VirtualThread.parkOnCarrierThread"),
        SPAN("VirtualThread.tryYield"),
        SPAN("VirtualThread.yieldContinuation"),
        SPAN("Continuation.run"),
    };
    return span_holds(method, SPAN("epollWait")) || span_holds(method, SPAN("EPoll.wait")) ||
           span_holds(method, SPAN("KQueue.poll")) ||
           is_method(method, names, sizeof names / sizeof *names);
}

/* Return true for a method in which Java calls a thread waiting. */
static bool
sleeps(struct span method)
{
    static const struct span names[] = {
        SPAN("Unsafe.park"),  SPAN("Object.wait"),   SPAN("Object.wait0"),
        SPAN("Thread.sleep"), SPAN("Thread.sleep0"), SPAN("Thread.sleepNanos0"),
    };
    return is_method(method, names, sizeof names / sizeof *names);
}

bool
javathread_runs(const struct javathread *t, bool stateless)
{
    const struct stacker *s = &t->base;
    if (s->n == 0 || t->state != JAVATHREAD_RUNS)
        return false;
    struct span leaf = profile_name_text(&s->c->profile, s->frames[0]);
    return !waits(leaf) && !(stateless && sleeps(leaf));
}

void
javathread_end(struct javathread *t, bool runs)
{
    struct stacker *s = &t->base;
    if (runs && t->begun && !s->c->options->fold.no_comm)
        stacker_push_leaf_first(s, text_span(&t->name));
    if (!(runs && stacker_emit(s, LEAF_FIRST, ONCE)) && t->begun &&
        t->state != JAVATHREAD_UNKNOWN) {
        s->left_out++;
        s->c->samples++;
    }
    s->n = 0;
    t->state = JAVATHREAD_UNKNOWN;
    t->begun = false;
}
