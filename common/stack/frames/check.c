#include "common/stack/frames/check.h"

#include "common/base/num.h"
#include "common/stack/frames/dso.h"
#include "common/stack/frames/framekind.h"
#include "common/stack/frames/frameplace.h"
#include "common/stack/frames/v8name.h"
#include "common/stack/frames/waitkind.h"

/* What is known of a frame; 0: not examined yet. The bits from RUNTIME_SHIFT on are its runtime. */
enum {
    KNOWN = 1,
    USER = 2,
    INLINED = 4,
    NAMELESS_JIT = 8,
    INTERPRETED = 16,
    KERNEL = 32,
    NAMELESS_KERNEL = 64,
    MARK = 128,
    NAMED_JIT = 256,
    INTERPRETER = 512, /* of a runtime other than V8: runtime_of_interpreter() */
    DOUBTFUL = 1024,
    RUNTIME_SHIFT = 11
};

/* Return true for frames of user code. A frame without name and DSO does not count: there an
 * unwinder took a wrong turn, as happens without frame pointers. */
static bool
is_user(const struct frame *f)
{
    return !frame_is_kernel(f) && !(frame_is_nameless(f) && span_eq(f->dso, SPAN("[unknown]")));
}

/* Return true for the function in which V8 runs every interpreted function. Its name comes from the
 * node binary or a perf map. */
static bool
is_interpreter(struct span sym)
{
    return span_eq(sym, SPAN("Builtins_InterpreterEntryTrampoline")) ||
           span_eq(sym, SPAN("Builtin:InterpreterEntryTrampoline"));
}

static uint16_t
kind_of(const struct frame *f)
{
    bool jit = frame_is_nameless_jit(f) && !span_eq(f->dso, SPAN("[unknown]"));
    enum runtime interpreter = runtime_of_interpreter(f->sym);
    bool found = interpreter != RUNTIME_UNKNOWN;
    unsigned kind = KNOWN | (found ? interpreter : runtime_of_dso(f->dso)) << RUNTIME_SHIFT;
    if (frame_is_mark(f->sym) || waitkind_is(f->sym))
        kind |= MARK;
    else if (frame_is_kernel(f))
        kind |= frame_is_nameless(f) ? KERNEL | NAMELESS_KERNEL : KERNEL;
    else if (span_eq(f->dso, SPAN("inlined")))
        kind |= INLINED;
    else if (is_user(f))
        kind |= USER;
    kind |= (found ? INTERPRETER : 0) | (f->doubtful ? DOUBTFUL : 0);
    kind |= dso_is_jit(f->dso) && !frame_is_nameless(f) ? NAMED_JIT : 0;
    return (uint16_t)(kind | (jit ? NAMELESS_JIT : 0) | (is_interpreter(f->sym) ? INTERPRETED : 0));
}

/* Count uses of the frame, and return its kind. */
static uint16_t
use(struct check *c, const struct frametab *frames, uint32_t frame, uint64_t times)
{
    if (frame >= c->nuses) {
        size_t n = frametab_count(frames);
        c->uses = mem_grow(c->uses, &c->uses_cap, n, sizeof *c->uses);
        c->kinds = mem_grow(c->kinds, &c->kinds_cap, n, sizeof *c->kinds);
        memset(c->uses + c->nuses, 0, (n - c->nuses) * sizeof *c->uses);
        memset(c->kinds + c->nuses, 0, (n - c->nuses) * sizeof *c->kinds);
        c->nuses = n;
    }
    c->uses[frame] += times;
    if (c->kinds[frame] == 0)
        c->kinds[frame] = kind_of(frametab_frame(frames, frame));
    return c->kinds[frame];
}

static void
count_time(struct check *c, uint64_t ns)
{
    bool any = c->samples > c->no_time;
    if (!any || ns < c->first)
        c->first = ns;
    if (!any || ns > c->last)
        c->last = ns;
}

void
check_header(struct check *c, const struct perf_header *h)
{
    uint64_t period = perf_header_has(h, PERF_PERIOD) ? h->period : 1;
    c->no_pid += !perf_header_has(h, PERF_PID);
    c->no_tid += !perf_header_has(h, PERF_TID);
    c->no_event += h->field[PERF_EVENT].len == 0;
    c->no_cpu += !perf_header_has(h, PERF_CPU);
    c->no_period += !perf_header_has(h, PERF_PERIOD);
    tally_add(&c->events, h->field[PERF_EVENT], 1, period);
    if (perf_header_has(h, PERF_TIME))
        count_time(c, h->time);
    else
        c->no_time++;
    tally_add(&c->comms, h->field[PERF_COMM], 1, period);
    c->samples++;
}

/* Count a sample's nameless JIT frames for the runtime of its other frames, or, if that is unknown,
 * of its command. */
static void
count_jit(struct check *c, uint64_t jit, enum runtime runtime, struct span comm)
{
    if (jit > 0 && runtime == RUNTIME_UNKNOWN)
        runtime = runtime_of_comm(comm);
    c->nameless_jit[runtime] += jit;
    c->has_runtime[runtime] = true;
}

/* Count a stack that ends in [cut] or [lost] for the DSO whose callers are missing. The other mark,
 * [wait: run queue], is a complete stack, of a thread that has not run yet. */
static void
count_mark(struct check *c, const struct frametab *frames, const struct sample *s, uint64_t times)
{
    size_t last = s->nframes - 1;
    struct span mark = frametab_frame(frames, s->frames[last])->sym;
    bool lost = span_eq(mark, MARK_LOST);
    if (!lost && !span_eq(mark, MARK_CUT))
        return;
    struct span dso = last > 0 ? frametab_frame(frames, s->frames[last - 1])->dso : SPAN("");
    tally_add(&c->marks[lost], dso, times, 0);
}

