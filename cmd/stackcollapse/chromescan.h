/* Reads an event of a Chrome trace where it lies in the buffer, without making items of its JSON:
 * most events can be read so, in a fraction of the time. */
#ifndef STACKCOLLAPSE_CHROMESCAN_H
#define STACKCOLLAPSE_CHROMESCAN_H

#include "cmd/stackcollapse/chromeevent.h"

/* Reads the next element of the array that is open in j into *e, whose name stays in the buffer;
 * for json_consume: where it ends, and in *lines how many line ends it has. NULL, for json_next to
 * read it, if it is not an object, not all buffered, wrong, or has members twice or strings that
 * must be decoded; then *e is of no use. */
const char *chromescan_event(struct chromeevent *e, struct json *j, size_t *lines);

#endif
