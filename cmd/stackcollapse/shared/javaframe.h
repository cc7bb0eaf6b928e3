/* Frames as Java's stack traces print them: "\tat java.lang.Thread.run(Thread.java:840)". */
#ifndef STACKCOLLAPSE_JAVAFRAME_H
#define STACKCOLLAPSE_JAVAFRAME_H

#include "cmd/stackcollapse/shared/stacker.h"

/* Set *method to the text between "at " and the parenthesis. Return false if the line is not a
 * frame. */
bool javaframe_method(struct span line, struct span *method);

/* Return the method's name with its packages shortened by the options: "org.a.B.run" becomes
 * "o.a.B.run" with --shorten-pkgs and "B.run" with --no-pkgs. A name without packages is unchanged.
 * In dialect_perl slashes do not separate packages, and these options make a name without packages
 * empty. The result is in f->name or a part of `method`. */
struct span javaframe_name(struct stacker *f, struct span method);

#endif
