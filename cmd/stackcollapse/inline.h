/* Calls that the compiler inlined, as addr2line(1) tells them from debug information. One addr2line
 * runs for each binary, for as long as we do, and no shell stands between. */
#ifndef STACKCOLLAPSE_INLINE_H
#define STACKCOLLAPSE_INLINE_H

#include "common/base/diag.h"
#include "common/stack/frame.h"

struct inliner;

/* With `context` each call carries its source line. `diag` is borrowed. */
struct inliner *inliner_new(struct diag *diag, bool context);

/* True where the DSO is a file that can have debug information: no JIT, no kernel, no "[...]". */
bool inliner_wants(struct span dso);

/* The calls at the frame's address, outermost first, a newline behind each; empty where nothing is
 * known. Good until the next call. */
struct span inliner_ask(struct inliner *in, const struct frame *f);

/* Ends the programs that run; NULL is fine. */
void inliner_free(struct inliner *in);

#endif
