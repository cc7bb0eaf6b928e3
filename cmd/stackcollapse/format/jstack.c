/* Thread dumps of jstack, jcmd Thread.print or kill -QUIT, one after the other, leaf first
 * (jstack's page in the JDK's documentation):
 *
 *     "pool-1-thread-1" #12 prio=5 os_prio=0 tid=0x00007f0bbc11d600 nid=0x4d79 runnable  [0x00007f]
 *        java.lang.Thread.State: RUNNABLE
 *             at J.fib(J.java:5)
 *             at java.util.concurrent.FutureTask.run(java.base@17.0.15/FutureTask.java:264)
 *             - locked <0x000000069ed9c7e0> (a sun.nio.ch.Util$2)
 *
 * Only threads that run are folded. */
#include <stdlib.h>

#include "common/base/num.h"
#include "cmd/stackcollapse/build/javaframe.h"

/* A thread's state. Of the states that Java prints only whether it is RUNNABLE matters. */
enum thread { THREAD_UNKNOWN, THREAD_RUNS, THREAD_WAITS };

struct state {
    struct lineformat base;
    enum thread thread;
    bool named;       /* the thread's header line was read */
    struct text name; /* the thread's, to be printed if has_name */
    bool has_name;
    uint64_t waiting; /* threads left out */
    struct text method;
};

static bool
holds(struct span s, struct span text)
{
    return span_search(s, text) != SPAN_NONE;
}

/* Methods in which a thread waits though Java calls it runnable: native code, which blocks in the
 * kernel. */
static bool
waits(struct span method)
{
    static const struct span inside[] = {SPAN("epollWait"), SPAN("EPoll.wait"),
                                         SPAN("KQueue.poll")};
    static const struct span at_end[] = {
        SPAN("socketAccept"), SPAN("accept0"),  SPAN("socketRead0"),
        SPAN("Net.accept"),   SPAN("Net.poll"), SPAN("waitForReferencePendingList"),
    };
    bool found = false;
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        found |= holds(method, inside[i]);
    for (size_t i = 0; i < sizeof at_end / sizeof *at_end; i++)
        if (span_ends(method, at_end[i])) {
            size_t before = method.len - at_end[i].len;
            found |= before == 0 || method.ptr[before - 1] == '.';
        }
    return found;
}

/* The script's patterns, which it applies to every frame. */
static bool
script_waits(struct span method)
{
    size_t socket = span_search(method, SPAN("Socket"));
    return holds(method, SPAN("epollWait")) || holds(method, SPAN("EPoll.wait")) ||
           span_ends(method, SPAN("socketAccept")) || span_ends(method, SPAN("socketRead0")) ||
           (socket != SPAN_NONE && span_ends(span_from(method, socket + 6), SPAN("accept0")));
}

/* Threads of the JVM itself, by the script's patterns. They have no Java frames. */
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
        found |= holds(name, names[i]);
    return found;
}

static struct span
leaf(const struct lineformat *f)
{
    return profile_name_text(f->stack.profile, f->stack.frames[0]);
}

static void
end_thread(struct state *st)
{
    struct lineformat *f = &st->base;
    bool runs = st->thread == THREAD_RUNS && (f->script || (f->stack.n > 0 && !waits(leaf(f))));
    if (runs && st->has_name)
        lineformat_push_leaf_first(f, text_span(&st->name));
    if (runs && f->stack.n > 0) {
        stackbuild_reverse(&f->stack, 0);
        lineformat_emit(f, LINEFORMAT_ONCE);
    } else if (st->named && st->thread != THREAD_UNKNOWN) {
        st->waiting++;
        f->c->samples++;
    }
    stackbuild_clear(&f->stack);
    st->thread = THREAD_UNKNOWN;
    st->named = st->has_name = false;
}

/* The name without "-12" at its end. */
static struct span
without_number(struct span name)
{
    size_t end = name.len;
    while (end > 0 && is_digit(name.ptr[end - 1]))
        end--;
    bool number = end > 0 && end < name.len && name.ptr[end - 1] == '-';
    return number ? span_head(name, end - 1) : name;
}

