#include "common/sym/jitdump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/intern.h"
#include "common/base/num.h"
#include "common/sym/jitread.h"

/* Gives code that was moved the name and lines of the load with its index, the last one before it.
 * Moves of code that was never loaded are removed. */
static void
name_moves(struct jitdump *j)
{
    struct intern indexes = {0};
    size_t *latest = mem_alloc((j->count + 1) * sizeof *latest), kept = 0;
    for (size_t i = 0; i < j->count; i++) {
        struct jitload load = j->loads[i];
        struct span key = span_of((const char *)&load.index, sizeof load.index);
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

/* By time. Loads of one time keep the order of the file, which their addresses in memory have. */
static int
compare(const void *a, const void *b)
{
    const struct jitload *x = *(struct jitload *const *)a, *y = *(struct jitload *const *)b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : (x > y) - (x < y);
}

static bool
is_sorted(const struct jitdump *j)
{
    for (size_t i = 1; i < j->count; i++)
        if (j->loads[i - 1].time > j->loads[i].time)
            return false;
    return true;
}

/* Threads may write their records in another order than that of their times. */
static void
sort_loads(struct jitdump *j)
{
    if (is_sorted(j))
        return;
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

static bool
has_moves(const struct jitdump *j)
{
    for (size_t i = 0; i < j->count; i++)
        if (j->loads[i].moved)
            return true;
    return false;
}

const char *
jitdump_read(struct jitdump *j, struct lines *in, bool with_lines)
{
    *j = (struct jitdump){0};
    const char *problem = jitread(j, in, with_lines);
    if (has_moves(j))
        name_moves(j);
    sort_loads(j);
    return problem;
}

const char *
jitdump_load(struct jitdump *j, int fd, bool with_lines)
{
    struct lines in = {0};
    lines_start(&in, fd);
    const char *problem = jitdump_read(j, &in, with_lines);
    int error = in.error;
    lines_free(&in);
    close(fd);
    if (error == 0)
        return problem;
    jitdump_free(j);
    return strerror(error);
}

bool
jitdump_names_pid(struct span path, int32_t *pid)
{
    uint64_t value;
    size_t slash = span_rfind(path, '/');
    struct span name = slash != SPAN_NONE ? span_from(path, slash + 1) : path;
    if (!span_starts(name, SPAN("jit-")) || !span_ends(name, SPAN(".dump")) ||
        name.len < strlen("jit-.dump"))
        return false;
    if (!num_u64(span_of(name.ptr + 4, name.len - strlen("jit-.dump")), &value) ||
        value > INT32_MAX)
        return false;
    *pid = (int32_t)value;
    return true;
}

struct span
jitdump_dso(struct arena *a, struct span path, const struct jitload *load)
{
    char file[64];
    size_t slash = span_rfind(path, '/');
    struct span dir = slash != SPAN_NONE ? span_head(path, slash) : SPAN(".");
    size_t len = (size_t)snprintf(file, sizeof file, "/jitted-%d-%" PRIu64 ".so", (int)load->pid,
                                  load->index);
    char *text = arena_text(a, dir.len + len);
    if (dir.len > 0)
        memcpy(text, dir.ptr, dir.len);
    memcpy(text + dir.len, file, len);
    return span_of(text, dir.len + len);
}

bool
jitdump_line(const struct jitdump *j, const struct jitload *load, uint64_t addr,
             struct jitline *found)
{
    return jitlines_find(&load->lines, addr - load->addr, j->line_shift, found);
}

void
jitdump_free(struct jitdump *j)
{
    free(j->loads);
    arena_free(&j->arena);
    *j = (struct jitdump){0};
}
