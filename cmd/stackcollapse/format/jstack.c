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

#include "cmd/stackcollapse/build/javaframe.h"
#include "common/base/num.h"

/* A thread's state. Of the states that Java prints only whether it is RUNNABLE matters. */
enum thread { THREAD_UNKNOWN, THREAD_RUNS, THREAD_WAITS };

struct state {
    struct lineformat base;
    enum thread thread;
    bool named;       /* the thread's header line was read */
    struct text name; /* the thread's */
    uint64_t waiting; /* threads left out */
};

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
        found |= span_holds(method, inside[i]);
    for (size_t i = 0; i < sizeof at_end / sizeof *at_end; i++)
        if (span_ends(method, at_end[i])) {
            size_t before = method.len - at_end[i].len;
            found |= before == 0 || method.ptr[before - 1] == '.';
        }
    return found;
}

static void
end_thread(struct state *st)
{
    struct lineformat *f = &st->base;
    bool runs = st->thread == THREAD_RUNS && f->stack.n > 0 &&
                !waits(profile_name_text(f->stack.profile, f->stack.frames[0]));
    if (runs && st->named && !f->c->options->fold.no_comm)
        stackbuild_push(&f->stack, text_span(&st->name));
    if (runs) {
        lineformat_finish(f);
    } else if (st->named && st->thread != THREAD_UNKNOWN) {
        st->waiting++;
        f->c->samples++;
    }
    stackbuild_clear(&f->stack);
    st->thread = THREAD_UNKNOWN;
    st->named = false;
}

/* "pool-1-thread-1" #12 prio=5 ... */
static void
begin_thread(struct state *st, struct span line)
{
    struct span name = span_from(line, 1);
    size_t quote = span_rfind(name, '"');
    end_thread(st);
    name = quote != SPAN_NONE ? span_head(name, quote) : name;
    st->named = true;
    st->name.len = 0;
    text_add(&st->name,
             st->base.c->options->fold.names.tid ? name : javaframe_without_number(name));
}

/* "   java.lang.Thread.State: TIMED_WAITING (parking)": the thread's first such line counts. */
static void
take_state(struct state *st, struct span line)
{
    const struct span label = SPAN("java.lang.Thread.State: ");
    size_t at = span_search(line, label);
    struct span text = span_from(line, at != SPAN_NONE ? at + label.len : line.len);
    if (text.len == 0 || is_space(text.ptr[0]) || st->thread != THREAD_UNKNOWN)
        return;
    bool runs = span_eq(text, SPAN("RUNNABLE")) ||
                (span_starts(text, SPAN("RUNNABLE")) && is_space(text.ptr[8]));
    st->thread = runs ? THREAD_RUNS : THREAD_WAITS;
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct lineformat *f = &st->base;
    struct span method;
    if (line.len == 0)
        end_thread(st);
    else if (line.ptr[0] == '"')
        begin_thread(st, line);
    else if (javaframe_method(line, &method))
        stackbuild_push(&f->stack, javaframe_name(f->c->options, &f->name, method, false));
    else
        take_state(st, line);
}

static void
finish(void *state)
{
    end_thread(state);
}

static void
end(void *state)
{
    char some[NUM_COMMAS], all[NUM_COMMAS];
    struct state *st = state;
    const struct collapse *c = st->base.c;
    if (st->waiting > 0)
        diag_note(c->diag, "%.*s of %.*s threads wait or have no Java frames, and are left out",
                  SPAN_ARG(num_commas(some, st->waiting)), SPAN_ARG(num_commas(all, c->samples)));
    free(st->name.ptr);
}

/* "Full thread dump OpenJDK ...", or a thread's header line. */
static bool
is_jstack(struct span line)
{
    return span_starts(line, SPAN("Full thread dump ")) ||
           (line.ptr[0] == '"' && span_find(span_from(line, 1), '"') != SPAN_NONE &&
            span_holds(line, SPAN(" tid=0x")) && span_holds(line, SPAN(" nid=")));
}

const struct format format_jstack = {
    .is = is_jstack,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = finish,
    .end = end,
};
