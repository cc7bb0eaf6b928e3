/* stackcollapse-recursive.pl: it reads one count a line, and no empty frames at a stack's end. */
#include "cmd/stackcollapse/script/scriptparts.h"
#include "common/stack/text/foldedtext.h"

/* Push the frames, each unless it is the one before again; the one before the first is an empty
 * one. */
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

/* /^(.*)\s+?(\d+(?:\.\d*)?)$/ */
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
