#include "common/stage/syscalls.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/event/ownrecord.h"
#include "common/stage/stacktime.h"
#include "common/stage/syscallpayload.h"
#include "common/tracepoint/syscallnames.h"

struct syscall_thread {
    bool calls;
    struct syscall_enter call;
    uint64_t began, losses;
    /* Of each argument, the number of its text plus 1, or 0; valid if `emptied` is that of struct
     * syscalls. */
    uint32_t strings[SYSCALL_ARGUMENTS], emptied;
};

static const struct syscall_kind *
kind_of(const struct syscalls *s, const struct syscall_thread *t)
{
    return syscallkinds_of(&s->kinds, t->call.number, t->call.compat);
}

/* Append a number with digits of 3 or 4 bits: octal or hexadecimal. */
static void
add_digits(struct text *to, uint64_t n, unsigned bits)
{
    char digits[64 / 3 + 1];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[n & ((1U << bits) - 1)];
        n >>= bits;
    } while (n > 0);
    text_add(to, span_of(digits + at, sizeof digits - at));
}

static void
add_hex(struct text *to, uint64_t n)
{
    text_add(to, SPAN("0x"));
    add_digits(to, n, 4);
}

static void
add_signed(struct text *to, int64_t n)
{
    char digits[NUM_DIGITS];
    if (n < 0)
        text_add(to, SPAN("-"));
    text_add(to, num_decimal(digits, n < 0 ? -(uint64_t)n : (uint64_t)n));
}

/* Append a number: the last 4096 values of 32 and of 64 bits are negative. */
static void
add_number(struct text *to, uint64_t n)
{
    enum { NEGATIVE = 4096 };
    if (n <= UINT32_MAX && n > UINT32_MAX - NEGATIVE)
        add_signed(to, (int32_t)(uint32_t)n);
    else if (n <= UINT32_MAX || n > UINT64_MAX - NEGATIVE)
        add_signed(to, (int64_t)n);
    else
        add_hex(to, n);
}

/* Append a descriptor, and what it stands for: "3</etc/passwd>". `closed`: the call closes it. */
static void
add_descriptor(struct syscalls *s, uint32_t pid, int32_t fd, bool closed)
{
    enum { FDCWD = -100 }; /* AT_FDCWD of linux/fcntl.h */
    struct span path = fdpaths_find(&s->paths, pid, fd, closed);
    if (fd == FDCWD)
        text_add(&s->text, SPAN("AT_FDCWD"));
    else
        add_signed(&s->text, fd);
    if (path.len > 0)
        TEXT_ADD(&s->text, SPAN("<"), path, SPAN(">"));
}

/* Append a text, or its address if it was not read. */
static void
add_string(struct syscalls *s, const struct syscall_thread *t, size_t i)
{
    if (t->strings[i] > 0 && t->emptied == s->emptied)
        text_add(&s->text, intern_text(&s->strings, t->strings[i] - 1));
    else
        add_hex(&s->text, t->call.arguments[i]);
}

/* Append the i-th argument of a call that has ended. */
static void
add_argument(struct syscalls *s, uint32_t pid, const struct syscall_thread *t, size_t i)
{
    const struct syscall_kind *k = kind_of(s, t);
    uint64_t word = t->call.arguments[i];
    switch (k->known ? k->arguments[i].style : STYLE_HEX) {
    case STYLE_FD:
        add_descriptor(s, pid, (int32_t)(uint32_t)word, k->effect == EFFECT_CLOSES);
        break;
    case STYLE_STRING:
        add_string(s, t, i);
        break;
    case STYLE_HEX:
        add_hex(&s->text, word);
        break;
    case STYLE_OCTAL:
        text_add(&s->text, word > 0 ? SPAN("0") : SPAN(""));
        add_digits(&s->text, word, 3);
        break;
    case STYLE_NUMBER:
        add_number(&s->text, word);
        break;
    }
}

