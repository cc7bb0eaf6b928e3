/* A sample, wherever it was read from: perf script text, perf.data, the kernel's ring buffer. */
#ifndef STACK_SAMPLE_H
#define STACK_SAMPLE_H

#include <stdint.h>

#include "common/base/span.h"

/* The fields of a sample's header, in the order in which perf script prints them. */
enum perf_field {
    PERF_COMM,
    PERF_PID,    /* "24636" of "24636/25607"; empty where only the thread is printed */
    PERF_TID,    /* "25607" */
    PERF_CPU,    /* the digits of "[000]" */
    PERF_FLAGS,  /* "d..1.", interrupt state and such, which some perf versions print */
    PERF_TIME,   /* "4794564.109216", seconds */
    PERF_PERIOD, /* "104345", without a unit */
    PERF_EVENT,  /* "cycles:u" */
    PERF_REST, /* what follows the event's colon, blanks included: a tracepoint's text, a cgroup */
    PERF_FIELDS
};

/* A field is text as perf prints it, and empty where the input lacks it. */
struct perf_header {
    struct span field[PERF_FIELDS];
    /* perf pads event names to the length of the recording's longest; 0: not padded. */
    uint16_t event_width;
    /* Of an event recorded without callchains: perf sets the command right in 16 columns. */
    bool no_callchain;
};

struct sample {
    struct perf_header header;
    size_t number;          /* of the input line where it begins, from 1 */
    const uint32_t *frames; /* frame numbers in the source's frametab, leaf first */
    size_t nframes;
    bool frame_in_header; /* frames[0] was printed on the header line, after PERF_REST */
    struct span tail;     /* what follows that frame on the line */
    bool blank;           /* a blank line follows it */
};

#endif
