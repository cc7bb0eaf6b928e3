/* --inline: the calls that the compiler inlined as frames of their own. */
#ifndef STACKCOLLAPSE_INLINED_H
#define STACKCOLLAPSE_INLINED_H

#include "cmd/stackcollapse/collapse.h"
#include "cmd/stackcollapse/build/inline.h"
#include "common/stack/foldname.h"

struct inlined {
    const struct options *options;
    struct diag *diag;
    struct inliner *inliner; /* NULL until a frame needs it */
};

/* A foldname's add_inlined, whose ctx is a struct inlined: adds perf's symbol and the calls that
 * addr2line reports inside of it, innermost last. */
bool inlined_add(struct foldname *n, const struct frame *f, bool java);

#endif
