/* The fields of a sample have the order of PERF_RECORD_SAMPLE in linux/perf_event.h and of
 * perf_output_sample in the kernel (kernel/events/core.c). A sample has those that are set in the
 * event's sample_type:
 *
 *     identifier, ip, pid tid, time, addr, id, stream_id, cpu 0, period, counters,
 *     nr callchain, u32 size raw, nr branches, abi user registers, size stack used, weight,
 *     data_src, transaction, abi interrupt registers, phys_addr, cgroup, data_page_size,
 *     code_page_size, size aux
 */
#include "common/event/record.h"

#include "common/base/cursor.h"

/* The fields of sample_id. The order is the same, but IDENTIFIER comes last. */
enum {
    ID_FIELDS = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
                PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER
};

static size_t
size_of(uint64_t fields)
{
    return (size_t)__builtin_popcountll(fields) * sizeof(uint64_t);
}

/* Find the id of a record's event. If `sample` is true, the record is a sample, and the id is near
 * its start. Otherwise it is in sample_id at the end. Return false if its events have no ids. All
 * events of a recording have the id in the same place (perf_event_open(2),
 * PERF_SAMPLE_IDENTIFIER). */
static bool
find_id(uint64_t type, struct span fields, bool sample, uint64_t *id)
{
    size_t at;
    if ((type & PERF_SAMPLE_IDENTIFIER) != 0)
        at = sample ? 0 : sizeof *id;
    else if ((type & PERF_SAMPLE_ID) != 0)
        at = sample ? size_of(type & (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                                      PERF_SAMPLE_ADDR))
                    : size_of(type & (PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU));
    else
        return false;
    if (at > fields.len || (sample && fields.len - at < sizeof *id))
        return false;
    *id = load_u64(sample ? fields.ptr + at : fields.ptr + fields.len - at);
    return true;
}

/* Return the event of a record, or NULL. Records made by perf itself have id 0; like perf,
 * attribute them to the first event. */
static const struct event *
event_of(const struct eventset *events, struct span fields, bool sample)
{
    uint64_t id;
    if (events->count == 0)
        return NULL;
    const struct event *first = &events->events[0];
    if (events->count == 1 || (!sample && !event_flag(first, FLAG_SAMPLE_ID_ALL)))
        return first;
    if (!find_id(first->sample_type, fields, sample, &id))
        return NULL;
    return id == 0 ? first : eventset_find(events, id);
}

/* Return the fields at the end of records of other types. */
static uint64_t
id_fields(const struct eventset *events, const struct event *e)
{
    if (e == NULL && events->count > 0)
        e = &events->events[0];
    if (e == NULL || !event_flag(e, FLAG_SAMPLE_ID_ALL))
        return 0;
    return e->sample_type & ID_FIELDS;
}

/* Return the next field, of eight bytes, or 0 if the record does not have it. */
static uint64_t
field(struct cursor *c, uint64_t has, uint64_t bit)
{
    return (has & bit) != 0 ? cursor_u64(c) : 0;
}

static void
decode_task_ids(struct cursor *c, struct record *r)
{
    if ((r->has & PERF_SAMPLE_TID) != 0) {
        r->pid = cursor_u32(c);
        r->tid = cursor_u32(c);
    }
}

/* Read stream_id, cpu 0. */
static void
decode_cpu(struct cursor *c, struct record *r)
{
    field(c, r->has, PERF_SAMPLE_STREAM_ID);
    if ((r->has & PERF_SAMPLE_CPU) != 0) {
        r->cpu = cursor_u32(c);
        cursor_u32(c);
    }
}

static void
decode_sample_id(struct cursor c, struct record *r)
{
    decode_task_ids(&c, r);
    r->time = field(&c, r->has, PERF_SAMPLE_TIME);
    r->id = field(&c, r->has, PERF_SAMPLE_ID);
    decode_cpu(&c, r);
    if ((r->has & PERF_SAMPLE_IDENTIFIER) != 0)
        r->id = cursor_u64(&c);
}

/* Read { value, enabled, running, id, lost }; for a group { nr, enabled, running, { value, id, lost
 * } [nr] }. All fields but value and nr depend on read_format. */
static struct record_read
counters(struct cursor *c, uint64_t format)
{
    struct record_read read = {.count = 1};
    size_t each = (size_t)1 + ((format & PERF_FORMAT_ID) != 0) + ((format & PERF_FORMAT_LOST) != 0);
    uint64_t nr = 1;
    if ((format & PERF_FORMAT_GROUP) != 0)
        nr = cursor_u64(c);
    else
        read.value = cursor_u64(c);
    field(c, format, PERF_FORMAT_TOTAL_TIME_ENABLED);
    field(c, format, PERF_FORMAT_TOTAL_TIME_RUNNING);
    if ((format & PERF_FORMAT_GROUP) != 0) {
        read.words = cursor_words(c, nr, each);
        read.count = read.words.count / each;
    } else if (each > 1) {
        read.words = cursor_words(c, 1, each - 1);
    }
    return read;
}

