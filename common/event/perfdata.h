/* Reads perf.data, as perf record writes it to a file, and to a pipe with -o -. The layout is in
 * tools/perf/Documentation/perf.data-file-format.txt of the Linux source.
 *
 *     "PERFILE2", u64 104, attributes, data = records, feature sections   a file
 *     "PERFILE2", u64 16, records                                         a pipe
 *
 * The data of a file are read once, from their start to their end, and its other sections before
 * them by pread(2). A pipe is read as it streams. */
#ifndef EVENT_PERFDATA_H
#define EVENT_PERFDATA_H

#include "common/base/intern.h"
#include "common/base/lines.h"
#include "common/event/packed.h"
#include "common/event/record.h"

/* Features that describe a recording (tools/perf/util/header.h of the Linux source): sections of a
 * file, or records of a pipe. Those that are read or written, or that tell what cannot be read. */
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
    const char *what; /* "the data end inside a record"; NULL: nothing is */
    uint64_t offset;  /* in bytes from the start of the input; 0: the input as a whole */
    bool unpacked;    /* the offset is one among the records that were compressed */
};

/* A file in which samples were taken (feature 2; of a pipe, if perf inject -b added them). */
struct perfdata_build_id {
    uint16_t misc; /* & PERF_RECORD_MISC_CPUMODE_MASK */
    int32_t pid;   /* -1: the machine itself, not a guest */
    struct span id, file;
};

/* All spans are good until perfdata_free. */
struct perfdata {
    struct eventset events;
    struct span tracing;                 /* the tracing data (feature 1); empty: none */
    struct perfdata_build_id *build_ids; /* one for each file */
    size_t nbuild_ids;
    struct span os_release; /* of the recorded kernel, as uname -r prints it */
    struct span arch;       /* of the recorded machine, as uname -m prints it */
    /* Branches that the recorded processor keeps (LBR): the most that one of its kinds of core
     * does; 0: the recording does not say. */
    size_t branches;
    bool pipe;
    /* The recorder was killed: it has not written the size of the data; perf record has not written
     * the features either. The records are read up to the end of the file. */
    bool killed;
    uint64_t unknown; /* records of types that a later kernel or perf added: they are skipped */
    uint32_t unknown_type; /* of the first */
    /* The first of a file's sections that cannot be used: event names, build-ids or tracing data
     * are missing, but the records can be read. */
    struct perfdata_fault section;
    /* Set where perfdata_open returns false, and where perfdata_next stops before the end. */
    struct perfdata_fault fault;

    /* private from here */
    struct lines *lines;
    uint64_t at, end; /* offsets of the next record and of the end of the data */
    struct packed packed;
    bool
        unpacking; /* the input has ended, and the compressed records are read; offsets are theirs */
    struct perfdata_fault input_fault;
    struct arena arena;
    size_t build_id_cap;
    struct intern files; /* numbers are indexes of build_ids */
};

/* Return true if the text, PERFDATA_START bytes or more, begins as perf record -o - writes: it can
 * be read as it streams, and a file cannot. */
bool perfdata_streams(struct span text);

enum { PERFDATA_START = 16 };

/* Begin to read. `lines` stands at the start of the input, and is borrowed until perfdata_free; a
 * file's descriptor is moved as needed. False: `fault` says why it cannot be read, and what to do,
 * as a text to follow the file's name. perfdata_free is to be called all the same. */
bool perfdata_open(struct perfdata *p, struct lines *lines);

/* Give the next record of the kernel or FINISHED_ROUND, undecoded, and its offset, in the order of
 * the input. Records that describe the recording are used and not given; others that perf added
 * are skipped. The bytes are good until the next call. False at the end, and where the rest cannot
 * be read (`fault`). */
bool perfdata_next(struct perfdata *p, struct span *bytes, uint64_t *offset);

/* Return the build-id that the list has for a file; empty if it has none, or not yet: perf inject
 * may add build-ids anywhere in a pipe. */
struct span perfdata_build_id(const struct perfdata *p, struct span file);

/* Return the build-id that the list has for the kernel: as `image`, or under the path of a vmlinux
 * from which perf took its symbols. */
struct span perfdata_kernel_build_id(const struct perfdata *p, struct span image);

void perfdata_free(struct perfdata *p);

#endif
