/* The payloads, of TRACE_EVENT(sys_enter) and (sys_exit) in include/trace/events/syscalls.h, on
 * 64-bit machines:
 *
 *     u16 type, u8 flags, u8 preempt_count, s32 pid
 *     s64 number
 *     u64 arguments[6] or s64 result */
#include "common/stage/syscalls.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/stage/stacktime.h"
#include "common/tracepoint/syscallnames.h"

enum { ARGUMENTS = 6, NUMBER_AT = 8, WORDS_AT = 16, WORD = 8 };

/* How an argument is printed. The formats give all of them eight bytes, so they do not tell an int,
 * of which only the lower half counts, from a long. */
enum style {
    STYLE_NUMBER, /* from 2^32 on in hexadecimal: an address, mostly */
    STYLE_HEX,
    STYLE_OCTAL,
    STYLE_FD, /* a descriptor, or AT_FDCWD */
};

struct syscall_argument {
    struct span name;
    enum style style;
};

struct syscall_kind {
    struct span name, leaf;
    bool wanted, known; /* known: the arguments are */
    bool hex;           /* the result is an address */
    uint8_t count;
    struct syscall_argument arguments[ARGUMENTS];
};

struct syscall_thread {
    bool calls, compat;
    int64_t number;
    uint64_t began, losses, arguments[ARGUMENTS];
};

/* Where the kernel's function has another name than the call. */
static const struct {
    struct span call, function;
} aliases[] = {
    {SPAN("fstat"), SPAN("newfstat")},      {SPAN("lstat"), SPAN("newlstat")},
    {SPAN("sendfile"), SPAN("sendfile64")}, {SPAN("stat"), SPAN("newstat")},
    {SPAN("umount2"), SPAN("umount")},      {SPAN("uname"), SPAN("newuname")},
};

/* Of a number that has no name. */
static const struct syscall_kind nameless = {.leaf = SPAN("[syscall: unknown]"), .wanted = true};

static enum style
style_of(const struct event_field *f)
{
    static const struct span descriptors[] = {SPAN("fildes"), SPAN("mqdes"), SPAN("fd_in"),
                                              SPAN("fd_out"), SPAN("fdin"),  SPAN("fdout")};
    if (f->is_pointer || span_holds(f->name, SPAN("flag")) || span_eq(f->name, SPAN("prot")))
        return STYLE_HEX;
    if (span_eq(f->name, SPAN("mode")))
        return STYLE_OCTAL;
    bool descriptor = span_ends(f->name, SPAN("fd")) ||
                      span_eq_any(f->name, descriptors, sizeof descriptors / sizeof *descriptors);
    return descriptor ? STYLE_FD : STYLE_NUMBER;
}

/* Set the arguments of a call from the format of its tracepoint: the fields after __syscall_nr. */
static void
set_arguments(struct syscall_kind *k, const struct event_format *f)
{
    k->known = f->nfields <= f->ncommon + 1 + ARGUMENTS;
    for (size_t i = f->ncommon + 1; k->known && i < f->nfields; i++)
        k->arguments[k->count++] =
            (struct syscall_argument){f->fields[i].name, style_of(&f->fields[i])};
}

/* Find the format of a call among those that `formats` numbers by their names. */
static const struct event_format *
find_format(const struct syscalls *s, const struct intern *formats, const uint32_t *places,
            struct span call)
{
    struct text name = {0};
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (span_eq(aliases[i].call, call))
            call = aliases[i].function;
    TEXT_ADD(&name, SPAN("sys_enter_"), call);
    uint32_t number = intern_find(formats, text_span(&name));
    free(name.ptr);
    return number != INTERN_NONE ? &s->tracing.formats.at[places[number]] : NULL;
}

static bool
is_wanted(struct span wanted, struct span name)
{
    bool found = wanted.len == 0;
    while (wanted.len > 0 && !found)
        found = span_eq(span_take(&wanted, ','), name);
    return found;
}

