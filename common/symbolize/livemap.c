/* The format is in perfmap.c. V8 writes each line by one write(2), when it has made the code and
 * before that runs. */
#include "common/symbolize/livemap.h"

#include <stdlib.h>

#include "common/sym/perfmap.h"

static size_t
size_of(const struct livemap *m)
{
    return codemap_size(&m->now) + codemap_size(&m->late) +
           (m->count - m->next) * sizeof *m->waiting;
}

static bool
has_room(const struct livemap *m)
{
    return m->share == NULL || budget_has_room(m->share, m->told, size_of(m));
}

static void
tell_size(struct livemap *m)
{
    if (m->share != NULL)
        budget_tell(m->share, &m->told, size_of(m));
}

static void
forget_waiting(struct livemap *m)
{
    codemap_free(&m->late);
    free(m->waiting);
    m->waiting = NULL;
    m->next = m->count = m->cap = 0;
}

/* True if the record is there already: V8 repeats those of code that it takes up again. */
static bool
is_known(struct livemap *m, const struct perfmap_record *new)
{
    struct perfmap_record old;
    const struct codepiece *p = codemap_find(&m->now, new->start);
    return p != NULL && p->start == new->start &&
           p->len == new->end - new->start &&perfmap_read_line(&m->file, p->line, &m->line, &old) &&
           old.start == new->start &&old.end == new->end &&span_eq(old.name, new->name);
}

/* Keeps a record until its time. */
static void
keep_waiting(struct livemap *m, const struct livemap_record *r)
{
    codemap_put(&m->late, r->start, r->end, r->line);
    if (m->next > m->count / 2) {
        m->count -= m->next;
        memmove(m->waiting, m->waiting + m->next, m->count * sizeof *m->waiting);
        m->next = 0;
    }
    m->waiting = mem_grow(m->waiting, &m->cap, m->count + 1, sizeof *m->waiting);
    m->waiting[m->count++] = *r;
}

/* A record for which there is no memory: its addresses have no name then, rather than an old one.
 * The piece that it cuts in two loses its end, so that nothing grows. */
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

/* The records of the first read were there before the recording began, or its process did: they
 * count at once. */
static void
take_record(struct livemap *m, const struct perfmap_record *r, uint64_t line)
{
    m->records++;
    if (m->next == m->count && is_known(m, r))
        return;
    bool overlaps =
        codemap_overlaps(&m->now, r->start, r->end) || codemap_overlaps(&m->late, r->start, r->end);
    m->reused += overlaps;
    if (!has_room(m))
        give_up(m, r->start, r->end);
    else if (m->read != 0 && overlaps)
        keep_waiting(m, &(struct livemap_record){m->read, r->start, r->end, (uint32_t)line});
    else
        codemap_put(&m->now, r->start, r->end, (uint32_t)line);
}

/* Gives the lines that end in the block, which begins with the next line, to whoever keeps them.
 * Returns how many bytes they have. */
static size_t
keep_lines(struct livemap *m, struct span block)
{
    size_t end = span_rfind(block, '\n');
    if (end == SPAN_NONE)
        return 0;
    size_t first = m->skips ? span_find(block, '\n') + 1 : 0;
    m->skips = false;
    m->records++;
    m->keep(m->keeper, m, m->offset == 0, span_from(span_head(block, end + 1), first));
    return end + 1;
}

/* Takes the lines that end in the block, which begins with the next line. Returns how many bytes
 * they have. */
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

/* A process that begins the file again has begun again itself, by exec. */
static void
check_length(struct livemap *m)
{
    struct stat st;
    if (m->offset == 0 || !regular_stat(&m->file, &st) || (uint64_t)st.st_size >= m->offset)
        return;
    forget_waiting(m);
    codemap_free(&m->now);
    m->offset = 0;
    m->skips = false;
    m->truncated = true;
}

bool
livemap_read(struct livemap *m, uint64_t now)
{
    char block[PERFMAP_LINE];
    size_t before = m->records;
    m->behind = false;
    if (m->file.fd < 0)
        return false;
    check_length(m);
    m->too_long = m->offset > PERFMAP_MAX;
    ssize_t n = m->too_long ? 0 : regular_read(&m->file, m->offset, block, sizeof block, NULL);
    if (n > 0) {
        struct span new = span_of(block, (size_t)n);
        size_t taken = m->keep != NULL ? keep_lines(m, new) : take_lines(m, new);
        m->behind = (size_t)n == sizeof block;
        if (taken == 0 && m->behind) {
            m->skips = true;
            taken = (size_t)n;
        }
        m->offset += taken;
    }
    if (!m->behind)
        m->read = now;
    tell_size(m);
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
    tell_size(m);
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

bool
livemap_name(struct livemap *m, uint32_t number, uint64_t addr, struct livemap_name *found)
{
    struct perfmap_record r;
    if (!perfmap_read_line(&m->file, number, &m->line, &r) || addr < r.start || addr >= r.end)
        return false;
    *found = (struct livemap_name){r.name, r.start};
    return true;
}

void
livemap_free(struct livemap *m)
{
    regular_close(&m->file);
    forget_waiting(m);
    codemap_free(&m->now);
    free(m->line.ptr);
    if (m->share != NULL)
        budget_tell(m->share, &m->told, 0);
    *m = (struct livemap){.file.fd = -1, .share = m->share, .keep = m->keep, .keeper = m->keeper};
}
