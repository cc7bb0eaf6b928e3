/* The file that -o or --text names. */
#ifndef STACKRECORD_OUTFILE_H
#define STACKRECORD_OUTFILE_H

#include <stdbool.h>

#include "common/base/diag.h"

struct outfile {
    const char *name; /* "-" is standard output */
    int fd;
    bool created;
};

/* Open the file, and keep its contents; the name is borrowed. As with perf, only its owner may read
 * a new one. Return false, after a message, if it cannot be written, or is another user's link or
 * FIFO, which anyone may put into /tmp. */
bool outfile_open(struct outfile *f, const char *name, struct diag *diag);

/* Return true if what is written cannot be changed later. */
bool outfile_is_pipe(const struct outfile *f);

/* Remove the old contents; a pipe or a device has none. Return false, with errno set, if that
 * fails. */
bool outfile_empty(const struct outfile *f);

/* Remove the file if outfile_open created it: to be called when nothing will be written. */
void outfile_drop(const struct outfile *f);

/* Return the file, for messages. */
struct place outfile_place(const struct outfile *f);

#endif
