/* System calls with their stacks, leaf first, as "perf trace --call-graph dwarf" prints them
 * (tools/perf/builtin-trace.c in the Linux source): when, how long, which thread, what:
 *
 *          ? (         ): app/6975  ... [continued]: futex())                     = 0
 *                                        start_thread (/usr/lib/libc.so.6)
 *     25.798 (20.153 ms): app/6967 clock_nanosleep(rqtp: 0x7ffee9354940)          = 0
 *                                        __GI___nanosleep (inlined)
 *                                        wait_a_bit (/home/user/app/app)
 *                                        [0x7efd267dca5e] (/tmp/perf-6967.map)
 *     25.867 (         ): app/6975 read(fd: 4, buf: 0x7f8addbf0ebf, count: 1)     ...
 *
 * The last line is a call that other lines interrupt; "[continued]" is its end. An event has no
 * time in parentheses. */
#include "cmd/stackcollapse/shared/stacker.h"
#include "common/base/num.h"
#include "common/stack/model/fold.h"

enum { FRAME_INDENT = 20 }; /* minimum before a frame; a call has fewer blanks */

struct traced_call {
    struct span comm, tid, name; /* the first two are empty if only one thread is traced */
    struct span ms;              /* duration; empty: not known */
    bool timed;                  /* there are parentheses */
    bool continued, interrupted;
};

struct perf_trace {
    struct stacker base;
    bool summary; /* "Summary of events" was read */
    bool open;    /* the last call is not in the profile yet, which is: */
    struct text comm, tid;
    struct u32vec list; /* frames of the last call */
    struct decimal count;
    struct frametab frames;
    struct fold fold;
    uint64_t interrupted; /* number of calls whose end was not read yet */
    uint64_t untimed;     /* number of calls that count 1, since they have no duration */
    uint64_t lost;        /* number of lost events */
};

static bool
is_name(char c)
{
    return is_word(c) || c == ':' || c == '-' || c == '.' || c == '@';
}

/* Remove "25.798 " or "? ". */
static bool
take_time(struct span *rest)
{
    size_t whole = span_take_run(rest, is_digit).len;
    if (whole > 0 && span_skip(rest, SPAN(".")))
        span_take_run(rest, is_digit);
    else if (whole > 0 || !span_skip(rest, SPAN("?")))
        return false;
    return span_take_run(rest, is_blank).len > 0;
}

/* Remove "( 0.029 ms): ", if it is there. */
static bool
take_duration(struct span *rest, struct traced_call *call)
{
    const struct span unit = SPAN(" ms");
    size_t at = span_search(*rest, SPAN("): "));
    call->timed = span_starts(*rest, SPAN("("));
    if (!call->timed)
        return true;
    if (at == SPAN_NONE)
        return false;
    call->ms = span_trim(span_from(span_head(*rest, at), 1));
    *rest = span_from(*rest, at + 3);
    if (span_ends(call->ms, unit))
        call->ms.len -= unit.len;
    return call->ms.len == 0 || span_run(call->ms, 0, is_digit) > 0;
}

/* Remove "app/6967 " or "6967 ", if it is there. A command has at most 14 characters. */
static void
take_thread(struct span *rest, struct traced_call *call)
{
    enum { COMM_MAX = 14 };
    for (size_t slash = 0; slash <= COMM_MAX && slash < rest->len; slash++) {
        size_t start = rest->ptr[slash] == '/' ? slash + 1 : 0;
        size_t digits = start > 0 || slash == 0 ? span_run(*rest, start, is_digit) : 0;
        if (digits == 0 || !span_starts(span_from(*rest, start + digits), SPAN(" ")))
            continue;
        call->comm = span_head(*rest, start > 0 ? slash : 0);
        call->tid = span_of(rest->ptr + start, digits);
        *rest = span_from(*rest, start + digits + 1);
        return;
    }
}

static bool
parse_call(struct span line, struct traced_call *call)
{
    struct span rest = span_from(line, span_run(line, 0, is_blank));
    *call = (struct traced_call){.comm = SPAN(""), .tid = SPAN(""), .ms = SPAN("")};
    if (line.len - rest.len >= FRAME_INDENT || !take_time(&rest) || !take_duration(&rest, call))
        return false;
    take_thread(&rest, call);
    span_take_run(&rest, is_blank);
    call->continued = span_skip(&rest, SPAN("... [continued]: "));
    call->name = span_take_run(&rest, is_name);
    rest = span_trim(rest);
    call->interrupted =
        call->timed && call->ms.len == 0 && !call->continued && span_ends(rest, SPAN("..."));
    return call->name.len > 0 && (span_starts(rest, SPAN("(")) || span_starts(rest, SPAN("[")));
}

/* A frame_parser: parse "wait_a_bit (/home/user/app/app (deleted))" or "[0x7efd267dca5e]
 * (/tmp/perf-6967.map)". */
