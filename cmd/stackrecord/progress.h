/* A line on standard error, if that is a terminal:
 *
 *     stackrecord: 12 s, 198 samples/s, 0 lost, 3 processes, ring 4%
 */
#ifndef STACKRECORD_PROGRESS_H
#define STACKRECORD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* What it shows: sums since the recording began. */
struct progress_facts {
    uint64_t nanoseconds, samples, lost, processes;
    unsigned fill; /* percents of the fullest ring buffer */
};

struct progress_line {
    bool wanted;
    struct progress_facts shown; /* last */
};

void progress_line_init(struct progress_line *p);

/* Shows the line if the last one is a second old. */
void progress_line_show(struct progress_line *p, const struct progress_facts *now);

/* Erases it. */
void progress_line_end(struct progress_line *p);

#endif
