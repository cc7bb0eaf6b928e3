/* The threads of a javacore, the dump of IBM's Java and OpenJ9, leaf first ("Java dump" in OpenJ9's
 * documentation):
 *
 *     3XMTHREADINFO      "main" J9VMThread:0x01A2C500, java/lang/Thread:0xE0058E08, state:R, prio=5
 *     3XMTHREADINFO1            (native thread ID:0x5AE8, native priority:0x5, native policy:UNKNOWN)
 *     3XMTHREADINFO3           Java callstack:
 *     4XESTACKTRACE                at java/lang/Object.wait(Native Method)
 *     4XESTACKTRACE                at com/example/Main.main(Main.java:14)
 *     3XMTHREADINFO3           Native callstack: */
#include "cmd/stackcollapse/shared/javacore.h"

/* Parse `3XMTHREADINFO "main" J9VMThread:0x01A2C500`. */
static bool
take_name(struct stacker *f, struct span line)
{
    struct span name = line;
    bool named = span_skip(&name, SPAN("3XMTHREADINFO      \"")) && span_has(name, '"');
    if (!named && !span_holds(line, SPAN("3XMTHREADINFO      Anonymous native thread")))
        return false;
    if (!f->c->options->fold.no_comm)
        javacore_name(f, named ? span_before(name, '"') : SPAN("Anonymous native thread"));
    return true;
}

static void
take(struct stacker *f, struct span line)
{
    if (span_starts(line, SPAN("3XMTHREADINFO      ")))
        javacore_finish(f);
    javacore_take(f, line, take_name);
}

static bool
is_ibmjava(struct span line)
{
    struct span method;
    return span_starts(line, SPAN("0SECTION ")) || span_starts(line, SPAN("3XMTHREADINFO ")) ||
           javacore_method(line, &method);
}

const struct format format_ibmjava = {JAVACORE_FORMAT, .is = is_ibmjava, .take = take,
                                      .finish = javacore_finish};
