/* The threads of a javacore, the dump of IBM's Java and OpenJ9. */
#ifndef STACKCOLLAPSE_JAVACORE_H
#define STACKCOLLAPSE_JAVACORE_H

#include "cmd/stackcollapse/shared/javaframe.h"

struct javacore {
    struct stacker base;
    struct text thread; /* the name of the one whose stack is read */
    bool named;         /* that is to be a frame */
};

/* What the struct format of both formats has. */
#define JAVACORE_FORMAT                                                                            \
    .state_size = sizeof(struct javacore), .buffers = MEMBERS(struct javacore, thread)

/* As javaframe_method, for "4XESTACKTRACE                at a/B.run(B.java:14)". */
bool javacore_method(struct span line, struct span *method);

/* Name the thread. */
void javacore_name(struct stacker *f, struct span name);

/* Take a line: the take() of both formats. Each has a name() of its own, which is called for the
 * line first: it returns true if the line names a thread, and calls javacore_name. */
void javacore_take(struct stacker *f, struct span line,
                   bool (*name)(struct stacker *f, struct span line));

/* End the thread: emit its stack. */
void javacore_finish(struct stacker *f);

#endif
