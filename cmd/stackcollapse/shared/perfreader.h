/* What the formats that are perf's text have in common. */
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

/* Prepare a new state. `accept` says which samples are wanted; NULL: all are. */
void perfreader_begin(struct stacker *f, bool (*accept)(void *state, const struct perf_header *h));

/* Call take() for each sample of the open file, and report what could not be used. */
void perfreader_fold(struct stacker *f, void (*take)(struct stacker *f, const struct sample *s));

void perfreader_end(struct stacker *f);

#endif
