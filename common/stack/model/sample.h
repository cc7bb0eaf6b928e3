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

struct perf_header {
    /* Text as perf prints it, empty where the input lacks it. Of numbers only what was read as text,
     * so that it can be written unchanged. */
    struct span field[PERF_FIELDS];
    /* The numbers, and which there are: bits 1 << enum perf_field. */
    unsigned has;
    int64_t pid, tid; /* -1: perf does not know the task */
    int64_t cpu;      /* -1: none */
    uint64_t time;    /* nanoseconds */
    uint64_t period;
    bool is_text;     /* the numbers were read as text, and are printed as they were */
    bool nanoseconds; /* else the time is printed with nine decimal places, not six */
    /* perf pads event names to the length of the recording's longest; 0: not padded. */
    uint16_t event_width;
    /* Of an event recorded without callchains: perf sets the command right in 16 columns. */
    bool no_callchain;
};

/* Return true if the header has the number. */
static inline bool
perf_header_has(const struct perf_header *h, enum perf_field field)
{
    return (h->has >> field & 1) != 0;
}

/* The fields that are numbers. */
enum {
    PERF_NUMBERS = 1 << PERF_PID | 1 << PERF_TID | 1 << PERF_CPU | 1 << PERF_TIME | 1 << PERF_PERIOD
};

/* Set the wanted numbers, bits 1 << enum perf_field, from the texts. More than 64 bits saturate. */
void perf_header_parse_wanted(struct perf_header *h, unsigned wanted);

static inline void
perf_header_parse(struct perf_header *h, unsigned wanted)
{
    h->is_text = true;
    h->has = 0;
    if (wanted != 0)
        perf_header_parse_wanted(h, wanted);
}

/* Parse seconds, "4794564.109216", of which digits after the ninth decimal place are dropped, or an id,
 * "4242" or "-1". Return false on anything else. */
bool perf_time_parse(struct span text, uint64_t *ns);
bool perf_id_parse(struct span text, int64_t *id);

enum { PERF_NUMBER = 32 };

struct span perf_id_text(int64_t id, char text[static PERF_NUMBER]);

/* Return a number as text: as it was read, or else as perf prints it, written into `text`. Empty if
 * there is none. */
struct span perf_header_text(const struct perf_header *h, enum perf_field field,
                             char text[static PERF_NUMBER]);

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
