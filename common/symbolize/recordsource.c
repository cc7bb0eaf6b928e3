#include "common/symbolize/recordsource.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/num.h"
#include "common/event/memaccess.h"
#include "common/stack/frames/framekind.h"
#include "common/stack/frames/roots.h"
#include "common/stack/frames/v8name.h"
#include "common/stack/frames/waitkind.h"
#include "common/symbolize/showrecord.h"

/* Maximum entries of a callchain that perf script prints: PERF_MAX_STACK_DEPTH in
 * linux/perf_event.h. */
enum { PERF_DEPTH = 127 };

/* Maximum calls that any processor keeps (LBR), for recordings that do not say: MAX_LBR_ENTRIES in
 * arch/x86/events/perf_event.h of the Linux source. */
enum { LBR_DEPTH = 32 };

void
recordsource_init(struct recordsource *d, const struct recordsource_options *options,
                  struct diag *diag, struct frametab *frames)
{
    *d = (struct recordsource){.source.frames = frames, .options = options, .diag = diag};
    symbolizer_init(&d->symbolizer, &options->symbols, diag, frames);
    d->unwinder.symbolizer = &d->symbolizer;
    d->source.sample.frames = d->stack =
        mem_grow(NULL, &d->stack_cap, PERF_DEPTH, sizeof *d->stack);
}

/* Read the formats of the tracepoints once they are there, which is before the first sample. */
static void
read_tracing(struct recordsource *d)
{
    struct span data = d->facts->tracing;
    const char *problem = data.len > 0 ? tracing_read(&d->tracing, data) : NULL;
    if (problem != NULL)
        diag_warn(d->diag, NULL, (struct place){d->name, 0}, "tracing data: %s", problem);
    d->printer = traceprint_new(&d->tracing);
}

/* Name the tracepoints by their formats, "sched:sched_switch", if the recording has no names, as
 * with pipes of older versions of perf. */
static void
name_tracepoints(struct recordsource *d)
{
    const struct eventset *set = &d->facts->events;
    for (size_t i = 0; i < set->count && d->facts->tracing.len > 0; i++) {
        struct event *e = &set->events[i];
        if (e->named || e->type != PERF_TYPE_TRACEPOINT)
            continue;
        if (d->printer == NULL)
            read_tracing(d);
        const struct event_format *f = tracing_find(&d->tracing, e->config);
        if (f == NULL)
            continue;
        size_t len = f->system.len + 1 + f->name.len;
        char *name = arena_text(&d->names, len + 1);
        snprintf(name, len + 1, "%.*s:%.*s", SPAN_ARG(f->system), SPAN_ARG(f->name));
        eventset_rename(e, span_of(name, len));
    }
}

/* Return true if samples have times of the clock that jitdumps use: perf record -k mono. */
static bool
has_monotonic_times(const struct recordsource *d)
{
    enum { MONOTONIC = 1 }; /* CLOCK_MONOTONIC, on Linux */
    const struct eventset *set = &d->facts->events;
    return set->count > 0 && event_flag(&set->events[0], FLAG_USE_CLOCKID) &&
           set->events[0].clockid == MONOTONIC;
}

static bool
walk_stack(void *source, const struct record *r, struct walk_result *result)
{
    struct recordsource *d = source;
    if (!d->unwinds)
        unwinder_begin(&d->unwinder, d->facts->arch);
    d->unwinds = true;
    return unwinder_walk(&d->unwinder, r, result);
}

static size_t
stack_needs(void *source, const struct record *r)
{
    struct recordsource *d = source;
    return unwinder_needs(&d->unwinder, r);
}

struct stackwalker
recordsource_walker(struct recordsource *d)
{
    return (struct stackwalker){walk_stack, stack_needs, d};
}

void
recordsource_begin(struct recordsource *d, const char *name, const struct perfdata *facts)
{
    d->name = name;
    d->facts = facts;
    d->event_width = 0; /* set at the first record, since events can be added until then */
    d->unwinds = false; /* the machine's architecture may come later */
    symbolizer_restart(&d->symbolizer, has_monotonic_times(d));
}

void
recordsource_show(struct recordsource *d, const struct eventset *events)
{
    d->event_width = (uint16_t)eventset_width(events);
}

