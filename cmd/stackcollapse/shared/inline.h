/* --inline: shows inlined calls as frames of their own, from the debug information of the binaries
 * that frames name. */
#ifndef STACKCOLLAPSE_INLINE_H
#define STACKCOLLAPSE_INLINE_H

#include "cmd/stackcollapse/collapse.h"
#include "common/stack/model/foldname.h"

struct inliner;

/* Return an inliner, never NULL. The options' dialect says how calls are shown; `diag`
 * is borrowed. */
struct inliner *inliner_new(const struct options *o, struct diag *diag);

/* Add perf's symbol and the calls inlined into it, innermost last. Return false if nothing is known
 * about the frame. Use this as a foldname's add_inlined, with the inliner as ctx. */
bool inliner_add(struct foldname *n, const struct frame *f, bool java);

/* Free the inliner; NULL is fine. */
void inliner_free(struct inliner *in);

#endif
