/* Replaces stackcollapse-recursive.pl, which reads one count for each line, and ignores empty
 * frames at the end of a stack. */
#include "cmd/stackcollapse/script/scriptparts.h"
#include "common/stack/text/foldedtext.h"

/* Push the frames, except for repetitions of the one before; before the first one there is an empty
 * frame. */
static void
push(struct stacker *f, struct span stack)
{
    struct span last = SPAN("");
    while (stack.ptr != NULL) {
        struct span frame = folded_frame(&stack);
        if (!span_eq(frame, last))
            stacker_push(f, frame);
        last = frame;
    }
}

/* Match /^(.*)\s+?(\d+(?:\.\d*)?)$/. */
static void
take(struct stacker *f, struct span line)
{
    struct decimal count;
    struct span stack = line;
    while (stack.len > 0 && is_number_part(stack.ptr[stack.len - 1]))
        stack.len--;
    if (!decimal_parse(span_from(line, stack.len), &count) || stack.len < 2 ||
        !is_space(stack.ptr[--stack.len]) || span_eq(stack, SPAN("0")))
        return;
    while (span_ends(stack, SPAN(";")))
        stack.len--;
    if (stack.len > 0)
        push(f, stack);
    scriptstack_emit(f, count);
}

const struct format script_recursive = {.take = take};
