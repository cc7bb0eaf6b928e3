/* The format is in perfmap.c. V8 writes each line by one write(2), when it has made the code and
 * before that runs. */
#define _GNU_SOURCE /* pread */
#include "common/symbolize/livemap.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/sym/perfmap.h"

enum {
    NAMES = 1 << 16, /* that may be in memory without need */
    BLOCK = 1 << 15,
    LINE_MOST = 1 << 16 /* bytes; a longer line is skipped */
};

/* True if the record is there already: V8 repeats those of code that it takes up again. */
static bool
is_known(const struct livemap *m, const struct map *new)
{
    const struct map *old = maptree_find(m->tree, new->start);
    return old != NULL && old->start == new->start && old->end == new->end && old->offset == 0 &&
           old->dso == new->dso;
}

/* Keeps a record until its time. */
static void
keep_waiting(struct livemap *m, uint64_t time, const struct map *map)
{
    maptree_insert(&m->nodes, &m->late, map);
    if (m->next > m->count / 2) {
        m->count -= m->next;
        memmove(m->waiting, m->waiting + m->next, m->count * sizeof *m->waiting);
        m->next = 0;
    }
    m->waiting = mem_grow(m->waiting, &m->cap, m->count + 1, sizeof *m->waiting);
    m->waiting[m->count++] = (struct livemap_record){time, *map};
}

/* The records of the first read were there before the recording began, or its process did: they
 * count at once. */
static void
take_record(struct livemap *m, const struct perfmap_record *r)
{
    struct map map = {.start = r->start, .end = r->end, .dso = intern_add(&m->names, r->name)};
    m->records++;
    if (m->next == m->count && is_known(m, &map))
        return;
    bool overlaps = maptree_overlaps(m->tree, map.start, map.end) ||
                    maptree_overlaps(m->late, map.start, map.end);
    m->reused += overlaps;
    if (m->read != 0 && overlaps)
        keep_waiting(m, m->read, &map);
    else
        maptree_insert(&m->nodes, &m->tree, &map);
}

/* Takes the line that ends with this text. */
static void
take_line(struct livemap *m, struct span end)
{
    struct perfmap_record r;
    struct span line = end;
    if (m->begun.len > 0) {
        text_add(&m->begun, end);
        line = text_span(&m->begun);
    }
    if (!m->skips && line.len <= LINE_MOST && perfmap_parse(line, &r))
        take_record(m, &r);
    m->begun.len = 0;
    m->skips = false;
}

static void
take_block(struct livemap *m, struct span block)
{
    for (size_t end; (end = span_find(block, '\n')) != SPAN_NONE;) {
        take_line(m, span_head(block, end));
        block = span_from(block, end + 1);
    }
    text_add(&m->begun, block);
    if (m->begun.len > LINE_MOST) {
        m->begun.len = 0;
        m->skips = true;
    }
}

struct renumbering {
    struct intern *old, new;
};

static void
renumber(void *ctx, struct map *map)
{
    struct renumbering *r = ctx;
    map->dso = intern_add(&r->new, intern_text(r->old, map->dso));
}

/* Removes the names of code that was replaced: a program may make new functions without end. */
static void
remove_old_names(struct livemap *m)
{
    struct renumbering r = {.old = &m->names};
    maptree_each(m->tree, renumber, &r);
    maptree_each(m->late, renumber, &r);
    for (size_t i = m->next; i < m->count; i++)
        renumber(&r, &m->waiting[i].map);
    intern_free(&m->names);
    m->names = r.new;
    m->renumbered = true;
}

/* A process that begins the file again has begun again itself, by exec. */
static void
check_length(struct livemap *m)
{
    struct stat st;
    if (m->offset == 0 || fstat(m->fd, &st) != 0 || (uint64_t)st.st_size >= m->offset)
        return;
    m->offset = 0;
    m->begun.len = 0;
    m->truncated = true;
}

bool
livemap_read(struct livemap *m, uint64_t now)
{
    char block[BLOCK];
    size_t before = m->records;
    if (m->fd < 0)
        return false;
    check_length(m);
    for (;;) {
        ssize_t n = pread(m->fd, block, sizeof block, (off_t)m->offset);
        if (n <= 0 || m->offset > PERFMAP_MAX)
            break;
        m->offset += (uint64_t)n;
        take_block(m, span_of(block, (size_t)n));
    }
    m->read = now;
    if (m->names.count > 2 * (m->records - m->reused) + NAMES)
        remove_old_names(m);
    return m->records > before;
}

uint64_t
livemap_due(const struct livemap *m)
{
    return m->next < m->count ? m->waiting[m->next].time : UINT64_MAX;
}

void
livemap_advance(struct livemap *m, uint64_t time)
{
    while (livemap_due(m) <= time)
        maptree_insert(&m->nodes, &m->tree, &m->waiting[m->next++].map);
    if (m->next < m->count || m->count == 0)
        return;
    m->next = m->count = 0;
    maptree_drop(&m->nodes, m->late);
    m->late = NULL;
}

bool
livemap_find(const struct livemap *m, uint64_t addr, struct livemap_name *found)
{
    const struct map *map = maptree_find(m->tree, addr);
    if (map == NULL)
        map = maptree_find(m->late, addr);
    if (map == NULL)
        return false;
    *found = (struct livemap_name){.text = intern_text(&m->names, map->dso),
                                   .start = map->start - map->offset,
                                   .number = map->dso};
    return true;
}

void
livemap_free(struct livemap *m)
{
    if (m->fd >= 0)
        close(m->fd);
    free(m->begun.ptr);
    free(m->waiting);
    intern_free(&m->names);
    arena_free(&m->nodes.arena);
    *m = (struct livemap){.fd = -1};
}