void
check_stack(struct check *c, const struct frametab *frames, const struct sample *s,
            uint32_t command, uint64_t times)
{
    size_t user = 0, calls = 0, jit = 0, nameless_kernel = 0, named_kernel = 0;
    enum runtime runtime = RUNTIME_UNKNOWN, interpreter = RUNTIME_UNKNOWN;
    /* Frames after user code are not the kernel's, but values that an unwinder took for
     * addresses. */
    bool interpreted = false, in_kernel = true, marked = false, named = false, doubtful = false;
    for (size_t i = 0; i < s->nframes; i++) {
        unsigned kind = use(c, frames, s->frames[i], times);
        in_kernel &= (kind & KERNEL) != 0;
        nameless_kernel += in_kernel && (kind & NAMELESS_KERNEL) != 0;
        named_kernel += in_kernel && (kind & NAMELESS_KERNEL) == 0;
        user += (kind & USER) != 0;
        marked = (kind & MARK) != 0;
        calls +=
            (kind & (INLINED | MARK)) == 0; /* inlined calls do not count for the kernel's limit */
        jit += (kind & NAMELESS_JIT) != 0;
        interpreted |= (kind & INTERPRETED) != 0;
        named |= (kind & NAMED_JIT) != 0;
        doubtful |= (kind & DOUBTFUL) != 0;
        if (kind >> RUNTIME_SHIFT != RUNTIME_UNKNOWN)
            runtime = (enum runtime)(kind >> RUNTIME_SHIFT);
        if (kind & INTERPRETER)
            interpreter = runtime;
    }
    c->nameless_kernel += nameless_kernel * times;
    c->named_kernel += named_kernel * times;
    count_jit(c, jit * times, runtime, s->header.field[PERF_COMM]);
    if (marked)
        count_mark(c, frames, s, times);
    roots_add(&c->roots, frames, s, command, times);
    c->empty += s->nframes == 0 ? times : 0;
    c->chains += s->nframes > s->frame_in_header ? times : 0;
    c->cut += calls == ROOTS_MAX_STACK ? times : 0;
    c->single += user == 1 && s->nframes > s->frame_in_header ? times : 0;
    c->interpreted += interpreted ? times : 0;
    c->doubtful += doubtful ? times : 0;
    c->hidden[interpreter] += interpreter != RUNTIME_UNKNOWN && !named ? times : 0;
}

bool
check_is_full(const struct check *c)
{
    bool full = c->lost == UINT64_MAX;
    for (size_t i = 0; i < c->events.names.count; i++)
        full |= c->events.rows[i].sum == UINT64_MAX;
    return full;
}

void
check_record(struct check *c, uint64_t lost)
{
    c->records++;
    c->lost_records += lost > 0;
    c->lost = num_add(c->lost, lost);
}

void
check_skipped(struct check *c, struct place at)
{
    if (c->skipped < CHECK_PLACES)
        c->places[c->skipped] = at;
    c->skipped++;
}

/* Return true if the name of a JIT frame filled a buffer of 512 bytes (perf's, and V8's before
 * version 8) or of 4096 (V8's NameBuffer since then). The last bytes may be free: up to a UTF-8
 * character of four bytes may not have fitted. */
static bool
seems_cut(struct span sym)
{
    return (sym.len > 508 && sym.len <= 512) || (sym.len > 4092 && sym.len <= 4096);
}

/* Return the origin of a DSO's names. perf inject names the files that it makes from a jitdump
 * "jitted-PID-N.so". */
static enum check_origin
origin_of(const struct check *c, struct span dso)
{
    if (c->named != NULL && intern_find(c->named, dso) != INTERN_NONE)
        return CHECK_MEMORY;
    return span_starts(dso_base(dso), SPAN("jitted-")) ? CHECK_DUMP : CHECK_MAP;
}

/* Count n uses of one frame. */
static void
add_frame(struct check *c, const struct frame *f, uint64_t n, uint32_t variants, unsigned kind)
{
    struct v8name v8;
    uint64_t nameless = frame_is_nameless(f) ? n : 0;
    if (kind & MARK)
        return;
    c->frames += n;
    c->different += variants;
    c->nameless += nameless;
    c->nameless_jit_all += kind & NAMELESS_JIT ? n : 0;
    if ((kind & NAMELESS_JIT) != 0 && c->named != NULL &&
        intern_find(c->named, f->dso) != INTERN_NONE)
        c->nameless_named += n;
    if (nameless == 0 && dso_is_jit(f->dso)) {
        c->named_jit += n;
        c->named_by[origin_of(c, f->dso)] += n;
        if (seems_cut(f->sym))
            tally_add(&c->cut_names, f->sym, n, 0);
    }
    if (span_starts(f->sym, SPAN("runtime.")))
        tally_add(&c->go, f->dso, n, 0);
    c->has_interpreted |= v8name_parse(f->sym, &v8) && v8.tier == '~';
    tally_add(&c->dsos, f->dso, n, nameless);
}

void
check_finish(struct check *c, const struct frametab *frames)
{
    c->broken = roots_judge(&c->roots);
    if (c->unwound == c->chains)
        c->broken = (struct roots_result){0};
    c->unreached = c->broken.broken;
    for (size_t i = 0; i < sizeof c->marks / sizeof *c->marks; i++)
        for (uint32_t k = 0; k < c->marks[i].names.count; k++)
            c->unreached += c->marks[i].rows[k].count;
    for (uint32_t frame = 0; frame < c->nuses; frame++)
        if (c->uses[frame] > 0)
            add_frame(c, frametab_frame(frames, frame), c->uses[frame],
                      c->variants != NULL ? c->variants[frame] : 1, c->kinds[frame]);
}
