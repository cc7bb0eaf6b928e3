/* Reads perf.data, as perf record writes it to a file, or to a pipe with -o -. The layout is
 * described in tools/perf/Documentation/perf.data-file-format.txt of the Linux source.
 *
 *     "PERFILE2", u64 104, attributes, data = records, feature sections   a file
 *     "PERFILE2", u64 16, records                                         a pipe
 *
 * The data of a file are read once, from start to end; before that, its other sections are read by
 * pread(2). A pipe is read as it streams. */
#ifndef EVENT_PERFDATA_H
#define EVENT_PERFDATA_H

#include "common/base/intern.h"
#include "common/base/lines.h"
#include "common/event/packed.h"
#include "common/event/record.h"

/* Features that describe a recording (tools/perf/util/header.h of the Linux source): sections of a
 * file, or records of a pipe. Only those that are read, written, or needed to explain what cannot
 * be read. */
enum {
    HEADER_TRACING_DATA = 1,
    HEADER_BUILD_ID = 2,
    HEADER_HOSTNAME = 3,
    HEADER_OSRELEASE = 4,
    HEADER_VERSION = 5,
    HEADER_ARCH = 6,
    HEADER_NRCPUS = 7,
    HEADER_CMDLINE = 11,
    HEADER_EVENT_DESC = 12,
    HEADER_AUXTRACE = 18,
    HEADER_SAMPLE_TIME = 21,
    HEADER_CLOCKID = 23,
    HEADER_DIR_FORMAT = 24,
    HEADER_CPU_PMU_CAPS = 28,
    HEADER_PMU_CAPS = 31,
    HEADER_FEAT_BITS = 256,
};

/* What is wrong with the input, and where. */
struct perfdata_fault {
    const char *what; /* such as "the data end inside a record"; NULL: no fault */
    uint64_t offset;  /* bytes from the start of the input; 0: the input as a whole */
    bool unpacked;    /* the offset is in the decompressed records */
};

/* A file in which samples were taken (feature 2; in a pipe, only if perf inject -b added it). */
struct perfdata_build_id {
    uint16_t misc; /* & PERF_RECORD_MISC_CPUMODE_MASK */
    int32_t pid;   /* -1: the host, not a guest */
    struct span id, file;
};

/* All spans are valid until perfdata_free. */
struct perfdata {
    struct eventset events;
    struct span tracing;                 /* the tracing data (feature 1); empty if there are none */
    struct perfdata_build_id *build_ids; /* one entry for each file */
    size_t nbuild_ids;
    struct span os_release; /* of the recorded kernel, as uname -r prints it */
    struct span arch;       /* of the recorded machine, as uname -m prints it */
    /* Number of branches that the recorded processor stores (LBR); of the kind of core with the
     * most. 0 if the recording does not tell. */
    size_t branches;
    bool pipe;
    /* The recorder was killed: the size of the data was not written, and by perf record no features
     * either. The records are read up to the end of the file. */
    bool killed;
    /* Number of records of types added by a later kernel or perf; they are skipped. */
    uint64_t unknown;
    uint32_t unknown_type; /* type of the first one */
    /* The first unusable section of a file: event names, build-ids or tracing data are missing, but
     * the records can be read. */
    struct perfdata_fault section;
    /* Set if perfdata_open returns false, or if perfdata_next stops before the end. */
    struct perfdata_fault fault;

    /* private from here */
    struct lines *lines;
    uint64_t at, end; /* offsets of the next record and of the end of the data */
    struct packed packed;
    bool unpacking; /* reading the compressed records, after the input; offsets are in these */
    struct perfdata_fault input_fault;
    struct arena arena;
    size_t build_id_cap;
    struct intern files; /* the number of a file is its index in build_ids */
};

/* Return true if the text, at least PERFDATA_START bytes, begins like the output of perf record -o
 * -. This can be read as it streams; a file cannot. */
bool perfdata_streams(struct span text);

enum { PERFDATA_START = 16 };

/* Begin to read. `lines` is at the start of the input, and is borrowed until perfdata_free; the
 * offset of a file's descriptor is moved as needed. If the input cannot be read, return false, and
 * set `fault` to the reason and what to do, to follow the file's name. Call perfdata_free in any
 * case. */
bool perfdata_open(struct perfdata *p, struct lines *lines);

/* Read the next record of the kernel or FINISHED_ROUND, undecoded, and its offset, in the order of
 * the input. Records that describe the recording are used and not returned; others that perf added
 * are skipped. The bytes are valid until the next call. Return false at the end, or if the rest
 * cannot be read (`fault`). */
bool perfdata_next(struct perfdata *p, struct span *bytes, uint64_t *offset);

/* Return the recorded build-id of a file; empty if there is none, or none yet: perf inject may add
 * build-ids anywhere in a pipe. */
struct span perfdata_build_id(const struct perfdata *p, struct span file);

/* Return the recorded build-id of the kernel, listed as `image` or as the path of a vmlinux from
 * which perf took its symbols. */
struct span perfdata_kernel_build_id(const struct perfdata *p, struct span image);

void perfdata_free(struct perfdata *p);

#endif