/* Read nr, hw_idx, { from, to, flags } [nr], counters [nr]. If the processor's driver gave the
 * kernel no branches, there is only nr, which is 0. This can be seen only from the record's end. */
static struct words
branches(struct cursor *c, uint64_t branch_type)
{
    uint64_t nr = cursor_u64(c);
    if (nr > 0 || cursor_left(c) > 0)
        field(c, branch_type, PERF_SAMPLE_BRANCH_HW_INDEX);
    struct words entries = cursor_words(c, nr, RECORD_BRANCH);
    if ((branch_type & PERF_SAMPLE_BRANCH_COUNTERS) != 0)
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

/* Read a copy of the stack. The kernel reserves `size` bytes; the number of bytes that it could
 * copy follows them. */
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

/* Read the fields of eight bytes at the start of samples. */
static void
decode_first_fields(struct cursor *c, struct record *r)
{
    uint64_t type = r->has;
    r->id = field(c, type, PERF_SAMPLE_IDENTIFIER);
    r->sample.ip = field(c, type, PERF_SAMPLE_IP);
    decode_task_ids(c, r);
    r->time = field(c, type, PERF_SAMPLE_TIME);
    r->sample.addr = field(c, type, PERF_SAMPLE_ADDR);
    if ((type & PERF_SAMPLE_ID) != 0)
        r->id = cursor_u64(c);
    decode_cpu(c, r);
    r->sample.period = r->event->period;
    if ((type & PERF_SAMPLE_PERIOD) != 0)
        r->sample.period = cursor_u64(c);
}

/* Read the fields of variable size, and those that follow. */
static void
decode_last_fields(struct cursor *c, const struct event *e, struct record_sample *s)
{
    enum {
        WEIGHTS = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT,
        NUMBERS = PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE |
                  PERF_SAMPLE_CODE_PAGE_SIZE,
    };
    uint64_t type = e->sample_type;
    if ((type & PERF_SAMPLE_READ) != 0)
        s->read = counters(c, e->read_format);
    if ((type & PERF_SAMPLE_CALLCHAIN) != 0)
        s->callchain = cursor_words(c, cursor_u64(c), 1);
    if ((type & PERF_SAMPLE_RAW) != 0)
        s->raw = cursor_take(c, cursor_u32(c));
    if ((type & PERF_SAMPLE_BRANCH_STACK) != 0)
        s->branches = branches(c, e->branch_type);
    if ((type & PERF_SAMPLE_REGS_USER) != 0)
        s->regs_user = registers(c, e->regs_user);
    if ((type & PERF_SAMPLE_STACK_USER) != 0)
        s->stack = user_stack(c);
    s->weight = field(c, type, WEIGHTS);
    s->data_src = field(c, type, PERF_SAMPLE_DATA_SRC);
    field(c, type, PERF_SAMPLE_TRANSACTION);
    if ((type & PERF_SAMPLE_REGS_INTR) != 0)
        registers(c, e->regs_intr);
    cursor_take(c, size_of(type & NUMBERS));
    if ((type & PERF_SAMPLE_AUX) != 0)
        cursor_take(c, cursor_u64(c));
}

static const char *
decode_sample(struct span fields, struct record *r)
{
    struct cursor c = cursor_of(fields);
    r->has = r->event->sample_type;
    if (r->has >= PERF_SAMPLE_MAX)
        return "a sample has fields that a later kernel added";
    decode_first_fields(&c, r);
    decode_last_fields(&c, r->event, &r->sample);
    return c.cut ? "a sample is shorter than its fields" : NULL;
}

/* Read u32 pid, tid; addr, len, pgoff; MMAP2: u32 major, minor; inode, generation (or u8 size, 3
 * bytes, build-id[20]); u32 prot, flags; file. */
static void
decode_mmap(struct cursor *c, struct record *r)
{
    struct record_mmap *m = &r->mmap;
    m->pid = cursor_u32(c);
    m->tid = cursor_u32(c);
    m->addr = cursor_u64(c);
    m->len = cursor_u64(c);
    m->pgoff = cursor_u64(c);
    if (r->type == PERF_RECORD_MMAP2 && (r->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0) {
        struct span head = cursor_take(c, 4), id = cursor_take(c, RECORD_BUILD_ID);
        size_t size = head.len > 0 ? (unsigned char)head.ptr[0] : 0;
        m->build_id = size < id.len ? span_head(id, size) : id;
    } else if (r->type == PERF_RECORD_MMAP2) {
        m->major = cursor_u32(c);
        m->minor = cursor_u32(c);
        m->inode = cursor_u64(c);
        m->inode_generation = cursor_u64(c);
    }
    if (r->type == PERF_RECORD_MMAP2) {
        m->prot = cursor_u32(c);
        m->flags = cursor_u32(c);
    }
    m->file = cursor_padded(c);
}

static void
decode_fields(struct cursor *c, struct record *r)
{
    switch (r->type) {
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
        decode_mmap(c, r);
        break;
    case PERF_RECORD_COMM:
        r->comm.pid = cursor_u32(c);
        r->comm.tid = cursor_u32(c);
        r->comm.comm = cursor_padded(c);
        break;
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT: /* and the time */
        r->task.pid = cursor_u32(c);
        r->task.ppid = cursor_u32(c);
        r->task.tid = cursor_u32(c);
        r->task.ptid = cursor_u32(c);
        cursor_u64(c);
        break;
    case PERF_RECORD_LOST: /* u64 id of a counter, then the same as LOST_SAMPLES */
        cursor_u64(c);
        r->lost = cursor_u64(c);
        break;
    case PERF_RECORD_LOST_SAMPLES:
        r->lost = cursor_u64(c);
        break;
    case PERF_RECORD_TEXT_POKE: /* addr; u16 old_len, new_len; the bytes of both */
        r->poke.addr = cursor_u64(c);
        size_t old = cursor_u16(c);
        cursor_u16(c);
        r->poke.old = cursor_take(c, old);
        break;
    case PERF_RECORD_CALLCHAIN_DEFERRED:
        r->deferred.cookie = cursor_u64(c);
        r->deferred.chain = cursor_words(c, cursor_u64(c), 1);
        break;
    case PERF_RECORD_KSYMBOL: /* addr; u32 len; u16 type, flags; name */
        r->ksymbol.addr = cursor_u64(c);
        r->ksymbol.len = cursor_u32(c);
        cursor_u16(c);
        r->ksymbol.flags = cursor_u16(c);
        r->ksymbol.name = cursor_padded(c);
        break;
    default:
        break;
    }
}

/* Decode a record that is not a sample. */
static const char *
decode_other(const struct eventset *events, struct span fields, struct record *r)
{
    r->event = event_of(events, fields, false);
    r->has = id_fields(events, r->event);
    size_t id_size = size_of(r->has);
    if (id_size > fields.len)
        return "a record is shorter than its sample_id";
    struct cursor id = cursor_of(span_from(fields, fields.len - id_size));
    struct cursor c = cursor_of(span_head(fields, fields.len - id_size));
    decode_sample_id(id, r);
    decode_fields(&c, r);
    return c.cut ? "a record is shorter than its fields" : NULL;
}

const char *
record_decode(const struct eventset *events, struct span bytes, struct record *r)
{
    memset(r, 0, sizeof *r);
    r->bytes = bytes;
    if (bytes.len < RECORD_HEADER || load_u16(bytes.ptr + 6) != bytes.len)
        return "a record has another size than it says";
    r->type = load_u32(bytes.ptr);
    r->misc = load_u16(bytes.ptr + 4);
    struct span fields = span_from(bytes, RECORD_HEADER);
    if (r->type >= PERF_RECORD_USER_TYPE_START)
        return NULL;
    if (r->type != PERF_RECORD_SAMPLE)
        return decode_other(events, fields, r);
    r->event = event_of(events, fields, true);
    if (r->event == NULL)
        return "a sample belongs to no event of the recording";
    return decode_sample(fields, r);
}

uint64_t
record_time(const struct eventset *events, struct span bytes)
{
    if (bytes.len < RECORD_HEADER || load_u32(bytes.ptr) >= PERF_RECORD_USER_TYPE_START)
        return 0;
    bool sample = load_u32(bytes.ptr) == PERF_RECORD_SAMPLE;
    struct span fields = span_from(bytes, RECORD_HEADER);
    const struct event *e = event_of(events, fields, sample);
    uint64_t type = !sample ? id_fields(events, e) : e != NULL ? e->sample_type : 0;
    if ((type & PERF_SAMPLE_TIME) == 0)
        return 0;
    size_t before = size_of(type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID));
    size_t after = size_of(type & (ID_FIELDS & ~PERF_SAMPLE_TID));
    size_t at = sample ? before : fields.len - (after < fields.len ? after : fields.len);
    if (at > fields.len || fields.len - at < sizeof(uint64_t))
        return 0;
    uint64_t time = load_u64(fields.ptr + at);
    return time != UINT64_MAX ? time : 0;
}

struct record_counter
record_counter(const struct record *r, size_t i)
{
    const struct record_read *read = &r->sample.read;
    uint64_t format = r->event->read_format;
    struct record_counter counter = {.value = read->value};
    size_t at = 0;
    if ((format & PERF_FORMAT_GROUP) != 0) {
        at = i * (read->words.count / read->count);
        counter.value = words_at(read->words, at++);
    }
    if ((format & PERF_FORMAT_ID) != 0)
        counter.id = words_at(read->words, at);
    return counter;
}

struct words
record_calls(const struct record *r)
{
    bool calls = (r->event->branch_type & PERF_SAMPLE_BRANCH_CALL_STACK) != 0;
    return calls ? r->sample.branches : (struct words){NULL, 0};
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
