/* Reads perf.data, as perf record writes it to a file, and to a pipe with -o -. The layout is in
 * tools/perf/Documentation/perf.data-file-format.txt of the Linux source.
 *
 *     "PERFILE2", u64 16, records                                         a pipe
 *     "PERFILE2", u64 104, attributes, data = records, feature sections   a file
 *
 * A file is read from its data section's start to its end, once; its other sections before that by
 * pread(2). A pipe is read as it streams. */
#ifndef EVENT_PERFDATA_H
#define EVENT_PERFDATA_H

#include "common/base/lines.h"
#include "common/event/record.h"

/* What is wrong with the input, and where. */
struct perfdata_fault {
    const char *what; /* NULL: nothing. "the record says that it has 4 bytes, and 8 is the least" */
    uint64_t offset;  /* in bytes from the start of the input */
};

/* A file that samples hit, and its build-id (feature 2). */
struct perfdata_build_id {
    uint16_t misc; /* & MISC_CPUMODE */
    int32_t pid;   /* -1: the host's */
    struct span id, file;
};

struct perfdata {
    struct eventset events;
    struct span tracing; /* the tracing data (feature 1); empty: none */
    struct perfdata_build_id *build_ids;
    size_t nbuild_ids;
    struct span hostname, os_release, arch, version; /* of the recording; version: perf's */
    struct span cmdline;                             /* its arguments joined by blanks */
    bool pipe;
    /* perf record was killed: it did not write the size of the data, nor the features behind
     * them. The records are read to the end of the file. */
    bool killed;
    /* Of the sections around the data, the first that cannot be used; without it names, build-ids
     * or tracing data are missing. */
    struct perfdata_fault section;
    /* Set by perfdata_next. */
    struct perfdata_fault fault;

    /* private from here */
    struct lines *lines;
    uint64_t at, end; /* the next record's offset, and the data's end */
    struct arena arena;
    size_t build_ids_cap;
};

/* True if the text begins as perf.data does, in either byte order. Eight bytes decide. */
bool perfdata_magic(struct span text);

/* Begins to read; `lines` stands at the start of the input, and is borrowed until perfdata_free. Of
 * a file it may have read ahead: the descriptor is positioned anew. Returns NULL, or why it cannot
 * be read and what to do, to be printed after the file's name: "was recorded with -z: record
 * without". */
const char *perfdata_open(struct perfdata *p, struct lines *lines);

enum perfdata_item {
    PERFDATA_END, /* of the data; if fault.what is set, it ends too early or the rest cannot be read
                   */
    PERFDATA_RECORD, /* *bytes is a record of the kernel or a FINISHED_ROUND */
};

/* Gives the next record, undecoded, in the order of the input, and its offset there. Records that
 * describe the recording are used and not given. The bytes are good until the next call. */
enum perfdata_item perfdata_next(struct perfdata *p, struct span *bytes, uint64_t *offset);

void perfdata_free(struct perfdata *p);

#endif
