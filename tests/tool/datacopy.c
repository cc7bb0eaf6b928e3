/* Copies a recording record by record, as stackrecord writes one: datacopy FROM TO. TO may be "-",
 * a pipe. With a third argument it ends without completing the copy, after so many samples. */
#include "common/event/datawrite.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct lines lines;

static int
fail(const char *name, const char *what)
{
    fprintf(stderr, "datacopy: %s: %s\n", name, what);
    return 1;
}

static struct datawrite_about
about_of(const struct perfdata *p)
{
    return (struct datawrite_about){
        .events = &p->events,
        .tracing = p->tracing,
        .build_ids = p->build_ids,
        .nbuild_ids = p->nbuild_ids,
        .os_release = p->os_release,
        .version = SPAN("1"),
        .arguments = SPAN("datacopy"),
        .cpus = 1,
        .cpus_online = 1,
        .clock_resolution = 1,
    };
}

static void
copy(struct perfdata *p, struct datawrite *w, struct span record, long most)
{
    uint64_t offset;
    do {
        uint32_t type = load_u32(record.ptr);
        if (type == PERF_RECORD_FINISHED_ROUND)
            datawrite_round(w);
        else
            datawrite_record(w, record);
        most -= type == PERF_RECORD_SAMPLE;
        if (most == 0) {
            datawrite_round(w);
            _exit(0);
        }
    } while (perfdata_next(p, &record, &offset));
}

int
main(int argc, char *argv[])
{
    struct perfdata p;
    struct datawrite w;
    struct span record;
    uint64_t offset;
    int from = open(argv[1], O_RDONLY), to = STDOUT_FILENO;
    bool pipe = strcmp(argv[2], "-") == 0;
    lines_start(&lines, from);
    /* In a pipe the events come before the first record. */
    if (!perfdata_open(&p, &lines) || !perfdata_next(&p, &record, &offset))
        return fail(argv[1], p.fault.what);
    if (!pipe)
        to = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0666);
    struct datawrite_about about = about_of(&p);
    if (datawrite_open(&w, to, pipe, &about))
        copy(&p, &w, record, argc > 3 ? atol(argv[3]) : LONG_MAX);
    if (!datawrite_close(&w))
        return fail(argv[2], w.fault);
    return p.fault.what != NULL ? fail(argv[1], p.fault.what) : 0;
}
