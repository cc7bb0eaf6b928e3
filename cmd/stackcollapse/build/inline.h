/* --inline: the calls that the compiler inlined as frames of their own, looked up with addr2line(1)
 * in a binary's debug information.
 *
 * Every different address gets an addr2line of its own, since the names of inlined functions depend
 * on what it was asked before: see common/sym/addr2line.h. One process runs at a time, and its
 * answer is kept. */
#ifndef STACKCOLLAPSE_INLINE_H
#define STACKCOLLAPSE_INLINE_H

#include "cmd/stackcollapse/collapse.h"
#include "common/stack/foldname.h"

struct inliner;

/* Return an inliner, never NULL. The options' dialect says how addr2line is asked and shown; `diag`
 * is borrowed. */
struct inliner *inliner_new(const struct options *o, struct diag *diag);

/* Add perf's symbol and the calls that addr2line reports inside of it, innermost last: a foldname's
 * add_inlined, whose ctx is the inliner. Return false if nothing is known of the frame. */
bool inliner_add(struct foldname *n, const struct frame *f, bool java);

/* Free the inliner; NULL is fine. */
void inliner_free(struct inliner *in);

#endif
