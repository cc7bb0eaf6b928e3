/* Frames as Java's stack traces print them: "\tat java.lang.Thread.run(Thread.java:840)". */
#ifndef STACKCOLLAPSE_JAVAFRAME_H
#define STACKCOLLAPSE_JAVAFRAME_H

#include "cmd/stackcollapse/build/lineformat.h"

/* Set *method to what is between "at " and the parenthesis, and return true, if the line is a
 * frame. */
bool javaframe_method(struct span line, struct span *method);

/* Return the method's name with its packages as the options want them: "org.a.B.run" is "o.a.B.run"
 * with --shorten-pkgs and "B.run" with --no-pkgs. A name without packages stays. With `dots_only`
 * slashes do not separate packages, and a name without packages becomes empty where they are to be
 * shortened. The result is in *text or a part of `method`. */
struct span javaframe_name(const struct options *o, struct text *text, struct span method,
                           bool dots_only);

/* Return a thread's name without the "-12" at its end. */
struct span javaframe_without_number(struct span name);

/* In a javacore: set *id to that in "3XMTHREADINFO1            (native thread ID:0x5AE8, native
 * priority:0x5". Return false if the line has none. */
bool javaframe_thread_id(struct span line, struct span *id);

/* In a javacore: as javaframe_method, for "4XESTACKTRACE                at a/B.run(B.java:14)". */
bool javaframe_javacore(struct span line, struct span *method);

#endif