/* Set the kinds of all calls. */
static void
make_kinds(struct syscalls *s, struct span machine, struct span wanted)
{
    static const struct span addresses[] = {SPAN("brk"), SPAN("mmap"), SPAN("mmap2"),
                                            SPAN("mremap"), SPAN("shmat")};
    struct span names[2][SYSCALLNAMES_MAX];
    struct intern formats = {0};
    uint32_t *places = mem_alloc((s->tracing.formats.n + 1) * sizeof *places);
    for (uint32_t i = 0; i < s->tracing.formats.n; i++)
        places[intern_add(&formats, s->tracing.formats.at[i].name)] = i;
    s->kinds = mem_alloc(2 * SYSCALLNAMES_MAX * sizeof *s->kinds);
    for (size_t i = 0; i < 2; i++)
        syscallnames_of(machine, i > 0, names[i]);
    for (size_t i = 0; i < 2 * SYSCALLNAMES_MAX; i++) {
        struct span name = names[i / SYSCALLNAMES_MAX][i % SYSCALLNAMES_MAX];
        struct syscall_kind *k = &s->kinds[i];
        *k = nameless;
        k->wanted = is_wanted(wanted, name);
        if (name.len == 0)
            continue;
        struct text leaf = {0};
        TEXT_ADD(&leaf, SPAN("[syscall: "), name, SPAN("]"));
        k->name = name;
        k->leaf = arena_copy(&s->names, text_span(&leaf));
        k->hex = span_eq_any(name, addresses, sizeof addresses / sizeof *addresses);
        free(leaf.ptr);
        const struct event_format *f =
            i < SYSCALLNAMES_MAX ? find_format(s, &formats, places, name) : NULL;
        if (f != NULL)
            set_arguments(k, f);
    }
    intern_free(&formats);
    free(places);
}

