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

#endif
