/* The formats are documented in perfmap.c and jitdump.c. V8 writes each line of a perf map by one
 * write(2), after it has made the code and before the code runs. JavaScriptCore writes the records
 * of a jitdump from a thread, soon afterwards, with the times at which it made the code. */
#include "cmd/stackrecord/capture/livemap.h"

#include <stdlib.h>

#include "common/base/clock.h"
#include "common/base/num.h"
#include "common/sym/jitdump.h"
#include "common/sym/perfmap.h"

static size_t
size_of(const struct livemap *m)
{
    return codemap_size(&m->now) + codemap_size(&m->late) +
           (m->count - m->next) * sizeof *m->waiting + m->nmoves * sizeof *m->moves;
}

static bool
has_room(const struct livemap *m)
{
    return m->share == NULL || budget_has_room(m->share, m->charged, size_of(m));
}

static void
charge_size(struct livemap *m)
{
    if (m->share != NULL)
        budget_charge(m->share, &m->charged, size_of(m));
}

static void
forget_waiting(struct livemap *m)
{
    codemap_free(&m->late);
    free(m->waiting);
    m->waiting = NULL;
    m->next = m->count = m->cap = 0;
}

/* Return true if the map has the same record already: V8 repeats records of code that it reuses. */
static bool
is_known(struct livemap *m, const struct perfmap_record *new)
{
    struct perfmap_record old;
    const struct codepiece *p = codemap_find(&m->now, new->start);
    return p != NULL && p->start == new->start &&
           p->len == new->end - new->start &&perfmap_read_line(&m->file, p->line, &m->line, &old) &&
           old.start == new->start &&old.end == new->end &&span_eq(old.name, new->name);
}

/* Keep a record until its time, or the time of the record before it if that is later. Threads may
 * write their records in any order, except those of the same addresses. */
static void
keep_waiting(struct livemap *m, struct livemap_record *r)
{
    if (m->next < m->count && r->time < m->waiting[m->count - 1].time)
        r->time = m->waiting[m->count - 1].time;
    codemap_put(&m->late, r->start, r->end, r->line);
    if (m->next > m->count / 2) {
        m->count -= m->next;
        memmove(m->waiting, m->waiting + m->next, m->count * sizeof *m->waiting);
        m->next = 0;
    }
    m->waiting = mem_grow(m->waiting, &m->cap, m->count + 1, sizeof *m->waiting);
    m->waiting[m->count++] = *r;
}

/* Handle a record for which there is no memory: clear its addresses, so that they have no name
 * rather than an old one. If it splits a piece, clear the end of that, too, so that no memory is
 * needed. */
static void
give_up(struct livemap *m, uint64_t start, uint64_t end)
{
    const struct codepiece *p = codemap_find(&m->now, start);
    if (p != NULL && p->start + p->len > end)
        end = p->start + p->len;
    codemap_clear(&m->now, start, end);
    forget_waiting(m);
    m->given_up++;
}

/* Add a record. Records from before the recording or the process take effect at once: all records
 * of the first reading, and those with earlier times in a jitdump. */
static void
add_record(struct livemap *m, struct livemap_record *r)
{
    bool overlaps =
        codemap_overlaps(&m->now, r->start, r->end) || codemap_overlaps(&m->late, r->start, r->end);
    m->reused += overlaps;
    if (!has_room(m))
        give_up(m, r->start, r->end);
    else if (overlaps && r->time > m->since)
        keep_waiting(m, r);
    else
        codemap_put(&m->now, r->start, r->end, r->line);
}

static void
take_record(struct livemap *m, const struct perfmap_record *r, uint64_t line)
{
    m->records++;
    if (m->next < m->count || !is_known(m, r))
        add_record(m, &(struct livemap_record){m->read, r->start, r->end, (uint32_t)line});
}

/* Return the offset of the load record that names the code of the load or move record at an
 * offset. */
