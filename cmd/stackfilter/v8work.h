/* What V8 does in frames of its own. */
#ifndef STACKFILTER_V8WORK_H
#define STACKFILTER_V8WORK_H

#include "common/base/span.h"

enum v8work {
    WORK_NONE,    /* not a frame of V8's own */
    WORK_RUNTIME, /* anything that is none of the following */
    WORK_GC,
    WORK_COMPILER,
    WORK_REGEXP,
    WORK_IC,
};

/* What the function does: V8's C++ below v8::internal, and the code that V8 generates for itself.
 * Its public interface (v8::Function::Call) is none of it. */
enum v8work v8work_of(struct span sym);

/* "(garbage collector)" and so on; not for WORK_NONE. */
struct span v8work_name(enum v8work work);

#endif
