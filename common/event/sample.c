/* The order of the fields is that of PERF_RECORD_SAMPLE in linux/perf_event.h and of
 * perf_output_sample in the kernel (kernel/events/core.c): of those that the event's sample_type
 * has,
 *
 *     identifier, ip, pid tid, time, addr, id, stream_id, cpu 0, period, counters,
 *     nr callchain, u32 size raw, nr branches, abi user registers, size stack used, weight,
 *     data_src, transaction, abi interrupt registers, phys_addr, cgroup, data_page_size,
 *     code_page_size, size aux */
#include "common/event/sample.h"

#include "common/event/cursor.h"

/* { value, enabled, running, id, lost }, or in a group { nr, enabled, running,
 * { value, id, lost } [nr] }, each but value and nr only if the read_format has it. */
static struct record_read
counters(struct cursor *c, uint64_t format)
{
    struct record_read read = {.count = 1};
    size_t each = (size_t)1 + ((format & READ_ID) != 0) + ((format & READ_LOST) != 0);
    uint64_t nr = 1;
    if ((format & READ_GROUP) != 0)
        nr = cursor_u64(c);
    else
        read.value = cursor_u64(c);
    if ((format & READ_TIME_ENABLED) != 0)
        read.time_enabled = cursor_u64(c);
    if ((format & READ_TIME_RUNNING) != 0)
        read.time_running = cursor_u64(c);
    if ((format & READ_GROUP) != 0) {
        read.words = cursor_words(c, nr, each);
        read.count = read.words.count / each;
    } else if (each > 1) {
        read.words = cursor_words(c, 1, each - 1);
    }
    return read;
}

static struct words
branches(struct cursor *c, uint64_t branch_type)
{
    uint64_t nr = cursor_u64(c);
    if ((branch_type & BRANCH_HW_INDEX) != 0)
        cursor_u64(c);
    struct words entries = cursor_words(c, nr, 3);
    if ((branch_type & BRANCH_COUNTERS) != 0)
        cursor_words(c, nr, 1);
    return entries;
}

static struct record_regs
registers(struct cursor *c, uint64_t mask)
{
    struct record_regs regs = {.abi = cursor_u64(c)};
    if (regs.abi != 0)
        regs.values = cursor_words(c, (uint64_t)__builtin_popcountll(mask), 1);
    return regs;
}

/* The kernel reserves `size` bytes and says after them how many it could copy. */
static struct span
user_stack(struct cursor *c)
{
    uint64_t size = cursor_u64(c);
    if (size == 0)
        return SPAN("");
    struct span stack = cursor_take(c, size);
    uint64_t used = cursor_u64(c);
    return used < stack.len ? span_head(stack, (size_t)used) : stack;
}

/* The fields of eight bytes that samples begin with. */
static void
fixed_fields(struct cursor *c, uint64_t type, struct record *r)
{
    if ((type & SAMPLE_IDENTIFIER) != 0)
        r->id = cursor_u64(c);
    if ((type & SAMPLE_IP) != 0)
        r->sample.ip = cursor_u64(c);
    if ((type & SAMPLE_TID) != 0) {
        r->pid = cursor_u32(c);
        r->tid = cursor_u32(c);
    }
    if ((type & SAMPLE_TIME) != 0)
        r->time = cursor_u64(c);
    if ((type & SAMPLE_ADDR) != 0)
        r->sample.addr = cursor_u64(c);
    if ((type & SAMPLE_ID) != 0)
        r->id = cursor_u64(c);
    if ((type & SAMPLE_STREAM_ID) != 0)
        r->stream_id = cursor_u64(c);
    if ((type & SAMPLE_CPU) != 0) {
        r->cpu = cursor_u32(c);
        cursor_u32(c);
    }
    if ((type & SAMPLE_PERIOD) != 0)
        r->sample.period = cursor_u64(c);
}

/* The fields of changing size, and what follows them. */
static void
long_fields(struct cursor *c, const struct event *e, struct record_sample *s)
{
    uint64_t type = e->sample_type;
    if ((type & SAMPLE_READ) != 0)
        s->read = counters(c, e->read_format);
    if ((type & SAMPLE_CALLCHAIN) != 0)
        s->callchain = cursor_words(c, cursor_u64(c), 1);
    if ((type & SAMPLE_RAW) != 0)
        s->raw = cursor_take(c, cursor_u32(c));
    if ((type & SAMPLE_BRANCH_STACK) != 0)
        s->branches = branches(c, e->branch_type);
    if ((type & SAMPLE_REGS_USER) != 0)
        s->regs_user = registers(c, e->regs_user);
    if ((type & SAMPLE_STACK_USER) != 0)
        s->stack = user_stack(c);
}

static void
last_fields(struct cursor *c, const struct event *e, struct record_sample *s)
{
    uint64_t type = e->sample_type;
    if ((type & (SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT)) != 0)
        s->weight = cursor_u64(c);
    if ((type & SAMPLE_DATA_SRC) != 0)
        s->data_src = cursor_u64(c);
    if ((type & SAMPLE_TRANSACTION) != 0)
        s->transaction = cursor_u64(c);
    if ((type & SAMPLE_REGS_INTR) != 0)
        s->regs_intr = registers(c, e->regs_intr);
    if ((type & SAMPLE_PHYS_ADDR) != 0)
        s->phys_addr = cursor_u64(c);
    if ((type & SAMPLE_CGROUP) != 0)
        s->cgroup = cursor_u64(c);
    if ((type & SAMPLE_DATA_PAGE_SIZE) != 0)
        s->data_page_size = cursor_u64(c);
    if ((type & SAMPLE_CODE_PAGE_SIZE) != 0)
        s->code_page_size = cursor_u64(c);
    if ((type & SAMPLE_AUX) != 0)
        cursor_take(c, cursor_u64(c));
}

const char *
sample_decode(struct span fields, struct record *r)
{
    const struct event *e = r->event;
    struct cursor c = {.rest = fields};
    if ((e->sample_type & ~(uint64_t)SAMPLE_KNOWN) != 0)
        return "a sample has fields that a later kernel added";
    r->has = e->sample_type;
    r->sample.period = e->period;
    fixed_fields(&c, e->sample_type, r);
    long_fields(&c, e, &r->sample);
    last_fields(&c, e, &r->sample);
    return c.cut ? "a sample is shorter than its fields" : NULL;
}

struct record_counter
record_counter(const struct record *r, size_t i)
{
    const struct record_read *read = &r->sample.read;
    uint64_t format = r->event->read_format;
    struct record_counter counter = {.value = read->value};
    size_t at = 0;
    if ((format & READ_GROUP) != 0) {
        at = i * (read->words.count / read->count);
        counter.value = words_at(read->words, at++);
    }
    if ((format & READ_ID) != 0)
        counter.id = words_at(read->words, at++);
    if ((format & READ_LOST) != 0)
        counter.lost = words_at(read->words, at);
    return counter;
}

bool
record_register(uint64_t mask, const struct record_regs *regs, unsigned number, uint64_t *value)
{
    if (number > 63 || (mask >> number & 1) == 0 || regs->values.count == 0)
        return false;
    uint64_t lower = mask & (((uint64_t)1 << number) - 1);
    *value = words_at(regs->values, (size_t)__builtin_popcountll(lower));
    return true;
}
