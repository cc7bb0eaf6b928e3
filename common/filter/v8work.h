/* What V8 is busy with in its own functions. */
#ifndef FILTER_V8WORK_H
#define FILTER_V8WORK_H

#include "common/base/span.h"

enum v8work {
    WORK_NONE,    /* not a frame of V8's own */
    WORK_RUNTIME, /* anything else */
    WORK_GC,
    WORK_COMPILER,
    WORK_REGEXP,
    WORK_IC,
};

/* Return what the function is for: WORK_NONE unless it is C++ of v8::internal, or code that V8
 * generates for itself. V8's public interface (v8::Function::Call) is not its own work. */
enum v8work v8work_of(struct span sym);

/* Return "(garbage collector)" and so on. Not for WORK_NONE. */
struct span v8work_name(enum v8work work);

#endif
