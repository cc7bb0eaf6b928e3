/* Chain graphs: the stack of a thread that was woken, "--", the stack of its waker, and so on. */
#ifndef FLAMESVG_WAKERS_H
#define FLAMESVG_WAKERS_H

#include "common/base/mem.h"

/* The stack with the frames of wakers marked, in the arena: "a;b;--;c;d" becomes
 * "a;b;--;c_[w];d_[w]", and "a;b" becomes "a;b;--;". */
struct span wakers_mark(struct arena *a, struct span stack);

#endif
