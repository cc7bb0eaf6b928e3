/* V8 writes the file with --perf-basic-prof (PerfBasicLogger in src/logging/log.cc); the format is
 * in tools/perf/Documentation/jit-interface.txt of the Linux source. */
#define _GNU_SOURCE /* pread */
#include "common/sym/perfmap.h"

#include <stdlib.h>
#include <unistd.h>

#include "common/base/num.h"

struct perfmap_entry {
    uint64_t start, end;
    uint32_t name;
};

#define REUSED 0x80000000u /* in perfmap.owner: several entries that differ cover the piece */

/* Takes the text before the first blank off *line. */
static struct span
take_field(struct span *line)
{
    size_t blank = span_find(*line, ' ');
    if (blank == SPAN_NONE)
        return SPAN("");
    struct span field = span_head(*line, blank);
    *line = span_from(*line, blank + 1);
    return field;
}

/* "7f1e2215d058 4c name with blanks"; Android writes "0x7f1e2215d058 0x4c name". */
bool
perfmap_parse(struct span line, struct perfmap_record *r)
{
    uint64_t size;
    if (span_ends(line, SPAN("\r")))
        line.len--;
    if (!num_hex(take_field(&line), &r->start) || !num_hex(take_field(&line), &size))
        return false;
    r->end = num_add(r->start, size > 0 ? size : 1);
    r->name = line;
    return line.len > 0;
}

bool
perfmap_read_line(int fd, uint64_t offset, struct text *buffer, struct perfmap_record *r)
{
    enum { MOSTLY = 512 }; /* bytes that most lines have */
    for (size_t want = MOSTLY;; want = PERFMAP_LINE) {
        buffer->ptr = mem_grow(buffer->ptr, &buffer->cap, want, 1);
        ssize_t n = pread(fd, buffer->ptr, want, (off_t)offset);
        struct span line = span_of(buffer->ptr, n > 0 ? (size_t)n : 0);
        size_t end = span_find(line, '\n');
        if (end != SPAN_NONE)
            return perfmap_parse(span_head(line, end), r);
        if (line.len < want)
            return perfmap_parse(line, r); /* the last line, without a newline */
        if (want == PERFMAP_LINE)
            return false;
    }
}