static void
add_arguments(struct syscalls *s, uint32_t pid, const struct syscall_thread *t)
{
    const struct syscall_kind *k = kind_of(s, t);
    size_t count = k->known ? k->count : SYSCALL_ARGUMENTS;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            text_add(&s->text, SPAN(", "));
        if (k->known)
            TEXT_ADD(&s->text, k->arguments[i].name, SPAN(": "));
        add_argument(s, pid, t, i);
    }
}

/* Append a result. From -4095 to -1 it is an error: MAX_ERRNO in include/linux/err.h. */
static void
add_result(struct text *to, const struct syscall_kind *k, int64_t result)
{
    enum { MAX_ERRNO = 4095 };
    bool failed = result < 0 && result >= -MAX_ERRNO;
    struct span error = failed ? syscallnames_error((unsigned)-result) : SPAN("");
    if (error.len > 0)
        TEXT_ADD(to, SPAN("-"), error);
    else if (k->hex && !failed)
        add_hex(to, (uint64_t)result);
    else
        add_signed(to, result);
}

/* Set s->text to what a call was: see the head of syscalls.h. */
static void
describe(struct syscalls *s, uint32_t pid, const struct syscall_thread *t, int64_t result)
{
    const struct syscall_kind *k = kind_of(s, t);
    struct text *to = &s->text;
    to->len = 0;
    text_add(to, k->name);
    if (k->name.len == 0) {
        text_add(to, SPAN("syscall_"));
        add_signed(to, t->call.number);
    }
    text_add(to, SPAN("("));
    add_arguments(s, pid, t);
    text_add(to, SPAN(") = "));
    add_result(to, k, t->call.compat ? (int32_t)result : result);
}

/* A call ends. */
static void
pass_call(struct syscalls *s, const struct record *r, const struct syscall_thread *t,
          int64_t result)
{
    struct record call = *r;
    uint64_t took = r->time > t->began ? r->time - t->began : 0;
    describe(s, r->pid, t, result);
    call.event = &s->session.events.events[0];
    call.bytes = SPAN("");
    call.has = call.event->sample_type;
    call.sample.period = took > 0 ? took : 1;
    call.sample.leaf = kind_of(s, t)->leaf;
    call.sample.raw = text_span(&s->text);
    s->sink.next->record(s->sink.next, &call);
}

/* A call that a thread never returns from. */
static bool
ends_thread(const struct syscalls *s, const struct syscall_thread *t)
{
    struct span name = kind_of(s, t)->name;
    return span_eq(name, SPAN("exit")) || span_eq(name, SPAN("exit_group"));
}

static void
take_enter(struct syscalls *s, const struct record *r)
{
    struct syscall_enter call;
    if (!syscallpayload_enter(r, &call))
        return;
    struct syscall_thread *t = threadtable_add(&s->threads, r->tid);
    s->unknown += t->calls; /* the record of its return is missing */
    if (syscallkinds_of(&s->kinds, call.number, call.compat)->effect == EFFECT_CLOSES)
        fdpaths_close(&s->paths, r->pid, (int32_t)(uint32_t)call.arguments[0]);
    *t =
        (struct syscall_thread){.calls = true, .call = call, .began = r->time, .losses = s->losses};
}

/* Return true for a return without a beginning: a new thread or process begins with that of the
 * call that made it, and the recording of a command with that of execve(2). */
static bool
is_first(const struct syscalls *s, const struct syscall_exit *e)
{
    static const struct span names[] = {SPAN("clone"), SPAN("clone3"), SPAN("fork"),
                                        SPAN("vfork"), SPAN("execve"), SPAN("execveat")};
    bool found = false;
    for (int compat = 0; compat < 2; compat++)
        found |= span_eq_any(syscallkinds_of(&s->kinds, e->number, compat > 0)->name, names,
                             sizeof names / sizeof *names);
    return found && e->result == 0;
}

/* Forget what the descriptors stood for that the call has replaced or closed. One that close(2)
 * closes is forgotten when that begins, since another thread's call may return the same number
 * before it ends. */
