#include "cmd/perf-script/check.h"

#include "cmd/perf-script/window.h"
#include "common/base/num.h"
#include "common/stack/frameplace.h"

/* What a frame is; 0: not looked at yet. */
enum { KNOWN = 1, USER = 2, INLINED = 4 };

/* A frame of a user's code. Where there is neither name nor DSO the unwinder went astray, as it
 * does without frame pointers: that is none. */
static bool
is_user(const struct frame *f)
{
    return !frame_is_kernel(f) && !(frame_is_nameless(f) && span_eq(f->dso, SPAN("[unknown]")));
}

static unsigned char
kind_of(const struct frame *f)
{
    bool inlined = span_eq(f->dso, SPAN("inlined"));
    return (unsigned char)(KNOWN | (inlined ? INLINED : is_user(f) ? USER : 0));
}

/* Counts one use of the frame and gives its kind. */
static unsigned char
use(struct check *c, const struct frametab *frames, uint32_t frame)
{
    if (frame >= c->nuses) {
        size_t n = frametab_count(frames);
        c->uses = mem_grow(c->uses, &c->uses_cap, n, sizeof *c->uses);
        c->kinds = mem_grow(c->kinds, &c->kinds_cap, n, 1);
        memset(c->uses + c->nuses, 0, (n - c->nuses) * sizeof *c->uses);
        memset(c->kinds + c->nuses, 0, n - c->nuses);
        c->nuses = n;
    }
    c->uses[frame]++;
    if (c->kinds[frame] == 0)
        c->kinds[frame] = kind_of(frametab_frame(frames, frame));
    return c->kinds[frame];
}

static void
count_header(struct check *c, const struct perf_header *h)
{
    uint64_t ns, period = 1;
    c->no_pid += h->field[PERF_PID].len == 0;
    c->no_cpu += h->field[PERF_CPU].len == 0;
    c->no_period += !num_u64(h->field[PERF_PERIOD], &period);
    tally_add(&c->events, h->field[PERF_EVENT], 1, period);
    tally_add(&c->comms, h->field[PERF_COMM], 1, period);
    if (!time_parse(h->field[PERF_TIME], &ns)) {
        c->no_time++;
        return;
    }
    bool any = c->samples > c->no_time;
    if (!any || ns < c->first)
        c->first = ns;
    if (!any || ns > c->last)
        c->last = ns;
}

void
check_sample(struct check *c, const struct frametab *frames, const struct sample *s)
{
    size_t user = 0, calls = 0;
    for (size_t i = 0; i < s->nframes; i++) {
        unsigned char kind = use(c, frames, s->frames[i]);
        user += (kind & USER) != 0;
        calls += (kind & INLINED) == 0; /* the kernel's limit does not count what was inlined */
    }
    count_header(c, &s->header);
    roots_add(&c->roots, frames, s);
    c->samples++;
    c->empty += s->nframes == 0;
    c->chains += s->nframes > s->frame_in_header;
    c->cut += calls >= ROOTS_MAX_STACK;
    c->single += user == 1 && s->nframes > s->frame_in_header;
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

/* A buffer of 512 (V8 before 8, and perf's own KSYM_NAME_LEN) or 4096 bytes (V8's NameBuffer since)
 * was full, but for what an UTF-8 character of up to four bytes did not fit. */
static bool
seems_cut(struct span sym)
{
    return (sym.len > 508 && sym.len <= 512) || (sym.len > 4092 && sym.len <= 4096);
}

void
check_finish(struct check *c, const struct frametab *frames)
{
    c->broken = roots_judge(&c->roots);
    for (uint32_t frame = 0; frame < c->nuses; frame++) {
        const struct frame *f = frametab_frame(frames, frame);
        uint64_t n = c->uses[frame];
        if (n == 0)
            continue;
        bool nameless = frame_is_nameless(f);
        bool outside = frame_is_nameless_jit(f) && !span_eq(f->dso, SPAN("[unknown]"));
        c->frames += n;
        c->lines++;
        c->nameless += nameless ? n : 0;
        c->nameless_jit += outside ? n : 0;
        c->cut_names += seems_cut(f->sym);
        tally_add(&c->dsos, f->dso, n, nameless ? n : 0);
    }
}
