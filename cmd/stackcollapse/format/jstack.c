/* Thread dumps of Java, one after the other, leaf first: by jstack, jcmd Thread.print or kill -QUIT
 * (jstack's page in the JDK's documentation),
 *
 *     "pool-1-thread-1" #12 prio=5 os_prio=0 tid=0x00007f0bbc11d600 nid=0x4d79 runnable  [0x00007f]
 *        java.lang.Thread.State: RUNNABLE
 *             at J.fib(J.java:5)
 *             at java.util.concurrent.FutureTask.run(java.base@17.0.15/FutureTask.java:264)
 *             - locked <0x000000069ed9c7e0> (a sun.nio.ch.Util$2)
 *
 *     "ForkJoinPool-1-worker-1" #27 daemon prio=5 tid=0x00007f0bbc2 nid=19 runnable [0x00007f]
 *        Carrying virtual thread #26
 *             at jdk.internal.vm.Continuation.run(java.base@25/Continuation.java:251)
 *        Mounted virtual thread #26                                       since JDK 23
 *             at J.fib(J.java:5)
 *
 * by jcmd Thread.dump_to_file, up to JDK 24 (left) and later (right),
 *
 *     #26 "" virtual                               #26 "" virtual RUNNABLE 2026-01-05T06:31:54Z
 *           app//J.fib(J.java:5)                       at app//J.fib(J.java:5)
 *
 * and by programs themselves (java.lang.management.ThreadInfo):
 *
 *     "pool-1-thread-2" prio=5 Id=77 BLOCKED on J@5a67 owned by "pool-1-thread-1" Id=76
 *             at app//J.get(J.java:9)
 *             ...
 *
 * Only running threads are folded; instead of a carrier, the virtual thread that it runs. */
#include "cmd/stackcollapse/shared/javathread.h"
#include "common/stack/frames/framekind.h"

struct jstack {
    struct javathread thread;
    bool listed;     /* the thread's header is as in Thread.dump_to_file */
    bool carries;    /* it carries a virtual thread, whose stack was not read yet */
    bool blocked;    /* its header says that it waits */
    uint64_t unseen; /* number of carriers without such a stack */
};

static void
end_thread(struct stacker *f)
{
    struct jstack *st = (struct jstack *)f;
    if (st->carries) { /* its own frames do not run */
        st->carries = st->thread.begun = false;
        f->n = 0;
        st->unseen++;
        f->c->samples++;
    }
    javathread_end(&st->thread, javathread_runs(&st->thread, st->listed));
    st->listed = false;
}

/* The parts of a header. */
struct jstack_header {
    struct span number; /* in Thread.dump_to_file */
    struct span name, rest;
    bool closed; /* a quotation mark follows the name */
};

/* Parse a header. The name may contain quotation marks; those around the name of a lock's owner are
 * not part of it. */
static bool
parse_header(struct span line, struct jstack_header *h)
{
    size_t owner = span_search(line, SPAN(" owned by \""));
    line = span_head(line, owner != SPAN_NONE ? owner : line.len);
    h->number = SPAN("");
    if (span_skip(&line, SPAN("#"))) {
        h->number = span_take_run(&line, is_digit);
        if (h->number.len == 0 || !span_skip(&line, SPAN(" ")))
            return false;
    }
    if (!span_starts(line, SPAN("\"")))
        return false;
    size_t quote = span_rfind(line, '"');
    h->closed = quote > 0;
    h->name = span_of(line.ptr + 1, (h->closed ? quote : line.len) - 1);
    h->rest = h->closed ? span_from(line, quote + 1) : SPAN("");
    return true;
}

/* Return the state in "daemon prio=5 Id=77 WAITING on a.B@5a67" or "id=77 state=WAITING". */
static enum javathread_state
header_state(struct span rest)
{
    enum javathread_state state = JAVATHREAD_UNKNOWN;
    while (rest.len > 0 && state == JAVATHREAD_UNKNOWN) {
        struct span word = span_take_word(&rest);
        span_skip(&word, SPAN("state="));
        state = javathread_state(word);
    }
    return state;
}

static void
begin_thread(struct stacker *f, const struct jstack_header *h)
{
    struct jstack *st = (struct jstack *)f;
    end_thread(f);
    st->listed = h->number.len > 0;
    /* "nid=9 waiting on condition [0x7f]" */
    st->blocked = span_holds(h->rest, SPAN(" waiting ")) ||
                  span_holds(h->rest, SPAN(" in Object.wait()")) ||
                  span_holds(h->rest, SPAN(" sleeping "));
    javathread_begin(&st->thread, h->name, h->number);
    st->thread.state = header_state(h->rest);
    if (st->listed && st->thread.state == JAVATHREAD_UNKNOWN)
        st->thread.state = JAVATHREAD_RUNS; /* according to the header */
}