void
recordsource_end(struct recordsource *d)
{
    if (d->facts == NULL)
        return;
    symbolizer_explain(&d->symbolizer);
    if (d->printer != NULL)
        traceprint_free(d->printer);
    tracing_free(&d->tracing);
    arena_free(&d->names);
    d->tracing = (struct tracing){0};
    d->printer = NULL;
    d->facts = NULL;
}

/* Return a pid or tid as a number: -1 for a task that has already ended. */
static int64_t
task_id(uint32_t id)
{
    return id == UINT32_MAX ? -1 : (int64_t)id;
}

/* Return the thread that a record is about. perf prints its name, but the id of the thread that ran
 * when the record was written. */
static uint32_t
thread_of(const struct record *r)
{
    switch (r->type) {
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
        return r->mmap.tid;
    case PERF_RECORD_COMM:
        return r->comm.tid;
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
        return r->task.tid;
    default:
        return r->tid;
    }
}

/* Return the name of the record's thread, or "_" if it is empty: the text needs some name. */
static struct span
comm_of(struct recordsource *d, const struct record *r)
{
    struct span comm = procmaps_thread(&d->symbolizer.maps, (int32_t)thread_of(r));
    return comm.len > 0 || d->options->symbols.as_perf ? comm : SPAN("_");
}

/* Fill the header from the record's identity. Fields that were not recorded stay empty. The time is
 * truncated as it is printed, so that selections use the time that users see. */
static void
set_header(struct recordsource *d, const struct record *r)
{
    struct perf_header *h = &d->source.header;
    *h = (struct perf_header){.pid = task_id(r->pid),
                              .tid = task_id(r->tid),
                              .cpu = r->cpu,
                              .time = d->options->nanoseconds ? r->time : r->time - r->time % 1000,
                              .nanoseconds = d->options->nanoseconds,
                              .event_width = d->event_width};
    if (r->has & PERF_SAMPLE_TID) {
        h->field[PERF_COMM] = comm_of(d, r);
        h->has = 1u << PERF_PID | 1u << PERF_TID;
    }
    h->has |= r->has & PERF_SAMPLE_CPU ? 1u << PERF_CPU : 0;
    h->has |= r->has & PERF_SAMPLE_TIME ? 1u << PERF_TIME : 0;
    h->no_callchain = d->options->leaf_only ||
                      (r->event != NULL && (r->event->sample_type & PERF_SAMPLE_CALLCHAIN) == 0);
}

/* Return the text of a sample's payload; empty for a tracepoint that was only counted, in the group
 * of the sampled event. */
static struct span
payload_text(struct recordsource *d, const struct record *r)
{
    d->rest.len = 0;
    text_add(&d->rest, SPAN(" "));
    if (r->event->raw_is_text || r->sample.raw.len == 0) {
        text_add(&d->rest, r->sample.raw);
        return text_span(&d->rest);
    }
    if (d->printer == NULL)
        read_tracing(d);
    const struct event_format *f = tracing_find(&d->tracing, r->event->config);
    if (f != NULL)
        traceprint_event(d->printer, f, r->sample.raw, &d->rest);
    return text_span(&d->rest);
}

/* Return true if perf prints by default which data the instruction accessed: for raw events
 * (PERF_TYPE_RAW), such as those of perf mem. */
static bool
has_access(const struct event *e)
{
    enum {
        FIELDS =
            PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT
    };
    return e->type == PERF_TYPE_RAW && (e->sample_type & FIELDS) != 0;
}

/* Cut the text after `start` as perf does, and pad it to the longest so far. */
static void
fit_access(struct recordsource *d, size_t start)
{
    enum { MOST = 99 };
    struct text *t = &d->rest;
    size_t len = t->len - start < MOST ? t->len - start : MOST;
    t->len = start + len;
    d->access_width = len > d->access_width ? len : d->access_width;
    for (; len < d->access_width; len++)
        text_add(t, SPAN(" "));
}

