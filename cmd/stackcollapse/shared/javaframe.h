/* Frames as Java's stack traces print them: "\tat java.lang.Thread.run(Thread.java:840)". */
#ifndef STACKCOLLAPSE_JAVAFRAME_H
#define STACKCOLLAPSE_JAVAFRAME_H

#include "cmd/stackcollapse/shared/stacker.h"

/* Set *method to what is between "at " and the parenthesis, and return true, if the line is a
 * frame. */
bool javaframe_method(struct span line, struct span *method);

/* Return the method's name with its packages as the options want them: "org.a.B.run" is "o.a.B.run"
 * with --shorten-pkgs and "B.run" with --no-pkgs. A name without packages stays. In
 * dialect_perl slashes do not separate packages, and with one of these options a name without
 * packages becomes empty. The result is in f->name or a part of `method`. */
struct span javaframe_name(struct stacker *f, struct span method);

/* What is known of a thread in jstack's dumps; it is in the reader's `part`. Of the states that
 * Java prints only RUNNABLE is one that runs. */
enum { JAVATHREAD_UNKNOWN, JAVATHREAD_RUNS, JAVATHREAD_WAITS };

/* Begin a thread: set kept[0] to its name, without the "-12" at its end unless the options want
 * that, and f->open to true. */
void javaframe_begin_thread(struct stacker *f, struct span name);

/* End the thread. If it runs, emit its stack, with its name as the root if it was begun. If it does
 * not, and its state was read, count it as left out. */
void javaframe_end_thread(struct stacker *f, bool runs);

#endif
