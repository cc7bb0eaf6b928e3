/* Frames as Java's stack traces print them: "\tat java.lang.Thread.run(Thread.java:840)". */
#ifndef STACKCOLLAPSE_JAVAFRAME_H
#define STACKCOLLAPSE_JAVAFRAME_H

#include "cmd/stackcollapse/build/reader.h"

/* Set *method to what is between "at " and the parenthesis, and return true, if the line is a
 * frame. */
bool javaframe_method(struct span line, struct span *method);

/* Return the method's name with its packages as the options want them: "org.a.B.run" is "o.a.B.run"
 * with --shorten-pkgs and "B.run" with --no-pkgs. A name without packages stays. Under a Perl
 * script's name slashes do not separate packages, and a name without packages becomes empty where
 * they are to be shortened. The result is in f->name or a part of `method`. */
struct span javaframe_name(struct reader *f, struct span method);

/* A thread of jstack's dumps: the reader's part. Of the states that Java prints only whether it is
 * RUNNABLE matters. */
enum { JAVATHREAD_UNKNOWN, JAVATHREAD_RUNS, JAVATHREAD_WAITS };

/* Begin a thread: its name is the reader's text kept, without the "-12" at its end unless the
 * options want that; f->open is set. */
void javaframe_begin_thread(struct reader *f, struct span name);

/* End the thread: if it runs, emit its stack below its name, if it was begun. Else, and if its
 * state is known, it is left out. */
void javaframe_end_thread(struct reader *f, bool runs);

#endif