static const struct syscall_kind *
kind_of(const struct syscalls *s, const struct syscall_thread *t)
{
    if (t->number < 0 || t->number >= SYSCALLNAMES_MAX)
        return &nameless;
    return &s->kinds[(t->compat ? SYSCALLNAMES_MAX : 0) + t->number];
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

static void
add_argument(struct text *to, enum style style, uint64_t word)
{
    enum { FDCWD = -100 }; /* AT_FDCWD of linux/fcntl.h */
    int32_t fd = (int32_t)(uint32_t)word;
    switch (style) {
    case STYLE_FD:
        if (fd == FDCWD)
            text_add(to, SPAN("AT_FDCWD"));
        else
            add_signed(to, fd);
        break;
    case STYLE_HEX:
        add_hex(to, word);
        break;
    case STYLE_OCTAL:
        text_add(to, word > 0 ? SPAN("0") : SPAN(""));
        add_digits(to, word, 3);
        break;
    case STYLE_NUMBER:
        add_number(to, word);
        break;
    }
}

static void
add_arguments(struct text *to, const struct syscall_kind *k, const uint64_t *words)
{
    size_t count = k->known ? k->count : ARGUMENTS;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            text_add(to, SPAN(", "));
        if (k->known)
            TEXT_ADD(to, k->arguments[i].name, SPAN(": "));
        if (k->known)
            add_argument(to, k->arguments[i].style, words[i]);
        else
            add_hex(to, words[i]);
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
describe(struct syscalls *s, const struct syscall_thread *t, int64_t result)
{
    const struct syscall_kind *k = kind_of(s, t);
    struct text *to = &s->text;
    to->len = 0;
    text_add(to, k->name);
    if (k->name.len == 0) {
        text_add(to, SPAN("syscall_"));
        add_signed(to, t->number);
    }
    text_add(to, SPAN("("));
    add_arguments(to, k, t->arguments);
    text_add(to, SPAN(") = "));
    add_result(to, k, t->compat ? (int32_t)result : result);
}

/* A call ends. */
static void
pass_call(struct syscalls *s, const struct record *r, const struct syscall_thread *t)
{
    struct record call = *r;
    uint64_t took = r->time > t->began ? r->time - t->began : 0;
    describe(s, t, (int64_t)load_u64(r->sample.raw.ptr + WORDS_AT));
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
    enum { ABI_32 = 1 }; /* PERF_SAMPLE_REGS_ABI_32 of linux/perf_event.h */
    if (r->sample.raw.len < WORDS_AT + ARGUMENTS * WORD)
        return;
    struct syscall_thread *t = threadtable_add(&s->threads, r->tid);
    s->unknown += t->calls; /* the record of its return is missing */
    t->calls = true;
    t->compat = r->sample.regs_user.abi == ABI_32;
    t->number = (int64_t)load_u64(r->sample.raw.ptr + NUMBER_AT);
    t->began = r->time;
    t->losses = s->losses;
    for (size_t i = 0; i < ARGUMENTS; i++)
        t->arguments[i] = load_u64(r->sample.raw.ptr + WORDS_AT + i * WORD);
}

/* Return true for a return without a beginning: a new thread or process begins with that of the
 * call that made it, and the recording of a command with that of execve(2). */
static bool
is_first(const struct syscalls *s, int64_t number, const struct record *r)
{
    static const struct span names[] = {SPAN("clone"), SPAN("clone3"), SPAN("fork"),
                                        SPAN("vfork"), SPAN("execve"), SPAN("execveat")};
    const struct syscall_thread as_64 = {.number = number};
    const struct syscall_thread as_32 = {.number = number, .compat = true};
    return load_u64(r->sample.raw.ptr + WORDS_AT) == 0 &&
           (span_eq_any(kind_of(s, &as_64)->name, names, sizeof names / sizeof *names) ||
            span_eq_any(kind_of(s, &as_32)->name, names, sizeof names / sizeof *names));
}

/* A return. That of rt_sigreturn has the number -1, since it restores all registers. */
static void
take_exit(struct syscalls *s, const struct record *r)
{
    enum { RESTORED = -1 };
    if (r->sample.raw.len < WORDS_AT + WORD)
        return;
    int64_t number = (int64_t)load_u64(r->sample.raw.ptr + NUMBER_AT);
    struct syscall_thread *t = threadtable_find(&s->threads, r->tid);
    if (t == NULL || !t->calls) {
        s->unknown += number != RESTORED && !is_first(s, number, r);
        return;
    }
    t->calls = false;
    if (number != t->number && number != RESTORED)
        s->unknown += 2; /* one lacks its return, the other its beginning */
    else if (t->losses != s->losses)
        s->unknown++;
    else if (kind_of(s, t)->wanted)
        pass_call(s, r, t);
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
    s->losses += r->type == PERF_RECORD_LOST;
    if (r->type == PERF_RECORD_EXIT)
        end_thread(s, r->task.tid);
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
    const char *problem =
        session->tracing.len > 0 ? tracing_read(&s->tracing, session->tracing) : NULL;
    s->enter = find_event(set, &s->tracing, SPAN("sys_enter"));
    s->exit = find_event(set, &s->tracing, SPAN("sys_exit"));
    s->refused = s->enter == set->count || s->exit == set->count;
    if (s->refused)
        return problem;
    make_kinds(s, session->machine, wanted);
    struct event e = set->events[s->exit];
    e.sample_type = (e.sample_type & KEPT) | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;
    stacktime_add_event(&s->session, e, SPAN("syscall"));
    return problem;
}

void
syscalls_free(struct syscalls *s)
{
    free(s->kinds);
    tracing_free(&s->tracing);
    arena_free(&s->names);
    threadtable_free(&s->threads);
    free(s->text.ptr);
    eventset_free(&s->session.events);
    arena_free(&s->session.names);
    *s = (struct syscalls){0};
}
