/* The format: tools/perf/Documentation/jitdump-specification.txt of the Linux source. All numbers
 * are in the byte order of the writing process; `|` separates fields, with their sizes in brackets:
 *
 *     "DTiJ" | version[4] | header size[4] | machine[4] | 0[4] | pid[4] | time[8] | flags[8]
 *     type[4] | size with this head[4] | time[8]            each record begins so; then
 *     type 0, a load:
 *         pid[4] | tid[4] | vma[8] | address[8] | code size[8] | index[8] | name NUL | code
 *     type 1, a move:
 *         pid[4] | tid[4] | vma[8] | old[8] | new address[8] | code size[8] | index[8]
 *     type 2, source lines, before the load that they belong to:
 *         address[8] | number[8] | entries: address[8] | line[4] | column[4] | file name NUL
 *         the file name "\xff" repeats that of the entry before
 *     type 3, the end; type 4, unwinding tables
 */
#include "common/sym/jitdump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/intern.h"
#include "common/base/lines.h"
#include "common/base/num.h"
#include "common/base/text.h"

/* Source lines */

enum { FILE_MAX_LEN = 4096 }; /* PATH_MAX */

struct entry_head {
    uint64_t addr;
    uint32_t line, column;
};

/* Return true if the text begins with an entry of an address in the code. */
static bool
is_entry(struct span text, const struct jitlines *t)
{
    struct entry_head head;
    if (text.len < sizeof head)
        return false;
    memcpy(&head, text.ptr, sizeof head);
    uint64_t offset = head.addr - t->addr;
    return offset <= t->size || offset - JITDUMP_V8_LINES <= t->size;
}

/* Return the end of the file name at the start of the text, or SPAN_NONE if there is no NUL. V8
 * (Node 18 to 24) writes names from freed memory: pointers, which contain NULs, have replaced the
 * first 16 bytes. So the name ends at a NUL that is followed by an entry or by the end of the
 * table. If there is none, it ends at the first NUL. */
static size_t
name_end(struct span text, const struct jitlines *t)
{
    enum { SPOILT = 16 };
    size_t first = span_find(text, '\0'), at = first;
    while (at != SPAN_NONE) {
        struct span rest = span_from(text, at + 1);
        if (rest.len < sizeof(struct entry_head) || is_entry(rest, t))
            return at;
        rest.len = rest.len < FILE_MAX_LEN ? rest.len : FILE_MAX_LEN;
        size_t next = at < SPOILT ? span_find(rest, '\0') : SPAN_NONE;
        at = next != SPAN_NONE ? at + 1 + next : SPAN_NONE;
    }
    return first;
}

/* Remove the first entry from the text. Before the call, *file is the file name of the previous
 * entry. Return false if no complete entry is left. */
static bool
take_entry(struct span *text, const struct jitlines *t, struct entry_head *head, struct span *file)
{
    if (text->len < sizeof *head)
        return false;
    memcpy(head, text->ptr, sizeof *head);
    struct span name = span_from(*text, sizeof *head);
    size_t end = name_end(name, t);
    if (end == SPAN_NONE)
        return false;
    *text = span_from(name, end + 1);
    name.len = end;
    if (!span_eq(name, SPAN("\xff")))
        *file = name;
    return true;
}

/* Set the table's entries: the first `count` in the bytes, or fewer if there are not so many.
 * Borrow the bytes. */
static void
set_entries(struct jitlines *t, struct span bytes, uint64_t count)
{
    struct span rest = bytes, file = SPAN("");
    struct entry_head head;
    while (count > 0 && take_entry(&rest, t, &head, &file))
        count--;
    t->entries = span_head(bytes, bytes.len - rest.len);
}

/* Return the distance from the start of the code to the lowest address of an entry, or UINT64_MAX
 * if there is none. */
static uint64_t
least_line(const struct jitlines *t)
{
    uint64_t least = UINT64_MAX;
    struct span rest = t->entries, file = SPAN("");
    struct entry_head head;
    while (take_entry(&rest, t, &head, &file))
        if (head.addr - t->addr < least)
            least = head.addr - t->addr;
    return least;
}

/* Records */

enum record_type { CODE_LOAD, CODE_MOVE, DEBUG_INFO };