/* Return text with the address of the data, the source of the data, and the weight (latency). */
static struct span
access_text(struct recordsource *d, const struct record *r)
{
    char number[48];
    uint64_t type = r->event->sample_type, weight = r->sample.weight;
    d->rest.len = 0;
    text_add(&d->rest, SPAN(" "));
    if (type & PERF_SAMPLE_ADDR) {
        snprintf(number, sizeof number, "%16" PRIx64, r->sample.addr);
        text_add(&d->rest, span_cstr(number));
    }
    size_t start = d->rest.len;
    if (type & PERF_SAMPLE_DATA_SRC)
        memaccess_add(&d->rest, r->sample.data_src);
    if (d->options->symbols.as_perf)
        fit_access(d, start);
    /* WEIGHT_STRUCT: 32 bits of weight, 16 of the instruction's latency */
    if (type & PERF_SAMPLE_WEIGHT)
        snprintf(number, sizeof number, "%16" PRIu64, weight);
    else
        snprintf(number, sizeof number, "%16" PRIu64 "%16" PRIu64, weight & UINT32_MAX,
                 weight >> 32 & UINT16_MAX);
    if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
        text_add(&d->rest, span_cstr(number));
    return text_span(&d->rest);
}

static void
set_sample_header(struct recordsource *d, const struct record *r)
{
    struct perf_header *h = &d->source.header;
    set_header(d, r);
    h->field[PERF_EVENT] = r->event->name;
    if (r->event->type == PERF_TYPE_TRACEPOINT || r->event->raw_is_text)
        h->field[PERF_REST] = payload_text(d, r);
    else if (has_access(r->event))
        h->field[PERF_REST] = access_text(d, r);
    h->period = r->sample.period;
    if (r->event->type != PERF_TYPE_TRACEPOINT || d->options->trace_period)
        h->has |= 1u << PERF_PERIOD;
}

static void
push_number(struct recordsource *d, uint32_t frame)
{
    struct sample *s = &d->source.sample;
    s->frames = d->stack = mem_grow(d->stack, &d->stack_cap, s->nframes + 1, sizeof *d->stack);
    d->stack[s->nframes++] = frame;
}

/* Append the frames of an address. */
static void
push_frame(struct recordsource *d, const struct procspace *space, uint64_t addr,
           enum symbolizer_kind kind)
{
    const uint32_t *frames = NULL;
    size_t n = d->options->symbols.inlined
                   ? symbolizer_calls(&d->symbolizer, space, addr, kind, &frames)
                   : 0;
    for (size_t i = 0; i < n; i++)
        push_number(d, frames[i]);
    if (n == 0)
        push_number(d, symbolizer_frame(&d->symbolizer, space, addr, kind));
}

/* Return the address space of addresses that were sampled in this mode; NULL if unknown. */
static const struct procspace *
space_of(const struct recordsource *d, const struct record *r, unsigned mode)
{
    if (mode == PERF_RECORD_MISC_USER)
        return procmaps_space(&d->symbolizer.maps, (int32_t)r->pid);
    return mode == PERF_RECORD_MISC_KERNEL ? procmaps_space(&d->symbolizer.maps, PROCMAPS_KERNEL)
                                           : NULL;
}

/* Return a frame that is not a function, such as "[cut]". */
static uint32_t
add_mark(struct recordsource *d, struct span name)
{
    const struct frame mark = {
        .has_ip = true, .sym = name, .has_sym = true, .dso = SPAN("[unknown]")};
    return frametab_add(d->source.frames, &mark);
}

static void
push_mark(struct recordsource *d, struct span name)
{
    if (!d->options->no_marks && !d->options->symbols.as_perf)
        push_number(d, add_mark(d, name));
}

/* Return the address at which user code ran: the sampled address, or, if that is in the kernel, the
 * first one of the callchain's user part, which begins at `user`. perf 6.1 instead prints the start
 * of the function that was called last. */
static uint64_t
user_address(const struct recordsource *d, const struct record *r, size_t user)
{
    struct words chain = r->sample.callchain;
    unsigned mode = r->misc & PERF_RECORD_MISC_CPUMODE_MASK;
    if (!d->options->symbols.as_perf) {
        if (mode == PERF_RECORD_MISC_USER && (r->has & PERF_SAMPLE_IP) != 0)
            return r->sample.ip;
        if (user < chain.count && words_at(chain, user) < PERF_CONTEXT_MAX)
            return words_at(chain, user);
    }
    return words_at(record_calls(r), 1);
}

/* Mark the stack as cut if it has as many calls as the processor keeps and does not reach a root.
 */
static void
end_calls(struct recordsource *d, size_t count)
{
    size_t most = d->facts->branches > 0 ? d->facts->branches : LBR_DEPTH;
    uint32_t last = d->stack[d->source.sample.nframes - 1];
    if (count < most || roots_is_known(frametab_frame(d->source.frames, last)->sym))
        return;
    d->lbr_cut++;
    push_mark(d, MARK_CUT);
}

