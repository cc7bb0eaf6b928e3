/* Replaces stackcollapse-perf-sched.awk, line by line. Its patterns are tried on each line in the
 * same order: so a header with leading blanks is also a frame, and a switch that no blank line
 * ended stays open. See format/perfsched.c. */
#include <stdlib.h>

#include "cmd/stackcollapse/script/scriptparts.h"
#include "cmd/stackcollapse/script/floatsum.h"
#include "common/base/num.h"

/* What the script keeps in its arrays for each thread. */
struct script_thread {
    struct text stack; /* its stack when it was switched out */
    struct text chain; /* stack of its last wait, with those of the threads that woke it */
    bool waits;        /* it has a stack */
    bool has_chain;
    bool was_woken; /* with a time in the header */
};

struct sched_script {
    struct stacker base; /* its stack is that of `switched` */
    struct intern ids;   /* of threads */
    /* From the last header of each kind: ids of threads, and their names and stacks. */
    struct text switched, woken, waker, woken_comm, waker_comm, waker_stack;
    VEC(struct script_thread) threads;
    bool switching, waking; /* within a record of that kind, which a blank line ends */
    bool wake_time;
    double delay; /* nanoseconds */
    struct floatsum times;
};

/* Return what follows the first "variable=" that is not followed by white space. */
static struct span
variable(struct span line, struct span name)
{
    for (size_t at; (at = span_search(line, name)) != SPAN_NONE;) {
        line = span_from(line, at + name.len);
        if (line.len > 0 && !is_space(line.ptr[0]))
            return span_take_word(&line);
    }
    return SPAN("");
}

/* Return true if the script finds a time: a blank, and then characters other than blanks and colons
 * up to a colon. */
static bool
has_time(struct span line)
{
    for (size_t at; (at = span_find(line, ':')) != SPAN_NONE; line = span_from(line, at + 1)) {
        size_t start = at;
        while (start > 0 && line.ptr[start - 1] != ' ')
            start--;
        if (start > 0 && start < at)
            return true;
    }
    return false;
}

/* Set the stacker's name to the words without the first, an address, and the last, a DSO. If there
 * are only two words, keep the second. */
static struct span
function(struct sched_script *st, struct span line)
{
    struct span word, next;
    st->base.name.len = 0;
    awk_word(&line, &word);
    if (awk_word(&line, &word))
        text_add(&st->base.name, word);
    for (bool more = awk_word(&line, &word); more && awk_word(&line, &next); word = next)
        TEXT_ADD(&st->base.name, SPAN(" "), word);
    return text_span(&st->base.name);
}

static struct script_thread *
thread(struct sched_script *st, struct span pid)
{
    uint32_t number = intern_add(&st->ids, pid);
    VEC_REACH(st->threads, (size_t)number + 1);
    return &st->threads.at[number];
}

static void
end_switch(struct sched_script *st)
{
    struct stacker *b = &st->base;
    struct script_thread *t = thread(st, text_span(&st->switched));
    t->waits = true;
    t->has_chain = false;
    t->stack.len = 0;
    for (size_t i = b->n; i-- > 0;)
        TEXT_ADD(&t->stack, profile_name_text(&b->c->profile, b->frames[i]),
                 i > 0 ? SPAN(";") : SPAN(""));
    b->n = 0;
    st->switching = false;
}

static void
wake_header(struct sched_script *st, struct span line)
{
    struct span rest = line, word;
    awk_word(&rest, &word);
    text_set(&st->waker_comm, word);
    awk_word(&rest, &word);
    text_set(&st->waker, word);
    st->wake_time = has_time(line);
    text_set(&st->woken_comm, variable(line, SPAN("comm=")));
    text_set(&st->woken, variable(line, SPAN("pid=")));
    st->delay = scriptnum(variable(line, SPAN("delay=")));
    st->delay = st->delay < 0 ? -num_floor(-st->delay) : num_floor(st->delay);
    st->waker_stack.len = 0;
    st->waking = !span_eq(text_span(&st->woken), SPAN("0"));
}

