/* A progress line on standard error, "prog: 12% of 340 MB", for a read that takes more than a
 * second. It is printed only if standard error is a terminal and the input a regular file. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdint.h>

struct progress {
    const char *program;  /* borrowed */
    uint64_t done, total; /* bytes; total 0: print nothing */
    uint64_t shown;       /* time when the line was last printed; at first, when the read began */
};

/* Start, for the file that is open as fd. */
void progress_start(struct progress *p, const char *program, int fd);

/* Count bytes read, and print the line if it is due. */
void progress_add(struct progress *p, uint64_t bytes);

/* Erase the line. */
void progress_end(struct progress *p);

#endif