/* Append the user frames of a sample with the calls that the processor recorded (LBR), by the
 * addresses of the calls, not their return addresses. They replace the callchain's user part, which
 * begins at `user`: in code without frame pointers that ends anywhere. */
static void
push_calls(struct recordsource *d, const struct record *r, const struct procspace *space,
           size_t user)
{
    struct words calls = record_calls(r);
    push_frame(d, space, user_address(d, r, user), SYMBOLIZER_AT);
    for (size_t i = 0; i < calls.count; i += RECORD_BRANCH)
        if (words_at(calls, i) < PERF_CONTEXT_MAX)
            push_frame(d, space, words_at(calls, i), SYMBOLIZER_AT);
    end_calls(d, calls.count / RECORD_BRANCH);
}

/* Return true if the calls that the processor recorded are used as the stack. If an address of one
 * is impossible, perf considers them damaged and prints the callchain. */
static bool
uses_calls(const struct recordsource *d, const struct record *r)
{
    struct words calls = record_calls(r);
    for (size_t i = 0; i < calls.count && d->options->symbols.as_perf; i += RECORD_BRANCH)
        if (words_at(calls, i) >= PERF_CONTEXT_MAX)
            return false;
    return calls.count > 0;
}

/* Return true if the frame may be the code that runs a bytecode of its caller: V8's names of such
 * code end with Handler. The caller is certain if the frame is another builtin of V8, or
 * JavaScript. */
static bool
may_be_bytecode(const struct frame *f)
{
    struct v8name name;
    bool builtin = span_starts(f->sym, SPAN("Builtins_"));
    return builtin ? span_ends(f->sym, SPAN("Handler")) : !v8name_parse(f->sym, &name);
}

/* Return the kind of the next address, which is the caller of the innermost function if that is
 * `second`. */
static enum symbolizer_kind
unwound_kind(const struct recordsource *d, bool second)
{
    size_t n = d->source.sample.nframes;
    return second && n > 0 && d->options->symbols.lines &&
                   may_be_bytecode(frametab_frame(d->source.frames, d->stack[n - 1]))
               ? SYMBOLIZER_RUNS_BYTECODE
               : SYMBOLIZER_AT;
}

/* Return the kind of an address in a callchain. `unwound`: it is in an unwound part, which has the
 * addresses of calls. */
static enum symbolizer_kind
kind_of(const struct recordsource *d, struct words chain, size_t i, bool unwound)
{
    if (i == 0 || words_at(chain, i - 1) >= PERF_CONTEXT_MAX)
        return SYMBOLIZER_AT;
    return unwound ? unwound_kind(d, i == 1 || words_at(chain, i - 2) >= PERF_CONTEXT_MAX)
                   : SYMBOLIZER_AFTER;
}

/* Append the frames of a callchain, in which markers give the mode of the addresses after them.
 * Skip unknown markers: an unwinder that lost its way leaves arbitrary numbers. */
static void
push_chain(struct recordsource *d, const struct record *r)
{
    unsigned mode = r->misc & PERF_RECORD_MISC_CPUMODE_MASK;
    bool unwound = (r->misc & RECORD_MISC_UNWOUND) != 0 && !d->options->symbols.as_perf;
    const struct procspace *space = space_of(d, r, mode);
    struct words chain = r->sample.callchain;
    for (size_t i = 0; i < chain.count - r->sample.unwound; i++) {
        uint64_t addr = words_at(chain, i);
        bool caller = i > 0 && words_at(chain, i - 1) < PERF_CONTEXT_MAX;
        if (addr < PERF_CONTEXT_MAX) {
            if (caller && unwound && mode == PERF_RECORD_MISC_USER)
                addr = symbolizer_caller(&d->symbolizer, space, addr);
            if (!d->options->symbols.as_perf || d->source.sample.nframes < PERF_DEPTH)
                push_frame(d, space, addr,
                           kind_of(d, chain, i, unwound && mode == PERF_RECORD_MISC_USER));
        } else if (addr == PERF_CONTEXT_KERNEL) {
            space = space_of(d, r, mode = PERF_RECORD_MISC_KERNEL);
        } else if (addr == PERF_CONTEXT_USER) {
            space = space_of(d, r, mode = PERF_RECORD_MISC_USER);
            if (!unwound && uses_calls(d, r)) {
                push_calls(d, r, space, i + 1);
                return;
            }
        } else if (addr == PERF_CONTEXT_HV) {
            space = space_of(d, r, mode = 0);
        } else if (d->options->symbols.as_perf) {
            d->source.sample.nframes = 0; /* perf considers the callchain damaged */
            return;
        }
    }
}

