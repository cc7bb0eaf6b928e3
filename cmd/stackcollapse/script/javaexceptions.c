/* Replaces stackcollapse-java-exceptions.pl. A line that is no frame, even "... 2 more", ends the
 * trace, unless it says that a thread waits on a lock. See format/javaexceptions.c. */
#include "cmd/stackcollapse/shared/javaframe.h"

static void
take(struct stacker *f, struct span line)
{
    struct span method;
    if (javaframe_method(line, &method))
        stacker_push_leaf_first(f, javaframe_name(f, method));
    else if (!span_holds(line, SPAN("waiting on ")))
        stacker_emit(f, LEAF_FIRST, ONCE);
}

const struct format script_java_exceptions = {.take = take, .finish = stacker_finish};