static void
forget_paths(struct syscalls *s, uint32_t pid, const struct syscall_exit *e, bool compat)
{
    enum syscall_effect effect = syscallkinds_of(&s->kinds, e->number, compat)->effect;
    if (effect == EFFECT_CLOSES_MANY)
        fdpaths_forget(&s->paths, pid);
    if (effect == EFFECT_OPENS && e->result >= 0)
        fdpaths_set(&s->paths, pid, (int32_t)e->result, SPAN(""));
}

/* A call returns. */
static void
join_exit(struct syscalls *s, const struct record *r, const struct syscall_exit *e,
          struct syscall_thread *t)
{
    if (t == NULL || !t->calls) {
        s->unknown += e->number != SYSCALL_RESTORED && !is_first(s, e);
        return;
    }
    t->calls = false;
    if (e->number != t->call.number && e->number != SYSCALL_RESTORED)
        s->unknown += 2; /* one lacks its return, the other its beginning */
    else if (t->losses != s->losses)
        s->unknown++;
    else if (kind_of(s, t)->wanted)
        pass_call(s, r, t, e->result);
}

static void
take_exit(struct syscalls *s, const struct record *r)
{
    struct syscall_exit e;
    if (!syscallpayload_exit(r, &e))
        return;
    struct syscall_thread *t = threadtable_find(&s->threads, r->tid);
    join_exit(s, r, &e, t);
    forget_paths(s, r->pid, &e, t != NULL && t->call.compat);
}

static bool
is_in_call(void *ctx, const void *thread)
{
    (void)ctx;
    return ((const struct syscall_thread *)thread)->calls;
}

static void
end_thread(struct syscalls *s, uint32_t tid)
{
    struct syscall_thread *t = threadtable_find(&s->threads, tid);
    if (t == NULL)
        return;
    s->unended += t->calls && !ends_thread(s, t);
    t->calls = false;
    s->threads.ended++;
    threadtable_sweep(&s->threads, is_in_call, NULL);
}

bool
syscalls_takes(const struct syscalls *s, const struct record *r)
{
    return r->type == PERF_RECORD_SAMPLE && r->event != NULL &&
           (r->event->number == s->enter || r->event->number == s->exit);
}

/* Set s->text to a text as it is printed. */
static void
quote(struct syscalls *s, const struct ownstring *string)
{
    s->text.len = 0;
    text_add(&s->text, SPAN("\""));
    for (size_t i = 0; i < string->text.len; i++) {
        if (string->text.ptr[i] == '"' || string->text.ptr[i] == '\\')
            text_add(&s->text, SPAN("\\"));
        text_add(&s->text, span_of(string->text.ptr + i, 1));
    }
    TEXT_ADD(&s->text, SPAN("\""), string->goes_on ? SPAN("…") : SPAN(""));
}

/* Keep a text until the thread's call returns. */
static void
take_string(struct syscalls *s, const struct ownrecord *own, uint64_t time)
{
    enum { STRINGS_MAX = 4 << 20 }; /* bytes of memory */
    struct syscall_thread *t = threadtable_find(&s->threads, own->tid);
    if (t == NULL || !t->calls || t->began != time)
        return;
    if (intern_size(&s->strings) > STRINGS_MAX) {
        intern_free(&s->strings);
        s->emptied++;
    }
    if (t->emptied != s->emptied)
        memset(t->strings, 0, sizeof t->strings);
    t->emptied = s->emptied;
    quote(s, &own->string);
    for (size_t i = 0; i < SYSCALL_ARGUMENTS; i++)
        if (t->call.arguments[i] == own->string.addr)
            t->strings[i] = intern_add(&s->strings, text_span(&s->text)) + 1;
}

/* Note the texts at addresses, what descriptors stand for, and what replaces those of a whole
 * process. */