/* Append the unwound user frames, after the whole callchain, as perf prints them. */
static void
push_unwound(struct recordsource *d, const struct record *r)
{
    const struct procspace *space = space_of(d, r, PERF_RECORD_MISC_USER);
    const struct words chain = r->sample.callchain;
    for (size_t i = 0; i < r->sample.unwound && i < PERF_DEPTH; i++)
        push_frame(d, space, words_at(chain, chain.count - r->sample.unwound + i),
                   unwound_kind(d, i == 1));
}

/* Mark an incomplete stack. `copied`: the sample had a copy of the stack, to unwind here. */
static void
push_end(struct recordsource *d, const struct record *r, bool copied)
{
    enum walk_end end = (r->misc & RECORD_MISC_CUT) != 0    ? WALK_CUT
                        : (r->misc & RECORD_MISC_LOST) != 0 ? WALK_LOST
                                                            : WALK_ROOT;
    if ((r->misc & RECORD_MISC_UNWOUND) != 0 || (copied && end != WALK_ROOT))
        d->unwound[end]++;
    if (end != WALK_ROOT)
        push_mark(d, end == WALK_CUT ? MARK_CUT : MARK_LOST);
}

/* Insert a mark as the leaf. */
static void
insert_leaf(struct recordsource *d, struct span name)
{
    uint32_t leaf = add_mark(d, name);
    push_number(d, leaf);
    memmove(d->stack + 1, d->stack, (d->source.sample.nframes - 1) * sizeof *d->stack);
    d->stack[0] = leaf;
}

/* Insert a leaf that says what the thread waits for. */
static void
insert_wait(struct recordsource *d, enum record_wait wait)
{
    insert_leaf(d, wait == RECORD_READY ? WAIT_RUN_QUEUE
                   : wait == RECORD_UNSEEN
                       ? WAIT_UNSEEN
                       : waitkind_of(d->source.frames, d->stack, d->source.sample.nframes));
}

/* Append the frames of a sample with a callchain. */
static void
push_stack(struct recordsource *d, const struct record *r)
{
    const struct record *whole = d->unwinding != NULL ? unwinding_complete(d->unwinding, r) : r;
    push_chain(d, whole);
    push_unwound(d, whole);
    push_end(d, whole, whole != r);
    if (r->sample.wait != RECORD_RUNS)
        insert_wait(d, r->sample.wait);
    if (r->sample.leaf.len > 0)
        insert_leaf(d, r->sample.leaf);
}

/* Append the only frame of a sample without a callchain. Its address is printed as sampled. */
static void
push_ip(struct recordsource *d, const struct record *r)
{
    struct sample *s = &d->source.sample;
    d->stack[s->nframes++] = symbolizer_raw_frame(
        &d->symbolizer, space_of(d, r, r->misc & PERF_RECORD_MISC_CPUMODE_MASK), r->sample.ip);
    s->frame_in_header = true;
}

/* Set the source's sample from a record. Return false if it is not wanted. */
static bool
take_sample(struct recordsource *d, const struct record *r)
{
    struct source *source = &d->source;
    d->samples++;
    set_sample_header(d, r);
    bool chain = !source->header.no_callchain;
    if (source->accept != NULL && !source->accept(source->ctx, &source->header))
        return false;
    source->sample = (struct sample){.header = source->header, .frames = d->stack, .blank = chain};
    if (chain) {
        push_stack(d, r);
    } else if ((r->event->type != PERF_TYPE_TRACEPOINT || d->options->trace_ip) &&
               (r->event->sample_type & PERF_SAMPLE_IP))
        push_ip(d, r);
    return true;
}

/* Add a map. If the record has no build-id, take it from the recording's list, or from the file
 * itself if that is open. */
