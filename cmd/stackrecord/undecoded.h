/* Passes decoded records on as the bytes that they were decoded from: for perf.data, where records
 * had to be filtered. */
#ifndef STACKRECORD_UNDECODED_H
#define STACKRECORD_UNDECODED_H

#include "cmd/stackrecord/sink.h"

struct undecoded {
    struct recordsink sink;
    struct rawsink *to; /* private */
};

/* Borrows `to`. */
void undecoded_init(struct undecoded *u, struct rawsink *to);

#endif
