/* What perf.data begins with, before the records. For datawrite.c. */
#ifndef EVENT_DATASTART_H
#define EVENT_DATASTART_H

#include "common/event/datawrite.h"

enum { DATASTART_HEADER = 104 }; /* bytes */

/* Appends what a file begins with, and sets w->attributes, features, table and start. As long as
 * the recording is not complete its header says that the data are empty, and where the table of
 * features stands. */
void datastart_file(struct datawrite *w, struct text *t);

/* Encodes the header of a complete file with `size` bytes of data. */
void datastart_header(const struct datawrite *w, uint64_t size,
                      char header[static DATASTART_HEADER]);

/* Appends what a pipe begins with. Returns NULL, or why the format cannot hold it. */
const char *datastart_pipe(const struct datawrite_about *about, struct text *t);

#endif
