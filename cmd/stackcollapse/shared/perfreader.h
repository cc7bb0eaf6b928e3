/* The common part of the formats that are text as perf prints it. */
#ifndef STACKCOLLAPSE_PERFREADER_H
#define STACKCOLLAPSE_PERFREADER_H

#include "cmd/stackcollapse/shared/stacker.h"
#include "common/stack/model/fold.h"
#include "common/stack/text/perftext.h"

/* The first member of each such format's state. */
struct perfreader {
    struct stacker base;
    struct perftext *text;
    struct perf_rules rules; /* of the dialect */
    struct fold fold;        /* of its frames, into the profile */
};

/* Prepare a new state. accept() returns true for wanted samples; NULL: all are wanted. */
void perfreader_begin(struct stacker *f, bool (*accept)(void *state, const struct perf_header *h));

/* Call take() for each sample of the open file, and report unusable parts. */
void perfreader_fold(struct stacker *f, void (*take)(struct stacker *f, const struct sample *s));

void perfreader_end(struct stacker *f);

#endif
