/* Classifies V8's own functions by the work that they do. */
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

/* Return the work of a function: WORK_NONE unless it is C++ of v8::internal, or code that V8
 * generates for itself. V8's public interface (v8::Function::Call) is not its own work. */
enum v8work v8work_of(struct span sym);

/* Return the name of a work other than WORK_NONE, such as "(garbage collector)". */
struct span v8work_name(enum v8work work);

#endif
