/*     PERF_RECORD_MMAP2 42/42: [0x5627b7ed2000(0xc1000) @ 0x2f000 fe:00 247101 0]: r-xp /bin/bash
 *     PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x1206448) @ 0xffffffff81000000]: x [kernel]_text
 *     PERF_RECORD_COMM exec: node:42/42
 *     PERF_RECORD_FORK(43:43):(42:42)
 *     PERF_RECORD_LOST lost 19
 *
 * The formats are those of perf_event__fprintf in tools/perf/util/event.c of the Linux source. */
#include "common/symbolize/showrecord.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "common/sym/dsofile.h"

enum { PROT_R = 1, PROT_W = 2, PROT_X = 4, SHARED = 1 }; /* of mmap(2), on Linux */

static void add(struct text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Append text as printf, at most 200 bytes. */
static void
add(struct text *out, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    text_add(out, span_of(text, (size_t)len < sizeof text ? (size_t)len : sizeof text - 1));
}

static void
add_place(struct text *out, const struct record_mmap *m)
{
    add(out, " %" PRId32 "/%" PRId32 ": [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64, (int32_t)m->pid,
        (int32_t)m->tid, m->addr, m->len, m->pgoff);
}

static void
show_mmap2(struct text *out, const struct record_mmap *m)
{
    add_place(out, m);
    if (m->build_id.len > 0) {
        add(out, " <");
        dsofile_add_build_id(out, m->build_id);
        add(out, ">]: ");
    } else {
        add(out, " %02" PRIx32 ":%02" PRIx32 " %" PRIu64 " %" PRIu64 "]: ", m->major, m->minor,
            m->inode, m->inode_generation);
    }
    add(out, "%c%c%c%c ", m->prot & PROT_R ? 'r' : '-', m->prot & PROT_W ? 'w' : '-',
        m->prot & PROT_X ? 'x' : '-', m->flags & SHARED ? 's' : 'p');
    text_add(out, m->file);
}

static const struct {
    uint32_t type;
    unsigned show;
    const char *name;
} types[] = {
    {PERF_RECORD_MMAP, SHOW_MMAP, "MMAP"},
    {PERF_RECORD_MMAP2, SHOW_MMAP, "MMAP2"},
    {PERF_RECORD_COMM, SHOW_TASK, "COMM"},
    {PERF_RECORD_FORK, SHOW_TASK, "FORK"},
    {PERF_RECORD_EXIT, SHOW_TASK, "EXIT"},
    {PERF_RECORD_LOST, SHOW_LOST, "LOST"},
    {PERF_RECORD_LOST_SAMPLES, SHOW_LOST, "LOST_SAMPLES"},
};

bool
showrecord(struct text *out, const struct record *r, unsigned show)
{
    size_t i = 0;
    while (i < sizeof types / sizeof *types && types[i].type != r->type)
        i++;
    if (i == sizeof types / sizeof *types || (types[i].show & show) == 0)
        return false;
    add(out, "PERF_RECORD_%s", types[i].name);
    switch (r->type) {
    case PERF_RECORD_MMAP:
        add_place(out, &r->mmap);
        add(out, "]: %c ", r->misc & PERF_RECORD_MISC_MMAP_DATA ? 'r' : 'x');
        text_add(out, r->mmap.file);
        break;
    case PERF_RECORD_MMAP2:
        show_mmap2(out, &r->mmap);
        break;
    case PERF_RECORD_COMM:
        add(out, "%s: ", r->misc & PERF_RECORD_MISC_COMM_EXEC ? " exec" : "");
        text_add(out, r->comm.comm);
        add(out, ":%" PRId32 "/%" PRId32, (int32_t)r->comm.pid, (int32_t)r->comm.tid);
        break;
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
        add(out, "(%" PRId32 ":%" PRId32 "):(%" PRId32 ":%" PRId32 ")", (int32_t)r->task.pid,
            (int32_t)r->task.tid, (int32_t)r->task.ppid, (int32_t)r->task.ptid);
        break;
    default:
        add(out, " lost %" PRIu64, r->lost);
    }
    return true;
}
