/* Makes the names in a folded stack from the frames of a sample. */
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
    struct text text; /* buffer for a name */
};

/* Fills n->ids with the names of a frame: usually one, none if the dialect skips the frame, several
 * if calls were inlined. `java`: cut the L of a class descriptor (see java_by_comm in dialect.h).
 */
void names_of_frame(struct names *n, const struct frame *f, bool java);

/* Fills n->ids with the name of a sample's command, as the options want it. */
void names_of_comm(struct names *n, const struct perf_header *h);

void names_free(struct names *n);

#endif
