/* What a thread waits for, found by the functions on its stack. */
#ifndef STACK_WAITKIND_H
#define STACK_WAITKIND_H

#include "common/stack/model/sample.h"
#include "common/stack/model/frametab.h"

/* The leaf frame of a waiting stack is "[wait: futex]" or the like; "[wait]" if the reason is
 * unknown. This one is for a thread that could run, and waits for a CPU. */
#define WAIT_RUN_QUEUE SPAN("[wait: run queue]")

/* The leaf frame for a wait that began before the recording, so that its stack is unknown. */
#define WAIT_UNSEEN SPAN("[not seen running]")

/* Return true if the symbol is such a leaf frame. */
static inline bool
waitkind_is(struct span sym)
{
    return (span_starts(sym, SPAN("[wait: ")) && span_ends(sym, SPAN("]"))) ||
           span_eq(sym, SPAN("[wait]")) || span_eq(sym, WAIT_UNSEEN);
}

/* Return the leaf frame for a stack, leaf first, of a waiting thread: by the first kernel function
 * that tells the reason or, without kernel functions, by the function that makes the system
 * call. */
struct span waitkind_of(const struct frametab *t, const uint32_t *frames, size_t n);

#endif