static bool
parse_frame(struct span text, struct frame *f)
{
    const struct span before = SPAN(" ("), deleted = SPAN(" (deleted))");
    size_t at = text.len - (span_ends(text, deleted) ? deleted.len : 0);
    *f = (struct frame){.addr = SPAN(""), .sym = text, .dso = SPAN(""), .has_sym = true};
    while (at > 0 && !span_starts(span_from(text, at - 1), before))
        at--;
    if (at-- == 0 || !span_ends(text, SPAN(")")))
        return false;
    f->sym = span_head(text, at);
    f->dso = span_of(text.ptr + at + before.len, text.len - at - before.len - 1);
    if (span_starts(f->sym, SPAN("[0")) && span_ends(f->sym, SPAN("]"))) {
        size_t prefix = span_starts(f->sym, SPAN("[0x")) ? 3 : 1;
        f->addr = span_of(f->sym.ptr + prefix, f->sym.len - prefix - 1);
        f->sym = SPAN("[unknown]");
    }
    return true;
}

/* Add the last call to the profile. */
static void
end_call(struct perf_trace *st)
{
    struct stacker *f = &st->base;
    struct sample s = {.frames = st->list.at, .nframes = st->list.n};
    for (size_t i = 0; i < PERF_FIELDS; i++)
        s.header.field[i] = SPAN("");
    if (!st->open)
        return;
    s.header.field[PERF_COMM] = text_span(&st->comm);
    s.header.field[PERF_TID] = text_span(&st->tid);
    fold_stack(&st->fold, &s);
    profile_add(st->fold.profile, st->fold.stack, st->fold.nstack, st->count, NULL);
    f->c->samples++;
    st->open = false;
}

/* Return the count of a call: 1, or its duration in microseconds. */
static struct decimal
count(struct perf_trace *st, const struct traced_call *call)
{
    struct decimal ms;
    if (st->base.c->options->weight != WEIGHT_PERIOD)
        return ONCE;
    if (decimal_parse(call->ms, &ms) && !decimal_is_zero(ms))
        return decimal_shift(ms, 3);
    st->untimed++;
    return ONCE;
}

static void
begin_call(struct perf_trace *st, const struct traced_call *call)
{
    const struct frame syscall = {
        .sym = call->name, .dso = SPAN("[kernel.kallsyms]"), .has_sym = true};
    end_call(st);
    st->interrupted += call->interrupted;
    st->interrupted -= call->continued && st->interrupted > 0;
    if (call->interrupted)
        return;
    st->open = true;
    st->count = count(st, call);
    text_set(&st->comm, call->comm);
    text_set(&st->tid, call->tid);
    st->list.n = 0;
    VEC_ADD(st->list, frametab_add(&st->frames, &syscall));
}

/* Parse "LOST 12 events!". */
static bool
take_lost(struct perf_trace *st, struct span line)
{
    uint64_t n;
    if (!span_skip(&line, SPAN("LOST ")) || !num_u64(span_take_run(&line, is_digit), &n))
        return false;
    st->lost = num_add(st->lost, n);
    return true;
}

static void
take_frame(struct perf_trace *st, struct span text)
{
    struct frame f;
    if (parse_frame(text, &f) && st->open)
        VEC_ADD(st->list, frametab_line(&st->frames, text));
    else
        stacker_skip(&st->base, "not a frame of a call");
}

static void
take(struct stacker *f, struct span line)
{
    struct perf_trace *st = (struct perf_trace *)f;
    struct traced_call call;
    size_t indent = span_run(line, 0, is_blank);
    struct span text = span_from(line, indent);
    st->summary |= span_starts(text, SPAN("Summary of events:"));
    if (st->summary || text.len == 0)
        return;
    if (indent >= FRAME_INDENT)
        take_frame(st, text);
    else if (parse_call(line, &call))
        begin_call(st, &call);
    else if (!take_lost(st, line) && span_trim(text).len > 0)
        stacker_skip(&st->base, "not a line of perf trace");
}

static void
begin(struct stacker *f)
{
    struct perf_trace *st = (struct perf_trace *)f;
    frametab_init(&st->frames, parse_frame);
    fold_init(&st->fold, &f->c->options->fold, &st->frames, &f->c->profile);
}

static void
finish(struct stacker *f)
{
    end_call((struct perf_trace *)f);
    ((struct perf_trace *)f)->summary = false;
}

static void
end(struct stacker *f)
{
    struct perf_trace *st = (struct perf_trace *)f;
    stacker_note(f, st->interrupted, "calls had not ended, and are left out");
    stacker_note(f, st->untimed, "calls have no duration, each counts 1");
    stacker_note(f, st->fold.no_pid, "calls print no process number, shown as '?'");
    stacker_note(f, st->lost, "events were lost by perf trace");
    fold_free(&st->fold);
    frametab_free(&st->frames);
}

static bool
is_perf_trace(struct span line)
{
    struct traced_call call;
    return parse_call(line, &call) &&
           (call.timed || (call.tid.len > 0 && span_find(call.name, ':') != SPAN_NONE));
}

const struct format format_perf_trace = {.is = is_perf_trace,
                                         .state_size = sizeof(struct perf_trace),
                                         .begin = begin,
                                         .take = take,
                                         .finish = finish,
                                         .end = end,
                                         .buffers = MEMBERS(struct perf_trace, comm, tid, list)};