static void
see_details(struct syscalls *s, const struct record *r)
{
    struct ownrecord own;
    bool is_own = ownrecord_read(r, &own);
    if (is_own && own.what == OWN_DESCRIPTOR)
        fdpaths_set(&s->paths, own.pid, own.descriptor, own.path);
    if (is_own && own.what == OWN_STRING)
        take_string(s, &own, r->time);
    if (r->type == PERF_RECORD_COMM && (r->misc & PERF_RECORD_MISC_COMM_EXEC) != 0)
        fdpaths_forget(&s->paths, r->comm.pid);
    if (r->type == PERF_RECORD_FORK && r->task.pid != r->task.ppid)
        fdpaths_forget(&s->paths, r->task.pid);
}

static void
take(struct recordsink *sink, const struct record *r)
{
    struct syscalls *s = (struct syscalls *)sink; /* its first member */
    if (r->type == PERF_RECORD_SAMPLE) {
        if (s->refused || !syscalls_takes(s, r))
            return;
        if (r->event->number == s->enter)
            take_enter(s, r);
        else
            take_exit(s, r);
        return;
    }
    if (r->type == PERF_RECORD_LOST) {
        s->losses++;
        fdpaths_free(&s->paths);
    }
    if (r->type == PERF_RECORD_EXIT)
        end_thread(s, r->task.tid);
    see_details(s, r);
    s->sink.next->record(s->sink.next, r);
}

static void
finish(struct recordsink *sink)
{
    struct syscalls *s = (struct syscalls *)sink;
    for (size_t i = 0; i < threadtable_count(&s->threads); i++) {
        const struct syscall_thread *t = threadtable_at(&s->threads, i);
        s->unended += t->calls && !ends_thread(s, t);
    }
    sink_finish(s->sink.next);
}

/* Return the number of the event of a tracepoint of raw_syscalls; the number of events if there is
 * none. */
static uint32_t
find_event(const struct eventset *set, const struct tracing *tracing, struct span name)
{
    enum { NEEDED = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW };
    uint32_t i = 0;
    for (; i < set->count; i++) {
        const struct event *e = &set->events[i];
        const struct event_format *f = tracing_find(tracing, e->config);
        struct span colon = span_from(e->name, span_before(e->name, ':').len);
        if (e->type == PERF_TYPE_TRACEPOINT && (e->sample_type & NEEDED) == NEEDED &&
            e->period <= 1 && !event_flag(e, FLAG_FREQ) &&
            (f != NULL ? span_eq(f->system, SPAN("raw_syscalls")) && span_eq(f->name, name)
                       : span_starts(e->name, SPAN("raw_syscalls:")) &&
                             span_eq(span_from(colon, 1), name)))
            break;
    }
    return i;
}

const char *
syscalls_init(struct syscalls *s, const struct session *session, struct recordsink *next,
              struct span wanted)
{
    enum { KEPT = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_IP };
    const struct eventset *set = &session->events;
    *s = (struct syscalls){.sink = {take, NULL, finish, next},
                           .threads.size = sizeof(struct syscall_thread)};
    const char *problem = syscallkinds_init(&s->kinds, session->tracing, session->machine, wanted);
    s->enter = find_event(set, &s->kinds.tracing, SPAN("sys_enter"));
    s->exit = find_event(set, &s->kinds.tracing, SPAN("sys_exit"));
    s->refused = s->enter == set->count || s->exit == set->count;
    if (s->refused)
        return problem;
    struct event e = set->events[s->exit];
    e.sample_type = (e.sample_type & KEPT) | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;
    stacktime_add_event(&s->session, e, SPAN("syscall"));
    return problem;
}

void
syscalls_free(struct syscalls *s)
{
    syscallkinds_free(&s->kinds);
    threadtable_free(&s->threads);
    fdpaths_free(&s->paths);
    intern_free(&s->strings);
    free(s->text.ptr);
    eventset_free(&s->session.events);
    arena_free(&s->session.names);
    *s = (struct syscalls){0};
}
