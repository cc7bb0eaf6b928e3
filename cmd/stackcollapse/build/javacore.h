/* The threads of a javacore, the dump of IBM's Java and OpenJ9. In the reader, the text kept is the
 * name of the thread whose stack is read; `open`: it is to be a frame. */
#ifndef STACKCOLLAPSE_JAVACORE_H
#define STACKCOLLAPSE_JAVACORE_H

#include "cmd/stackcollapse/build/javaframe.h"

/* As javaframe_method, for "4XESTACKTRACE                at a/B.run(B.java:14)". */
bool javacore_method(struct span line, struct span *method);

/* Name the thread. */
void javacore_name(struct reader *f, struct span name);

/* Take a line; but one that names the thread is for name(), which returns false if it does not. */
void javacore_take(struct reader *f, struct span line,
                   bool (*name)(struct reader *f, struct span line));

/* End the thread: emit its stack. */
void javacore_finish(struct reader *f);

#endif