static uint32_t
load_of(const struct livemap *m, uint32_t record)
{
    size_t low = 0, high = m->nmoves;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->moves[middle].move < record)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->nmoves && m->moves[low].move == record ? m->moves[low].load : record;
}

/* Remember which code a record moves. Return false if that is not known. */
static bool
note_move(struct livemap *m, const struct jitrecord *r, uint32_t offset)
{
    const struct codepiece *p = codemap_find(&m->late, r->old);
    if (p == NULL)
        p = codemap_find(&m->now, r->old);
    if (p == NULL || !has_room(m))
        return false;
    struct livemap_move move = {offset, load_of(m, p->line)};
    m->moves = mem_grow(m->moves, &m->moves_cap, m->nmoves + 1, sizeof *m->moves);
    m->moves[m->nmoves++] = move;
    return true;
}

/* Take a record of a jitdump. If its time lies in the future, it is of another clock: use the time
 * of reading instead, as for a perf map. */
static void
take_dumped(struct livemap *m, const struct jitrecord *r, uint32_t offset, uint64_t now)
{
    bool timed = !m->cpu_time && r->time <= num_add(now, CLOCK_SECOND);
    m->records++;
    if (r->type == JITRECORD_OTHER || r->len == 0 ||
        (r->type == JITRECORD_MOVE && !note_move(m, r, offset)))
        return;
    add_record(m, &(struct livemap_record){timed ? r->time : m->read, r->addr,
                                           num_add(r->addr, r->len), offset});
}

/* Pass complete lines of the block, which begins at a line, to the keeper. Return their length in
 * bytes. */
static size_t
keep_lines(struct livemap *m, struct span block)
{
    size_t end = span_rfind(block, '\n');
    if (end == SPAN_NONE)
        return 0;
    size_t first = m->skips ? span_find(block, '\n') + 1 : 0;
    m->keep(m->keeper, m, m->offset == 0, span_from(span_head(block, end + 1), first));
    return end + 1;
}

/* Take the complete lines of the block, which begins at a line. Return their length in bytes. */
static size_t
take_lines(struct livemap *m, struct span block)
{
    struct perfmap_record r;
    size_t taken = 0;
    for (size_t end; (end = span_find(span_from(block, taken), '\n')) != SPAN_NONE;) {
        struct span line = span_head(span_from(block, taken), end);
        if (!m->skips && perfmap_parse(line, &r))
            take_record(m, &r, m->offset + taken);
        m->skips = false;
        taken += end + 1;
    }
    return taken;
}

/* Take the records of a jitdump that are complete in the file, if the block, which begins at a
 * record, has the parts that are needed. Return their length in bytes, code included. */
static uint64_t
take_records(struct livemap *m, struct span block, uint64_t file_size, uint64_t now)
{
    struct jitrecord r;
    uint64_t taken = 0, left = file_size > m->offset ? file_size - m->offset : 0;
    if (m->offset == 0)
        m->problem = jitdump_parse_head(block, &taken, &m->cpu_time);
    if (taken > left || (m->offset == 0 && taken == 0))
        return 0;
    while (taken < block.len && jitdump_parse(span_from(block, (size_t)taken), &r)) {
        if (r.size == 0)
            m->problem = "is damaged: what follows has no names";
        if (r.size == 0 || r.size > left - taken)
            break;
        if (m->offset + taken <= PERFMAP_MAX)
            take_dumped(m, &r, (uint32_t)(m->offset + taken), now);
        taken += r.size;
    }
    return taken;
}

/* If the file has become shorter, the process has executed a program and begun the file again:
 * forget all names. */
static void
check_length(struct livemap *m)
{
    struct stat st;
    if (m->offset == 0 || !regular_stat(&m->file, &st) || (uint64_t)st.st_size >= m->offset)
        return;
    forget_waiting(m);
    codemap_free(&m->now);
    m->offset = 0;
    m->nmoves = 0;
    m->skips = false;
    m->truncated = true;
}

