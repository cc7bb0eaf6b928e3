/* The last sink where stacks are unwound and nothing is printed: keeps which files the processes
 * have mapped, and nothing else. */
#ifndef STACKRECORD_MAPPED_H
#define STACKRECORD_MAPPED_H

#include "common/stage/sink.h"
#include "common/symbolize/recordsource.h"

struct mapped {
    struct recordsink sink;
    struct recordsource source; /* which knows the files */

    /* private from here */
    struct objects *objects;
    struct perfdata facts;
    struct frametab frames;
};

/* Prepare for the events. Borrow all but these; the options' objects open the files that cannot be
 * opened later. */
void mapped_init(struct mapped *m, const struct eventset *events,
                 const struct recordsource_options *options, struct diag *diag);

#endif
