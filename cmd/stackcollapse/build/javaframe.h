/* Frames as Java's stack traces print them: "\tat java.lang.Thread.run(Thread.java:840)". */
#ifndef STACKCOLLAPSE_JAVAFRAME_H
#define STACKCOLLAPSE_JAVAFRAME_H

#include "cmd/stackcollapse/build/lineformat.h"

/* Sets *method to what is between "at " and the parenthesis, and returns true, if the line is a
 * frame. */
bool javaframe_method(struct span line, struct span *method);

/* The method's name with its packages as the options want them: "org.a.B.run" is "o.a.B.run" with
 * --shorten-pkgs and "B.run" with --no-pkgs. A name that has none stays; the scripts make an empty
 * one of it. The result is in *text or a part of `method`. */
struct span javaframe_name(const struct lineformat *f, struct text *text, struct span method);

#endif