static void
apply_map(struct recordsource *d, const struct record *r)
{
    struct record_mmap map = r->mmap;
    bool kernel = span_starts(map.file, SPAN(KERNEL_IMAGE)); /* "[kernel.kallsyms]_text" */
    if (map.build_id.len == 0)
        map.build_id = kernel ? perfdata_kernel_build_id(d->facts, SPAN(KERNEL_IMAGE))
                              : perfdata_build_id(d->facts, map.file);
    if (map.build_id.len == 0 && d->options->symbols.objects != NULL)
        map.build_id = d->options->symbols.objects->build_id(d->options->symbols.objects, &r->mmap);
    d->symbolizer.kernel.release = d->facts->os_release;
    symbolizer_map(&d->symbolizer, r, &map);
}

/* Process what a record says about processes: commands, forks, mappings. */
static void
apply(struct recordsource *d, const struct record *r)
{
    struct procmaps *maps = &d->symbolizer.maps;
    struct ownrecord own;
    switch (r->type) {
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
        apply_map(d, r);
        break;
    case PERF_RECORD_KSYMBOL:
        symbolizer_made(&d->symbolizer, &r->ksymbol);
        break;
    case PERF_RECORD_COMM:
        procmaps_comm(maps, (int32_t)r->comm.tid, r->comm.comm);
        break;
    case PERF_RECORD_FORK:
        procmaps_fork(maps, (int32_t)r->task.pid, (int32_t)r->task.ppid, (int32_t)r->task.tid,
                      (int32_t)r->task.ptid, (r->misc & PERF_RECORD_MISC_FORK_EXEC) != 0);
        break;
    case PERF_RECORD_EXIT:
        procmaps_exit(maps, (int32_t)r->task.pid, (int32_t)r->task.tid);
        break;
    case PERF_RECORD_TEXT_POKE:
        if (!ownrecord_read(r, &own))
            break;
        if (d->options->take_lines != NULL && own.what == OWN_LINES)
            d->options->take_lines(d->options->ctx, &own.lines);
        else if (d->options->take_named != NULL && own.what == OWN_CODE && own.code.label.len > 0)
            d->options->take_named(d->options->ctx, own.pid);
        break;
    case PERF_RECORD_LOST_SAMPLES:
    case PERF_RECORD_LOST:
        d->source.lost = r->lost;
        d->lost = num_add(d->lost, r->lost);
        break;
    }
}

/* Return true for a record that perf record adds at the end of a recording: the sum of an event's
 * LOST records. It has the event's id if there are several events, and never a time, which the
 * kernel's own LOST records have. */
static bool
is_sum(const struct record *r)
{
    return r->type == PERF_RECORD_LOST_SAMPLES && (r->id != 0 || r->time == 0);
}

/* Set the source's record from one that is not a sample. Return false unless it is to be shown or
 * counted. */
static bool
take_record(struct recordsource *d, const struct record *r)
{
    if (is_sum(r))
        return false;
    d->source.lost = 0;
    if (d->unwinding != NULL)
        unwinding_see(d->unwinding, r);
    symbolizer_see(&d->symbolizer, r);
    apply(d, r);
    d->text.len = 0;
    if (!showrecord(&d->text, r, d->options->show) && d->source.lost == 0)
        return false;
    set_header(d, r);
    d->source.text = text_span(&d->text);
    return true;
}

enum source_item
recordsource_take(struct recordsource *d, const struct record *r)
{
    if (d->event_width == 0) {
        name_tracepoints(d);
        d->event_width = (uint16_t)eventset_width(&d->facts->events);
    }
    uint64_t seen = r->type == PERF_RECORD_SAMPLE ? r->sample.seen : 0;
    symbolizer_advance(&d->symbolizer, r->time, seen > 0 ? seen : r->time,
                       r->has & PERF_SAMPLE_TID ? task_id(r->pid) : -1);
    if (r->type == PERF_RECORD_SAMPLE)
        return r->event != NULL && take_sample(d, r) ? ITEM_SAMPLE : ITEM_END;
    return take_record(d, r) ? ITEM_RECORD : ITEM_END;
}

void
recordsource_explain(const struct recordsource *d)
{
    if (d->lost > 0)
        diag_note(d->diag, "%s samples were lost while recording, beside %s that were not",
                  NUM_TEXT(d->lost), NUM_TEXT(d->samples));
}

void
recordsource_free(struct recordsource *d)
{
    recordsource_end(d);
    unwinder_free(&d->unwinder);
    symbolizer_free(&d->symbolizer);
    free(d->stack);
    free(d->rest.ptr);
    free(d->text.ptr);
}