/* "pool-1-thread-1" #12 prio=5 ... */
static void
begin_thread(struct state *st, struct span line)
{
    const struct fold_options *o = &st->base.c->options->fold;
    struct span name = span_from(line, 1);
    size_t quote = st->base.script ? span_find(name, '"') : span_rfind(name, '"');
    if (!st->base.script)
        end_thread(st);
    name = quote != SPAN_NONE ? span_head(name, quote) : name;
    st->named = true;
    if (!o->no_comm) {
        st->has_name = true;
        st->name.len = 0;
        text_add(&st->name, o->names.tid ? name : without_number(name));
    }
    if (st->base.script && is_background(name))
        st->thread = THREAD_WAITS;
}

/* Where the text after "java.lang.Thread.State: " begins, or SPAN_NONE. The script finds it
 * anywhere in the line, and its dots stand for any character. */
static size_t
state_text(struct span line, bool script)
{
    const struct span before = SPAN("java.lang.Thread."), label = SPAN("State: ");
    size_t from = script ? 0 : span_run(line, 0, is_space);
    for (size_t at; (at = span_search(span_from(line, from), label)) != SPAN_NONE; from++) {
        from += at;
        size_t same = 0;
        while (from >= before.len && same < before.len &&
               (before.ptr[same] == line.ptr[from - before.len + same] ||
                (script && before.ptr[same] == '.')))
            same++;
        size_t text = from + label.len;
        if (same == before.len && text < line.len && !is_space(line.ptr[text]))
            return text;
    }
    return SPAN_NONE;
}

/* Takes the line if it tells the thread's state. */
static bool
thread_state(struct state *st, struct span line)
{
    size_t at = state_text(line, st->base.script), end = at;
    if (at == SPAN_NONE)
        return false;
    while (end < line.len && !is_space(line.ptr[end]))
        end++;
    if (st->thread == THREAD_UNKNOWN)
        st->thread = span_eq(span_of(line.ptr + at, end - at), SPAN("RUNNABLE")) ? THREAD_RUNS
                                                                                 : THREAD_WAITS;
    return true;
}

static void
take_frame(struct state *st, struct span method)
{
    struct lineformat *f = &st->base;
    struct span name = javaframe_name(f, &st->method, method);
    if (f->script && script_waits(name))
        st->thread = THREAD_WAITS;
    lineformat_push_leaf_first(f, name);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct span method;
    if (line.len == 0)
        end_thread(st);
    else if (line.ptr[0] == '#' && st->base.script)
        ;
    else if (line.ptr[0] == '"')
        begin_thread(st, line);
    else if (st->base.script && thread_state(st, line))
        ;
    else if (javaframe_method(line, &method))
        take_frame(st, method);
    else
        thread_state(st, line);
}

/* The script loses the last thread if no blank line follows it. */
static void
finish(void *state)
{
    const struct lineformat *f = state;
    if (!f->script)
        end_thread(state);
}

static void
end(void *state)
{
    char some[NUM_COMMAS], all[NUM_COMMAS];
    struct state *st = state;
    const struct collapse *c = st->base.c;
    if (st->waiting > 0 && !st->base.script)
        diag_note(c->diag, "%.*s of %.*s threads wait or have no Java frames, and are left out",
                  SPAN_ARG(num_commas(some, st->waiting)), SPAN_ARG(num_commas(all, c->samples)));
    free(st->name.ptr);
    free(st->method.ptr);
}

/* "Full thread dump OpenJDK ...", or a thread's header line. */
static bool
is_jstack(struct span line)
{
    return span_starts(line, SPAN("Full thread dump ")) ||
           (line.ptr[0] == '"' && span_find(span_from(line, 1), '"') != SPAN_NONE &&
            holds(line, SPAN(" tid=0x")) && holds(line, SPAN(" nid=")));
}

const struct format format_jstack = {
    .is = is_jstack,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = finish,
    .end = end,
};