/* Take " java.lang.Thread.State: TIMED_WAITING (parking)". The first such line of a thread
 * counts. */
static void
take_state(struct javathread *thread, struct span line)
{
    const struct span label = SPAN("java.lang.Thread.State: ");
    size_t at = span_search(line, label);
    struct span text = span_from(line, at != SPAN_NONE ? at + label.len : line.len);
    if (text.len == 0 || is_space(text.ptr[0]) || thread->state != JAVATHREAD_UNKNOWN)
        return;
    thread->state = javathread_state(span_take_word(&text));
    if (thread->state == JAVATHREAD_UNKNOWN)
        thread->state = JAVATHREAD_WAITS;
}

/* Take " Carrying virtual thread #26", or " Mounted virtual thread #26", which precedes that
 * thread's stack. Return false if it is another line. */
static bool
take_carrier(struct stacker *f, struct span line)
{
    struct jstack *st = (struct jstack *)f;
    struct jstack_header h;
    line = span_trim(line);
    if (span_starts(line, SPAN("Carrying virtual thread"))) {
        st->carries = st->thread.begun;
        return true;
    }
    if (!span_skip(&line, SPAN("Mounted virtual thread ")))
        return false;
    if (!parse_header(line, &h))
        h.name = SPAN("");
    struct span number = span_from(line, span_rfind(line, '#') + 1);
    st->carries = false;
    f->n = 0;
    javathread_begin(&st->thread, h.name, number.len > 0 ? number : SPAN("0"));
    st->thread.state = st->blocked ? JAVATHREAD_WAITS : JAVATHREAD_RUNS;
    return true;
}

/* Parse a frame of Thread.dump_to_file: " app//J.fib(J.java:5)". */
static bool
listed_method(struct span line, struct span *method)
{
    bool indented = span_starts(line, SPAN("    "));
    line = span_trim(line);
    *method = span_before(line, '(');
    return indented && method->len < line.len && span_ends(line, SPAN(")")) &&
           span_find(*method, ' ') == SPAN_NONE;
}

static void
take(struct stacker *f, struct span line)
{
    struct jstack *st = (struct jstack *)f;
    struct span method;
    struct jstack_header h;
    if (line.len == 0)
        end_thread(f);
    else if (parse_header(line, &h))
        begin_thread(f, &h);
    else if (javaframe_method(line, &method) || (st->listed && listed_method(line, &method)))
        javathread_push(&st->thread, method);
    else if (st->thread.begun &&
             span_eq(span_trim(line), SPAN("..."))) /* ThreadInfo prints only 8 frames */
        stacker_push(f, MARK_CUT);
    else if (!take_carrier(f, line))
        take_state(&st->thread, line);
}

static void
end(struct stacker *f)
{
    stacker_note(f, ((struct jstack *)f)->unseen,
                 "carriers run virtual threads whose stacks are not in the dump, and are left out: "
                 "jcmd PID Thread.dump_to_file FILE prints them");
}

/* Return true for "#26 "" virtual RUNNABLE 2026-01-05T06:31:54Z", or its part up to the name. */
static bool
is_listed(const struct jstack_header *h)
{
    struct span rest = h->rest;
    span_skip(&rest, SPAN(" virtual"));
    return h->number.len > 0 && (rest.len == 0 || header_state(rest) != JAVATHREAD_UNKNOWN);
}

/* Return true for "Full thread dump OpenJDK ...", or for the header of a thread. */
static bool
is_jstack(struct span line)
{
    struct jstack_header h;
    if (span_starts(line, SPAN("Full thread dump ")))
        return true;
    if (!parse_header(line, &h) || !h.closed)
        return false;
    bool native = span_holds(h.rest, SPAN(" nid=")) || span_holds(h.rest, SPAN(" prio="));
    bool info = span_holds(h.rest, SPAN(" Id=")) || span_holds(h.rest, SPAN(" id="));
    return is_listed(&h) || (native && span_holds(h.rest, SPAN(" tid=0x"))) ||
           (info && header_state(h.rest) != JAVATHREAD_UNKNOWN);
}

const struct format format_jstack = {.is = is_jstack,
                                     .hash_is_text = true,
                                     .state_size = sizeof(struct jstack),
                                     .take = take,
                                     .finish = end_thread,
                                     .end = end,
                                     .buffers = MEMBERS(struct jstack, thread.name),
                                     .left_out = "threads wait or have no Java frames"};
