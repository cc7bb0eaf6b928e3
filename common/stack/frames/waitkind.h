/* What a thread waits for, by the functions of its stack. */
#ifndef STACK_WAITKIND_H
#define STACK_WAITKIND_H

#include "common/stack/model/sample.h"
#include "common/stack/model/frametab.h"

/* The frame at the leaf of a stack that waits is "[wait: futex]" or the like, and "[wait]" where it
 * is not known for what.
 *
 * That of a thread that could run, and waits for a CPU. */
#define WAIT_RUN_QUEUE SPAN("[wait: run queue]")

/* That of a wait which began before the recording, so that its stack is not known. */
#define WAIT_UNSEEN SPAN("[not seen running]")

/* Return true if the symbol is one of those. */
static inline bool
waitkind_is(struct span sym)
{
    return (span_starts(sym, SPAN("[wait: ")) && span_ends(sym, SPAN("]"))) ||
           span_eq(sym, SPAN("[wait]")) || span_eq(sym, WAIT_UNSEEN);
}

/* Return the frame for a stack, leaf first, of a thread that waits: by the first of the kernel's
 * functions that says it or, without them, by the function that makes the system call. */
struct span waitkind_of(const struct frametab *t, const uint32_t *frames, size_t n);

#endif
