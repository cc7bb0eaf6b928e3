/* Samples with the names of their functions: a recordsink that looks them up and passes them on. */
#ifndef STACKRECORD_SYMBOLIZED_H
#define STACKRECORD_SYMBOLIZED_H

#include "cmd/stackrecord/sink.h"
#include "common/symbolize/recordsource.h"

struct symbolized {
    struct recordsink sink;
    struct recordsource source;
    struct frametab frames;
    size_t frames_limit; /* bytes; set by the caller; 0: there is none */

    /* private from here */
    struct perfdata facts;
    struct samplesink *to;
};

/* Borrows all but the options' texts, which are borrowed too. */
void symbolized_init(struct symbolized *s, const struct session *session,
                     const struct recordsource_options *options, struct samplesink *to,
                     struct diag *diag);

void symbolized_free(struct symbolized *s);

#endif
