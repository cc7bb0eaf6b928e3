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
#include "cmd/stackcollapse/build/javaframe.h"

/* Return true for a method in which a thread waits though Java calls it runnable: native code,
 * which blocks in the kernel. */
static bool
waits(struct span method)
{
    static const struct span at_end[] = {
        SPAN("socketAccept"), SPAN("accept0"),  SPAN("socketRead0"),
        SPAN("Net.accept"),   SPAN("Net.poll"), SPAN("waitForReferencePendingList"),
    };
    bool found = span_holds(method, SPAN("epollWait")) || span_holds(method, SPAN("EPoll.wait")) ||
                 span_holds(method, SPAN("KQueue.poll"));
    for (size_t i = 0; i < sizeof at_end / sizeof *at_end; i++)
        if (span_ends(method, at_end[i])) {
            size_t before = method.len - at_end[i].len;
            found |= before == 0 || method.ptr[before - 1] == '.';
        }
    return found;
}

static void
end_thread(struct reader *f)
{
    bool runs = f->part == JAVATHREAD_RUNS && f->stack.n > 0 &&
                !waits(profile_name_text(f->stack.profile, f->stack.frames[0]));
    javaframe_end_thread(f, runs);
}

/* "   java.lang.Thread.State: TIMED_WAITING (parking)": the thread's first such line counts. */
static void
take_state(struct reader *f, struct span line)
{
    const struct span label = SPAN("java.lang.Thread.State: ");
    size_t at = span_search(line, label);
    struct span text = span_from(line, at != SPAN_NONE ? at + label.len : line.len);
    if (text.len == 0 || is_space(text.ptr[0]) || f->part != JAVATHREAD_UNKNOWN)
        return;
    bool runs = span_eq(span_take_word(&text), SPAN("RUNNABLE"));
    f->part = runs ? JAVATHREAD_RUNS : JAVATHREAD_WAITS;
}

static void
take(struct reader *f, struct span line)
{
    struct span method;
    if (line.len == 0) {
        end_thread(f);
    } else if (line.ptr[0] == '"') { /* "pool-1-thread-1" #12 prio=5 ... */
        size_t quote = span_rfind(line, '"');
        end_thread(f);
        javaframe_begin_thread(f, span_of(line.ptr + 1, (quote > 0 ? quote : line.len) - 1));
    } else if (javaframe_method(line, &method)) {
        stackbuild_push(&f->stack, javaframe_name(f, method));
    } else {
        take_state(f, line);
    }
}

/* "Full thread dump OpenJDK ...", or a thread's header line. */
static bool
is_jstack(struct span line)
{
    return span_starts(line, SPAN("Full thread dump ")) ||
           (line.ptr[0] == '"' && span_find(span_from(line, 1), '"') != SPAN_NONE &&
            span_holds(line, SPAN(" tid=0x")) && span_holds(line, SPAN(" nid=")));
}

const struct format format_jstack = {.is = is_jstack,
                                     .take = take,
                                     .finish = end_thread,
                                     .left_out = "threads wait or have no Java frames"};
