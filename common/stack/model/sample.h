/* A sample from any input: perf script text, perf.data, the kernel's ring buffer. */
#ifndef STACK_SAMPLE_H
#define STACK_SAMPLE_H

#include <stdint.h>

#include "common/base/span.h"

/* The fields of a sample's header, in the order in which perf script prints them. */
enum perf_field {
    PERF_COMM,
    PERF_PID,    /* "24636" of "24636/25607"; empty if only the tid is printed */
    PERF_TID,    /* "25607" */
    PERF_CPU,    /* the digits of "[000]" */
    PERF_FLAGS,  /* "d..1.": interrupt state and such, printed by some perf versions */
    PERF_TIME,   /* "4794564.109216", seconds */
    PERF_PERIOD, /* "104345", without a unit */
    PERF_EVENT,  /* "cycles:u" */
    PERF_REST,   /* text after the event's colon, including blanks: a tracepoint's text, a cgroup */
    PERF_FIELDS
};

struct perf_header {
    /* Text as perf prints it, empty if the input lacks it. Numbers are set only if they were read
     * as text, so that they can be written unchanged. */
    struct span field[PERF_FIELDS];
    /* The numbers that are set: bits 1 << enum perf_field. */
    unsigned has;
    int64_t pid, tid; /* -1: unknown to perf */
    int64_t cpu;      /* -1: none */
    uint64_t time;    /* nanoseconds */
    uint64_t period;
    bool is_text;     /* the numbers were read as text, and are printed unchanged */
    bool nanoseconds; /* print the time with nine decimal places, not six */
    /* perf pads event names to the longest one of the recording; 0: not padded. */
    uint16_t event_width;
    /* An event recorded without callchains: perf right-aligns the command in 16 columns. */
    bool no_callchain;
};

/* Return true if the header has this number. */
static inline bool
perf_header_has(const struct perf_header *h, enum perf_field field)
{
    return (h->has >> field & 1) != 0;
}

/* The fields that are numbers. */
enum {
    PERF_NUMBERS = 1 << PERF_PID | 1 << PERF_TID | 1 << PERF_CPU | 1 << PERF_TIME | 1 << PERF_PERIOD
};

/* Parse the wanted numbers, bits 1 << enum perf_field, from the texts. Numbers of more than 64 bits
 * saturate. */
void perf_header_parse_wanted(struct perf_header *h, unsigned wanted);

static inline void
perf_header_parse(struct perf_header *h, unsigned wanted)
{
    h->is_text = true;
    h->has = 0;
    if (wanted != 0)
        perf_header_parse_wanted(h, wanted);
}

/* Parse seconds, "4794564.109216", ignoring digits after the ninth decimal place; or an id, "4242"
 * or "-1". Return false for anything else. */
bool perf_time_parse(struct span text, uint64_t *ns);
bool perf_id_parse(struct span text, int64_t *id);

enum { PERF_NUMBER = 32 };

struct span perf_id_text(int64_t id, char text[static PERF_NUMBER]);

/* Return a number as text: as in the input, or else as perf prints it, written into `text`. Empty
 * if there is none. */
struct span perf_header_text(const struct perf_header *h, enum perf_field field,
                             char text[static PERF_NUMBER]);

struct sample {
    struct perf_header header;
    size_t number;          /* line number in the input of its first line, from 1 */
    const uint32_t *frames; /* frame numbers in the source's frametab, leaf first */
    size_t nframes;
    bool frame_in_header; /* frames[0] was printed on the header line, after PERF_REST */
    struct span tail;     /* the text after that frame on the line */
    bool blank;           /* a blank line follows the sample */
};

#endif
