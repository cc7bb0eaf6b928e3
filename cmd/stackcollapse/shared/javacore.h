/* The threads of a javacore, the dump of IBM's Java and OpenJ9. */
#ifndef STACKCOLLAPSE_JAVACORE_H
#define STACKCOLLAPSE_JAVACORE_H

#include "cmd/stackcollapse/shared/javaframe.h"

struct javacore {
    struct stacker base;
    struct text thread; /* name of the thread whose stack is read */
    bool named;         /* show the name as a frame */
};

/* Members of both formats' struct format. */
#define JAVACORE_FORMAT                                                                            \
    .state_size = sizeof(struct javacore), .buffers = MEMBERS(struct javacore, thread)

/* As javaframe_method, for "4XESTACKTRACE                at a/B.run(B.java:14)". */
bool javacore_method(struct span line, struct span *method);

/* Set the name of the thread. */
void javacore_name(struct stacker *f, struct span name);

/* Process a line. Both formats' take() functions call this, each with its own name(): if the line
 * names a thread, name() must call javacore_name() and return true. */
void javacore_take(struct stacker *f, struct span line,
                   bool (*name)(struct stacker *f, struct span line));

/* End the thread: emit its stack. */
void javacore_finish(struct stacker *f);

#endif
