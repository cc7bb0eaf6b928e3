#include "common/event/record.h"

#include "common/event/cursor.h"
#include "common/event/sample.h"

/* The fields of sample_id, in their order there but for IDENTIFIER, which is the last. */
enum {
    ID_FIELDS =
        SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU | SAMPLE_IDENTIFIER
};

static size_t
size_of(uint64_t fields)
{
    return (size_t)__builtin_popcountll(fields) * sizeof(uint64_t);
}

/* Finds the id of a record's event: `sample` says whether it is a sample, whose ids stand near its
 * start, or sample_id's at its end. False if its events have no ids. All events of a recording keep
 * the id in the same place (perf_event_open(2), PERF_SAMPLE_IDENTIFIER). */
static bool
find_id(uint64_t type, struct span fields, bool sample, uint64_t *id)
{
    size_t at;
    if ((type & SAMPLE_IDENTIFIER) != 0)
        at = sample ? 0 : sizeof *id;
    else if ((type & SAMPLE_ID) != 0)
        at = sample ? size_of(type & (SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR))
                    : size_of(type & (SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU));
    else
        return false;
    if (at > fields.len || (sample && fields.len - at < sizeof *id))
        return false;
    *id = load_u64(sample ? fields.ptr + at : fields.ptr + fields.len - at);
    return true;
}

/* The event of a record, or NULL. Records that perf made itself have id 0: as perf, we take the
 * first event for theirs. */
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

/* The fields that the records of other types end in. */
static uint64_t
id_fields(const struct eventset *events, const struct event *e)
{
    if (e == NULL && events->count > 0)
        e = &events->events[0];
    if (e == NULL || !event_flag(e, FLAG_SAMPLE_ID_ALL))
        return 0;
    return e->sample_type & ID_FIELDS;
}

/* Decodes sample_id. */
static void
decode_id(struct cursor c, struct record *r)
{
    if ((r->has & SAMPLE_TID) != 0) {
        r->pid = cursor_u32(&c);
        r->tid = cursor_u32(&c);
    }
    if ((r->has & SAMPLE_TIME) != 0)
        r->time = cursor_u64(&c);
    if ((r->has & SAMPLE_ID) != 0)
        r->id = cursor_u64(&c);
    if ((r->has & SAMPLE_STREAM_ID) != 0)
        r->stream_id = cursor_u64(&c);
    if ((r->has & SAMPLE_CPU) != 0) {
        r->cpu = cursor_u32(&c);
        cursor_u32(&c);
    }
    if ((r->has & SAMPLE_IDENTIFIER) != 0)
        r->id = cursor_u64(&c);
}

/* u32 pid, tid; addr, len, pgoff; MMAP2: u32 major, minor; inode, generation (or u8 size, 3 bytes,
 * build-id[20]); u32 prot, flags; file */
static void
decode_mmap(struct cursor *c, struct record *r)
{
    struct record_mmap *m = &r->mmap;
    m->pid = cursor_u32(c);
    m->tid = cursor_u32(c);
    m->addr = cursor_u64(c);
    m->len = cursor_u64(c);
    m->pgoff = cursor_u64(c);
    if (r->type == RECORD_MMAP2 && (r->misc & MISC_MMAP_BUILD_ID) != 0) {
        struct span head = cursor_take(c, 4), id = cursor_take(c, RECORD_BUILD_ID);
        size_t size = head.len > 0 ? (unsigned char)head.ptr[0] : 0;
        m->build_id = size < id.len ? span_head(id, size) : id;
    } else if (r->type == RECORD_MMAP2) {
        m->major = cursor_u32(c);
        m->minor = cursor_u32(c);
        m->inode = cursor_u64(c);
        m->inode_generation = cursor_u64(c);
    }
    if (r->type == RECORD_MMAP2) {
        m->prot = cursor_u32(c);
        m->flags = cursor_u32(c);
    }
    m->file = cursor_text(c);
}

/* u32 pid, parent's pid, tid, parent's tid; time */
static void
decode_task(struct cursor *c, struct record_task *t)
{
    t->pid = cursor_u32(c);
    t->ppid = cursor_u32(c);
    t->tid = cursor_u32(c);
    t->ptid = cursor_u32(c);
    t->time = cursor_u64(c);
}

/* u32 pid, tid; count; { device, inode } [count] */
static void
decode_namespaces(struct cursor *c, struct record_namespaces *n)
{
    n->pid = cursor_u32(c);
    n->tid = cursor_u32(c);
    n->links = cursor_words(c, cursor_u64(c), 2);
}

