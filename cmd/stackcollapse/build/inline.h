/* Calls that the compiler inlined, looked up with addr2line(1) in a binary's debug information.
 *
 * Every different address gets an addr2line of its own, since the names of inlined functions depend
 * on what it was asked before: see common/sym/addr2line.h. One process runs at a time, and its
 * answer is kept. */
#ifndef STACKCOLLAPSE_INLINE_H
#define STACKCOLLAPSE_INLINE_H

#include "common/base/diag.h"
#include "common/stack/frame.h"

struct inliner;

/* `as_script`: ask as stackcollapse-perf.pl does, with its answers. Else ask so that an inlined
 * function is not given the name of the function around it. `diag` is borrowed. Never NULL. */
struct inliner *inliner_new(struct diag *diag, bool as_script);

/* True where the DSO's name is one that addr2line is asked about: no perf-N.map, nothing with
 * "kernel." or "[...]" in it. */
bool inliner_wants(struct span dso);

/* The calls at the frame's address, outermost first, two lines for each: the function ("??" where
 * it is not known) and its source line, "file.c:12". Empty where addr2line cannot be run, cannot
 * read the DSO, or prints nothing; the first two are reported. Good until inliner_free. */
struct span inliner_ask(struct inliner *in, const struct frame *f);

/* Frees the inliner; NULL is fine. */
void inliner_free(struct inliner *in);

#endif