static void
take_block(struct livemap *m, struct span block, uint64_t file_size, uint64_t now)
{
    bool full = block.len == PERFMAP_LINE;
    uint64_t taken = 0;
    if (m->keep != NULL && !m->is_dump)
        taken = keep_lines(m, block);
    if (m->is_dump)
        taken = take_records(m, block, file_size, now);
    else if (m->keep == NULL || !m->only_keeps)
        taken = take_lines(m, block);
    else if (taken > 0) {
        m->skips = false;
        m->records++;
    }
    m->behind = full || taken > block.len;
    if (taken == 0 && m->is_dump)
        m->behind = false;
    if (taken == 0 && m->behind) {
        m->skips = true;
        taken = block.len;
    }
    m->offset += taken;
}

bool
livemap_read(struct livemap *m, uint64_t now)
{
    char block[PERFMAP_LINE];
    struct stat st;
    size_t before = m->records;
    m->behind = false;
    if (m->file.fd < 0)
        return false;
    check_length(m);
    m->too_long = m->offset > PERFMAP_MAX;
    ssize_t n = m->too_long || m->problem != NULL
                    ? 0
                    : regular_read(&m->file, m->offset, block, sizeof block, &st);
    if (n > 0)
        take_block(m, span_of(block, (size_t)n), (uint64_t)st.st_size, now);
    if (!m->behind)
        m->read = now;
    charge_size(m);
    return m->records > before || m->truncated;
}

bool
livemap_is_new(const struct livemap *m)
{
    return m->file.fd >= 0 && m->read == 0;
}

uint64_t
livemap_due(const struct livemap *m)
{
    return m->next < m->count ? m->waiting[m->next].time : UINT64_MAX;
}

void
livemap_advance(struct livemap *m, uint64_t time)
{
    while (livemap_due(m) <= time) {
        const struct livemap_record *r = &m->waiting[m->next++];
        codemap_put(&m->now, r->start, r->end, r->line);
    }
    if (m->next == m->count && m->count > 0)
        forget_waiting(m);
    charge_size(m);
}

bool
livemap_find(const struct livemap *m, uint64_t addr, uint32_t *number)
{
    const struct codepiece *p = codemap_find(&m->now, addr);
    if (p == NULL)
        p = codemap_find(&m->late, addr);
    if (p == NULL)
        return false;
    *number = p->line;
    return true;
}

/* Find the name in a record of a jitdump. Moved code has the name of its load record. */
static bool
name_dumped(struct livemap *m, uint32_t number, uint64_t addr, struct livemap_name *found)
{
    struct jitrecord own, load;
    uint32_t at = load_of(m, number);
    if (!jitdump_read(&m->file, number, &m->line, &own))
        return false;
    load = own;
    if (at != number && !jitdump_read(&m->file, at, &m->line, &load))
        return false;
    *found = (struct livemap_name){load.name, own.addr, own.index, own.pid};
    return load.type == JITRECORD_LOAD && addr >= own.addr && addr - own.addr < own.len;
}

bool
livemap_name(struct livemap *m, uint32_t number, uint64_t addr, struct livemap_name *found)
{
    struct perfmap_record r;
    if (m->is_dump)
        return name_dumped(m, number, addr, found);
    if (!perfmap_read_line(&m->file, number, &m->line, &r) || addr < r.start || addr >= r.end)
        return false;
    *found = (struct livemap_name){.text = r.name, .start = r.start};
    return true;
}

void
livemap_free(struct livemap *m)
{
    regular_close(&m->file);
    forget_waiting(m);
    codemap_free(&m->now);
    free(m->moves);
    free(m->line.ptr);
    if (m->share != NULL)
        budget_charge(m->share, &m->charged, 0);
    *m = (struct livemap){.file.fd = -1,
                          .share = m->share,
                          .keep = m->keep,
                          .keeper = m->keeper,
                          .only_keeps = m->only_keeps};
}
