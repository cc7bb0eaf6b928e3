/* Builds the stacks of threads in Java thread dumps. */
#ifndef STACKCOLLAPSE_JAVATHREAD_H
#define STACKCOLLAPSE_JAVATHREAD_H

#include "cmd/stackcollapse/shared/javaframe.h"

/* The state of a thread. RUNNABLE is the only one of Java's states that means running. */
enum javathread_state { JAVATHREAD_UNKNOWN, JAVATHREAD_RUNS, JAVATHREAD_WAITS };

struct javathread {
    struct stacker base;
    enum javathread_state state;
    struct text name;
    bool begun; /* javathread_begin was called */
};

/* Return JAVATHREAD_RUNS or JAVATHREAD_WAITS for a name of java.lang.Thread.State, and
 * JAVATHREAD_UNKNOWN for any other word. */
enum javathread_state javathread_state(struct span word);

/* Begin a thread. Remove "-12" from the end of its name unless the options keep it. A virtual
 * thread may have no name: call it "virtual thread-12", after its number, before that. */
void javathread_begin(struct javathread *t, struct span name, struct span number);

/* Push a method, leaf first, without a class loader or module before it, as jstack prints it:
 * "a.B.run" for "app//a.B.run", "java.lang.Thread.run" for "java.base@21/java.lang.Thread.run". */
void javathread_push(struct javathread *t, struct span method);

/* Return true if the thread runs, by its state, or by its leaf if the dump has no states
 * (`stateless`). A thread does not run if its leaf is a blocking call, or the call by which it
 * carries a virtual thread. */
bool javathread_runs(const struct javathread *t, bool stateless);

/* End the thread. If it runs, emit its stack, with its name as the root if javathread_begin was
 * called. Otherwise, if its state was read, count it as left out. */
void javathread_end(struct javathread *t, bool runs);

#endif
