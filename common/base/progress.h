/* A line on standard error that says how far a long read is: only where that is a terminal and the
 * input a regular file, and only after a second. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdint.h>
#include <time.h>

struct progress {
    const char *program;   /* borrowed */
    uint64_t done, total;  /* bytes; total 0: nothing is shown */
    struct timespec shown; /* when last; at first, when the read began */
};

/* Begins on the file behind fd. */
void progress_start(struct progress *p, const char *program, int fd);

/* So many bytes more are read. */
void progress_add(struct progress *p, uint64_t bytes);

/* Wipes the line, where one was shown. */
void progress_end(struct progress *p);

#endif