static void
add_tid(const struct sched_script *st, struct text *t, const struct text *pid)
{
    if (st->base.c->options->fold.names.tid)
        TEXT_ADD(t, SPAN("-"), text_span(pid));
}

/* Append the stack of the thread that woke this one, and of what woke that before. The script is
 * meant to compare the time of that with the time at which this thread was switched out, but
 * misspells a name: so any time is accepted. */
static void
add_waker(struct sched_script *st, struct text *stack)
{
    TEXT_ADD(stack, SPAN(";"), text_span(&st->waker_stack), SPAN(";"), text_span(&st->waker_comm));
    add_tid(st, stack, &st->waker);
    if (st->base.c->options->wakers != WAKERS_ALL)
        return;
    const struct script_thread *waker = thread(st, text_span(&st->waker));
    if (!waker->was_woken)
        return;
    text_add(stack, SPAN(";-;"));
    if (waker->has_chain)
        text_add(stack, text_span(&waker->chain));
}

static void
end_wake(struct sched_script *st)
{
    struct text stack = {0};
    struct script_thread *t = thread(st, text_span(&st->woken));
    enum wakers wakers = st->base.c->options->wakers;
    st->waking = false;
    if (!t->waits)
        return;
    t->was_woken = st->wake_time;
    text_add(&stack, text_span(&t->stack));
    if (wakers != WAKERS_NONE)
        add_waker(st, &stack);
    t = thread(st, text_span(&st->woken)); /* add_waker may have moved the array */
    t->waits = false;
    if (wakers == WAKERS_ALL) {
        text_set(&t->chain, text_span(&stack));
        t->has_chain = true;
    }
    text_set(&st->base.name, text_span(&st->woken_comm));
    add_tid(st, &st->base.name, &st->woken);
    TEXT_ADD(&st->base.name, SPAN(";"), text_span(&stack));
    floatsum_add(&st->times, floatsum_child(&st->times, STACKTREE_ROOT, text_span(&st->base.name)),
                 st->delay);
    st->base.c->samples++;
    free(stack.ptr);
}

static void
take(struct stacker *f, struct span line)
{
    struct sched_script *st = (struct sched_script *)f;
    bool comment = span_starts(line, SPAN("#")), frame = line.len > 0 && is_space(line.ptr[0]);
    if (!comment && span_holds(line, SPAN("sched:sched_switch"))) {
        text_set(&st->switched, variable(line, SPAN("prev_pid=")));
        st->switching = !span_eq(text_span(&st->switched), SPAN("0"));
        f->n = 0;
    }
    if (st->switching && frame)
        scriptstack_prepend(&st->base, function(st, line));
    if (st->switching && line.len == 0)
        end_switch(st);
    if (!comment && (span_holds(line, SPAN("sched:sched_stat_sleep")) ||
                     span_holds(line, SPAN("sched:sched_stat_blocked"))))
        wake_header(st, line);
    if (st->waking && frame)
        TEXT_ADD(&st->waker_stack, st->waker_stack.len > 0 ? SPAN(";") : SPAN(""),
                 function(st, line));
    if (st->waking && line.len == 0)
        end_wake(st);
}

static void
print_whole(struct out *out, double nanoseconds)
{
    out_format(out, "%.0f", num_floor(nanoseconds / 1000));
}

/* Print the sums in whole microseconds, except for those below one. */
static void
finish(struct stacker *f)
{
    struct sched_script *st = (struct sched_script *)f;
    floatsum_write(&st->times, st->base.c->out, 1000, print_whole);
}

static void
end(struct stacker *f)
{
    struct sched_script *st = (struct sched_script *)f;
    for (size_t i = 0; i < st->threads.n; i++) {
        free(st->threads.at[i].stack.ptr);
        free(st->threads.at[i].chain.ptr);
    }
    free(st->threads.at);
    floatsum_free(&st->times);
}

const struct format script_perf_sched = {
    .state_size = sizeof(struct sched_script),
    .take = take,
    .finish = finish,
    .end = end,
    .interns = MEMBERS(struct sched_script, ids),
    .buffers =
        MEMBERS(struct sched_script, switched, woken, waker, woken_comm, waker_comm, waker_stack)};
