/* From a frame of perf script text to the names that stand for it in a folded stack. */
#ifndef STACKCOLLAPSE_NAMES_H
#define STACKCOLLAPSE_NAMES_H

#include "cmd/stackcollapse/collapse.h"
#include "common/base/text.h"
#include "common/stack/perftext.h"

struct names {
    const struct options *options;
    struct profile *profile;
    struct diag *diag;
    struct inliner *inliner; /* NULL until --inline needs it */
    uint32_t *ids;           /* of the frame asked for last, root first */
    size_t count, cap;
    struct text text; /* a name being put together */
};

/* Fills n->ids with the names of a frame: usually one, none if the dialect passes the
 * frame over, several if calls were inlined. `java` is the dialect's java_by_comm answer. */
void names_of_frame(struct names *n, const struct frame *f, bool java);

/* Fills n->ids with the name of a sample's command, as the options want it. */
void names_of_comm(struct names *n, const struct perf_header *h);

void names_free(struct names *n);

#endif