/* addr; u32 len; u16 type, flags; name */
static void
decode_ksymbol(struct cursor *c, struct record_ksymbol *k)
{
    k->addr = cursor_u64(c);
    k->len = cursor_u32(c);
    k->type = cursor_u16(c);
    k->flags = cursor_u16(c);
    k->name = cursor_text(c);
}

/* u16 type, flags; u32 id; tag[8] */
static void
decode_bpf(struct cursor *c, struct record_bpf *b)
{
    b->type = cursor_u16(c);
    b->flags = cursor_u16(c);
    b->id = cursor_u32(c);
    b->tag = cursor_take(c, 8);
}

/* addr; u16 old length, new length; old bytes, new bytes */
static void
decode_poke(struct cursor *c, struct record_poke *p)
{
    p->addr = cursor_u64(c);
    uint16_t old = cursor_u16(c), new = cursor_u16(c);
    p->old = cursor_take(c, old);
    p->new = cursor_take(c, new);
}

static void
decode_fields(struct cursor *c, struct record *r)
{
    switch (r->type) {
    case RECORD_MMAP:
    case RECORD_MMAP2:
        decode_mmap(c, r);
        break;
    case RECORD_COMM:
        r->comm.pid = cursor_u32(c);
        r->comm.tid = cursor_u32(c);
        r->comm.comm = cursor_text(c);
        break;
    case RECORD_FORK:
    case RECORD_EXIT:
        decode_task(c, &r->task);
        break;
    case RECORD_LOST:
        r->lost.id = cursor_u64(c);
        r->lost.lost = cursor_u64(c);
        break;
    case RECORD_LOST_SAMPLES:
        r->lost.lost = cursor_u64(c);
        break;
    case RECORD_THROTTLE:
    case RECORD_UNTHROTTLE:
        r->throttle.time = cursor_u64(c);
        r->throttle.id = cursor_u64(c);
        r->throttle.stream_id = cursor_u64(c);
        break;
    case RECORD_SWITCH_CPU_WIDE:
        r->sched.pid = cursor_u32(c);
        r->sched.tid = cursor_u32(c);
        break;
    case RECORD_NAMESPACES:
        decode_namespaces(c, &r->namespaces);
        break;
    case RECORD_KSYMBOL:
        decode_ksymbol(c, &r->ksymbol);
        break;
    case RECORD_BPF:
        decode_bpf(c, &r->bpf);
        break;
    case RECORD_CGROUP:
        r->cgroup.id = cursor_u64(c);
        r->cgroup.path = cursor_text(c);
        break;
    case RECORD_TEXT_POKE:
        decode_poke(c, &r->poke);
        break;
    default:
        break;
    }
}

/* Decodes a record that is no sample. */
static const char *
decode_other(const struct eventset *events, struct span fields, struct record *r)
{
    r->event = event_of(events, fields, false);
    r->has = id_fields(events, r->event);
    size_t id_size = size_of(r->has);
    if (id_size > fields.len)
        return "a record is shorter than its sample_id";
    struct cursor id = {.rest = span_from(fields, fields.len - id_size)};
    struct cursor c = {.rest = span_head(fields, fields.len - id_size)};
    decode_id(id, r);
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
    if (r->type >= RECORD_KERNEL_END)
        return NULL;
    if (r->type != RECORD_SAMPLE)
        return decode_other(events, fields, r);
    r->event = event_of(events, fields, true);
    if (r->event == NULL)
        return "a sample belongs to no event of the recording";
    return sample_decode(fields, r);
}

uint64_t
record_time(const struct eventset *events, struct span bytes)
{
    if (bytes.len < RECORD_HEADER || load_u32(bytes.ptr) >= RECORD_KERNEL_END)
        return 0;
    bool sample = load_u32(bytes.ptr) == RECORD_SAMPLE;
    struct span fields = span_from(bytes, RECORD_HEADER);
    const struct event *e = event_of(events, fields, sample);
    uint64_t type = !sample ? id_fields(events, e) : e != NULL ? e->sample_type : 0;
    if ((type & SAMPLE_TIME) == 0)
        return 0;
    size_t before = size_of(type & (SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID));
    size_t after = size_of(type & (ID_FIELDS & ~SAMPLE_TID));
    size_t at = sample ? before : fields.len - (after < fields.len ? after : fields.len);
    if (at > fields.len || fields.len - at < sizeof(uint64_t))
        return 0;
    uint64_t time = load_u64(fields.ptr + at);
    return time != UINT64_MAX ? time : 0;
}
