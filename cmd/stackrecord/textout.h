/* Writes samples as perf script text, and flushes it after each round. */
#ifndef STACKRECORD_TEXTOUT_H
#define STACKRECORD_TEXTOUT_H

#include "cmd/stackrecord/sink.h"
#include "common/base/out.h"
#include "common/stack/perfwrite.h"

struct textout {
    struct samplesink sink;

    /* private */
    struct out *out;
    struct perfwrite writer;
};

/* Borrows both. */
void textout_init(struct textout *t, struct out *out, const struct frametab *frames);

void textout_free(struct textout *t);

#endif
