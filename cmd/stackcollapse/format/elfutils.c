/* Stacks of eu-stack, one after the other, leaf first (eu-stack(1)); with -v a caller's address is
 * followed by "- 1":
 *
 *     PID 4242 - process
 *     TID 4242:
 *     #0  0x00007f14ce2d9745 clock_nanosleep
 *     #1  0x000055e3c1b4f0a5 - 1 work::run(int)
 *     #2  0x000055e3c1b4f1c0
 *     TID 4243:
 *     #0  0x00007f14ce2d9745 poll */
#include "cmd/stackcollapse/shared/pstack.h"

static void
take(struct stacker *f, struct span line)
{
    struct span name;
    if (pstack_eu_take(f, line))
        return;
    if (pstack_eu_frame(line, false, &name)) {
        if (span_eq(name, SPAN("- 1")))
            name = SPAN("");
        span_skip(&name, SPAN("- 1 "));
        stacker_push(f, name.len > 0 ? name : SPAN("[unknown]"));
    } else if (span_starts(line, SPAN("#"))) {
        stacker_skip(f, "not a frame of eu-stack");
    }
}

/* Return true for a frame, or for "PID 4242 - process". A frame of gdb has "in" after the
 * address. */
static bool
is_elfutils(struct span line)
{
    struct span name;
    bool frame = pstack_eu_frame(line, false, &name) && line.len > 1 && is_digit(line.ptr[1]);
    return (frame && !span_starts(name, SPAN("in "))) ||
           (span_starts(line, SPAN("PID ")) && span_ends(line, SPAN(" - process")));
}

const struct format format_elfutils = {PSTACK_FORMAT, .is = is_elfutils, .hash_is_text = true,
                                       .take = take, .finish = pstack_eu_finish};