static int
compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* How many edges lie at or below the address. */
static size_t
edges_below(const struct perfmap *m, uint64_t addr)
{
    size_t low = 0, high = m->nedges;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->edges[middle] <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void
sort_edges(struct perfmap *m)
{
    size_t cap = 0, n = 0;
    m->edges = mem_grow(NULL, &cap, m->count * 2, sizeof *m->edges);
    for (size_t i = 0; i < m->count; i++) {
        m->edges[n++] = m->entries[i].start;
        m->edges[n++] = m->entries[i].end;
    }
    qsort(m->edges, n, sizeof *m->edges, compare);
    for (size_t i = 0; i < n; i++)
        if (m->nedges == 0 || m->edges[m->nedges - 1] != m->edges[i])
            m->edges[m->nedges++] = m->edges[i];
}

/* The first piece from `at` on that is not skipped; next[] shortens the path for the next call. */
static uint32_t
next_piece(uint32_t *next, uint32_t at)
{
    while (next[at] != at)
        at = next[at] = next[next[at]];
    return at;
}

static bool
same(const struct perfmap_entry *a, const struct perfmap_entry *b)
{
    return a->start == b->start && a->end == b->end && a->name == b->name;
}

/* Entry i covers the pieces from `at` to `end`. It takes those that no later entry has, and marks
 * the others as reused, which are then skipped. A piece of an entry equal to this one ends the
 * work: that one had all these pieces. So all calls together take at most two steps a piece. */
static void
take_pieces(struct perfmap *m, size_t i, uint32_t *next, uint32_t at, uint32_t end)
{
    for (at = next_piece(next, at); at < end; at = next_piece(next, at + 1)) {
        if (m->owner[at] == 0) {
            m->owner[at] = (uint32_t)i + 1;
        } else if (same(&m->entries[m->owner[at] - 1], &m->entries[i])) {
            return;
        } else {
            m->owner[at] |= REUSED;
            next[at] = at + 1;
        }
    }
}

/* Gives every piece between two edges to the last entry that covers it. */
static void
share_out(struct perfmap *m)
{
    size_t owner_cap = 0, next_cap = 0;
    uint32_t *next = mem_grow(NULL, &next_cap, m->nedges, sizeof *next);
    m->owner = mem_grow(NULL, &owner_cap, m->nedges, sizeof *m->owner);
    for (uint32_t i = 0; i < m->nedges; i++) {
        next[i] = i;
        m->owner[i] = 0;
    }
    for (size_t i = m->count; i-- > 0;) {
        uint32_t at = (uint32_t)edges_below(m, m->entries[i].start) - 1;
        uint32_t end = (uint32_t)edges_below(m, m->entries[i].end) - 1;
        take_pieces(m, i, next, at, end);
    }
    free(next);
}

void
perfmap_read(struct perfmap *m, struct lines *lines)
{
    struct span line;
    struct perfmap_record r;
    *m = (struct perfmap){0};
    while (lines_next(lines, &line)) {
        if (!perfmap_parse(line, &r)) {
            /* Also the rest of a name with a newline in it (Node 24: "RegExp.> src: 'a\nb'"). Like
             * perf, we know such a name by its first line. */
            if (m->skipped++ == 0)
                m->first_skipped = lines->number;
            continue;
        }
        if (m->count >= UINT32_MAX / 2) /* edges are numbered in 32 bits */
            mem_exhausted();
        m->entries = mem_grow(m->entries, &m->cap, m->count + 1, sizeof *m->entries);
        m->entries[m->count++] =
            (struct perfmap_entry){r.start, r.end, intern_add(&m->names, r.name)};
    }
    if (m->count > 0) {
        sort_edges(m);
        share_out(m);
    }
}

int
perfmap_open(const char *path, const struct regular *rules, const char **problem)
{
    struct regular limited = rules != NULL ? *rules : (struct regular){0};
    limited.no_link = true;
    limited.most = PERFMAP_MAX;
    return regular_open(path, &limited, problem);
}

const char *
perfmap_read_fd(int fd, void (*read)(void *ctx, struct lines *lines), void *ctx)
{
    struct lines lines = {0};
    lines_start(&lines, fd);
    read(ctx, &lines);
    int error = lines.error;
    lines_free(&lines);
    close(fd);
    return error != 0 ? strerror(error) : NULL;
}

static void
read_map(void *map, struct lines *lines)
{
    perfmap_read(map, lines);
}

const char *
perfmap_load(struct perfmap *m, int fd)
{
    const char *problem = perfmap_read_fd(fd, read_map, m);
    if (problem != NULL)
        perfmap_free(m);
    return problem;
}

/* What owner[] says of the address. */
static uint32_t
owner_at(const struct perfmap *m, uint64_t addr)
{
    size_t below = edges_below(m, addr);
    return below > 0 ? m->owner[below - 1] : 0;
}

bool
perfmap_find(const struct perfmap *m, uint64_t addr, struct span *name, uint64_t *start)
{
    uint32_t number = owner_at(m, addr) & ~REUSED;
    if (number == 0)
        return false;
    const struct perfmap_entry *e = &m->entries[number - 1];
    *name = intern_text(&m->names, e->name);
    *start = e->start;
    return true;
}

bool
perfmap_reused(const struct perfmap *m, uint64_t addr)
{
    return (owner_at(m, addr) & REUSED) != 0;
}

void
perfmap_free(struct perfmap *m)
{
    intern_free(&m->names);
    free(m->entries);
    free(m->edges);
    free(m->owner);
    *m = (struct perfmap){0};
}
