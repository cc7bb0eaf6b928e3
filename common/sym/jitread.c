/* tools/perf/Documentation/jitdump-specification.txt of the Linux source. All numbers are in the
 * byte order of the process that wrote it; `|` separates fields, whose sizes are in brackets:
 *
 *     "DTiJ" | version[4] | header size[4] | machine[4] | 0[4] | pid[4] | time[8] | flags[8]
 *     type[4] | size with this head[4] | time[8]            each record begins so; then
 *     type 0, a load:
 *         pid[4] | tid[4] | vma[8] | address[8] | code size[8] | index[8] | name NUL | code
 *     type 1, a move:
 *         pid[4] | tid[4] | vma[8] | old[8] | new address[8] | code size[8] | index[8]
 *     type 2, source lines, before the load that they belong to (jitlines.h):
 *         address[8] | number[8] | entries
 *     type 3, the end; type 4, unwinding tables
 */
#include "common/sym/jitread.h"

#include <stdlib.h>

#include "common/base/text.h"

enum record_type { CODE_LOAD, CODE_MOVE, DEBUG_INFO };

enum {
    MAGIC = 0x4a695444,
    MAGIC_SWAPPED = 0x4454694a,
    FLAG_CPU_TIME = 1,
    NAME_MAX_LEN = 1 << 16 /* a longer name is cut */
};

struct file_head {
    uint32_t magic, version, size, machine, unused, pid;
    uint64_t time, flags;
};

struct record_head {
    uint32_t type, size;
    uint64_t time;
};

struct load_head {
    uint32_t pid, tid;
    uint64_t vma, addr, size, index;
};

struct move_head {
    uint32_t pid, tid;
    uint64_t vma, old_addr, addr, size, index;
};

struct lines_head {
    uint64_t addr, count;
};

/* What is read of the file, and the line table for the next load. */
struct reader {
    struct lines *in;
    uint64_t offset;
    uint64_t left; /* of the current record, in bytes */
    struct lines_head table;
    struct text entries;
    uint64_t least_line; /* how far at least the addresses of line numbers lie in their code */
    bool with_lines;
};

/* The next bytes of the record, at least one and at most `most`; empty at the end of the record or
 * the file. */
static struct span
peek(struct reader *r, size_t most)
{
    size_t want = most < r->left ? most : (size_t)r->left;
    struct span s = lines_ahead(r->in, want);
    return s.len > want ? span_head(s, want) : s;
}

static void
consume(struct reader *r, size_t n)
{
    lines_skip(r->in, n, 0);
    r->offset += n;
    r->left -= n;
}

/* Copies n bytes. False if the record or the file ends before. */
static bool
take(struct reader *r, void *to, size_t n)
{
    struct span s = peek(r, n);
    if (s.len < n)
        return false;
    memcpy(to, s.ptr, n);
    consume(r, n);
    return true;
}

/* Reads the record to its end, into `copy` unless it is NULL. False if the file ends before. */
static bool
take_rest(struct reader *r, struct text *copy)
{
    enum { BLOCK = 1 << 14 };
    while (r->left > 0) {
        struct span s = peek(r, BLOCK);
        if (s.len == 0)
            return false;
        if (copy != NULL)
            text_add(copy, s);
        consume(r, s.len);
    }
    return true;
}

static struct jitload *
add_load(struct jitdump *j, struct jitload load)
{
    j->loads = mem_grow(j->loads, &j->cap, j->count + 1, sizeof *j->loads);
    j->loads[j->count] = load;
    return &j->loads[j->count++];
}

/* Gives the load the table read before it, if that is of the same address. */
static void
add_lines(struct jitdump *j, struct reader *r, struct jitload *load)
{
    struct jitlines t = jitlines_of(text_span(&r->entries), r->table.count, r->table.addr);
    r->entries.len = 0;
    if (t.entries.len == 0 || t.addr != load->addr)
        return;
    uint64_t least = jitlines_least(&t);
    if (least < r->least_line)
        r->least_line = least;
    load->lines = (struct jitlines){arena_copy(&j->arena, t.entries), t.addr};
}

static bool
read_load(struct jitdump *j, struct reader *r, uint64_t time)
{
    struct load_head h;
    if (!take(r, &h, sizeof h))
        return false;
    struct span name = peek(r, NAME_MAX_LEN);
    size_t nul = span_find(name, '\0');
    if (nul != SPAN_NONE)
        name.len = nul;
    struct jitload *load = add_load(j, (struct jitload){.time = time,
                                                        .addr = h.addr,
                                                        .size = h.size,
                                                        .index = h.index,
                                                        .name = arena_copy(&j->arena, name),
                                                        .pid = (int32_t)h.pid});
    add_lines(j, r, load);
    return take_rest(r, NULL);
}

static bool
read_move(struct jitdump *j, struct reader *r, uint64_t time)
{
    struct move_head h;
    if (!take(r, &h, sizeof h))
        return false;
    add_load(j, (struct jitload){.time = time,
                                 .addr = h.addr,
                                 .size = h.size,
                                 .index = h.index,
                                 .pid = (int32_t)h.pid,
                                 .moved = true});
    return take_rest(r, NULL);
}

static bool
read_lines(struct reader *r)
{
    r->entries.len = 0;
    return take(r, &r->table, sizeof r->table) && take_rest(r, r->with_lines ? &r->entries : NULL);
}

/* Reads a record. False if there is no whole one. */
static bool
read_record(struct jitdump *j, struct reader *r)
{
    struct record_head h;
    r->left = sizeof h;
    if (!take(r, &h, sizeof h) || h.size < sizeof h)
        return false;
    r->left = h.size - sizeof h;
    switch (h.type) {
    case CODE_LOAD:
        return read_load(j, r, h.time);
    case CODE_MOVE:
        return read_move(j, r, h.time);
    case DEBUG_INFO:
        return read_lines(r);
    default:
        return take_rest(r, NULL);
    }
}

static const char *
read_head(struct jitdump *j, struct reader *r)
{
    struct file_head h;
    r->left = sizeof h;
    if (!take(r, &h, sizeof h))
        return "is too short for a jitdump";
    if (h.magic == MAGIC_SWAPPED)
        return "was written on a machine of the other byte order; read it there";
    if (h.magic != MAGIC || h.size < sizeof h)
        return "is not a jitdump";
    j->cpu_time = (h.flags & FLAG_CPU_TIME) != 0;
    r->left = h.size - sizeof h;
    return take_rest(r, NULL) ? NULL : "is too short for a jitdump";
}

const char *
jitread(struct jitdump *j, struct lines *in, bool with_lines)
{
    struct reader r = {.in = in, .with_lines = with_lines, .least_line = UINT64_MAX};
    const char *problem = read_head(j, &r);
    while (problem == NULL && lines_ahead(in, 1).len > 0) {
        uint64_t start = r.offset;
        if (!read_record(j, &r)) {
            j->damaged = start;
            break;
        }
    }
    if (r.least_line >= JITLINES_V8_OFFSET && r.least_line != UINT64_MAX)
        j->line_shift = JITLINES_V8_OFFSET;
    free(r.entries.ptr);
    return problem;
}
