/* Threads in dumps of Java, as our own dialect counts them. The parts of the reader that
 * javaframe.h names are used: `part`, `open` and the name, kept[0]. */
#ifndef STACKCOLLAPSE_JAVATHREAD_H
#define STACKCOLLAPSE_JAVATHREAD_H

#include "cmd/stackcollapse/shared/javaframe.h"

/* Return JAVATHREAD_RUNS or JAVATHREAD_WAITS for a state of java.lang.Thread.State, and
 * JAVATHREAD_UNKNOWN for another word. */
int javathread_state(struct span word);

/* Begin a thread. A virtual thread, which need not have a name, is then called "virtual thread-12",
 * after its number. */
void javathread_begin(struct stacker *f, struct span name, struct span number);

/* Push a method, leaf first, without the class loader and module in front: "app//a.B.run" and
 * "java.base@21/java.lang.Thread.run" are called as jstack calls them. */
void javathread_push(struct stacker *f, struct span method);

/* End the thread: emit its stack if it runs, which its state says, or where the dump has no states
 * (`stateless`) its leaf. A thread whose leaf is a call in which it blocks, or the one by which it
 * carries a virtual thread, does not run. */
void javathread_end(struct stacker *f, bool stateless);

#endif
