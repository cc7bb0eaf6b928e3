/* stackcollapse-java-exceptions.pl: a line that is no frame ends the trace, also "... 2 more", unless
 * a thread waits on a lock there. See format/javaexceptions.c. */
#include "cmd/stackcollapse/build/javaframe.h"
#include "cmd/stackcollapse/script/scriptstack.h"

static void
finish(void *state)
{
    struct lineformat *f = state;
    stackbuild_reverse(&f->stack, 0);
    if (f->stack.n > 0)
        scriptstack_emit(f, LINEFORMAT_ONCE);
}

static void
take(void *state, struct span line)
{
    struct lineformat *f = state;
    struct span method;
    if (javaframe_method(line, &method))
        scriptstack_push_leaf_first(f, javaframe_name(f->c->options, &f->name, method, true));
    else if (!span_holds(line, SPAN("waiting on ")))
        finish(f);
}

const struct format script_java_exceptions = {
    .take = take,
    .finish = finish,
};