enum {
    MAGIC = 0x4a695444,
    MAGIC_SWAPPED = 0x4454694a,
    FLAG_CPU_TIME = 1,
    NAME_MAX_LEN = 1 << 16 /* longer names are cut */
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

/* The state of reading a file, and the line table for the next load. */
struct reader {
    struct lines *in;
    uint64_t offset;
    uint64_t left; /* bytes left of the current record */
    struct lines_head table;
    struct text entries;
    uint64_t least_line; /* smallest distance of a line's address from the start of its code */
    bool with_lines;
};

/* Return the next bytes of the record, at least one and at most `most`. Return nothing at the end
 * of the record or the file. */
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

/* Copy n bytes. Return false if the record or the file ends before. */
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

/* Read the rest of the record, into `copy` unless it is NULL. Return false if the file ends
 * before. */
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

/* Attach the last table to the load if both have the same address. */
static void
add_lines(struct jitdump *j, struct reader *r, struct jitload *load)
{
    struct jitlines t = {.addr = load->addr, .size = load->size};
    if (r->table.addr == load->addr)
        set_entries(&t, text_span(&r->entries), r->table.count);
    r->entries.len = 0;
    if (t.entries.len == 0)
        return;
    uint64_t least = least_line(&t);
    if (least < r->least_line)
        r->least_line = least;
    t.entries = arena_copy(&j->arena, t.entries);
    load->lines = t;
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

/* Read a record. Return false if there is no complete one. */
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
check_head(const struct file_head *h)
{
    if (h->magic == MAGIC_SWAPPED)
        return "was written on a machine of the other byte order; read it there";
    return h->magic != MAGIC || h->size < sizeof *h ? "is not a jitdump" : NULL;
}

static const char *
read_head(struct jitdump *j, struct reader *r)
{
    struct file_head h;
    r->left = sizeof h;
    if (!take(r, &h, sizeof h))
        return "is too short for a jitdump";
    const char *problem = check_head(&h);
    if (problem != NULL)
        return problem;
    j->cpu_time = (h.flags & FLAG_CPU_TIME) != 0;
    r->left = h.size - sizeof h;
    return take_rest(r, NULL) ? NULL : "is too short for a jitdump";
}

/* Append the loads, in the order of the file. Set cpu_time, damaged and line_shift. A move is a
 * load without a name; `moved` is set. Return NULL, or what is wrong with the whole file. */
static const char *
read_records(struct jitdump *j, struct lines *in, bool with_lines)
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
    if (r.least_line >= JITDUMP_V8_LINES && r.least_line != UINT64_MAX)
        j->line_shift = JITDUMP_V8_LINES;
    free(r.entries.ptr);
    return problem;
}

/* Loads in the order of time */

/* Give moved code the name and lines of the last load with the same index. Remove moves of code
 * that was never loaded. */
static void
name_moves(struct jitdump *j)
{
    struct intern indexes = {0};
    size_t *latest = mem_alloc((j->count + 1) * sizeof *latest), kept = 0;
    for (size_t i = 0; i < j->count; i++) {
        struct jitload load = j->loads[i];
        struct span key = SPAN_BYTES(load.index);
        uint32_t n = load.moved ? intern_find(&indexes, key) : intern_add(&indexes, key);
        if (n == INTERN_NONE)
            continue;
        if (load.moved) {
            load.name = j->loads[latest[n]].name;
            load.lines = j->loads[latest[n]].lines;
        } else {
            latest[n] = kept;
        }
        j->loads[kept++] = load;
    }
    j->count = kept;
    intern_free(&indexes);
    free(latest);
}

/* Order by time. Loads with the same time keep the order of the file, which is that of their
 * addresses in memory. */
static int
compare(const void *a, const void *b)
{
    const struct jitload *x = *(struct jitload *const *)a, *y = *(struct jitload *const *)b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : (x > y) - (x < y);
}

/* Sort the loads by time. Threads may write records in another order. */
static void
sort_loads(struct jitdump *j)
{
    const struct jitload **order = mem_alloc(j->count * sizeof *order);
    for (size_t i = 0; i < j->count; i++)
        order[i] = &j->loads[i];
    qsort(order, j->count, sizeof *order, compare);
    struct jitload *sorted = mem_alloc(j->count * sizeof *sorted);
    for (size_t i = 0; i < j->count; i++)
        sorted[i] = *order[i];
    free(order);
    free(j->loads);
    j->loads = sorted;
    j->cap = j->count;
}

const char *
jitdump_load(struct jitdump *j, struct regular_file *f, bool with_lines)
{
    struct lines in = {0};
    *j = (struct jitdump){0};
    regular_lines(f, &in);
    const char *problem = read_records(j, &in, with_lines);
    int error = in.error;
    lines_free(&in);
    regular_close(f);
    if (error != 0)
        jitdump_free(j);
    name_moves(j);
    sort_loads(j);
    return error != 0 ? regular_error(error) : problem;
}

/* A dump that grows */

const char *
jitdump_parse_head(struct span start, uint64_t *size, bool *cpu_time)
{
    struct file_head h;
    *size = 0;
    if (start.len < sizeof h)
        return NULL;
    memcpy(&h, start.ptr, sizeof h);
    const char *problem = check_head(&h);
    if (problem == NULL)
        *size = h.size;
    *cpu_time = (h.flags & FLAG_CPU_TIME) != 0;
    return problem;
}

static void
parse_load(struct span fields, struct jitrecord *r)
{
    struct load_head h;
    memcpy(&h, fields.ptr, sizeof h);
    r->type = JITRECORD_LOAD;
    r->addr = h.addr;
    r->len = h.size;
    r->index = h.index;
    r->pid = (int32_t)h.pid;
    r->name = span_before(span_from(fields, sizeof h), '\0');
}

static void
parse_move(struct span fields, struct jitrecord *r)
{
    struct move_head h;
    memcpy(&h, fields.ptr, sizeof h);
    r->type = JITRECORD_MOVE;
    r->addr = h.addr;
    r->len = h.size;
    r->index = h.index;
    r->pid = (int32_t)h.pid;
    r->old = h.old_addr;
}

/* Return the size of the fields before the name, in bytes. */
static size_t
fields_size(uint32_t type)
{
    switch (type) {
    case CODE_LOAD:
        return sizeof(struct load_head);
    case CODE_MOVE:
        return sizeof(struct move_head);
    default:
        return 0;
    }
}

bool
jitdump_parse(struct span bytes, struct jitrecord *r)
{
    struct record_head h;
    if (bytes.len < sizeof h)
        return false;
    memcpy(&h, bytes.ptr, sizeof h);
    size_t size = fields_size(h.type), most = h.size < JITDUMP_RECORD ? h.size : JITDUMP_RECORD;
    bool sound = h.size >= sizeof h + size, whole = bytes.len >= most;
    *r = (struct jitrecord){.size = sound ? h.size : 0, .time = h.time};
    if (!sound || size == 0)
        return true;
    struct span fields = span_from(span_head(bytes, whole ? most : bytes.len), sizeof h);
    if (fields.len < size ||
        (h.type == CODE_LOAD && !whole && span_find(span_from(fields, size), '\0') == SPAN_NONE))
        return false;
    if (h.type == CODE_LOAD)
        parse_load(fields, r);
    else
        parse_move(fields, r);
    return true;
}

bool
jitdump_read(struct regular_file *f, uint64_t offset, struct text *buffer, struct jitrecord *r)
{
    enum { MOSTLY = 512 }; /* bytes that are enough for most records */
    for (size_t want = MOSTLY;; want = JITDUMP_RECORD) {
        buffer->ptr = mem_grow(buffer->ptr, &buffer->cap, want, 1);
        ssize_t n = regular_read(f, offset, buffer->ptr, want, NULL);
        if (jitdump_parse(span_of(buffer->ptr, n > 0 ? (size_t)n : 0), r))
            return r->size > 0;
        if (n < (ssize_t)want || want == JITDUMP_RECORD)
            return false;
    }
}

bool
jitdump_names_pid(struct span path, int32_t *pid)
{
    uint64_t value, thread;
    size_t slash = span_rfind(path, '/');
    struct span name = slash != SPAN_NONE ? span_from(path, slash + 1) : path;
    if (!span_starts(name, SPAN("jit-")) || !span_ends(name, SPAN(".dump")) ||
        name.len < strlen("jit-.dump"))
        return false;
    struct span number = span_of(name.ptr + 4, name.len - strlen("jit-.dump"));
    size_t dash = span_find(number, '-');
    if (dash != SPAN_NONE && !num_u64(span_head(number, dash), &thread))
        return false;
    if (dash != SPAN_NONE)
        number = span_from(number, dash + 1);
    if (!num_u64(number, &value) || value > INT32_MAX)
        return false;
    *pid = (int32_t)value;
    return true;
}

struct span
jitdump_dso(struct text *name, struct span path, int32_t pid, uint64_t index)
{
    char file[64];
    size_t slash = span_rfind(path, '/');
    size_t len = (size_t)snprintf(file, sizeof file, "/jitted-%d-%" PRIu64 ".so", (int)pid, index);
    text_set(name, slash != SPAN_NONE ? span_head(path, slash) : SPAN("."));
    text_add(name, span_of(file, len));
    return text_span(name);
}

bool
jitdump_line(const struct jitdump *j, const struct jitload *load, uint64_t addr,
             struct jitline *found)
{
    uint64_t offset = addr - load->addr,
             best = UINT64_MAX; /* distance from the entry to the address, in bytes */
    struct span rest = load->lines.entries, file = SPAN("");
    struct entry_head head;
    while (take_entry(&rest, &load->lines, &head, &file)) {
        uint64_t at = head.addr - load->lines.addr - j->line_shift;
        if (at > offset || offset - at > best)
            continue;
        best = offset - at;
        *found = (struct jitline){file, head.line, head.column};
    }
    return best != UINT64_MAX;
}

void
jitdump_free(struct jitdump *j)
{
    free(j->loads);
    arena_free(&j->arena);
    *j = (struct jitdump){0};
}
