/* Threads in dumps of Java. */
#ifndef STACKCOLLAPSE_JAVATHREAD_H
#define STACKCOLLAPSE_JAVATHREAD_H

#include "cmd/stackcollapse/shared/javaframe.h"

/* What is known of a thread. Of the states that Java prints only RUNNABLE is one that runs. */
enum javathread_state { JAVATHREAD_UNKNOWN, JAVATHREAD_RUNS, JAVATHREAD_WAITS };

struct javathread {
    struct stacker base;
    enum javathread_state state;
    struct text name;
    bool begun; /* javathread_begin was called */
};

/* Return JAVATHREAD_RUNS or JAVATHREAD_WAITS for a state of java.lang.Thread.State, and
 * JAVATHREAD_UNKNOWN for another word. */
enum javathread_state javathread_state(struct span word);

/* Begin a thread. The "-12" at the end of its name is removed unless the options want it. A virtual
 * thread, which need not have a name, is then called "virtual thread-12", after its number. */
void javathread_begin(struct javathread *t, struct span name, struct span number);

/* Push a method, leaf first, without the class loader and module in front: "app//a.B.run" and
 * "java.base@21/java.lang.Thread.run" are called as jstack calls them. */
void javathread_push(struct javathread *t, struct span method);

/* Return true if the thread runs, which its state says, or where the dump has no states
 * (`stateless`) its leaf. A thread whose leaf is a call in which it blocks, or the one by which it
 * carries a virtual thread, does not run. */
bool javathread_runs(const struct javathread *t, bool stateless);

/* End the thread. If it runs, emit its stack, with its name as the root if it was begun. If it does
 * not, and its state was read, count it as left out. */
void javathread_end(struct javathread *t, bool runs);

#endif
