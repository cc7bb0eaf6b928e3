/* Writes perf.data from records of the kernel, for perf and perf-script to read. The layout is in
 * perfdata.h.
 *
 *     datawrite_open(w, fd, pipe, &about);
 *     in each round over the ring buffers:
 *         datawrite_record(w, bytes) for each record, then datawrite_round(w);
 *     datawrite_close(w);
 *
 * If the program ends before datawrite_close, perf-script reads such a file up to its end,
 * including the description of the recording; perf does not. */
#ifndef EVENT_DATAWRITE_H
#define EVENT_DATAWRITE_H

#include "common/event/perfdata.h"

/* The description of a recording. Everything is borrowed until datawrite_close; empty members and
 * zeros are not written. */
struct datawrite_about {
    const struct eventset *events; /* with their ids */
    struct span tracing;           /* formats of tracepoints, see tracing.h */
    const struct perfdata_build_id *build_ids;
    size_t nbuild_ids;
    struct span hostname, os_release, arch;
    struct span version; /* of the recorder */
    /* The recorder's arguments, each ended by a NUL, as in /proc/PID/cmdline. */
    struct span arguments;
    uint32_t cpus, cpus_online;
    uint64_t clock_resolution; /* nanoseconds; of the first event's clock */
};

struct datawrite {
    /* Why nothing is written any more: a write failed ("No space left on device"), or the format
     * cannot hold the events. NULL: no fault. */
    const char *fault;

    /* private from here */
    const struct datawrite_about *about;
    int fd;
    bool pipe;
    uint64_t attributes, start, at; /* offsets: of the attributes, of the data, of the next write */
    uint64_t features;              /* bits of the features; the table of their sections */
    struct text table;
    uint64_t first, last; /* times of samples */
    struct text buffer;   /* complete records */
};

/* Maximum number of ids of an event in a pipe: they are in one record, whose size has 16 bits. */
enum { DATAWRITE_PIPE_IDS = (RECORD_MAX - RECORD_HEADER - ATTR_SIZE) / 8 };

/* Begin to write to fd, which is at its start. With `pipe`, use the format that never seeks, like
 * perf record -o -. All functions here return false once w->fault is set. */
bool datawrite_open(struct datawrite *w, int fd, bool pipe, const struct datawrite_about *about);

/* Append a record of the kernel: at most RECORD_MAX bytes, a multiple of 8. */
bool datawrite_record(struct datawrite *w, struct span record);

/* End a round: later records are not earlier than the latest one of the previous round (see
 * order.h). Write what is buffered. */
bool datawrite_round(struct datawrite *w);

/* Complete the recording, close fd, and free *w, also after a fault. */
bool datawrite_close(struct datawrite *w);

#endif
