/* Writes perf.data from records as the kernel lays them out, for perf and perf-script to read. The
 * layout is in perfdata.h.
 *
 *     datawrite_open(w, fd, pipe, &about);
 *     in each round over the ring buffers:
 *         datawrite_record(w, bytes) for each record, then datawrite_round(w);
 *     datawrite_close(w);
 *
 * If the program ends before datawrite_close, perf-script reads a file up to its end, with all that
 * describes the recording; perf does not. */
#ifndef EVENT_DATAWRITE_H
#define EVENT_DATAWRITE_H

#include "common/event/perfdata.h"

/* What describes a recording. All of it is borrowed until datawrite_close; what is empty or 0 is
 * not written. */
struct datawrite_about {
    const struct eventset *events; /* with their ids */
    struct span tracing;           /* the formats of tracepoints, see tracing.h */
    const struct perfdata_build_id *build_ids;
    size_t nbuild_ids;
    struct span hostname, os_release, arch;
    struct span version;   /* of the recorder */
    struct span arguments; /* its command line: each ended by a NUL, as in /proc/PID/cmdline */
    uint32_t cpus, cpus_online;
    uint64_t clock_resolution; /* nanoseconds, of the clock of the first event */
};

struct datawrite {
    /* Why nothing is written any more: a write failed ("No space left on device"), or the format
     * cannot hold the events. NULL: nothing is wrong. */
    const char *fault;

    /* private from here */
    const struct datawrite_about *about;
    int fd;
    bool pipe;
    uint64_t attributes, start, at; /* offsets: of these, of the data, of what is written next */
    uint64_t features;              /* bits, and the table of their sections */
    struct text table;
    uint64_t first, last; /* times of samples */
    struct text buffer;   /* whole records */
};

/* The most ids of an event in a pipe, where they are in one record, whose size has 16 bits. */
enum { DATAWRITE_PIPE_IDS = (RECORD_MAX - RECORD_HEADER - ATTR_SIZE) / 8 };

/* Begin to write to fd, which stands at its start. `pipe` chooses the format in which nothing is
 * written twice, as perf record -o - does. Each function here returns false if w->fault is set,
 * also by one before it. */
bool datawrite_open(struct datawrite *w, int fd, bool pipe, const struct datawrite_about *about);

/* Append a record of the kernel, at most RECORD_MAX bytes and a multiple of 8. */
bool datawrite_record(struct datawrite *w, struct span record);

/* End a round: no record that follows is earlier than the latest one of the round before (see
 * order.h). What is buffered is written. */
bool datawrite_round(struct datawrite *w);

/* Complete the recording, close fd, and free what w has, also after a fault. */
bool datawrite_close(struct datawrite *w);

#endif
